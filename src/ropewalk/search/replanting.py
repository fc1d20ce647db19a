"""Replanting: what a tree knows of a position below its root becomes a tree of its own."""

from __future__ import annotations

from ..jit.kernel import kernel, to_int64
from .forest import I32, NO_NODE, NUM_EDGES, NUM_NODES, GumbelTree, GumbelTreeBatch, get_tree


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
