"""Tether, by Mark Steere (2009): claim more than half of a rhombus with stones that are tied to your sides."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from tests.reference.common import Cells, Neighbours, Outcome, both_ways, pieces, square

RED, BLUE = COLOURS = ("red", "blue")
TOKENS = {RED: "r", BLUE: "b"}
OPPONENT = {RED: BLUE, BLUE: RED}


class Stones(NamedTuple):
    """A position: the stones of each colour, and the colour to move."""

    red: Cells
    blue: Cells
    to_move: str

    def of(self, player: str) -> Cells:
        """The stones of `player`."""
        return self.red if player == RED else self.blue


class Board:
    """A rhombus of hexagons. A side is known by the cells that lie on it; a corner lies on two."""

    def __init__(self, size: int) -> None:
        last = size - 1
        self.neighbours: Neighbours = both_ways(touching(size))
        self.cells = frozenset(self.neighbours)
        self.sides = {
            RED: frozenset(square(column, row) for column in range(size) for row in (0, last)),
            BLUE: frozenset(square(column, row) for column in (0, last) for row in range(size)),
        }


class Tether:
    """The game on a board of `size` x `size` cells."""

    def __init__(self, spec: str, size: int) -> None:
        self.spec = spec
        self.board = Board(size)
        self.cells = tuple(square(column, row) for row in range(size) for column in range(size))

    def start(self) -> Stones:
        return Stones(red=frozenset(), blue=frozenset(), to_move=RED)

    def state_of(self, contents: Mapping[str, str], extras: Mapping[str, object]) -> Stones:
        return Stones(
            red=frozenset(cell for cell, token in contents.items() if token == TOKENS[RED]),
            blue=frozenset(cell for cell, token in contents.items() if token == TOKENS[BLUE]),
            to_move=str(extras["to_move"]),
        )

    def seat(self, state: Stones) -> int | None:
        return None if self.outcome(state) else COLOURS.index(state.to_move)

    def moves(self, state: Stones) -> list[str]:
        """Placements are on empty cells that are surrounded by neither player's stones."""
        if self.outcome(state):
            return []
        closed = union(state.of(player) | surrounded(self.board, player, state.of(player)) for player in COLOURS)
        return [cell for cell in self.cells if cell not in closed]

    def play(self, state: Stones, move: str) -> Stones:
        """Place a stone, and capture all opposing stones that are then surrounded."""
        mover, opponent = state.to_move, OPPONENT[state.to_move]
        own = state.of(mover) | {move}
        opposing = state.of(opponent) - surrounded(self.board, mover, own)
        red, blue = (own, opposing) if mover == RED else (opposing, own)
        return Stones(red=red, blue=blue, to_move=opponent)

    def outcome(self, state: Stones) -> Outcome | None:
        for seat, player in enumerate(COLOURS):
            if 2 * len(self.territory(state, player)) > len(self.cells):
                return seat, "majority"
        return None

    def territory(self, state: Stones, player: str) -> Cells:
        """All tethered stones of a player, and all cells that these surround together."""
        stones = tethered(self.board, player, state.of(player))
        return stones | surrounded(self.board, player, stones)

    def contents(self, state: Stones) -> dict[str, str]:
        return {cell: TOKENS[player] for player in COLOURS for cell in state.of(player)}

    def extras(self, state: Stones) -> dict[str, object]:
        return {"to_move": state.to_move}


# A placement leaves most sets of stones as they were: remembering spares flooding the board anew for those.
@lru_cache(maxsize=256)
def surrounded(board: Board, player: str, stones: Cells) -> Cells:
    """The cells whose piece of the board without `stones` touches no side of the opponent's colour."""
    way_out = board.sides[OPPONENT[player]]
    return union(piece for piece in pieces(board.neighbours, board.cells - stones) if not piece & way_out)


@lru_cache(maxsize=256)
def tethered(board: Board, player: str, stones: Cells) -> Cells:
    """The stones of all groups with a cell on a side of the player's colour."""
    return union(group for group in pieces(board.neighbours, stones) if group & board.sides[player])


def touching(size: int) -> Iterator[tuple[str, str]]:
    """All pairs of cells that touch: in a row, in a column, and along the short diagonal."""
    for row in range(size):
        for column in range(size):
            for next_column, next_row in ((column + 1, row), (column, row + 1), (column - 1, row + 1)):
                if 0 <= next_column < size and next_row < size:
                    yield square(column, row), square(next_column, next_row)


def union(parts: Iterable[Cells]) -> Cells:
    return frozenset().union(*parts)
