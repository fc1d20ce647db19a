"""A forest: many search trees of one game in flat arrays, each with a game of its own to play.

A net evaluates one leaf of every tree at a time. A tree that waits for its answer is at stage AWAITS; when it has one,
`growing` expands the leaf, backs the value up and descends to the next leaf. Values belong to seats: a total is what seat 0
got, from -1 to 1 a visit.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..chance import Rng, make_rng
from ..games.game import Game
from ..kernels import kernel
from ..rules.stepping import Row, Rows

NO_NODE = -1
ROOT = 0
NOT_EXPANDED = -1
# Stages: a game must begin; a leaf waits for the net; a game or search is over.
NEW, AWAITS, FINISHED = range(3)
STAGE, USED, EDGES, DEPTH, CONSIDERED = range(5)  # a tree's numbers: nodes and edges in use, steps to the leaf, moves chosen
NUMBERS = 5
DEEPEST = 256  # steps below the root that a simulation goes

Whole16: TypeAlias = NDArray[np.int16]
Whole32: TypeAlias = NDArray[np.int32]
Real: TypeAlias = NDArray[np.float32]


class Tree(NamedTuple):
    """One tree: [N] an entry a node, [E] an edge, that is, a move from a node."""

    root: Row  # the position that is searched
    leaf: Row  # the position that a descent has come to
    numbers: Whole32  # USED and so on
    path: Whole32  # [DEEPEST + 1]: the nodes on the way to the leaf
    rng: Rng
    noise: Real  # [M]: the root's Gumbel noise, by edge
    chosen: Whole16  # [M]: the root's considered edges, the most promising first
    seat: NDArray[np.int8]  # [N]: to move
    result: NDArray[np.int8]  # [N]: ONGOING, or the outcome of a finished position
    first: Whole32  # [N]: first edge
    width: Whole16  # [N]: edges, or NOT_EXPANDED
    tried: Whole16  # [N]: edges that lead somewhere; inside a tree the first ones, the next is the likeliest of the rest
    visits: Whole32  # [N]
    total: Real  # [N]: what seat 0 got in these visits
    raw: Real  # [N]: what the net thought seat 0 would get
    prior: Real  # [E]: how likely the net thought the move
    move: Whole16  # [E]
    child: Whole32  # [E]: a node, or NO_NODE


class Forest(NamedTuple):
    """Many trees: the arrays of a tree with one more axis, an entry a tree, before the others."""

    root: Rows
    leaf: Rows
    numbers: Whole32
    path: Whole32
    rng: NDArray[np.int64]
    noise: Real
    chosen: Whole16
    seat: NDArray[np.int8]
    result: NDArray[np.int8]
    first: Whole32
    width: Whole16
    tried: Whole16
    visits: Whole32
    total: Real
    raw: Real
    prior: Real
    move: Whole16
    child: Whole32


@kernel
def tree_at(forest: Forest, index: int) -> Tree:
    """One of the trees."""
    return Tree(
        root=forest.root[index],
        leaf=forest.leaf[index],
        numbers=forest.numbers[index],
        path=forest.path[index],
        rng=forest.rng[index],
        noise=forest.noise[index],
        chosen=forest.chosen[index],
        seat=forest.seat[index],
        result=forest.result[index],
        first=forest.first[index],
        width=forest.width[index],
        tried=forest.tried[index],
        visits=forest.visits[index],
        total=forest.total[index],
        raw=forest.raw[index],
        prior=forest.prior[index],
        move=forest.move[index],
        child=forest.child[index],
    )


class Games(NamedTuple):
    """The games that the trees play, as far as they have come."""

    moves: Whole16  # [T, longest]
    targets: NDArray[np.uint16]  # [T, longest, M]: how often to play each legal move, in 65,535ths
    values: Whole16  # [T, longest]: what the search thought the seat to move would get, in 32,767ths
    length: Whole32  # [T]: moves so far; below 0 before the first game: so many random ones, so that not all end together
    opening: Whole32  # [T]: of them, those made at random before the search began
    outcome: NDArray[np.int8]  # [T]


class Scratch(NamedTuple):
    """What a thread writes on."""

    moves: Whole16  # [M]
    weights: Real  # [M]


def forest_of(game: Game, trees: int, nodes: int, *, seed: int = 0) -> Forest:
    """A forest in which no game has begun; a tree has room for so many nodes."""
    most = game.max_legal_moves
    start = game.start_row()
    edges = nodes * most
    whole16, whole32, real = np.int16, np.int32, np.float32
    return Forest(
        root=np.repeat(start[np.newaxis], trees, axis=0),
        leaf=np.repeat(start[np.newaxis], trees, axis=0),
        numbers=np.zeros((trees, NUMBERS), whole32),
        path=np.zeros((trees, DEEPEST + 1), whole32),
        rng=np.stack([make_rng(seed, tree) for tree in range(trees)]),
        noise=np.zeros((trees, most), real),
        chosen=np.zeros((trees, most), whole16),
        seat=np.zeros((trees, nodes), np.int8),
        result=np.zeros((trees, nodes), np.int8),
        first=np.zeros((trees, nodes), whole32),
        width=np.zeros((trees, nodes), whole16),
        tried=np.zeros((trees, nodes), whole16),
        visits=np.zeros((trees, nodes), whole32),
        total=np.zeros((trees, nodes), real),
        raw=np.zeros((trees, nodes), real),
        prior=np.zeros((trees, edges), real),
        move=np.zeros((trees, edges), whole16),
        child=np.zeros((trees, edges), whole32),
    )


def games_of(game: Game, trees: int, longest: int) -> Games:
    """Room for the games of a forest; one that gets longer is a draw."""
    return Games(
        moves=np.zeros((trees, longest), np.int16),
        targets=np.zeros((trees, longest, game.max_legal_moves), np.uint16),
        values=np.zeros((trees, longest), np.int16),
        length=-(np.arange(trees) * min(longest // 2, len(game.board) // 2) // trees).astype(np.int32),
        opening=np.zeros(trees, np.int32),
        outcome=np.zeros(trees, np.int8),
    )


def scratch_of(game: Game) -> Scratch:
    """What one thread needs."""
    return Scratch(np.zeros(game.max_legal_moves, np.int16), np.zeros(game.max_legal_moves, np.float32))


def considered_visits(most: int, simulations: int) -> Whole32:
    """[considered + 1, simulations]: sequential halving, as visits that the next move to try must have had.

    All considered moves are tried equally often, then the better half again, and so on until the simulations are used up.
    """
    table = np.zeros((most + 1, simulations), np.int32)
    for count in range(1, most + 1):
        table[count] = halving(count, simulations)
    return table


def halving(count: int, simulations: int) -> list[int]:
    """The sequence for so many considered moves."""
    if count == 1:
        return list(range(simulations))
    rounds = (count - 1).bit_length()
    visits = [0] * count
    sequence: list[int] = []
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (rounds * count))):
            sequence += visits[:count]
            visits[:count] = [visit + 1 for visit in visits[:count]]
        count = max(2, count // 2)
    return sequence[:simulations]
