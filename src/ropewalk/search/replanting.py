"""Replanting: what a tree knows of a position below its root becomes a tree of its own."""

from __future__ import annotations

from ..kernels import kernel, to_int64
from .forest import EDGES, NO_NODE, USED, Forest, Tree, Whole32, tree_at


@kernel
def replant(forest: Forest, node: int, spare: Forest, origins: Whole32) -> None:
    """Copy what grows from a node of a forest's first tree into that of a spare one. `origins` is scratch, a node each."""
    tree, target = tree_at(forest, 0), tree_at(spare, 0)
    target.numbers[USED] = 0
    target.numbers[EDGES] = 0
    copy_node(tree, node, target, origins)
    copied = 0
    while copied < target.numbers[USED]:
        copy_edges(tree, to_int64(origins[copied]), target, copied, origins)
        copied += 1


@kernel
def copy_node(tree: Tree, node: int, target: Tree, origins: Whole32) -> int:
    """A node without its edges; its number among the copies."""
    copy = to_int64(target.numbers[USED])
    target.numbers[USED] = copy + 1
    origins[copy] = node
    target.seat[copy] = tree.seat[node]
    target.result[copy] = tree.result[node]
    target.width[copy] = tree.width[node]
    target.tried[copy] = tree.tried[node]
    target.visits[copy] = tree.visits[node]
    target.total[copy] = tree.total[node]
    target.raw[copy] = tree.raw[node]
    return copy


@kernel
def copy_edges(tree: Tree, node: int, target: Tree, copy: int, origins: Whole32) -> None:
    """A node's edges, and the nodes that they lead to."""
    first, start = to_int64(tree.first[node]), to_int64(target.numbers[EDGES])
    target.first[copy] = start
    for offset in range(tree.width[node]):  # none for a node that was not expanded
        edge = start + offset
        target.prior[edge] = tree.prior[first + offset]
        target.move[edge] = tree.move[first + offset]
        child = to_int64(tree.child[first + offset])
        target.child[edge] = NO_NODE if child == NO_NODE else copy_node(tree, child, target, origins)
    target.numbers[EDGES] = start + max(0, to_int64(tree.width[node]))
