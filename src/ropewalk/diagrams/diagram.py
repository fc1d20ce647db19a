"""Diagrams: a position, or the position after a sequence of moves, as one SVG image."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from html import escape
from typing import Protocol, runtime_checkable

from ..games.definition import Piece
from ..games.notation import list_cell_names
from ..games.position import Position
from ..games.sequence import MoveSequence
from .board_layer import BoardLayer
from .captions import Caption, build_caption, format_description, format_title
from .geometry import Vector
from .looks import BoardLook, find_look
from .numbered_moves import NumberedMove, list_numbered_moves
from .options import DiagramError, DiagramOptions, check_options
from .overlay_layer import OverlayLayer
from .piece_layer import PieceLayer, measure_height
from .scene import Bounds, Page, Placement, Scene, fit_page
from .svg import SvgWriter
from .themes import THEMES, Theme

CAPTURED_OPACITY = 0.4  # a captured stone that carries a number


@runtime_checkable
class TerritorialGame(Protocol):
    """A game that has territories."""

    def territory_cells(self, position: Position, colour: int) -> set[int]:
        """Return the cells that a colour claims; the first colour is 1."""


class SharedDrawings:
    """What diagrams of one board with the same options have in common: scene, pages, and the SVG of parts and pieces."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.pages: dict[float, Page] = {}  # by the height of the caption
        self.definitions: dict[str, str] = {}
        self.parts: dict[Hashable, dict[str, list[str]]] = {}  # lines by layer
        self.stacks: dict[Hashable, tuple[list[str], list[Placement]]] = {}  # lines, and the places on top of the pieces

    def get_page(self, caption_height: float, build_page: Callable[[], Page]) -> Page:
        """Return the page for a height of the caption, which is built once."""
        if caption_height not in self.pages:
            self.pages[caption_height] = build_page()
        return self.pages[caption_height]


def draw(position: Position, options: DiagramOptions | None = None, moves: Iterable[str] = ()) -> str:
    """Return the position after these moves as SVG.

    Args:
        position: position from which the moves are played.
        options: options of the diagram (default: `DiagramOptions()`).
        moves: steps or whole turns; numbers and the mark of the last move refer to them.

    Raises:
        DiagramError: the options do not fit the game or the position.
        MoveSequenceError: a move cannot be played.

    """
    return Diagram(MoveSequence.play(position, moves), options or DiagramOptions()).to_svg()


class Diagram:
    """One diagram: page, layers, and the SVG that is written."""

    def __init__(
        self,
        sequence: MoveSequence,
        options: DiagramOptions,
        frame: Bounds | None = None,
        drawings: SharedDrawings | None = None,
    ) -> None:
        """Prepare a diagram.

        All frames of an animation share the bounds `frame`, so that they have one size; those with the same options also
        share `drawings`.
        """
        self.sequence = sequence
        self.frame = frame
        self.options = options
        self.position = sequence.position
        self.game = sequence.position.game
        self.board = self.game.board
        self.tokens = self.game.definition.tokens
        self.look: BoardLook = find_look(self.game)
        check_options(options, self.game, self.look)
        self.theme: Theme = THEMES[options.theme]
        self.writer = SvgWriter()
        self.drawings = drawings or SharedDrawings()
        self.writer.definitions = self.drawings.definitions
        self.top_placements: dict[int, list[Placement]] = {}  # places on top of the pieces, filled while they are drawn

    def to_svg(self) -> str:
        """Draw all layers and return the SVG document."""
        self.draw_layers()
        groups = [
            sequence
            for name, layer in self.writer.layers.items()
            if layer
            for sequence in (f'<g data-layer="{name}">', *layer, "</g>")
        ]
        return format_document(
            self.page, format_title(self.position), format_description(self.position), self.writer.definitions, groups
        )

    @cached_property
    def caption(self) -> Caption:
        """The caption below the board, empty without one."""
        return build_caption(self.position, self.numbered_moves, self.options) if self.options.caption else Caption([])

    @cached_property
    def page(self) -> Page:
        """The scene fitted to a page of the requested size."""
        size, frame = self.options.size, self.frame
        height = self.caption.compute_height(size)
        if frame is None:
            return fit_page(self.scene, self.compute_bounds([self.position]), size, height)
        return self.drawings.get_page(height, lambda: fit_page(self.scene, frame, size, height))

    @cached_property
    def scene(self) -> Scene:
        """The board in the requested view, in units of about one cell."""
        if self.drawings.scene is None:
            self.drawings.scene = self.look.build_scene(self.board, self.options)
        return self.drawings.scene

    def compute_bounds(self, positions: Iterable[Position]) -> Bounds:
        """Return the corners of everything that these positions show, with the highest stack of each cell."""
        heights: dict[int, float] = {}
        for name, token in (item for position in positions for item in position.contents.items()):
            cell = self.board.index[name]
            heights[cell] = max(heights.get(cell, 0.0), measure_height(self.tokens.pieces_of(token)))
        return self.scene.compute_bounds(heights)

    @cached_property
    def pieces_by_cell(self) -> dict[int, list[Piece]]:
        """The pieces on each occupied cell, from bottom to top."""
        return {self.board.index[name]: self.tokens.pieces_of(token) for name, token in self.position.contents.items()}

    # Layers

    def draw_layers(self) -> None:
        """Draw all layers, from the bottom to the top."""
        surface = BoardLayer(self.writer, self.theme, self.board, self.look, self.page)
        self.draw_shared("ground", surface.draw_ground)
        self.draw_pieces(behind=True)
        self.draw_shared("cells", surface.draw_cells)
        self.draw_shared("edges", surface.draw_edges)
        self.draw_regions()
        self.draw_shared("marked cells", surface.draw_marked_cells)
        self.draw_shared("labels", surface.draw_labels)
        self.draw_pieces(behind=False)
        self.draw_captured_stones()
        self.draw_overlays()
        self.writer.use_layer("caption")
        self.caption.draw(self.writer, self.theme, self.page, self.options.size)

    def draw_shared(self, name: str, draw_part: Callable[[], None]) -> None:
        """Draw a part that all diagrams with this page share; only the first of them computes it."""
        key = (name, self.page.height, self.page.caption_top)
        if key not in self.drawings.parts:
            lengths = {layer: len(lines) for layer, lines in self.writer.layers.items()}
            draw_part()
            self.drawings.parts[key] = {layer: lines[lengths.get(layer, 0) :] for layer, lines in self.writer.layers.items()}
            return
        for layer, lines in self.drawings.parts[key].items():
            self.writer.use_layer(layer)
            self.writer.layer.extend(lines)

    def make_overlay_layer(self) -> OverlayLayer:
        """Return an overlay layer that knows the pieces drawn so far."""
        placed = [step for step in self.numbered_moves if step.token]
        tokens = {self.board.index[step.cells[-1]]: self.tokens.pieces_of(step.token)[-1] for step in placed}
        shown = tokens | {cell: pieces[-1] for cell, pieces in self.pieces_by_cell.items()}
        inks = {cell: self.theme.paints[shown[cell].paint].ink for cell in self.top_placements}
        return OverlayLayer(self.writer, self.theme, self.board, self.look, self.page, self.top_placements, inks)

    # Cells in colour

    def draw_regions(self) -> None:
        """Draw tints of occupied cells, heat, territories and witnesses."""
        self.writer.use_layer("regions")
        overlays, colours, book = self.make_overlay_layer(), self.theme.colours, not self.theme.has_relief
        witness = self.find_witness()
        if self.look.tinted_view == self.options.view and not (book and witness):  # on a map, neighbours may lie far apart
            for cell, pieces in self.pieces_by_cell.items():
                overlays.draw_tint(cell, self.theme.paints[pieces[-1].paint].body, self.theme.tint_opacity)
        for name, value in self.options.heat.items():
            overlays.draw_tint(self.board.index[name], colours["heat"], round(0.06 + 0.74 * value, 3))
        if self.options.territory:
            for cells, role, strength in zip(self.find_territories(), ("red side", "blue side"), (0.42, 0.4), strict=True):
                overlays.draw_region(sorted(cells), colours[role], strength)
        if witness:
            overlays.draw_region(witness, colours["witness"], 0.28 if book else 0.42)

    def find_territories(self) -> list[set[int]]:
        """Return the cells that each colour claims. Raises DiagramError if the game has no territories."""
        if not isinstance(self.game, TerritorialGame):
            raise DiagramError(f"{self.game.name} has no territories")
        return [self.game.territory_cells(self.position, colour) for colour in (1, 2)]

    def find_witness(self) -> list[int]:
        """Return the cells that make a move illegal, or those that decide a finished game. Raises DiagramError."""
        names: Iterable[str] = ()
        if self.options.explain_illegal:
            refusal = self.position.refusal(self.options.explain_illegal)
            if refusal is None:
                raise DiagramError(
                    f"{self.options.explain_illegal} is legal in this position, so there is nothing to explain"
                )
            names = refusal.witness
        elif self.options.witness:
            outcome = self.position.outcome
            if outcome is None:
                raise DiagramError(
                    "the game is not over, so it has no deciding cells; to show why a move is illegal, use why"
                )
            names = outcome.witness
        return [self.board.index[name] for name in names]

    # Pieces

    @cached_property
    def piece_layer(self) -> PieceLayer:
        """The layer that draws pieces."""
        return PieceLayer(self.writer, self.theme, self.page.line_width)

    def draw_pieces(self, behind: bool) -> None:
        """Draw the pieces from far to near; `behind` are those on the far side of a solid, seen over its edge."""
        self.writer.use_layer("far pieces" if behind else "pieces")
        for cell, placements in self.page.scene.placements.items():
            standing = [placement for placement in placements if placement.is_turned_away == behind]
            if cell in self.pieces_by_cell and standing:
                self.draw_stacks(cell, standing)

    def draw_stacks(self, cell: int, standing: list[Placement]) -> None:
        """Draw the pieces of a cell where they stand; the same pieces are computed once for all frames."""
        pieces, plain = self.pieces_by_cell[cell], cell in self.labelled_cells
        key = (cell, standing[0].is_turned_away, tuple(pieces), plain, self.page.height, self.page.caption_top)
        if key not in self.drawings.stacks:
            first = len(self.writer.layer)
            self.writer.begin_group(data_piece=self.board.names[cell])
            tops = [self.piece_layer.draw_stack(placement, pieces, plain=plain) for placement in standing]
            self.writer.end_group()
            self.drawings.stacks[key] = self.writer.layer[first:], tops
        else:
            self.writer.layer.extend(self.drawings.stacks[key][0])
        self.top_placements[cell] = self.drawings.stacks[key][1]

    def draw_captured_stones(self) -> None:
        """Draw the numbered stones that have been captured since, pale."""
        for step in self.numbered_moves:
            cell = self.board.index[step.cells[-1]] if len(step.cells) == 1 and step.token else None
            if cell is None or cell in self.top_placements or self.look.has_stacks:
                continue
            standing = [placement for placement in self.page.scene.placements.get(cell, ()) if not placement.is_turned_away]
            self.writer.begin_group(data_captured=step.cells[-1], opacity=CAPTURED_OPACITY)
            self.top_placements[cell] = [
                self.piece_layer.draw_stack(placement, self.tokens.pieces_of(step.token), plain=True)
                for placement in standing
            ]
            self.writer.end_group()

    @cached_property
    def labelled_cells(self) -> set[int]:
        """The cells that will carry a mark, number or name, so that nothing is engraved on their stones."""
        names = {
            *self.options.marks,
            *self.options.heat,
            *(step.cells[0] for step in self.numbered_moves if len(step.cells) == 1),
        }
        if self.options.last_move and self.sequence.moves:
            names.update(
                step.cells[-1] for step in list_numbered_moves(self.sequence, len(self.sequence.moves)) if step.cells
            )
        if self.options.coordinates == "all":
            names.update(self.board.names)
        return {self.board.index[name] for name in names}

    # Overlays

    @cached_property
    def numbered_moves(self) -> list[NumberedMove]:
        """The steps of all numbered moves. Raises DiagramError if the first number is out of range."""
        first, count = self.options.numbers_from, len(self.sequence.moves)
        if first is None:
            return []
        if count == 0:
            raise DiagramError("there are no moves to number")
        if not 1 <= first <= count:
            raise DiagramError(f"the first numbered move must be from 1 to {count}, not {first}")
        return [step for turn in range(first, count + 1) for step in list_numbered_moves(self.sequence, turn)]

    def draw_overlays(self) -> None:
        """Draw numbers, the last move, marks, heat values and names; a cell carries one of them."""
        self.writer.use_layer("overlays")
        overlays = self.make_overlay_layer()
        labelled = self.draw_numbers(overlays)
        if self.options.last_move and self.sequence.moves:
            steps = list_numbered_moves(self.sequence, len(self.sequence.moves))
            overlays.draw_last_move([step for step in steps if not labelled.intersection(step.cells[-1:])])
        for name, mark in self.options.marks.items():
            overlays.draw_mark(self.board.index[name], mark)
        for name in list_cell_names(self.game.board, self.options.explain_illegal)[-1:]:
            overlays.draw_mark(self.board.index[name], "cross")
        labelled |= {*self.options.marks, *list_cell_names(self.game.board, self.options.explain_illegal)}
        for name, value in self.options.heat.items():
            if name not in labelled and round(100 * value) > 0:
                overlays.draw_label(self.board.index[name], str(round(100 * value)))
        self.draw_names(overlays, labelled | set(self.options.heat))

    def draw_names(self, overlays: OverlayLayer, labelled: set[str]) -> None:
        """Draw the names of the cells that carry nothing else."""
        for cell in range(len(self.board)) if self.options.coordinates == "all" else self.page.scene.named_cells:
            if self.board.names[cell] not in labelled and cell in self.page.scene.patches:
                overlays.draw_name(cell)

    def draw_numbers(self, overlays: OverlayLayer) -> set[str]:
        """Draw the numbers of the moves; return the cells that carry one."""
        labelled: set[str] = set()
        for step in self.numbered_moves:
            cells = [self.board.index[name] for name in step.cells]
            if len(cells) == 2:
                overlays.draw_arrow(cells[0], cells[1], str(step.number))
            elif len(cells) == 1 and step.cells[0] not in labelled:
                overlays.draw_label(cells[0], str(step.number), self.list_directions(cells[0]))
                labelled.add(step.cells[0])
        return labelled

    def list_directions(self, cell: int) -> list[Vector]:
        """List the directions of the numbered moves from or to a cell."""
        placements = self.page.scene.placements
        others = {
            self.board.index[name]
            for step in self.numbered_moves
            if len(step.cells) == 2 and self.board.names[cell] in step.cells
            for name in step.cells
        }
        return [placements[other][0].origin - placements[cell][0].origin for other in sorted(others - {cell})]


def format_document(page: Page, title: str, description: str, definitions: dict[str, str], groups: Iterable[str]) -> str:
    """Return a complete SVG file."""
    size = f'width="{page.width}" height="{page.height}" viewBox="0 0 {page.width} {page.height}"'
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
