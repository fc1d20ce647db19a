"""Looks of boards by geometry: views, camera, roles of cells, marks. The pieces come from a game's `TokenSyntax`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import RopewalkError

if TYPE_CHECKING:
    from ..boards import Board
    from ..games.game import Game

STONE, CHECKER, DISC, RING = "stone", "checker", "disc", "ring"


@dataclass(frozen=True)
class Look:
    """How a kind of board is drawn."""

    views: tuple[str, ...]
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


LOOKS: Mapping[str, Look] = {
    "cylinder": Look(("flat", "solid"), ring_role, ("centre",), tinted="flat", turn=0.0, tilt=28.0),
    "cube": Look(("flat", "solid"), cube_role, ("nuclear",), turn=-32.0, tilt=27.0),
    "rhombus": Look(("flat", "table"), plain("cell")),
    "squares": Look(("flat", "table"), plain("cell"), lean=(-1.25, -1.25), turn=-12.0),
    "dark squares": Look(("flat", "table"), plain("dark square"), lean=(0.0, -0.62), turn=-12.0),
}


def look_of(game: Game) -> Look:
    """Return the look that a game declares; raise a RopewalkError if there is no such look."""
    look = game.definition.look
    if look not in LOOKS:
        raise RopewalkError(f"{game.name} cannot be drawn: it declares the look {look!r}; there are {', '.join(LOOKS)}")
    return LOOKS[look]
