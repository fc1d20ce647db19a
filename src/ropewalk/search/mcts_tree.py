"""A search tree in flat arrays: the children of a node lie side by side, node 0 is the root.

Values belong to seats, not to alternating signs: a mean is what seat 0 got, whoever was to move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..rules.interface import DRAW, ONGOING

NO_NODE = -1
ROOT = 0
NOT_REQUESTED, PENDING, EVALUATED = 0, 1, 2
PROVEN_MEAN = 1000.0  # the mean of a proven win of seat 0 (of seat 1: minus as much), so that the loser never goes there


class MctsTree(NamedTuple):
    """All arrays have an entry a node, but for `used`."""

    move: NDArray[np.int16]  # the step that leads here
    seat: NDArray[np.int8]  # to move here; known from the first visit on
    proven: NDArray[np.int8]  # ONGOING, or the outcome that best play has
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]  # NO_NODE while this is a leaf
    child_count: NDArray[np.int16]
    visits: NDArray[np.int32]
    mean: NDArray[np.float32]  # what seat 0 got in these visits, on average
    amaf_visits: NDArray[np.float32]  # playouts in which the seat made this move now or later
    amaf_mean: NDArray[np.float32]  # what seat 0 got in those
    rave_beta: NDArray[np.float32]  # how much they count beside the visits; falls with these
    inv_sqrt_visits: NDArray[np.float32]  # 1 / sqrt(visits + 1), 0 when proven
    prior: NDArray[np.float32]  # how likely an advisor finds this move among its siblings, 0 without one
    eval_state: NDArray[np.int8]  # whether an advisor was asked about this node: UNASKED, WAITING, ANSWERED
    num_nodes: NDArray[np.int64]  # [1]: how many nodes there are


def allocate_tree(capacity: int) -> MctsTree:
    """A tree with room for so many nodes and none in use."""
    integer_dtypes = (np.int16, np.int8, np.int8, np.int32, np.int32, np.int16, np.int32)
    arrays = [np.zeros(capacity, kind) for kind in (*integer_dtypes, *[np.float32] * 6, np.int8)]
    return MctsTree(*arrays, np.zeros(1, np.int64))  # type: ignore[call-arg]


def node_bytes() -> int:
    """Memory of one node."""
    return sum(array.itemsize for array in allocate_tree(1)[:-1])


@kernel
def reset_tree(tree: MctsTree) -> None:
    """Begin anew with a root alone."""
    tree.num_nodes[0] = 0
    add_children(tree, NO_NODE, tree.move, 1, 0.5)


@kernel
def has_capacity(tree: MctsTree, count: int) -> bool:
    """Whether so many nodes fit in."""
    return tree.num_nodes[0] + count <= len(tree.move)


@kernel
def add_children(tree: MctsTree, node: int, moves: Any, count: int, mean: float) -> None:
    """Give a leaf its children, which nobody has visited; `mean` stands for what is not known of them."""
    first = tree.num_nodes[0]
    last = first + count
    tree.num_nodes[0] = last
    tree.seat[first:last] = 0
    tree.proven[first:last] = ONGOING
    tree.parent[first:last] = node
    tree.first_child[first:last] = NO_NODE
    tree.child_count[first:last] = 0
    tree.visits[first:last] = 0
    tree.mean[first:last] = mean
    tree.amaf_visits[first:last] = 0
    tree.amaf_mean[first:last] = mean
    tree.rave_beta[first:last] = 1
    tree.inv_sqrt_visits[first:last] = 1
    tree.prior[first:last] = 0
    tree.eval_state[first:last] = NOT_REQUESTED
    for index in range(count):
        tree.move[first + index] = moves[index]
    if node != NO_NODE:
        tree.first_child[node] = first
        tree.child_count[node] = count


@kernel
def propagate_proof(tree: MctsTree, node: int, outcome: int) -> None:
    """Note a proven outcome, and carry it up as far as it settles the nodes above."""
    mark_proven(tree, node, outcome)
    node = tree.parent[node]
    while node != NO_NODE and tree.proven[node] == ONGOING:
        proven_outcome = proven_by_children(tree, node)
        if proven_outcome == ONGOING:
            return
        mark_proven(tree, node, proven_outcome)
        node = tree.parent[node]


@kernel
def mark_proven(tree: MctsTree, node: int, outcome: int) -> None:
    """Nothing is in doubt about this node any more."""
    tree.proven[node] = outcome
    tree.mean[node] = 0.5 if outcome == DRAW else PROVEN_MEAN - 2 * PROVEN_MEAN * outcome
    tree.rave_beta[node] = 0
    tree.inv_sqrt_visits[node] = 0


@kernel
def proven_by_children(tree: MctsTree, node: int) -> int:
    """The outcome for the seat to move: a win as soon as one child is won, else only when all are settled."""
    seat = tree.seat[node]
    first = tree.first_child[node]
    all_proven, has_draw = True, False
    for child in range(first, first + tree.child_count[node]):
        if tree.proven[child] == seat:
            return seat
        all_proven &= tree.proven[child] != ONGOING
        has_draw |= tree.proven[child] == DRAW
    if not all_proven:
        return ONGOING
    return DRAW if has_draw else 1 - seat


@kernel
def copy_subtree(tree: MctsTree, root: int, min_visits: int, target: MctsTree) -> None:
    """Copy what grows from a node into another tree; nodes with fewer visits become leaves again."""
    target.num_nodes[0] = 1
    copy_nodes(tree, root, 1, target, ROOT, NO_NODE)
    node = 0
    while node < target.num_nodes[0]:  # a copy's `first_child` still points into the old tree until its turn comes
        first, count = target.first_child[node], target.child_count[node]
        if first != NO_NODE:
            start = target.num_nodes[0]
            if target.visits[node] < min_visits and node != ROOT:
                target.first_child[node] = NO_NODE
                target.child_count[node] = 0
            else:
                target.first_child[node] = start
                target.num_nodes[0] = start + count
                copy_nodes(tree, first, count, target, start, node)
        node += 1


@kernel
def copy_nodes(tree: MctsTree, first: int, count: int, target: MctsTree, start: int, parent: int) -> None:
    """Copy all that nodes side by side know; their children come later."""
    for offset in range(count):
        node, copy = first + offset, start + offset
        target.move[copy] = tree.move[node]
        target.seat[copy] = tree.seat[node]
        target.proven[copy] = tree.proven[node]
        target.parent[copy] = parent
        target.first_child[copy] = tree.first_child[node]
        target.child_count[copy] = tree.child_count[node]
        target.visits[copy] = tree.visits[node]
        target.mean[copy] = tree.mean[node]
        target.amaf_visits[copy] = tree.amaf_visits[node]
        target.amaf_mean[copy] = tree.amaf_mean[node]
        target.rave_beta[copy] = tree.rave_beta[node]
        target.inv_sqrt_visits[copy] = tree.inv_sqrt_visits[node]
        target.prior[copy] = tree.prior[node]
        target.eval_state[copy] = (
            NOT_REQUESTED if tree.eval_state[node] == PENDING else tree.eval_state[node]
        )  # its question names another place
