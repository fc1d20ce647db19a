"""Maximum matchings of graphs, by Edmonds' blossom algorithm (Canadian Journal of Mathematics 17, 1965)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

NOBODY = -1


class MatchingSearch:
    """The search for augmenting paths of one graph, whose vertices are numbered from 0. Takes O(V^3) in all."""

    def __init__(self, neighbours: Sequence[Collection[int]]) -> None:
        self.neighbours = neighbours
        self.partners = [NOBODY] * len(neighbours)
        self.parents: list[int] = []  # of the alternating tree
        self.bases: list[int] = []  # of the blossom in which a vertex lies
        self.is_outer: list[bool] = []  # at an even distance from the root

    def run(self) -> list[int]:
        """Return the partner of every vertex in a maximum matching, NOBODY for those that stay single."""
        for vertex in range(len(self.neighbours)):
            self.match_freely(vertex)
        for vertex in range(len(self.neighbours)):
            if self.partners[vertex] == NOBODY:
                self.augment(self.find_path_end(vertex))
        return self.partners

    def match_freely(self, vertex: int) -> None:
        """Match a single vertex with the first single neighbour, if there is one."""
        if self.partners[vertex] == NOBODY:
            other = next((other for other in self.neighbours[vertex] if self.partners[other] == NOBODY), NOBODY)
            if other != NOBODY:
                self.partners[vertex], self.partners[other] = other, vertex

    def augment(self, vertex: int) -> None:
        """Exchange matched and unmatched edges from the end of an augmenting path to its root."""
        while vertex != NOBODY:
            parent = self.parents[vertex]
            following = self.partners[parent]
            self.partners[vertex], self.partners[parent] = parent, vertex
            vertex = following

    def find_path_end(self, root: int) -> int:
        """Return the end of an augmenting path from a single vertex, NOBODY if there is no such path."""
        count = len(self.neighbours)
        self.parents, self.bases = [NOBODY] * count, list(range(count))
        self.is_outer = [vertex == root for vertex in range(count)]
        queue = deque([root])
        while queue:
            vertex = queue.popleft()
            for other in self.neighbours[vertex]:
                if self.bases[vertex] == self.bases[other] or self.partners[vertex] == other:
                    continue
                partner = self.partners[other]
                if other == root or (partner != NOBODY and self.parents[partner] != NOBODY):
                    queue.extend(self.shrink_blossom(vertex, other))
                elif self.parents[other] == NOBODY:
                    self.parents[other] = vertex
                    if partner == NOBODY:
                        return other
                    self.is_outer[partner] = True
                    queue.append(partner)
        return NOBODY

    def shrink_blossom(self, first: int, second: int) -> list[int]:
        """Give the vertices of the odd cycle that an edge closes one base. Returns those that are outer now."""
        base = self.find_common_base(first, second)
        in_blossom = [False] * len(self.bases)
        self.mark_path(first, second, base, in_blossom)
        self.mark_path(second, first, base, in_blossom)
        new = []
        for vertex, old in enumerate(self.bases):
            if in_blossom[old]:
                self.bases[vertex] = base
                if not self.is_outer[vertex]:
                    self.is_outer[vertex] = True
                    new.append(vertex)
        return new

    def find_common_base(self, first: int, second: int) -> int:
        """Return the base of the last blossom that the paths of two outer vertices to the root share."""
        seen = set()
        vertex = first
        while True:
            vertex = self.bases[vertex]
            seen.add(vertex)
            if self.partners[vertex] == NOBODY:
                break
            vertex = self.parents[self.partners[vertex]]
        vertex = self.bases[second]
        while vertex not in seen:
            vertex = self.bases[self.parents[self.partners[vertex]]]
        return vertex

    def mark_path(self, vertex: int, child: int, base: int, in_blossom: list[bool]) -> None:
        """Mark the blossoms between a vertex and the base of a cycle, and link them in the other direction."""
        while self.bases[vertex] != base:
            partner = self.partners[vertex]
            in_blossom[self.bases[vertex]] = in_blossom[self.bases[partner]] = True
            self.parents[vertex] = child
            child, vertex = partner, self.parents[partner]


def find_maximum_matching(neighbours: Sequence[Collection[int]]) -> list[int]:
    """Return the partner of every vertex of a graph in a maximum matching, NOBODY for those that stay single.

    Args:
        neighbours: For each vertex the others that it may be matched with; the relation is symmetric.
    """
    return MatchingSearch(neighbours).run()
