"""Storage of the MCTS tree: flat arrays with an entry per node, the children of a node side by side, node 0 the root.

All children of an expanded node are stored, visited or not, because selection scans mean, AMAF mean and weights of every
child with SIMD instructions (43 bytes per legal move). `GumbelTree` stores nodes for visited moves only, because thousands
of small trees must fit into memory; it also has another value scale, so the two storages stay separate.

Values are seat 0's, from 0 to 1, whoever is to move: turns of several moves need no alternating signs. Proven outcomes are
propagated as in MCTS-Solver (Winands, Bjornsson, Saito 2008); the mean of a proven win is +-PROVEN_MEAN, so that selection
takes it, or avoids it, without a further test.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..rules.interface import DRAW, ONGOING
from .interfaces import NO_NODE, ROOT

NOT_REQUESTED, PENDING, EVALUATED = 0, 1, 2  # evaluation states of a node
PROVEN_MEAN = 1000.0  # mean of a proven win of seat 0; of seat 1: -PROVEN_MEAN


class MctsTree(NamedTuple):
    """A tree; all arrays have an entry per node, except `num_nodes`."""

    move: NDArray[np.int16]  # the move that leads here
    seat: NDArray[np.int8]  # to move here; set at the first visit
    proven: NDArray[np.int8]  # ONGOING, or the outcome under best play
    parent: NDArray[np.int32]  # NO_NODE for the root
    first_child: NDArray[np.int32]  # NO_NODE for a leaf
    child_count: NDArray[np.int16]
    visits: NDArray[np.int32]
    mean: NDArray[np.float32]  # mean result of the visits for seat 0; +-PROVEN_MEAN if a win is proven
    amaf_visits: NDArray[np.float32]  # rollouts in which the parent's seat made this move at the parent or later
    amaf_mean: NDArray[np.float32]  # mean result of those for seat 0
    rave_beta: NDArray[np.float32]  # weight of the AMAF mean beside the mean; falls with the visits
    inv_sqrt_visits: NDArray[np.float32]  # 1 / sqrt(visits + 1), 0 if proven
    prior: NDArray[np.float32]  # policy prior among its siblings, 0 until the parent is evaluated by a net
    eval_state: NDArray[np.int8]  # NOT_REQUESTED, PENDING or EVALUATED by a net
    num_nodes: NDArray[np.int64]  # [1]: nodes in use


LINK_FIELDS = ("parent", "first_child", "child_count", "num_nodes")  # node numbers and counts: change when nodes are moved


def allocate_tree(capacity: int) -> MctsTree:
    """Allocate a tree for `capacity` nodes, none in use."""
    integer_dtypes = (np.int16, np.int8, np.int8, np.int32, np.int32, np.int16, np.int32)
    arrays = [np.zeros(capacity, kind) for kind in (*integer_dtypes, *[np.float32] * 6, np.int8)]
    return MctsTree(*arrays, np.zeros(1, np.int64))  # type: ignore[call-arg]


def node_bytes() -> int:
    """Return the memory of one node in bytes."""
    return sum(array.itemsize for array in allocate_tree(1)[:-1])


@kernel
def reset_tree(tree: MctsTree) -> None:
    """Clear the tree: only an unvisited root is left."""
    tree.num_nodes[0] = 0
    add_children(tree, NO_NODE, tree.move, 1, 0.5)


@kernel
def has_capacity(tree: MctsTree, count: int) -> bool:
    """Return whether `count` more nodes fit."""
    return tree.num_nodes[0] + count <= len(tree.move)


@kernel
def add_children(tree: MctsTree, node: int, moves: Any, count: int, mean: float) -> None:
    """Append `count` unvisited children of a leaf whose initial mean is `mean` (first-play urgency, for seat 0)."""
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
    """Mark a node as proven, and every ancestor whose outcome follows from its children."""
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
    """Store a proven outcome; the mean becomes final, without AMAF and exploration terms."""
    tree.proven[node] = outcome
    tree.mean[node] = 0.5 if outcome == DRAW else PROVEN_MEAN - 2 * PROVEN_MEAN * outcome
    tree.rave_beta[node] = 0
    tree.inv_sqrt_visits[node] = 0


@kernel
def proven_by_children(tree: MctsTree, node: int) -> int:
    """Return the outcome that proven children imply: a win by one of them, else only if all are proven, else ONGOING."""
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


def copy_subtree(tree: MctsTree, root: int, min_visits: int, target: MctsTree) -> None:
    """Copy the subtree of `root` into `target`; other nodes with fewer than `min_visits` visits become leaves.

    Pending evaluation requests name nodes of the old tree: the copies count as not requested.
    """
    order = np.empty(int(tree.num_nodes[0]), np.int32)
    link_subtree(tree, root, min_visits, target, order)
    count = int(target.num_nodes[0])
    for name in MctsTree._fields:
        if name not in LINK_FIELDS:
            np.take(getattr(tree, name), order[:count], out=getattr(target, name)[:count], mode="clip")
    eval_state = target.eval_state[:count]
    eval_state[eval_state == PENDING] = NOT_REQUESTED


@kernel
def link_subtree(tree: MctsTree, root: int, min_visits: int, target: MctsTree, order: NDArray[np.int32]) -> None:
    """Number the nodes of a subtree breadth first. Writes the target's LINK_FIELDS and each node's old number, `order`."""
    order[ROOT] = root
    target.parent[ROOT] = NO_NODE
    target.num_nodes[0] = 1
    node = 0
    while node < target.num_nodes[0]:
        source, start = order[node], target.num_nodes[0]
        first, count = tree.first_child[source], tree.child_count[source]
        target.first_child[node] = NO_NODE
        target.child_count[node] = 0
        if first != NO_NODE and (node == ROOT or tree.visits[source] >= min_visits):
            target.first_child[node] = start
            target.child_count[node] = count
            target.num_nodes[0] = start + count
            for offset in range(count):
                order[start + offset] = first + offset
                target.parent[start + offset] = node
        node += 1
