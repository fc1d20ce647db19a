"""What Lariat and Cube Lariat have in common: black and white claim cells, and one group can win."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from tests.reference.common import Cells, Neighbours, Outcome, pieces

BLACK, WHITE = COLOURS = ("black", "white")
TOKENS = {BLACK: "b", WHITE: "w"}
SWAP = "swap"


class Claims(NamedTuple):
    """A position: the cells of each colour, the colour to move, and whether the seats have swapped colours."""

    black: Cells
    white: Cells
    to_move: str
    swapped: bool

    def of(self, colour: str) -> Cells:
        """The cells that `colour` has claimed."""
        return self.black if colour == BLACK else self.white


class ClaimingGame(ABC):
    """Players claim one cell a turn, black first, until a group wins."""

    def __init__(self, spec: str, neighbours: Neighbours, claimable: Iterable[str], pie: bool) -> None:
        self.spec = spec
        self.neighbours = neighbours
        self.cells = tuple(neighbours)
        self.claimable = tuple(claimable)
        self.pie = pie

    @abstractmethod
    def reason_to_win(self, group: Cells) -> str | None:
        """Why a group wins, or None if it does not."""

    def start(self) -> Claims:
        return Claims(black=frozenset(), white=frozenset(), to_move=BLACK, swapped=False)

    def state_of(self, contents: Mapping[str, str], extras: Mapping[str, object]) -> Claims:
        return Claims(
            black=frozenset(cell for cell, token in contents.items() if token == TOKENS[BLACK]),
            white=frozenset(cell for cell, token in contents.items() if token == TOKENS[WHITE]),
            to_move=str(extras["to_move"]),
            swapped=bool(extras.get("swapped", False)),
        )

    def seat(self, state: Claims) -> int | None:
        return None if self.outcome(state) else seat_of(state, state.to_move)

    def moves(self, state: Claims) -> list[str]:
        if self.outcome(state):
            return []
        claimed = state.black | state.white
        claims = [cell for cell in self.claimable if cell not in claimed]
        return [*claims, SWAP] if self.may_swap(state) else claims

    def may_swap(self, state: Claims) -> bool:
        """Whether this is the first turn of seat 1, under the pie rule."""
        return self.pie and not state.swapped and len(state.black) == 1 and not state.white

    def play(self, state: Claims, move: str) -> Claims:
        if move == SWAP:
            return state._replace(swapped=True)
        if state.to_move == BLACK:
            return state._replace(black=state.black | {move}, to_move=WHITE)
        return state._replace(white=state.white | {move}, to_move=BLACK)

    def outcome(self, state: Claims) -> Outcome | None:
        for colour in COLOURS:
            for group in groups(self, state.of(colour)):
                if reason := judged(self, group):
                    return seat_of(state, colour), reason
        return None

    def contents(self, state: Claims) -> dict[str, str]:
        return {cell: TOKENS[colour] for colour in COLOURS for cell in state.of(colour)}

    def extras(self, state: Claims) -> dict[str, object]:
        return {"to_move": state.to_move, "swapped": state.swapped}


def seat_of(state: Claims, colour: str) -> int:
    """The seat that plays `colour`: 0 has black until the colours are swapped."""
    return COLOURS.index(colour) ^ state.swapped


# A claim changes one group and leaves the others as they were: remembering spares judging those anew.
@lru_cache(maxsize=64)
def groups(game: ClaimingGame, stones: Cells) -> tuple[Cells, ...]:
    """The groups into which the stones of one colour fall."""
    return tuple(pieces(game.neighbours, stones))


@lru_cache(maxsize=4096)
def judged(game: ClaimingGame, group: Cells) -> str | None:
    """Why a group wins in `game`, or None if it does not."""
    return game.reason_to_win(group)
