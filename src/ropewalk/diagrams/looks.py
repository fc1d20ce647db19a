"""How each kind of board looks: its views, what lies on its cells, and which of them are marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..boards import Board

STONE, CHECKER, DISC, RING = "stone", "checker", "disc", "ring"

DISC_COLOURS = {"b": "blue disc", "p": "purple disc", "o": "orange disc", "y": "yellow disc"}


@dataclass(frozen=True)
class Piece:
    """One piece of a stack."""

    kind: str
    colour: str
    letter: str = ""


@dataclass(frozen=True)
class Look:
    """What a board can show."""

    views: tuple[str, ...]
    pieces: Callable[[str], Sequence[Piece]]  # a cell's token as pieces from bottom to top
    role: Callable[[Board, int], str]  # the colour of a cell
    marks: tuple[str, ...] = ()  # marks of the board whose cells are outlined
    lean: tuple[float, float] = (0.0, 0.0)  # how a stack on the map leans to show what is beneath
    tinted: str = ""  # the view in which claimed cells take on a breath of colour
    turn: float = 0.0  # of the solid or the table, unless another is asked for
    tilt: float = 50.0

    @property
    def stacked(self) -> bool:
        """Whether pieces are stacked, so that nothing should be written on them."""
        return self.lean != (0.0, 0.0)


def stones(colours: Mapping[str, str]) -> Callable[[str], Sequence[Piece]]:
    """One stone a cell."""
    return lambda token: [Piece(STONE, colours[token])]


def checkers(token: str) -> Sequence[Piece]:
    """A stack of checkers, written from bottom to top."""
    return [Piece(CHECKER, {"r": "red", "b": "blue"}[letter]) for letter in token]


def discs_and_ring(token: str) -> Sequence[Piece]:
    """One or two discs, and a ring where there are brackets."""
    discs = [Piece(DISC, DISC_COLOURS[letter], letter) for letter in token.strip("()[]")]
    ring = {"(": [Piece(RING, "white")], "[": [Piece(RING, "black")]}.get(token[0], [])
    return [*discs, *ring]


def plain(role: str) -> Callable[[Board, int], str]:
    """All cells alike."""
    return lambda board, cell: role


def ring_role(board: Board, cell: int) -> str:
    """The centre and the edge of the cylinder."""
    if cell in board.marked_cells["centre"]:
        return "marked"
    return "edge cell" if cell in board.marked_cells["edge"] else "cell"


def cube_role(board: Board, cell: int) -> str:
    """Nuclear cells, octagons, and the small cells between them."""
    if cell in board.marked_cells["nuclear"]:
        return "marked"
    return "cell" if board.degrees[cell] == 8 else "small cell"


BLACK_AND_WHITE = stones({"b": "black", "w": "white"})

LOOKS: Mapping[str, Look] = {
    "cylinder": Look(("flat", "solid"), BLACK_AND_WHITE, ring_role, ("centre",), tinted="flat", turn=0.0, tilt=28.0),
    "cube": Look(("flat", "solid"), BLACK_AND_WHITE, cube_role, ("nuclear",), turn=-32.0, tilt=27.0),
    "rhombus": Look(("flat", "table"), stones({"r": "red", "b": "blue"}), plain("cell")),
    "squares": Look(("flat", "table"), discs_and_ring, plain("cell"), lean=(-1.25, -1.25), turn=-12.0),
    "dark squares": Look(("flat", "table"), checkers, plain("dark square"), lean=(0.0, -0.62), turn=-12.0),
}
