"""Drawing: a position, or a line of moves, as one SVG picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from html import escape
from typing import Protocol, runtime_checkable

from ..games.definition import Piece
from ..games.notation import list_cell_names
from ..games.position import Position
from ..games.sequence import MoveSequence
from .captions import Caption, caption_of, description_of, title_of
from .geometry import Vector
from .looks import Look
from .overlay_layer import Overlays
from .svg import Paper
from .piece_layer import Pieces, height_of
from .numbered_moves import NumberedMove, list_numbered_moves
from .scene import Bounds, Scene, Sheet, Spot, fitted
from .options import DiagramError, Style, check
from .board_layer import Surface
from .themes import THEMES, Theme
from .views import scene_of

PALE = 0.4  # a captured stone that carries a number


@runtime_checkable
class Territorial(Protocol):
    """A game with territories."""

    def territory_cells(self, position: Position, colour: int) -> set[int]:
        """The cells that a colour claims, the first colour being 1."""


def draw(position: Position, style: Style | None = None, moves: Iterable[str] = ()) -> str:
    """The position after these moves as SVG; numbers and the last move are theirs."""
    return Drawing(MoveSequence.play(position, moves), style or Style()).svg()


class Drawing:
    """One picture under way."""

    def __init__(self, line: MoveSequence, style: Style, frame: Bounds | None = None) -> None:
        """`frame` is what the picture shows at least, so that all pictures of a game are of one size."""
        self.line = line
        self.frame = frame
        self.style = style
        self.position = line.position
        self.game = line.position.game
        self.board = self.game.board
        self.tokens = self.game.definition.tokens
        self.look: Look = check(style, self.game)
        self.theme: Theme = THEMES[style.theme]
        self.paper = Paper()
        self.tops: dict[int, list[Spot]] = {}  # filled while pieces are drawn: the spots on top of them

    def svg(self) -> str:
        """All of it."""
        self.draw_layers()
        groups = [
            line
            for name, layer in self.paper.layers.items()
            if layer
            for line in (f'<g data-layer="{name}">', *layer, "</g>")
        ]
        return document(self.sheet, title_of(self.position), description_of(self.position), self.paper.definitions, groups)

    @cached_property
    def caption(self) -> Caption:
        """What is written below the board."""
        return caption_of(self.position, self.numbered, self.style) if self.style.caption else Caption([])

    @cached_property
    def sheet(self) -> Sheet:
        """The scene on a sheet of the size asked for."""
        frame = self.bounds([self.position]) if self.frame is None else self.frame
        return fitted(self.scene, frame, self.style.size, self.caption.height(self.style.size))

    @cached_property
    def scene(self) -> Scene:
        """The board as it is seen, in units."""
        return scene_of(self.board, self.look, self.style)

    def bounds(self, positions: Iterable[Position]) -> Bounds:
        """The corners of all that these positions show, with their highest stacks."""
        heights: dict[int, float] = {}
        for name, token in (item for position in positions for item in position.contents.items()):
            cell = self.board.index[name]
            heights[cell] = max(heights.get(cell, 0.0), height_of(self.tokens.pieces_of(token)))
        return self.scene.bounds(heights)

    @cached_property
    def contents(self) -> dict[int, list[Piece]]:
        """What stands on the cells, each from bottom to top."""
        return {self.board.index[name]: self.tokens.pieces_of(token) for name, token in self.position.contents.items()}

    # Layers

    def draw_layers(self) -> None:
        """Draw everything, from the bottom to the top."""
        surface = Surface(self.paper, self.theme, self.board, self.look, self.sheet)
        surface.ground()
        self.pieces(behind=True)
        surface.cells()
        surface.edges()
        self.regions()
        surface.marked_cells()
        surface.margins()
        self.pieces(behind=False)
        self.ghosts()
        self.overlays()
        self.paper.turn_to("caption")
        self.caption.draw(self.paper, self.theme, self.sheet, self.style.size)

    def over(self) -> Overlays:
        """Something to draw over the scene with."""
        placed = [step for step in self.numbered if step.token]
        tokens = {self.board.index[step.cells[-1]]: self.tokens.pieces_of(step.token)[-1] for step in placed}
        shown = tokens | {cell: pieces[-1] for cell, pieces in self.contents.items()}
        inks = {cell: self.theme.paints[shown[cell].paint].ink for cell in self.tops}
        return Overlays(self.paper, self.theme, self.board, self.look, self.sheet, self.tops, inks)

    # Cells in colour

    def regions(self) -> None:
        """Claimed cells, heat, territories, witnesses."""
        self.paper.turn_to("regions")
        over, colours, book = self.over(), self.theme.colours, not self.theme.relief
        witness = self.witnesses()
        if self.look.tinted == self.style.view and not (book and witness):  # on a map, neighbours may lie far apart
            for cell, pieces in self.contents.items():
                over.tint(cell, self.theme.paints[pieces[-1].paint].body, self.theme.tint)
        for name, value in self.style.heat.items():
            over.tint(self.board.index[name], colours["heat"], round(0.06 + 0.74 * value, 3))
        if self.style.territory:
            for cells, role, strength in zip(self.territories(), ("red side", "blue side"), (0.42, 0.4), strict=True):
                over.region(sorted(cells), colours[role], strength)
        if witness:
            over.region(witness, colours["witness"], 0.28 if book else 0.42)

    def territories(self) -> list[set[int]]:
        """The cells that each side claims."""
        if not isinstance(self.game, Territorial):
            raise DiagramError(f"{self.game.name} has no territories")
        return [self.game.territory_cells(self.position, colour) for colour in (1, 2)]

    def witnesses(self) -> list[int]:
        """The cells for which a move is refused, or those that decide a finished game."""
        names: Iterable[str] = ()
        if self.style.why:
            refusal = self.position.refusal(self.style.why)
            if refusal is None:
                raise DiagramError(f"{self.style.why} is legal here, so there is no refusal to show")
            names = refusal.witness
        elif self.style.witness:
            over = self.position.outcome
            if over is None:
                raise DiagramError("the game is not over, so no cells decide it; what refuses a move is shown with why")
            names = over.witness
        return [self.board.index[name] for name in names]

    # Pieces

    @cached_property
    def brush(self) -> Pieces:
        """Draws pieces."""
        return Pieces(self.paper, self.theme, self.sheet.line)

    def pieces(self, behind: bool) -> None:
        """All pieces from far to near: first those that only look over the edge of a solid."""
        self.paper.turn_to("far pieces" if behind else "pieces")
        for cell, spots in self.sheet.scene.spots.items():
            standing = [spot for spot in spots if spot.turned_away == behind]
            if cell in self.contents and standing:
                self.paper.open(data_piece=self.board.names[cell])
                plain = cell in self.written
                self.tops[cell] = [self.brush.stack(spot, self.contents[cell], plain=plain) for spot in standing]
                self.paper.close()

    def ghosts(self) -> None:
        """Numbered stones that have been captured since, pale."""
        for step in self.numbered:
            cell = self.board.index[step.cells[-1]] if len(step.cells) == 1 and step.token else None
            if cell is None or cell in self.tops or self.look.stacked:
                continue
            standing = [spot for spot in self.sheet.scene.spots.get(cell, ()) if not spot.turned_away]
            self.paper.open(data_captured=step.cells[-1], opacity=PALE)
            self.tops[cell] = [self.brush.stack(spot, self.tokens.pieces_of(step.token), plain=True) for spot in standing]
            self.paper.close()

    @cached_property
    def written(self) -> set[int]:
        """The cells on which something will be written, so that nothing else should be."""
        names = {*self.style.marks, *self.style.heat, *(step.cells[0] for step in self.numbered if len(step.cells) == 1)}
        if self.style.last and self.line.moves:
            names.update(step.cells[-1] for step in list_numbered_moves(self.line, len(self.line.moves)) if step.cells)
        if self.style.coordinates == "all":
            names.update(self.board.names)
        return {self.board.index[name] for name in names}

    # Overlays

    @cached_property
    def numbered(self) -> list[NumberedMove]:
        """The steps of all moves that carry numbers."""
        first, count = self.style.numbers_from, len(self.line.moves)
        if first is None:
            return []
        if count == 0:
            raise DiagramError("there are no moves to number")
        if not 1 <= first <= count:
            raise DiagramError(f"numbers begin with move 1 to {count}, not {first}")
        return [step for turn in range(first, count + 1) for step in list_numbered_moves(self.line, turn)]

    def overlays(self) -> None:
        """Numbers, the last move, marks, values, names: a cell carries one of them."""
        self.paper.turn_to("overlays")
        over = self.over()
        taken = self.numbers(over)
        if self.style.last and self.line.moves:
            steps = list_numbered_moves(self.line, len(self.line.moves))
            over.last_move([step for step in steps if not taken.intersection(step.cells[-1:])])
        for name, mark in self.style.marks.items():
            over.mark(self.board.index[name], mark)
        for name in list_cell_names(self.game.board, self.style.why)[-1:]:
            over.mark(self.board.index[name], "cross")
        taken |= {*self.style.marks, *list_cell_names(self.game.board, self.style.why)}
        for name, value in self.style.heat.items():
            if name not in taken and round(100 * value) > 0:
                over.label(self.board.index[name], str(round(100 * value)))
        self.names(over, taken | set(self.style.heat))

    def names(self, over: Overlays, taken: set[str]) -> None:
        """The names of cells that carry nothing else."""
        for cell in range(len(self.board)) if self.style.coordinates == "all" else self.sheet.scene.named:
            if self.board.names[cell] not in taken and cell in self.sheet.scene.patches:
                over.name(cell)

    def numbers(self, over: Overlays) -> set[str]:
        """Number the moves; returns the cells that carry a number."""
        taken: set[str] = set()
        for step in self.numbered:
            cells = [self.board.index[name] for name in step.cells]
            if len(cells) == 2:
                over.arrow(cells[0], cells[1], str(step.number))
            elif len(cells) == 1 and step.cells[0] not in taken:
                over.label(cells[0], str(step.number), self.ways_from(cells[0]))
                taken.add(step.cells[0])
        return taken

    def ways_from(self, cell: int) -> list[Vector]:
        """The directions of the numbered moves that leave a cell or come to it."""
        spots = self.sheet.scene.spots
        others = {
            self.board.index[name]
            for step in self.numbered
            if len(step.cells) == 2 and self.board.names[cell] in step.cells
            for name in step.cells
        }
        return [spots[other][0].origin - spots[cell][0].origin for other in sorted(others - {cell})]


def document(sheet: Sheet, title: str, description: str, definitions: dict[str, str], groups: Iterable[str]) -> str:
    """A whole SVG file."""
    size = f'width="{sheet.width}" height="{sheet.height}" viewBox="0 0 {sheet.width} {sheet.height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc" '
        'stroke-linejoin="round" stroke-linecap="round">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(description)}</desc>',
        *(["<defs>", *definitions.values(), "</defs>"] if definitions else []),
        *groups,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
