"""The board of the full screen: drawn in colour with a cursor, scrolled so that the cursor stays in view."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.events import Click
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..games.game import Game
from ..games.notation import LABEL_SEPARATOR, DrawnCell, TextDiagram, list_cell_names
from .move_selection import MoveSelection
from .session import Session
from .theme import BoardColours, list_piece_styles, parse_style

MAX_ASPECT = 1.9  # a drawing that is this much wider than high is scaled in height only
CURSOR_MARGIN = 1  # columns beside the drawing, for the cursor's marks
CURSOR, SOURCE, TARGET = "><", "\u00bb\u00ab", "{}"


@dataclass(frozen=True)
class Highlights:
    """The cells that are highlighted, by name."""

    last: frozenset[str] = frozenset()
    source: str | None = None
    targets: frozenset[str] = frozenset()
    witness: frozenset[str] = frozenset()


def make_highlights(session: Session, selection: MoveSelection, witness: frozenset[str]) -> Highlights:
    """Return the highlights of the position in view."""
    last_step = session.last_step
    return Highlights(
        last=frozenset(list_cell_names(session.game.board, last_step)[-1:] if last_step else ()),
        source=selection.source,
        targets=frozenset(selection.list_targets()) if selection.source else frozenset(),
        witness=witness,
    )


class StyledLine:
    """A line of the board: characters, each with its style."""

    def __init__(self, text: str, look: Style) -> None:
        self.characters = list(text)
        self.styles = [look] * len(text)

    def set_character(self, place: int, letter: str, look: Style) -> None:
        """Replace a character and its style."""
        self.characters[place], self.styles[place] = letter, look

    def apply_style(self, start: int, end: int, look: Style) -> None:
        """Combine the styles of a range of characters with another."""
        self.styles[start:end] = [before + look for before in self.styles[start:end]]

    def to_strip(self) -> Strip:
        """Return the line as segments of equal style."""
        segments, start = [], 0
        for _, same in groupby(self.styles, key=id):  # styles are kept, so that equal ones are the same
            looks = list(same)
            segments.append(Segment("".join(self.characters[start : start + len(looks)]), looks[0]))
            start += len(looks)
        return Strip(segments, len(self.characters))


class BoardWidget(ScrollView, can_focus=True, inherit_bindings=False):
    """The drawn board. It knows no rules; its keys are actions of the app."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "app.move_cursor('up')", "Cursor up"),
        ("down", "app.move_cursor('down')", "Cursor down"),
        ("left", "app.move_cursor('left')", "Cursor left"),
        ("right", "app.move_cursor('right')", "Cursor right"),
        ("home", "app.go_to_line_edge('start')", "Start of the line"),
        ("end", "app.go_to_line_edge('end')", "End of the line"),
        ("enter,space", "app.confirm_cell", "Play"),
        ("tab", "app.select_next(1)", "Next alternative"),
        ("shift+tab", "app.select_next(-1)", "Previous alternative"),
        ("escape", "app.deselect", "Deselect"),
        ("u", "app.undo", "Take back"),
        ("h", "app.hint", "Hint"),
        ("w", "app.explain", "Why"),
        ("s", "app.swap", "Swap"),
        ("r", "app.resign", "Resign"),
        ("colon,slash", "app.open_input", "Type a command"),
        ("a", "app.toggle_analysis", "Analyse"),
        ("pageup", "app.view(-1)", "Earlier position"),
        ("pagedown", "app.view(1)", "Later position"),
        ("question_mark", "app.help", "Help"),
        ("m", "app.toggle_panel", "Moves and messages"),
        ("t", "app.toggle_theme", "Light or dark"),
        ("q", "app.leave", "Quit"),
    ]

    class CellClicked(Message):
        """A cell was clicked."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, game: Game) -> None:
        super().__init__(id="board")
        self.game = game
        self.strips: list[Strip] = []
        self.drawing: TextDiagram | None = None

    def draw_board(self, drawing: TextDiagram, place: int, highlights: Highlights, colours: BoardColours) -> None:
        """Draw the board with the cursor at a place, enlarged if there is room, and scroll to the cursor."""
        room = self.size
        drawing = self.drawing = enlarge_to_fit(drawing, room.width - 2 * CURSOR_MARGIN, room.height)
        at = drawing.cells[place]
        rows = [StyledLine(f" {line} ".ljust(drawing_width(drawing)), parse_style(colours.faint)) for line in drawing.lines]
        for spot in drawing.cells:
            self.paint_cell(rows[spot.line], spot, highlights, colours)
        mark_cell(rows[at.line], at, CURSOR, colours.cursor)
        self.strips = [row.to_strip() for row in rows]
        self.virtual_size = Size(drawing_width(drawing), len(rows))
        self.scroll_to_region(self.visible_region(at), animate=False, force=True)
        self.refresh()

    def paint_cell(self, row: StyledLine, spot: DrawnCell, highlights: Highlights, colours: BoardColours) -> None:
        """Apply the styles of a cell: board, side, pieces, highlights."""
        start, end = spot.column + CURSOR_MARGIN, spot.column + CURSOR_MARGIN + len(spot.symbol)
        name, marks = self.game.board.names[spot.cell], self.game.board.marked_cells
        row.apply_style(start, end, parse_style(colours.mark if spot.symbol == "*" else colours.board))
        for mark, ground in colours.side.items():
            if spot.cell in marks.get(mark, ()):
                row.apply_style(start, end, parse_style(ground))
        for offset, look in enumerate(list_piece_styles(self.game, spot.symbol, colours)):
            row.apply_style(start + offset, start + offset + 1, parse_style(look))
        if name in highlights.last:
            row.apply_style(start, end, parse_style(colours.last))
        if name in highlights.witness:
            row.apply_style(start, end, parse_style(colours.witness))
        if name in highlights.targets:
            mark_cell(row, spot, TARGET, colours.target)
        if name == highlights.source:
            mark_cell(row, spot, SOURCE, colours.cursor)

    def visible_region(self, spot: DrawnCell) -> Region:
        """Return the region that must be visible around a cell, in the coordinates of the drawing."""
        return Region(max(0, spot.column - 6), max(0, spot.line - 2), len(spot.symbol) + 14, 5)

    def centring_offset(self) -> Offset:
        """Return the offset of a board that is smaller than the widget."""
        room, size = self.scrollable_content_region.size, self.virtual_size
        return Offset(max(0, (room.width - size.width) // 2), max(0, (room.height - size.height) // 2))

    def render_line(self, y: int) -> Strip:
        """Return one line of the widget."""
        width, pad, ground = self.scrollable_content_region.width, self.centring_offset(), self.rich_style
        line = y + self.scroll_offset.y - pad.y
        if not 0 <= line < len(self.strips):
            return Strip.blank(width, ground)
        shown = self.strips[line].crop(self.scroll_offset.x, self.scroll_offset.x + width)
        return Strip([Segment(" " * pad.x, ground), *shown]).extend_cell_length(width, ground)

    def on_click(self, event: Click) -> None:
        """Report the cell that was clicked."""
        spot = self.find_cell_at(event.get_content_offset_capture(self))
        if spot is not None:
            self.post_message(self.CellClicked(spot.cell))

    def find_cell_at(self, offset: Offset) -> DrawnCell | None:
        """Return the drawn cell at an offset in the widget, such as that of the mouse; None if there is none."""
        if self.drawing is None:
            return None
        place = offset - self.centring_offset() + self.scroll_offset
        for spot in self.drawing.cells:
            start = spot.column + CURSOR_MARGIN
            if spot.line == place.y and start - 1 < place.x + 1 and place.x <= start + len(spot.symbol):
                return spot
        return None


def mark_cell(row: StyledLine, spot: DrawnCell, marks: str, look: str) -> None:
    """Put a mark on each side of a cell."""
    row.set_character(spot.column + CURSOR_MARGIN - 1, marks[0], parse_style(look))
    row.set_character(spot.column + CURSOR_MARGIN + len(spot.symbol), marks[1], parse_style(look))


def drawing_width(drawing: TextDiagram) -> int:
    """Return the width of a drawing with its margins, in columns."""
    return max(map(len, drawing.lines)) + 2 * CURSOR_MARGIN


# Boards with more room between their cells


def enlarge_to_fit(drawing: TextDiagram, columns: int, lines: int) -> TextDiagram:
    """Return the drawing twice as large, or twice as high if it is wide, where that fits; else unchanged."""
    width = max(map(len, drawing.lines))
    across = 1 if width / (2 * len(drawing.lines)) > MAX_ASPECT else 2
    larger = scale_drawing(drawing, across, 2)
    return larger if max(map(len, larger.lines)) <= columns and len(larger.lines) <= lines else drawing


def scale_drawing(drawing: TextDiagram, across: int, down: int) -> TextDiagram:
    """Return the drawing with its cells `across` and `down` times as far apart, in the same order."""
    margin = min(spot.column for spot in drawing.cells)
    spots = tuple(
        spot._replace(line=down * spot.line, column=scale_column(spot.column, margin, across)) for spot in drawing.cells
    )
    header = min(spot.line for spot in spots)
    texts = [
        LABEL_SEPARATOR.rjust(margin) if number > header else "" for number in range(down * (len(drawing.lines) - 1) + 1)
    ]
    for number, line in enumerate(drawing.lines):
        placed = [spot for spot in spots if spot.line == down * number]
        texts[down * number] = line[:margin] + join_symbols(placed or list_header_letters(line, margin, across), margin)
    return TextDiagram(tuple(texts), spots, drawing.header_note, drawing.status_line)


def scale_column(column: int, margin: int, across: int) -> int:
    """Return the new column of a scaled drawing; the labels at the left are not scaled."""
    return margin + across * (column - margin)


def list_header_letters(line: str, margin: int, across: int) -> list[DrawnCell]:
    """Return the letters of a header line as if they were cells, at their scaled columns."""
    return [
        DrawnCell(0, scale_column(column, margin, across), -1, letter)
        for column, letter in enumerate(line)
        if column >= margin and letter != " "
    ]


def join_symbols(spots: list[DrawnCell], margin: int) -> str:
    """Return the line with symbols at their columns, without the left margin."""
    text = ""
    for spot in spots:
        text = text.ljust(spot.column - margin) + spot.symbol
    return text
