"""Choosing in a forest as Gumbel AlphaZero does (Danihelka and others, 2022).

At the root the moves with the best sums of prior and Gumbel noise are compared by sequential halving. Inside a tree the
visits follow the improved policy: prior * exp(scale * value), where moves not yet tried have the mixed value of those tried.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..chance import MASK32, Rng, next_u32
from ..kernels import kernel, to_int64
from .forest import CONSIDERED, NO_NODE, ROOT, Real, Tree

LEAST = 1e-30  # a probability that has a logarithm
STEEPEST = 80.0  # what an exponent is cut off at
FULL = 65535.0  # a target of 1
SURE = 32767.0  # a value of 1


class Tuning(NamedTuple):
    """How the trees are searched."""

    simulations: int  # a move, the evaluation of the root not counted
    considered: int  # moves at the root
    scale: float  # of values beside the logarithms of priors
    visits: float  # added to the most visited move's visits, which the scale grows with
    noise: float  # 1 for Gumbel noise at the root, 0 for none
    halving: int  # 1: sequential halving at the root; 0: visits follow the improved policy there too
    plays: int  # 1: play the chosen move and go on; 0: stop when the search is done
    opening: int  # at most so many random moves before a game, half of the games without any
    even: float = 1.0  # random openings that the net finds more lopsided than this, 0 to 1, are mostly drawn anew


@kernel
def value_of(tree: Tree, node: int, seat: int) -> float:
    """What a seat got in the visits of a node, on average."""
    mean = tree.total[node] / tree.visits[node]
    return mean if seat == 0 else -mean


@kernel
def mixed_value(tree: Tree, node: int) -> tuple[float, int]:
    """For the seat to move: the net's value mixed with those of the tried moves; and the visits of the most visited one."""
    seat, first = to_int64(tree.seat[node]), to_int64(tree.first[node])
    likely, weighed, visits, most = 0.0, 0.0, 0, 0
    for edge in range(first, first + tree.tried[node]):
        child = to_int64(tree.child[edge])
        likely += tree.prior[edge]
        weighed += tree.prior[edge] * value_of(tree, child, seat)
        visits += tree.visits[child]
        most = max(most, to_int64(tree.visits[child]))
    raw = np.float64(tree.raw[node] if seat == 0 else -tree.raw[node])
    if visits == 0:
        return raw, 0
    return (raw + visits * weighed / max(likely, LEAST)) / (1 + visits), most


@kernel
def steepness(tuning: Tuning, most_visits: int) -> float:
    """How much a difference of values counts."""
    return tuning.scale * (tuning.visits + most_visits)


@kernel
def boost(gain: float) -> float:
    """How many times likelier a move gets whose scaled value is so much above the mixed one."""
    return math.exp(min(max(gain, -STEEPEST), STEEPEST))


@kernel
def improved_total(tree: Tree, node: int, mixed: float, steep: float) -> float:
    """The sum of the improved policy's weights; moves not tried weigh their priors."""
    seat, first = to_int64(tree.seat[node]), to_int64(tree.first[node])
    total, likely = 0.0, 0.0
    for edge in range(first, first + tree.tried[node]):
        prior = tree.prior[edge]
        likely += prior
        total += prior * boost(steep * (value_of(tree, to_int64(tree.child[edge]), seat) - mixed))
    return max(total + max(1.0 - likely, 0.0), LEAST)


@kernel
def choose_inside(tree: Tree, node: int, tuning: Tuning) -> int:
    """The edge whose share of visits is farthest below what the improved policy wants."""
    seat, first, tried = to_int64(tree.seat[node]), to_int64(tree.first[node]), to_int64(tree.tried[node])
    mixed, most = mixed_value(tree, node)
    steep = steepness(tuning, most)
    total = improved_total(tree, node, mixed, steep)
    share = 1.0 / tree.visits[node]
    best, best_score = first, -1e30
    for edge in range(first, first + tried):
        child = to_int64(tree.child[edge])
        gain = steep * (value_of(tree, child, seat) - mixed)
        score = tree.prior[edge] * boost(gain) / total - tree.visits[child] * share
        if score > best_score:
            best, best_score = edge, score
    if tried < tree.width[node] and tree.prior[first + tried] / total > best_score:
        best = first + tried
    return best


@kernel
def bring_forward(tree: Tree, node: int) -> None:
    """Put the likeliest of the moves not tried next to those that are."""
    front = to_int64(tree.first[node] + tree.tried[node])
    last = to_int64(tree.first[node] + tree.width[node])
    if front >= last:
        return
    best = front
    for edge in range(front + 1, last):
        if tree.prior[edge] > tree.prior[best]:
            best = edge
    exchange(tree, front, best)


@kernel
def exchange(tree: Tree, one: int, other: int) -> None:
    """Two edges change places; only for one that leads nowhere yet."""
    tree.prior[one], tree.prior[other] = tree.prior[other], tree.prior[one]
    tree.move[one], tree.move[other] = tree.move[other], tree.move[one]


@kernel
def gumbel(rng: Rng) -> float:
    """A number from the Gumbel distribution."""
    return -math.log(-math.log((next_u32(rng) + 0.5) / (MASK32 + 1.0)))


@kernel
def promise(tree: Tree, edge: int) -> float:
    """What a move of the root promises before it is tried: the logarithm of its prior, and noise."""
    return tree.noise[edge] + math.log(max(tree.prior[edge], LEAST))


@kernel
def consider(tree: Tree, tuning: Tuning, promises: Real) -> None:
    """Draw the root's noise and pick the most promising moves. A root's edges begin at 0 and keep their order."""
    count = tree.width[ROOT]
    for edge in range(count):
        tree.noise[edge] = tuning.noise * gumbel(tree.rng) if tuning.noise > 0 else 0.0
        promises[edge] = promise(tree, edge)
    considered = min(tuning.considered, count)
    tree.numbers[CONSIDERED] = considered
    for place in range(considered):
        best = 0
        for edge in range(1, count):
            if promises[edge] > promises[best]:
                best = edge
        tree.chosen[place] = best
        promises[best] = -math.inf


@kernel
def visits_of(tree: Tree, edge: int) -> int:
    """How often a move was tried."""
    child = to_int64(tree.child[edge])
    return 0 if child == NO_NODE else to_int64(tree.visits[child])


@kernel
def root_steepness(tree: Tree, tuning: Tuning) -> float:
    """How much a difference of values counts at the root."""
    most = 0
    for place in range(tree.numbers[CONSIDERED]):
        most = max(most, visits_of(tree, to_int64(tree.chosen[place])))
    return steepness(tuning, most)


@kernel
def choose_at_root(tree: Tree, tuning: Tuning, wanted: int) -> int:
    """The most promising of the considered moves with so many visits; with fewer than 0 wanted, of the most visited."""
    steep = root_steepness(tree, tuning)
    seat = to_int64(tree.seat[ROOT])
    if wanted < 0:
        for place in range(tree.numbers[CONSIDERED]):
            wanted = max(wanted, visits_of(tree, to_int64(tree.chosen[place])))
    best, best_score = to_int64(tree.chosen[0]), -math.inf
    for place in range(tree.numbers[CONSIDERED]):
        edge = to_int64(tree.chosen[place])
        if visits_of(tree, edge) == wanted:
            score = promise(tree, edge)
            if wanted > 0:
                score += steep * value_of(tree, to_int64(tree.child[edge]), seat)
            if score > best_score:
                best, best_score = edge, score
    return best


@kernel
def improved_policy(tree: Tree, tuning: Tuning, policy: Any) -> None:
    """The root's improved policy in 65,535ths, by edge."""
    seat = to_int64(tree.seat[ROOT])
    steep = root_steepness(tree, tuning)
    mixed = root_mixed_value(tree)
    total = 0.0
    for edge in range(tree.width[ROOT]):
        total += tree.prior[edge] * root_boost(tree, edge, seat, mixed, steep)
    total = max(total, LEAST)
    for edge in range(tree.width[ROOT]):
        weight = tree.prior[edge] * root_boost(tree, edge, seat, mixed, steep)
        policy[edge] = np.uint16(weight / total * FULL + 0.5)


@kernel
def root_boost(tree: Tree, edge: int, seat: int, mixed: float, steep: float) -> float:
    """How many times likelier a move of the root gets; 1 for one that was not tried."""
    child = to_int64(tree.child[edge])
    return 1.0 if child == NO_NODE else boost(steep * (value_of(tree, child, seat) - mixed))


@kernel
def root_mixed_value(tree: Tree) -> float:
    """As `mixed_value`, for the root, whose tried moves are anywhere among the considered ones."""
    seat = to_int64(tree.seat[ROOT])
    likely, weighed, visits = 0.0, 0.0, 0
    for place in range(tree.numbers[CONSIDERED]):
        edge = to_int64(tree.chosen[place])
        child = to_int64(tree.child[edge])
        if child != NO_NODE:
            likely += tree.prior[edge]
            weighed += tree.prior[edge] * value_of(tree, child, seat)
            visits += tree.visits[child]
    raw = np.float64(tree.raw[ROOT] if seat == 0 else -tree.raw[ROOT])
    return raw if visits == 0 else (raw + visits * weighed / max(likely, LEAST)) / (1 + visits)
