"""Storage of Gumbel search trees: many trees of one game in flat arrays, an axis over the trees first.

A node exists only for a visited move; an unvisited move is an edge of 10 bytes. Thousands of self-play trees of about 34
nodes must fit into memory, which needs about a quarter of what `MctsTree` would, with its 43 bytes for every legal move.
Visited edges are a prefix of a node's edges (except at a root with sequential halving), and the edge after them has the
largest prior of the others, so that interior selection loops over visited edges only. `MctsTree` scans all children instead.

Values are sums of results from -1 to 1 for seat 0, whoever is to move. A tree is IDLE without a root, WAITING_FOR_EVAL
while its leaf waits for the net, and DONE when its search or game is over; `gumbel_mcts` has the transitions.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel, to_int64
from ..jit.prng import Rng, make_rng
from ..rules.generic import Row, Rows
from .interfaces import NO_NODE, ROOT

NOT_EXPANDED = -1  # in the place of a number of edges
IDLE, WAITING_FOR_EVAL, DONE = range(3)  # phases
PHASE, NUM_NODES, NUM_EDGES, LEAF_DEPTH, NUM_CONSIDERED = range(5)  # indices into `counters`; nodes and edges in use
NUM_COUNTERS = 5
MAX_DEPTH = 256  # length of a simulation's path below the root

I16: TypeAlias = NDArray[np.int16]
I32: TypeAlias = NDArray[np.int32]
F32: TypeAlias = NDArray[np.float32]


class GumbelTree(NamedTuple):
    """One tree. [M]: max legal moves; from `seat` on [N], an entry per node; from `prior` on [E], an entry per edge."""

    root_row: Row  # the position at the root
    leaf_row: Row  # the position that the last descent has reached
    counters: I32  # [NUM_COUNTERS]: PHASE and so on
    path: I32  # [MAX_DEPTH + 1]: nodes from the root to the leaf
    rng: Rng
    gumbel_noise: F32  # [M]: the root's Gumbel noise, by edge
    considered: I16  # [M]: the root's considered edges, by descending Gumbel logit
    seat: NDArray[np.int8]  # [N]: to move
    result: NDArray[np.int8]  # [N]: ONGOING, or the outcome of a finished position
    edge_begin: I32  # [N]: first edge
    num_edges: I16  # [N]: legal moves, or NOT_EXPANDED
    num_visited: I16  # [N]: edges with a child
    visits: I32  # [N]
    value_sum: F32  # [N]: sum of the results of the visits for seat 0
    raw_value: F32  # [N]: the net's value for seat 0
    prior: F32  # [E]: the net's policy
    move: I16  # [E]
    child: I32  # [E]: a node, or NO_NODE


NODE_FIELDS = GumbelTree._fields[GumbelTree._fields.index("seat") : GumbelTree._fields.index("prior")]
EDGE_FIELDS = GumbelTree._fields[GumbelTree._fields.index("prior") :]
LINK_FIELDS = ("edge_begin", "child")  # node and edge numbers: change when nodes are moved


class GumbelTreeBatch(NamedTuple):
    """Many trees: the arrays of `GumbelTree` with a first axis over the trees."""

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
    """Return views of one tree's arrays."""
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
    """Buffers of one thread."""

    moves: I16  # [M]
    gumbel_logits: F32  # [M]


class GumbelScratches(NamedTuple):
    """Buffers of several threads."""

    moves: I16  # [threads, M]
    gumbel_logits: F32  # [threads, M]


@kernel
def get_scratch(scratches: GumbelScratches, thread: int) -> GumbelScratch:
    """Return views of the buffers of one thread."""
    return GumbelScratch(scratches.moves[thread], scratches.gumbel_logits[thread])


def allocate_trees(game: Game, num_trees: int, num_nodes: int, *, seed: int = 0) -> GumbelTreeBatch:
    """Allocate IDLE trees for `num_nodes` nodes each; tree i has stream i of the generator `seed`."""
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
    """Allocate the buffers of one thread."""
    return GumbelScratch(np.zeros(game.max_legal_moves, np.int16), np.zeros(game.max_legal_moves, np.float32))


def allocate_scratches(game: Game, num_threads: int) -> GumbelScratches:
    """Allocate the buffers of several threads."""
    shape = (num_threads, game.max_legal_moves)
    return GumbelScratches(np.zeros(shape, np.int16), np.zeros(shape, np.float32))


def copy_subtree(trees: GumbelTreeBatch, node: int, target_trees: GumbelTreeBatch) -> None:
    """Copy the subtree of `node` from the first tree of `trees` to the first tree of `target_trees`."""
    source_nodes = np.empty(int(trees.counters[0, NUM_NODES]), np.int32)
    source_edges = np.empty(int(trees.counters[0, NUM_EDGES]), np.int32)
    link_subtree(trees, node, target_trees, source_nodes, source_edges)
    for fields, order, counter in ((NODE_FIELDS, source_nodes, NUM_NODES), (EDGE_FIELDS, source_edges, NUM_EDGES)):
        count = int(target_trees.counters[0, counter])
        for name in fields:
            if name not in LINK_FIELDS:
                source, target = getattr(trees, name)[0], getattr(target_trees, name)[0]
                np.take(source, order[:count], out=target[:count], mode="clip")


@kernel
def link_subtree(
    trees: GumbelTreeBatch, node: int, target_trees: GumbelTreeBatch, source_nodes: I32, source_edges: I32
) -> None:
    """Number the nodes and edges of a subtree breadth first.

    Writes the target's LINK_FIELDS and counters, and the old number of each node and edge to the last two arrays.
    """
    tree, target = get_tree(trees, 0), get_tree(target_trees, 0)
    source_nodes[ROOT] = node
    num_nodes, num_edges, copy = 1, 0, 0
    while copy < num_nodes:
        source = to_int64(source_nodes[copy])
        first = to_int64(tree.edge_begin[source])
        target.edge_begin[copy] = num_edges
        for edge in range(first, first + tree.num_edges[source]):  # none for a node that is not expanded
            source_edges[num_edges] = edge
            target.child[num_edges] = NO_NODE
            if tree.child[edge] != NO_NODE:
                source_nodes[num_nodes] = tree.child[edge]
                target.child[num_edges] = num_nodes
                num_nodes += 1
            num_edges += 1
        copy += 1
    target.counters[NUM_NODES] = num_nodes
    target.counters[NUM_EDGES] = num_edges
