"""Gumbel AlphaZero search: descend to a leaf, evaluate it by the net, expand it, back its value up.

The net runs outside of the kernels. `search_roots` advances many trees to one leaf each, for evaluation matches and, through
the functions it is made of, for self-play. `collect_leaves` takes several leaves of one tree, for play: 1.3 to 1.9 times as
many simulations per second as one leaf at a time. A pending leaf has a virtual visit, valued at each node's current mean
(a virtual mean, no virtual loss), so that the next descent goes elsewhere.

Selection is `select_edge`, expansion `add_child` (a node) and `expand` (its edges), evaluation and backup
`expand_and_backup` and `backup`. `mcts` is another algorithm on another layout: see there and in `gumbel_tree`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel, to_int64
from ..rules.batch import BatchShare, finish_range, take_range
from ..rules.generic import Row, Rows, copy_row
from ..rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    encode_planes,
    legal_moves,
    load_state,
    outcome,
    seat_to_move,
    store_state,
)
from .gumbel import GumbelParams, interior_action_selection, promote_best_unvisited, root_action_selection, sample_considered
from .gumbel_tree import (
    DONE,
    F32,
    I32,
    IDLE,
    LEAF_DEPTH,
    MAX_DEPTH,
    NOT_EXPANDED,
    NUM_CONSIDERED,
    NUM_EDGES,
    NUM_NODES,
    PHASE,
    WAITING_FOR_EVAL,
    GumbelScratch,
    GumbelScratches,
    GumbelTree,
    GumbelTreeBatch,
    get_scratch,
    get_tree,
)
from .interfaces import NO_NODE, ROOT, masked_softmax

MAX_DESCENTS = 100  # of one `collect_leaves`, so that the driver can look at the clock


class LeafEvaluations(NamedTuple):
    """Inputs and outputs of the net, an entry per leaf."""

    planes: NDArray[np.int8]  # [K, cells, planes]: input
    logits: NDArray[np.float32]  # [K, policy size]: output, by move id
    values: NDArray[np.float32]  # [K]: output, -1 to 1 for the seat to move at the leaf


def allocate_evaluations(game: Game, num_leaves: int) -> LeafEvaluations:
    """Allocate inputs and outputs of the net for `num_leaves` leaves."""
    return LeafEvaluations(
        planes=np.zeros((num_leaves, len(game.board), game.encoding.num_planes), np.int8),
        logits=np.zeros((num_leaves, game.encoding.policy_size), np.float32),
        values=np.zeros(num_leaves, np.float32),
    )


@kernel
def reset_tree(tree: GumbelTree) -> None:
    """Clear the tree: only a root that is not expanded is left."""
    tree.counters[NUM_NODES] = 0
    tree.counters[NUM_EDGES] = 0
    add_node(tree)


@kernel
def add_node(tree: GumbelTree) -> int:
    """Append an unvisited node and return its number."""
    node = to_int64(tree.counters[NUM_NODES])
    tree.counters[NUM_NODES] = node + 1
    tree.num_edges[node] = NOT_EXPANDED
    tree.num_visited[node] = 0
    tree.visits[node] = 0
    tree.value_sum[node] = 0
    tree.result[node] = ONGOING
    return node


@kernel
def descend(rules: Any, tree: GumbelTree, params: GumbelParams, schedule: I32) -> bool:
    """Select moves from the root down to a leaf; return whether the leaf needs an evaluation by the net.

    Writes the leaf's path, row and seat. The outcome of a finished position is backed up at once.
    """
    row = tree.leaf_row
    copy_row(tree.root_row, row)
    state = load_state(rules, row)
    node, depth = to_int64(ROOT), 0  # not as a constant, for which all below would be compiled once more
    tree.path[0] = ROOT
    while tree.num_edges[node] != NOT_EXPANDED and tree.result[node] == ONGOING and depth < MAX_DEPTH:
        edge = select_edge(tree, params, schedule, node)
        state = apply_move(rules, state, to_int64(tree.move[edge]))
        child = to_int64(tree.child[edge])
        if child == NO_NODE:
            child = add_child(tree, params, node, edge)
            tree.result[child] = outcome(rules, state)
        node = child
        depth += 1
        tree.path[depth] = node
    store_state(rules, state, row)
    tree.counters[LEAF_DEPTH] = depth
    result = tree.result[node]
    if result != ONGOING:
        backup(tree, 0.0 if result == DRAW else 1.0 - 2.0 * result)
        return False
    tree.seat[node] = seat_to_move(rules, state)
    return True


@kernel
def select_edge(tree: GumbelTree, params: GumbelParams, schedule: I32, node: int) -> int:
    """Return the edge to follow: by the schedule of sequential halving at the root, else by the improved policy."""
    if node == ROOT and params.sequential_halving == 1:
        return root_action_selection(tree, params, to_int64(schedule[tree.counters[NUM_CONSIDERED], tree.visits[ROOT] - 1]))
    return interior_action_selection(tree, node, params)


@kernel
def add_child(tree: GumbelTree, params: GumbelParams, node: int, edge: int) -> int:
    """Append a node for an edge that is visited for the first time and return its number; keeps visited edges a prefix."""
    child = add_node(tree)
    tree.child[edge] = child
    tree.num_visited[node] += 1
    if node != ROOT or params.sequential_halving == 0:
        promote_best_unvisited(tree, node)
    return child


@kernel
def backup(tree: GumbelTree, value: float) -> None:
    """Add a visit with this result for seat 0, -1 to 1, to every node on the path."""
    for step in range(tree.counters[LEAF_DEPTH] + 1):
        node = to_int64(tree.path[step])
        tree.visits[node] += 1
        tree.value_sum[node] += value


@kernel
def expand_and_backup(
    rules: Any, tree: GumbelTree, logits: F32, net_value: float, scratch: GumbelScratch, params: GumbelParams
) -> None:
    """Expand the leaf with the net's policy and back its value up; `net_value` is -1 to 1 for the seat to move."""
    node = to_int64(tree.path[tree.counters[LEAF_DEPTH]])
    value = np.float64(net_value if tree.seat[node] == 0 else -net_value)
    tree.raw_value[node] = value
    if tree.num_edges[node] == NOT_EXPANDED:
        expand(rules, tree, logits, scratch, node)
        if node == ROOT and params.sequential_halving == 1:
            sample_considered(tree, params, scratch.gumbel_logits)
        else:
            promote_best_unvisited(tree, node)
    backup(tree, value)


@kernel
def expand(rules: Any, tree: GumbelTree, logits: F32, scratch: GumbelScratch, node: int) -> None:
    """Append the leaf's edges, one per legal move, with priors from the net's logits by move id."""
    count = legal_moves(rules, load_state(rules, tree.leaf_row), scratch.moves)
    first = to_int64(tree.counters[NUM_EDGES])
    last = first + count
    tree.counters[NUM_EDGES] = last
    tree.edge_begin[node] = first
    tree.num_edges[node] = count
    for index in range(count):
        tree.move[first + index] = scratch.moves[index]
        tree.child[first + index] = NO_NODE
    masked_softmax(logits, tree.move[first:last], tree.prior[first:last])


@kernel
def best_move(trees: GumbelTreeBatch, params: GumbelParams, index: int) -> int:
    """Return the final move of a search with sequential halving."""
    tree = get_tree(trees, index)
    return tree.move[root_action_selection(tree, params, to_int64(-1))]


@kernel
def search_roots(
    rules: Any,
    trees: GumbelTreeBatch,
    evals: LeafEvaluations,
    scratches: GumbelScratches,
    params: GumbelParams,
    schedule: I32,
    share: BatchShare,
) -> None:
    """Advance the searches of the trees that this thread takes to their next leaves; counts those that wait for the net.

    Applies the evaluations of waiting leaves first. An IDLE tree starts a search of its root row; a tree with
    `num_simulations` simulations is DONE.
    """
    scratch = get_scratch(scratches, share.thread)
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            tree = get_tree(trees, index)
            if tree.counters[PHASE] == WAITING_FOR_EVAL:
                expand_and_backup(rules, tree, evals.logits[index], evals.values[index], scratch, params)
            elif tree.counters[PHASE] == IDLE:
                reset_tree(tree)
                tree.counters[PHASE] = WAITING_FOR_EVAL
            while tree.counters[PHASE] == WAITING_FOR_EVAL:
                if tree.visits[ROOT] > params.num_simulations:
                    tree.counters[PHASE] = DONE
                elif descend(rules, tree, params, schedule):
                    encode_planes(rules, load_state(rules, tree.leaf_row), evals.planes[index])
                    share.results[share.thread] += 1
                    break
        begin, end = finish_range(share, begin, end)


class PendingLeaves(NamedTuple):
    """Leaves of one tree that wait for the net, an entry each."""

    rows: Rows  # [K, row]
    paths: I32  # [K, MAX_DEPTH + 1]
    depths: I32  # [K]
    virtual_value: F32  # [K, MAX_DEPTH + 1]: values of the virtual visits of the nodes on the path


def allocate_pending_leaves(row: Row, max_leaves: int) -> PendingLeaves:
    """Allocate buffers for `max_leaves` leaves with rows like `row`."""
    return PendingLeaves(
        rows=np.repeat(row[np.newaxis], max_leaves, axis=0),
        paths=np.zeros((max_leaves, MAX_DEPTH + 1), np.int32),
        depths=np.zeros(max_leaves, np.int32),
        virtual_value=np.zeros((max_leaves, MAX_DEPTH + 1), np.float32),
    )


@kernel
def collect_leaves(
    rules: Any,
    trees: GumbelTreeBatch,
    pending: PendingLeaves,
    evals: LeafEvaluations,
    params: GumbelParams,
    schedule: I32,
    max_leaves: int,
    max_visits: int,
) -> int:
    """Descend from the first tree's root to at most `max_leaves` distinct leaves; return how many wait for the net.

    Ends early at `max_visits` visits, at a leaf that is pending already, and after MAX_DESCENTS descents; the result is 0 if
    all of them reached finished positions.
    """
    tree = get_tree(trees, 0)
    if tree.counters[PHASE] == IDLE:
        reset_tree(tree)
        tree.counters[PHASE] = WAITING_FOR_EVAL
    count = 0
    for _ in range(MAX_DESCENTS):
        if count == max_leaves or tree.visits[ROOT] >= max_visits:
            break
        if descend(rules, tree, params, schedule):
            if is_pending(tree, pending, count):
                break
            encode_planes(rules, load_state(rules, tree.leaf_row), evals.planes[count])
            add_virtual_visits(tree, pending, count)
            count += 1
    return count


@kernel
def is_pending(tree: GumbelTree, pending: PendingLeaves, count: int) -> bool:
    """Return whether the current leaf is among the first `count` pending ones."""
    leaf = tree.path[tree.counters[LEAF_DEPTH]]
    for other in range(count):
        if pending.paths[other, pending.depths[other]] == leaf:
            return True
    return False


@kernel
def add_virtual_visits(tree: GumbelTree, pending: PendingLeaves, slot: int) -> None:
    """Store the leaf as pending and add a virtual visit along its path, valued at each node's mean or else its parent's."""
    depth = to_int64(tree.counters[LEAF_DEPTH])
    copy_row(tree.leaf_row, pending.rows[slot])
    pending.depths[slot] = depth
    mean = np.float32(0)
    for step in range(depth + 1):
        node = to_int64(tree.path[step])
        if tree.visits[node] > 0:
            mean = tree.value_sum[node] / np.float32(tree.visits[node])
        pending.paths[slot, step] = node
        pending.virtual_value[slot, step] = mean
        tree.visits[node] += 1
        tree.value_sum[node] += mean


@kernel
def resolve_leaves(
    rules: Any,
    trees: GumbelTreeBatch,
    pending: PendingLeaves,
    evals: LeafEvaluations,
    scratch: GumbelScratch,
    params: GumbelParams,
    count: int,
) -> None:
    """Replace the virtual visits of `count` pending leaves by the net's evaluations."""
    tree = get_tree(trees, 0)
    for slot in range(count):
        depth = to_int64(pending.depths[slot])
        copy_row(pending.rows[slot], tree.leaf_row)
        tree.counters[LEAF_DEPTH] = depth
        for step in range(depth + 1):
            node = to_int64(pending.paths[slot, step])
            tree.path[step] = node
            tree.visits[node] -= 1
            tree.value_sum[node] -= pending.virtual_value[slot, step]
        expand_and_backup(rules, tree, evals.logits[slot], evals.values[slot], scratch, params)
