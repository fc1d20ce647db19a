"""A solver of Hex on small boards that shares no code with the package, for the opening tables of `examples/hex`.

Depth-first search with must-play regions, as in R. Hayward et al., "Solving 7x7 Hex: virtual connections and game-state
reduction" (2004): a win has a carrier, the cells on which it depends, and whoever faces a threat must play in its carrier.
Leaves are chains of bridges. Cells are bits of integers, numbered row by row; colour 0 connects the first and last row.
"""

from __future__ import annotations

from itertools import product

STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
FAR = 9  # distance of cells that cannot be reached

Stones = tuple[int, int]  # of colours 0 and 1


def several(cells: int) -> bool:
    """Return whether a set has two cells or more."""
    return bool(cells & (cells - 1))


class HexSolver:
    """Values of positions of one board size, kept in a table."""

    def __init__(self, size: int) -> None:
        cells = list(product(range(size), repeat=2))
        index = {cell: number for number, cell in enumerate(cells)}
        around = [[index.get((row + r, column + c)) for r, c in STEPS] for row, column in cells]
        self.neighbours = [sum(1 << cell for cell in near if cell is not None) for near in around]
        self.board = (1 << size * size) - 1
        self.sides = [
            [sum(1 << number for cell, number in index.items() if cell[axis] == line) for line in (0, size - 1)]
            for axis in (0, 1)
        ]
        self.bridges = [
            [(other, common) for other, common in self.common_neighbours(cell) if several(common)]
            for cell in range(len(cells))
        ]
        self.names = ["abcdefgh"[column] + str(row + 1) for row, column in cells]
        self.table: dict[tuple[Stones, int], tuple[int, int]] = {}

    def common_neighbours(self, cell: int) -> list[tuple[int, int]]:
        """Return for each cell that is not adjacent to `cell` their common neighbours."""
        others = self.list_cells(self.board & ~self.neighbours[cell] & ~(1 << cell))
        return [(other, self.neighbours[cell] & self.neighbours[other]) for other in others]

    def list_cells(self, cells: int) -> list[int]:
        """Return the numbers of a set of cells."""
        return [cell for cell in range(len(self.neighbours)) if cells >> cell & 1]

    def dilate(self, cells: int) -> int:
        """Return the cells and their neighbours."""
        result = cells
        for cell in self.list_cells(cells):
            result |= self.neighbours[cell]
        return result

    def flood(self, start: int, within: int) -> int:
        """Return what is connected with `start` inside `within`."""
        reached, previous = start & within, 0
        while reached != previous:
            reached, previous = reached | self.dilate(reached & ~previous) & within, reached
        return reached

    def find_chain(self, mine: int, theirs: int, colour: int) -> int | None:
        """Return the carrier of a chain of bridges that joins both sides although the opponent moves, or None."""
        empty = self.board & ~(mine | theirs)
        first, last = self.sides[colour]
        chain = self.flood(first, mine)
        if chain & last:
            return 0
        liberties, carrier = (self.dilate(chain) | first) & empty, 0
        groups = [(last & empty, True)]  # liberties, and whether the group touches the last side
        rest = mine & ~chain
        while rest:
            group = self.flood(rest & -rest, rest)
            rest &= ~group
            groups.append((self.dilate(group) & empty, bool(group & last)))
        while True:
            joined = next((group for group in groups if several(group[0] & liberties & ~carrier)), None)
            if joined is None:
                return None
            common = joined[0] & liberties & ~carrier
            one = common & -common
            carrier |= one | (common ^ one) & -(common ^ one)
            if joined[1]:
                return carrier
            liberties |= joined[0]
            groups.remove(joined)

    def distances(self, mine: int, theirs: int, side: int) -> list[int]:
        """Return for each cell how many stones the shortest chain of bridges from a side needs, the cell included."""
        empty = self.board & ~(mine | theirs)
        reached = self.flood(side, mine)
        result = [FAR] * len(self.neighbours)
        inner = self.dilate(side) & ~side
        frontier = sum(1 << cell for cell in self.list_cells(inner) if several(self.neighbours[cell] & side & empty))
        for distance in range(1, FAR):
            bridged = [
                1 << other
                for cell in self.list_cells(reached)
                for other, common in self.bridges[cell]
                if common & empty == common
            ]
            frontier |= self.dilate(reached) | side
            for cells in bridged:
                frontier |= cells
            frontier &= empty & ~reached
            grown = self.flood(frontier | reached, mine | frontier | reached)
            for cell in self.list_cells(grown & ~reached):
                result[cell] = distance
            reached, frontier = grown, 0
        return result

    def order_moves(self, stones: Stones) -> list[int]:
        """Return the empty cells, those first that lie on short chains of both colours."""
        maps = [self.distances(stones[c], stones[1 - c], side) for c in (0, 1) for side in self.sides[c]]
        return sorted(
            self.list_cells(self.board & ~(stones[0] | stones[1])), key=lambda cell: sum(each[cell] for each in maps)
        )

    def solve(self, stones: Stones, mover: int) -> tuple[int, int]:
        """Return the winning colour and the carrier of the win."""
        if (stones, mover) not in self.table:
            self.table[stones, mover] = self.search(stones, mover)
        return self.table[stones, mover]

    def search(self, stones: Stones, mover: int) -> tuple[int, int]:
        """Solve a position that is not in the table."""
        mine, theirs, other = stones[mover], stones[1 - mover], 1 - mover
        if (carrier := self.find_chain(theirs, mine, other)) is not None:
            return other, carrier
        moves = self.order_moves(stones)
        for cell in moves:
            if (carrier := self.find_chain(mine | 1 << cell, theirs, mover)) is not None:
                return mover, carrier | 1 << cell
        must_play, union = self.board, 0
        for cell in moves:
            if (carrier := self.find_chain(theirs | 1 << cell, mine, other)) is not None:
                must_play, union = must_play & (carrier | 1 << cell), union | carrier | 1 << cell
        for cell in moves:
            if must_play >> cell & 1:
                after = mine | 1 << cell
                winner, carrier = self.solve((after, theirs) if mover == 0 else (theirs, after), other)
                if winner == mover:
                    return mover, carrier | 1 << cell
                must_play, union = must_play & carrier, union | carrier
        return other, union

    def winning_openings(self) -> list[str]:
        """Return the first moves that win; a half turn maps winning moves to winning moves."""
        last = len(self.neighbours) - 1
        half = [self.solve((1 << cell, 0), 1)[0] == 0 for cell in range((last + 2) // 2)]
        return [name for cell, name in enumerate(self.names) if half[min(cell, last - cell)]]
