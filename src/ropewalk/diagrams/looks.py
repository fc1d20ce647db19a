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
class BoardLook:
    """How a kind of board is drawn."""

    views: tuple[str, ...]
    cell_role: Callable[[Board, int], str]  # the colour of a cell
    outlined_marks: tuple[str, ...] = ()  # marks of the board whose cells are outlined
    stack_offset: tuple[float, float] = (0.0, 0.0)  # how a stack on the map leans to show what is beneath
    tinted_view: str = ""  # the view in which claimed cells take on a breath of colour
    yaw: float = 0.0  # of the solid or the table, unless another is asked for
    pitch: float = 50.0

    @property
    def has_stacks(self) -> bool:
        """Whether pieces are stacked, so that nothing should be written on them."""
        return self.stack_offset != (0.0, 0.0)


def constant_role(role: str) -> Callable[[Board, int], str]:
    """All cells alike."""
    return lambda board, cell: role


def cylinder_role(board: Board, cell: int) -> str:
    """The centre and the edge of the cylinder."""
    if cell in board.marked_cells["centre"]:
        return "marked"
    return "edge cell" if cell in board.marked_cells["edge"] else "cell"


def cube_role(board: Board, cell: int) -> str:
    """Nuclear cells, octagons, and the small cells between them."""
    if cell in board.marked_cells["nuclear"]:
        return "marked"
    return "cell" if board.degrees[cell] == 8 else "small cell"


LOOKS: Mapping[str, BoardLook] = {
    "cylinder": BoardLook(("flat", "solid"), cylinder_role, ("centre",), tinted_view="flat", yaw=0.0, pitch=28.0),
    "cube": BoardLook(("flat", "solid"), cube_role, ("nuclear",), yaw=-32.0, pitch=27.0),
    "rhombus": BoardLook(("flat", "table"), constant_role("cell")),
    "squares": BoardLook(("flat", "table"), constant_role("cell"), stack_offset=(-1.25, -1.25), yaw=-12.0),
    "dark squares": BoardLook(("flat", "table"), constant_role("dark square"), stack_offset=(0.0, -0.62), yaw=-12.0),
}


def find_look(game: Game) -> BoardLook:
    """Return the look that a game declares; raise a RopewalkError if there is no such look."""
    look = game.definition.look
    if look not in LOOKS:
        raise RopewalkError(f"{game.name} cannot be drawn: it declares the look {look!r}; there are {', '.join(LOOKS)}")
    return LOOKS[look]
