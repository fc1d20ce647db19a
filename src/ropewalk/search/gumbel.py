"""Action selection of Gumbel AlphaZero and Gumbel MuZero (Danihelka, Guez, Schrittwieser, Silver 2022).

At the root the moves with the largest sums of log prior and Gumbel noise are compared by sequential halving. Inside the tree
visits follow the improved policy, prior * exp(multiplier * (Q - mixed value)), in which unvisited moves have the mixed value
of the node. Function and parameter names are those of mctx. Values here are from -1 to 1 for the seat to move.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..jit.kernel import kernel, to_int64
from ..jit.prng import MASK32, Rng, next_u32
from .gumbel_tree import F32, I32, NUM_CONSIDERED, GumbelTree
from .interfaces import NO_NODE, ROOT

MIN_PROBABILITY = 1e-30  # lower bound of divisors and of arguments of the logarithm
MAX_EXPONENT = 80.0  # bound of the argument of the exponential function, both ways
POLICY_SCALE = 65535.0  # a probability of 1 in a stored policy target
VALUE_SCALE = 32767.0  # a value of 1 in a stored search value


class GumbelParams(NamedTuple):
    """Parameters of the search, with the names of mctx."""

    num_simulations: int  # per move, not counting the evaluation of the root
    max_num_considered_actions: int  # moves at the root that take part in sequential halving
    value_scale: float  # see `value_multiplier`
    maxvisit_init: float  # see `value_multiplier`
    gumbel_scale: float  # factor of the Gumbel noise at the root, 0 for none
    sequential_halving: int  # 1: sequential halving at the root; 0: interior selection at the root too


def considered_visits_table(max_considered: int, num_simulations: int) -> I32:
    """Return the schedule of sequential halving, [max_considered + 1, num_simulations].

    Entry [m, n] is the number of visits that the move of simulation n must have, if m moves are considered: all of them are
    visited equally often, then the better half, and so on until the simulations are used up.
    """
    table = np.zeros((max_considered + 1, num_simulations), np.int32)
    for count in range(1, max_considered + 1):
        table[count] = considered_visits_sequence(count, num_simulations)
    return table


def considered_visits_sequence(num_considered: int, num_simulations: int) -> list[int]:
    """Return one row of the schedule."""
    if num_considered == 1:
        return list(range(num_simulations))
    rounds = (num_considered - 1).bit_length()
    visits = [0] * num_considered
    sequence: list[int] = []
    while len(sequence) < num_simulations:
        for _ in range(max(1, num_simulations // (rounds * num_considered))):
            sequence += visits[:num_considered]
            visits[:num_considered] = [visit + 1 for visit in visits[:num_considered]]
        num_considered = max(2, num_considered // 2)
    return sequence[:num_simulations]


@kernel
def mean_value(tree: GumbelTree, node: int, seat: int) -> float:
    """Return the mean result of a visited node for `seat`."""
    mean = tree.value_sum[node] / tree.visits[node]
    return mean if seat == 0 else -mean


@kernel
def mix_value(tree: GumbelTree, node: int) -> tuple[float, int]:
    """Return the net's value mixed with the prior-weighted mean of the visited children, and the most visits of a child."""
    seat, first = to_int64(tree.seat[node]), to_int64(tree.edge_begin[node])
    prior_sum, weighted_value_sum, visits, max_visits = 0.0, 0.0, 0, 0
    for edge in range(first, first + tree.num_visited[node]):
        child = to_int64(tree.child[edge])
        prior_sum += tree.prior[edge]
        weighted_value_sum += tree.prior[edge] * mean_value(tree, child, seat)
        visits += tree.visits[child]
        max_visits = max(max_visits, to_int64(tree.visits[child]))
    raw = np.float64(tree.raw_value[node] if seat == 0 else -tree.raw_value[node])
    if visits == 0:
        return raw, 0
    return (raw + visits * weighted_value_sum / max(prior_sum, MIN_PROBABILITY)) / (1 + visits), max_visits


@kernel
def value_multiplier(params: GumbelParams, max_visits: int) -> float:
    """Return value_scale * (maxvisit_init + max_visits), the factor applied to Q before it is added to the logits."""
    return params.value_scale * (params.maxvisit_init + max_visits)


@kernel
def exp_advantage(advantage: float) -> float:
    """Return exp(advantage), the advantage clipped to +-MAX_EXPONENT."""
    return math.exp(min(max(advantage, -MAX_EXPONENT), MAX_EXPONENT))


@kernel
def improved_policy_normaliser(tree: GumbelTree, node: int, mixed: float, multiplier: float) -> float:
    """Return the sum of prior * exp(advantage) over all moves; unvisited moves have advantage 0."""
    seat, first = to_int64(tree.seat[node]), to_int64(tree.edge_begin[node])
    total, prior_sum = 0.0, 0.0
    for edge in range(first, first + tree.num_visited[node]):
        prior = tree.prior[edge]
        prior_sum += prior
        total += prior * exp_advantage(multiplier * (mean_value(tree, to_int64(tree.child[edge]), seat) - mixed))
    return max(total + max(1.0 - prior_sum, 0.0), MIN_PROBABILITY)


@kernel
def interior_action_selection(tree: GumbelTree, node: int, params: GumbelParams) -> int:
    """Return the edge with the largest difference of improved policy and share of visits; needs `promote_best_unvisited`."""
    seat, first, num_visited = to_int64(tree.seat[node]), to_int64(tree.edge_begin[node]), to_int64(tree.num_visited[node])
    mixed, max_visits = mix_value(tree, node)
    multiplier = value_multiplier(params, max_visits)
    normaliser = improved_policy_normaliser(tree, node, mixed, multiplier)
    inv_visits = 1.0 / tree.visits[node]
    best, best_score = first, -1e30
    for edge in range(first, first + num_visited):
        child = to_int64(tree.child[edge])
        advantage = multiplier * (mean_value(tree, child, seat) - mixed)
        score = tree.prior[edge] * exp_advantage(advantage) / normaliser - tree.visits[child] * inv_visits
        if score > best_score:
            best, best_score = edge, score
    if num_visited < tree.num_edges[node] and tree.prior[first + num_visited] / normaliser > best_score:
        best = first + num_visited
    return best


@kernel
def promote_best_unvisited(tree: GumbelTree, node: int) -> None:
    """Swap the unvisited edge with the largest prior to the place after the visited ones."""
    front = to_int64(tree.edge_begin[node] + tree.num_visited[node])
    last = to_int64(tree.edge_begin[node] + tree.num_edges[node])
    if front >= last:
        return
    best = front
    for edge in range(front + 1, last):
        if tree.prior[edge] > tree.prior[best]:
            best = edge
    swap_edges(tree, front, best)


@kernel
def swap_edges(tree: GumbelTree, one: int, other: int) -> None:
    """Swap two edges without children."""
    tree.prior[one], tree.prior[other] = tree.prior[other], tree.prior[one]
    tree.move[one], tree.move[other] = tree.move[other], tree.move[one]


@kernel
def sample_gumbel(rng: Rng) -> float:
    """Return a sample of the standard Gumbel distribution."""
    return -math.log(-math.log((next_u32(rng) + 0.5) / (MASK32 + 1.0)))


@kernel
def gumbel_logit(tree: GumbelTree, edge: int) -> float:
    """Return Gumbel noise + log prior of a root edge."""
    return tree.gumbel_noise[edge] + math.log(max(tree.prior[edge], MIN_PROBABILITY))


@kernel
def sample_considered(tree: GumbelTree, params: GumbelParams, gumbel_logits: F32) -> None:
    """Sample the root's noise and write the `max_num_considered_actions` edges with the largest Gumbel logits.

    A root's edges begin at 0 and keep their order. `gumbel_logits` is scratch.
    """
    count = tree.num_edges[ROOT]
    for edge in range(count):
        tree.gumbel_noise[edge] = params.gumbel_scale * sample_gumbel(tree.rng) if params.gumbel_scale > 0 else 0.0
        gumbel_logits[edge] = gumbel_logit(tree, edge)
    num_considered = min(params.max_num_considered_actions, count)
    tree.counters[NUM_CONSIDERED] = num_considered
    for slot in range(num_considered):
        best = 0
        for edge in range(1, count):
            if gumbel_logits[edge] > gumbel_logits[best]:
                best = edge
        tree.considered[slot] = best
        gumbel_logits[best] = -math.inf


@kernel
def edge_visits(tree: GumbelTree, edge: int) -> int:
    """Return the visits of an edge's child, 0 without one."""
    child = to_int64(tree.child[edge])
    return 0 if child == NO_NODE else to_int64(tree.visits[child])


@kernel
def root_value_multiplier(tree: GumbelTree, params: GumbelParams) -> float:
    """Return `value_multiplier` at the root, from the considered moves."""
    max_visits = 0
    for slot in range(tree.counters[NUM_CONSIDERED]):
        max_visits = max(max_visits, edge_visits(tree, to_int64(tree.considered[slot])))
    return value_multiplier(params, max_visits)


@kernel
def root_action_selection(tree: GumbelTree, params: GumbelParams, target_visits: int) -> int:
    """Return the considered edge with `target_visits` visits that has the best noise + log prior + scaled Q.

    A negative `target_visits` selects among the most visited edges: that is the final move of the search.
    """
    multiplier = root_value_multiplier(tree, params)
    seat = to_int64(tree.seat[ROOT])
    if target_visits < 0:
        for slot in range(tree.counters[NUM_CONSIDERED]):
            target_visits = max(target_visits, edge_visits(tree, to_int64(tree.considered[slot])))
    best, best_score = to_int64(tree.considered[0]), -math.inf
    for slot in range(tree.counters[NUM_CONSIDERED]):
        edge = to_int64(tree.considered[slot])
        if edge_visits(tree, edge) == target_visits:
            score = gumbel_logit(tree, edge)
            if target_visits > 0:
                score += multiplier * mean_value(tree, to_int64(tree.child[edge]), seat)
            if score > best_score:
                best, best_score = edge, score
    return best


@kernel
def write_improved_policy(tree: GumbelTree, params: GumbelParams, policy: Any) -> None:
    """Write the root's improved policy by edge, as uint16 in units of 1 / POLICY_SCALE."""
    seat = to_int64(tree.seat[ROOT])
    multiplier = root_value_multiplier(tree, params)
    mixed = root_mix_value(tree)
    normaliser = 0.0
    for edge in range(tree.num_edges[ROOT]):
        normaliser += tree.prior[edge] * root_exp_advantage(tree, edge, seat, mixed, multiplier)
    normaliser = max(normaliser, MIN_PROBABILITY)
    for edge in range(tree.num_edges[ROOT]):
        weight = tree.prior[edge] * root_exp_advantage(tree, edge, seat, mixed, multiplier)
        policy[edge] = np.uint16(weight / normaliser * POLICY_SCALE + 0.5)


@kernel
def root_exp_advantage(tree: GumbelTree, edge: int, seat: int, mixed: float, multiplier: float) -> float:
    """Return exp(advantage) of a root edge, 1 for an unvisited one."""
    child = to_int64(tree.child[edge])
    return 1.0 if child == NO_NODE else exp_advantage(multiplier * (mean_value(tree, child, seat) - mixed))


@kernel
def root_mix_value(tree: GumbelTree) -> float:
    """Return the mixed value of a root with sequential halving, whose visited edges are no prefix."""
    seat = to_int64(tree.seat[ROOT])
    prior_sum, weighted_value_sum, visits = 0.0, 0.0, 0
    for slot in range(tree.counters[NUM_CONSIDERED]):
        edge = to_int64(tree.considered[slot])
        child = to_int64(tree.child[edge])
        if child != NO_NODE:
            prior_sum += tree.prior[edge]
            weighted_value_sum += tree.prior[edge] * mean_value(tree, child, seat)
            visits += tree.visits[child]
    raw = np.float64(tree.raw_value[ROOT] if seat == 0 else -tree.raw_value[ROOT])
    return raw if visits == 0 else (raw + visits * weighted_value_sum / max(prior_sum, MIN_PROBABILITY)) / (1 + visits)
