"""A forest: many search trees of one game in flat arrays, each with a game of its own to play.

A net evaluates one leaf of every tree at a time. A tree that waits for its answer is at stage AWAITS; when it has one,
`growing` expands the leaf, backs the value up and descends to the next leaf. Values belong to seats: a total is what seat 0
got, from -1 to 1 a visit.
"""
# MERGED DOCSTRING: """Replanting: what a tree knows of a position below its root becomes a tree of its own."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel, to_int64
from ..jit.prng import Rng, make_rng
from ..rules.generic import Row, Rows

NO_NODE = -1

ROOT = 0

NOT_EXPANDED = -1

# Stages: a game must begin; a leaf waits for the net; a game or search is over.
IDLE, WAITING_FOR_EVAL, DONE = range(3)

PHASE, NUM_NODES, NUM_EDGES, LEAF_DEPTH, NUM_CONSIDERED = range(
    5
)  # a tree's numbers: nodes and edges in use, steps to the leaf, moves chosen

NUM_COUNTERS = 5

MAX_DEPTH = 256  # steps below the root that a simulation goes

I16: TypeAlias = NDArray[np.int16]

I32: TypeAlias = NDArray[np.int32]

F32: TypeAlias = NDArray[np.float32]


class GumbelTree(NamedTuple):
    """One tree: [N] an entry a node, [E] an edge, that is, a move from a node."""

    root_row: Row  # the position that is searched
    leaf_row: Row  # the position that a descent has come to
    counters: I32  # USED and so on
    path: I32  # [DEEPEST + 1]: the nodes on the way to the leaf
    rng: Rng
    gumbel_noise: F32  # [M]: the root's Gumbel noise, by edge
    considered: I16  # [M]: the root's considered edges, the most promising first
    seat: NDArray[np.int8]  # [N]: to move
    result: NDArray[np.int8]  # [N]: ONGOING, or the outcome of a finished position
    edge_begin: I32  # [N]: first edge
    num_edges: I16  # [N]: edges, or NOT_EXPANDED
    num_visited: I16  # [N]: edges that lead somewhere; inside a tree the first ones, the next is the likeliest of the rest
    visits: I32  # [N]
    value_sum: F32  # [N]: what seat 0 got in these visits
    raw_value: F32  # [N]: what the net thought seat 0 would get
    prior: F32  # [E]: how likely the net thought the move
    move: I16  # [E]
    child: I32  # [E]: a node, or NO_NODE


class GumbelTreeBatch(NamedTuple):
    """Many trees: the arrays of a tree with one more axis, an entry a tree, before the others."""

    root_row: Rows
    leaf_row: Rows
    counters: I32
    path: I32
    rng: NDArray[np.int64]
    gumbel_noise: F32
    considered: I16
    seat: NDArray[np.int8]
    result: NDArray[np.int8]
    edge_begin: I32
    num_edges: I16
    num_visited: I16
    visits: I32
    value_sum: F32
    raw_value: F32
    prior: F32
    move: I16
    child: I32


@kernel
def get_tree(trees: GumbelTreeBatch, index: int) -> GumbelTree:
    """One of the trees."""
    return GumbelTree(
        root_row=trees.root_row[index],
        leaf_row=trees.leaf_row[index],
        counters=trees.counters[index],
        path=trees.path[index],
        rng=trees.rng[index],
        gumbel_noise=trees.gumbel_noise[index],
        considered=trees.considered[index],
        seat=trees.seat[index],
        result=trees.result[index],
        edge_begin=trees.edge_begin[index],
        num_edges=trees.num_edges[index],
        num_visited=trees.num_visited[index],
        visits=trees.visits[index],
        value_sum=trees.value_sum[index],
        raw_value=trees.raw_value[index],
        prior=trees.prior[index],
        move=trees.move[index],
        child=trees.child[index],
    )


class GumbelScratch(NamedTuple):
    """What a thread writes on."""

    moves: I16  # [M]
    weights: F32  # [M]


def allocate_trees(game: Game, num_trees: int, num_nodes: int, *, seed: int = 0) -> GumbelTreeBatch:
    """A forest in which no game has begun; a tree has room for so many nodes."""
    max_moves = game.max_legal_moves
    start_row = game.start_row()
    num_edges = num_nodes * max_moves
    i16, i32, f32 = np.int16, np.int32, np.float32
    return GumbelTreeBatch(
        root_row=np.repeat(start_row[np.newaxis], num_trees, axis=0),
        leaf_row=np.repeat(start_row[np.newaxis], num_trees, axis=0),
        counters=np.zeros((num_trees, NUM_COUNTERS), i32),
        path=np.zeros((num_trees, MAX_DEPTH + 1), i32),
        rng=np.stack([make_rng(seed, tree) for tree in range(num_trees)]),
        gumbel_noise=np.zeros((num_trees, max_moves), f32),
        considered=np.zeros((num_trees, max_moves), i16),
        seat=np.zeros((num_trees, num_nodes), np.int8),
        result=np.zeros((num_trees, num_nodes), np.int8),
        edge_begin=np.zeros((num_trees, num_nodes), i32),
        num_edges=np.zeros((num_trees, num_nodes), i16),
        num_visited=np.zeros((num_trees, num_nodes), i16),
        visits=np.zeros((num_trees, num_nodes), i32),
        value_sum=np.zeros((num_trees, num_nodes), f32),
        raw_value=np.zeros((num_trees, num_nodes), f32),
        prior=np.zeros((num_trees, num_edges), f32),
        move=np.zeros((num_trees, num_edges), i16),
        child=np.zeros((num_trees, num_edges), i32),
    )


def allocate_scratch(game: Game) -> GumbelScratch:
    """What one thread needs."""
    return GumbelScratch(np.zeros(game.max_legal_moves, np.int16), np.zeros(game.max_legal_moves, np.float32))


def considered_visits_table(max_considered: int, num_simulations: int) -> I32:
    """[considered + 1, simulations]: sequential halving, as visits that the next move to try must have had.

    All considered moves are tried equally often, then the better half again, and so on until the simulations are used up.
    """
    table = np.zeros((max_considered + 1, num_simulations), np.int32)
    for count in range(1, max_considered + 1):
        table[count] = considered_visits_sequence(count, num_simulations)
    return table


def considered_visits_sequence(num_considered: int, num_simulations: int) -> list[int]:
    """The sequence for so many considered moves."""
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
def copy_subtree(trees: GumbelTreeBatch, node: int, target_trees: GumbelTreeBatch, source_nodes: I32) -> None:
    """Copy what grows from a node of a forest's first tree into that of a spare one. `origins` is scratch, a node each."""
    tree, target = get_tree(trees, 0), get_tree(target_trees, 0)
    target.counters[NUM_NODES] = 0
    target.counters[NUM_EDGES] = 0
    copy_node(tree, node, target, source_nodes)
    next_node = 0
    while next_node < target.counters[NUM_NODES]:
        copy_edges(tree, to_int64(source_nodes[next_node]), target, next_node, source_nodes)
        next_node += 1


@kernel
def copy_node(tree: GumbelTree, node: int, target: GumbelTree, source_nodes: I32) -> int:
    """A node without its edges; its number among the copies."""
    copy = to_int64(target.counters[NUM_NODES])
    target.counters[NUM_NODES] = copy + 1
    source_nodes[copy] = node
    target.seat[copy] = tree.seat[node]
    target.result[copy] = tree.result[node]
    target.num_edges[copy] = tree.num_edges[node]
    target.num_visited[copy] = tree.num_visited[node]
    target.visits[copy] = tree.visits[node]
    target.value_sum[copy] = tree.value_sum[node]
    target.raw_value[copy] = tree.raw_value[node]
    return copy


@kernel
def copy_edges(tree: GumbelTree, node: int, target: GumbelTree, copy: int, source_nodes: I32) -> None:
    """A node's edges, and the nodes that they lead to."""
    first, start = to_int64(tree.edge_begin[node]), to_int64(target.counters[NUM_EDGES])
    target.edge_begin[copy] = start
    for offset in range(tree.num_edges[node]):  # none for a node that was not expanded
        edge = start + offset
        target.prior[edge] = tree.prior[first + offset]
        target.move[edge] = tree.move[first + offset]
        child = to_int64(tree.child[first + offset])
        target.child[edge] = NO_NODE if child == NO_NODE else copy_node(tree, child, target, source_nodes)
    target.counters[NUM_EDGES] = start + max(0, to_int64(tree.num_edges[node]))
