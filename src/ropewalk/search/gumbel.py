"""Choosing in a forest as Gumbel AlphaZero does (Danihelka and others, 2022).

At the root the moves with the best sums of prior and Gumbel noise are compared by sequential halving. Inside a tree the
visits follow the improved policy: prior * exp(scale * value), where moves not yet tried have the mixed value of those tried.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..jit.kernel import kernel, to_int64
from ..jit.prng import MASK32, Rng, next_u32
from .gumbel_tree import F32, NO_NODE, NUM_CONSIDERED, ROOT, GumbelTree

MIN_PROBABILITY = 1e-30  # a probability that has a logarithm
MAX_EXPONENT = 80.0  # what an exponent is cut off at
POLICY_SCALE = 65535.0  # a target of 1
VALUE_SCALE = 32767.0  # a value of 1


class GumbelParams(NamedTuple):
    """How the trees are searched."""

    num_simulations: int  # a move, the evaluation of the root not counted
    max_num_considered_actions: int  # moves at the root
    value_scale: float  # of values beside the logarithms of priors
    maxvisit_init: float  # added to the most visited move's visits, which the scale grows with
    gumbel_scale: float  # 1 for Gumbel noise at the root, 0 for none
    sequential_halving: int  # 1: sequential halving at the root; 0: visits follow the improved policy there too
    is_selfplay: int  # 1: play the chosen move and go on; 0: stop when the search is done
    opening_moves: int  # at most so many random moves before a game, half of the games without any
    max_opening_value: float = (
        1.0  # random openings that the net finds more lopsided than this, 0 to 1, are mostly drawn anew
    )


@kernel
def mean_value(tree: GumbelTree, node: int, seat: int) -> float:
    """What a seat got in the visits of a node, on average."""
    mean = tree.value_sum[node] / tree.visits[node]
    return mean if seat == 0 else -mean


@kernel
def mix_value(tree: GumbelTree, node: int) -> tuple[float, int]:
    """For the seat to move: the net's value mixed with those of the tried moves; and the visits of the most visited one."""
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
    """How much a difference of values counts."""
    return params.value_scale * (params.maxvisit_init + max_visits)


@kernel
def exp_advantage(advantage: float) -> float:
    """How many times likelier a move gets whose scaled value is so much above the mixed one."""
    return math.exp(min(max(advantage, -MAX_EXPONENT), MAX_EXPONENT))


@kernel
def improved_policy_normaliser(tree: GumbelTree, node: int, mixed: float, multiplier: float) -> float:
    """The sum of the improved policy's weights; moves not tried weigh their priors."""
    seat, first = to_int64(tree.seat[node]), to_int64(tree.edge_begin[node])
    total, prior_sum = 0.0, 0.0
    for edge in range(first, first + tree.num_visited[node]):
        prior = tree.prior[edge]
        prior_sum += prior
        total += prior * exp_advantage(multiplier * (mean_value(tree, to_int64(tree.child[edge]), seat) - mixed))
    return max(total + max(1.0 - prior_sum, 0.0), MIN_PROBABILITY)


@kernel
def interior_action_selection(tree: GumbelTree, node: int, params: GumbelParams) -> int:
    """The edge whose share of visits is farthest below what the improved policy wants."""
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
    """Put the likeliest of the moves not tried next to those that are."""
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
    """Two edges change places; only for one that leads nowhere yet."""
    tree.prior[one], tree.prior[other] = tree.prior[other], tree.prior[one]
    tree.move[one], tree.move[other] = tree.move[other], tree.move[one]


@kernel
def sample_gumbel(rng: Rng) -> float:
    """A number from the Gumbel distribution."""
    return -math.log(-math.log((next_u32(rng) + 0.5) / (MASK32 + 1.0)))


@kernel
def gumbel_logit(tree: GumbelTree, edge: int) -> float:
    """What a move of the root promises before it is tried: the logarithm of its prior, and noise."""
    return tree.gumbel_noise[edge] + math.log(max(tree.prior[edge], MIN_PROBABILITY))


@kernel
def sample_considered(tree: GumbelTree, params: GumbelParams, gumbel_logits: F32) -> None:
    """Draw the root's noise and pick the most promising moves. A root's edges begin at 0 and keep their order."""
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
    """How often a move was tried."""
    child = to_int64(tree.child[edge])
    return 0 if child == NO_NODE else to_int64(tree.visits[child])


@kernel
def root_value_multiplier(tree: GumbelTree, params: GumbelParams) -> float:
    """How much a difference of values counts at the root."""
    max_visits = 0
    for slot in range(tree.counters[NUM_CONSIDERED]):
        max_visits = max(max_visits, edge_visits(tree, to_int64(tree.considered[slot])))
    return value_multiplier(params, max_visits)


@kernel
def root_action_selection(tree: GumbelTree, params: GumbelParams, target_visits: int) -> int:
    """The most promising of the considered moves with so many visits; with fewer than 0 wanted, of the most visited."""
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
    """The root's improved policy in 65,535ths, by edge."""
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
    """How many times likelier a move of the root gets; 1 for one that was not tried."""
    child = to_int64(tree.child[edge])
    return 1.0 if child == NO_NODE else exp_advantage(multiplier * (mean_value(tree, child, seat) - mixed))


@kernel
def root_mix_value(tree: GumbelTree) -> float:
    """As `mix_value`, for the root, whose tried moves are anywhere among the considered ones."""
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
