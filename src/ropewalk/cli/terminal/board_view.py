"""The drawn board on the full screen: in colour, with a cursor, panned so that the cursor stays in view."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.text import Text
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...games.game import Game
from ...games.notation import Drawing, Drawn
from .paint import Colours, paint_piece, style

MARGIN = 1  # columns beside the drawing, for the cursor's marks
CURSOR, SOURCE, TARGET = "><", "\u00bb\u00ab", "{}"


@dataclass(frozen=True)
class Highlights:
    """Cells that stand out, by name."""

    last: frozenset[str] = frozenset()
    source: str | None = None
    targets: frozenset[str] = frozenset()
    witness: frozenset[str] = field(default_factory=frozenset)


class BoardView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a drawing; knows no rules."""

    def __init__(self, game: Game) -> None:
        super().__init__(id="board")
        self.game = game
        self.rows: list[Text] = []
        self.colours: Colours | None = None
        self.drawing: Drawing | None = None
        self.at: Drawn | None = None

    def show(self, drawing: Drawing, at: Drawn, highlights: Highlights, colours: Colours) -> None:
        """Draw anew."""
        self.drawing, self.at, self.colours = drawing, at, colours
        self.rows = [Text(f" {line} ".ljust(width_of(drawing)), style(colours.faint)) for line in drawing.lines]
        for spot in drawing.spots:
            self.paint(spot, highlights, colours)
        self.surround(at, CURSOR, colours.cursor)
        self.virtual_size = Size(width_of(drawing), len(self.rows))
        self.scroll_to_region(self.region_of(at), animate=False, force=True)
        self.refresh()

    def paint(self, spot: Drawn, highlights: Highlights, colours: Colours) -> None:
        """Colour one cell."""
        row, start, end = self.rows[spot.line], spot.column + MARGIN, spot.column + MARGIN + len(spot.symbol)
        name = self.game.board.names[spot.cell]
        sides = [ground for mark, ground in colours.side.items() if spot.cell in self.game.board.marks.get(mark, ())]
        row.stylize(style(colours.mark if spot.symbol == "*" else colours.board, *sides[:1]), start, end)
        paint_piece(row, self.game, spot, start)
        if name in highlights.last:
            row.stylize(style(colours.last), start, end)
        if name in highlights.witness:
            row.stylize(style(colours.witness), start, end)
        if name in highlights.targets:
            self.surround(spot, TARGET, colours.target)
        if name == highlights.source:
            self.surround(spot, SOURCE, colours.cursor)

    def surround(self, spot: Drawn, marks: str, look: str) -> None:
        """Put a mark on each side of a cell."""
        row, start, end = self.rows[spot.line], spot.column + MARGIN, spot.column + MARGIN + len(spot.symbol)
        plain = row.plain
        row.plain = plain[: start - 1] + marks[0] + plain[start:end] + marks[1] + plain[end + 1 :]
        row.stylize(style(look), start - 1, start)
        row.stylize(style(look), end, end + 1)

    def region_of(self, spot: Drawn) -> Region:
        """The characters of a cell with some room around it, in the virtual space."""
        return Region(max(0, spot.column - 6), max(0, spot.line - 2), len(spot.symbol) + 14, 5)

    def pad(self) -> Offset:
        """How far a board that is smaller than its room stands from the upper left."""
        room = self.scrollable_content_region.size
        return Offset(max(0, (room.width - self.virtual_size.width) // 2), max(0, (room.height - len(self.rows)) // 2))

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.scrollable_content_region.width
        pad, line = self.pad(), y + self.scroll_offset.y - self.pad().y
        ground = style(self.colours.faint) if self.colours else style()
        if not 0 <= line < len(self.rows):
            return Strip.blank(width, self.rich_style)
        strip = Strip(list(self.rows[line].render(self.app.console)))
        shown = strip.extend_cell_length(self.virtual_size.width, ground).crop(
            self.scroll_offset.x, self.scroll_offset.x + width
        )
        blank = [*Strip.blank(pad.x, self.rich_style)]
        return Strip([*blank, *shown]).extend_cell_length(width, self.rich_style)

    def spot_at(self, offset: Offset) -> Drawn | None:
        """The cell under the mouse."""
        if self.drawing is None:
            return None
        place = offset - self.pad() + self.scroll_offset
        for spot in self.drawing.spots:
            start = spot.column + MARGIN
            if spot.line == place.y and start - 1 < place.x + 1 and place.x <= start + len(spot.symbol):
                return spot
        return None


def width_of(drawing: Drawing) -> int:
    """The columns that a drawing fills, with a margin on both sides."""
    return max(map(len, drawing.lines)) + 2 * MARGIN
