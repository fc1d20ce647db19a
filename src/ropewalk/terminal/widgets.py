"""Widgets around the board of the full screen: the panel with analysis, moves and messages, the status bar, the input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, RichLog, Static

from ..bots.bot import Bot, Report
from ..bots.levels import bot as bot_of
from ..console import analysis_text
from ..console.formatting import limit_width, wrap
from ..games.game import Game
from ..games.position import Position
from .board_widget import BoardWidget
from .commands import ANALYSIS_LEVEL, MAX_HINTS, format_result, parse_seconds
from .engine_tasks import EngineTask
from .move_selection import MoveSelection
from .session import Session

MIN_PANEL_WIDTH, MAX_PANEL_WIDTH = 26, 46
MESSAGE_MARGIN = 4  # columns of the panel for the border, the padding and the scrollbar
MIN_MOVE_ROWS = 3
DEFAULT_ANALYSIS_SECONDS = 120.0


class TextLines(Static):
    """Text without markup, drawn again only when it changes."""

    def __init__(self, name: str, *, has_fixed_height: bool = True) -> None:
        super().__init__(id=name, markup=False)
        self.has_fixed_height = has_fixed_height
        self.lines = ""

    def show_text(self, text: str) -> None:
        """Show a text; the screen is laid out again if the height may change with it."""
        if text != self.lines:
            self.lines = text
            self.update(text, layout=not self.has_fixed_height)


class MoveList(TextLines):
    """The last moves that fit, one row for the turns of both seats."""

    def __init__(self) -> None:
        super().__init__("moves", has_fixed_height=False)

    def show_moves(self, session: Session, max_rows: int) -> None:
        """Show the last rows of a game's moves."""
        rows = list(format_move_rows(session))
        self.show_text("\n".join(rows[-max(MIN_MOVE_ROWS, max_rows) :]) or "no moves yet")


class AnalysisPanel(TextLines):
    """The evaluation of the position in view: a bar, the values, the best lines. A bot searches while it is enabled."""

    def __init__(self, game: Game) -> None:
        super().__init__("analysis", has_fixed_height=False)
        self.game = game
        self.is_enabled = False
        self.seconds = DEFAULT_ANALYSIS_SECONDS
        self.columns = MIN_PANEL_WIDTH
        self.colours = game.colours  # of the seats in the position that is analysed

    def on_mount(self) -> None:
        """Make the task, which needs the app."""
        self.engine_task = EngineTask(self.app, "analysis")

    def set_limit(self, arguments: list[str]) -> None:
        """Set the seconds per position from a typed command, and disable the analysis, so that it restarts.

        Without arguments nothing is changed. Raises CommandError.
        """
        if arguments:
            self.seconds = parse_seconds(arguments)
            self.is_enabled = False

    def analyse(self, position: Position) -> None:
        """Analyse a position if the analysis is enabled; an earlier search is cancelled."""
        self.engine_task.cancel()
        if not self.is_enabled:
            return
        self.colours = position.colours
        self.show_text("the game is over" if position.seat is None else "searching ...")
        if position.seat is not None:
            self.engine_task.analyse(self.make_bot, position, self.seconds, self.show_report)

    def make_bot(self) -> Bot:
        """Return the bot that analyses."""
        return bot_of(self.game, ANALYSIS_LEVEL)

    def show_report(self, report: Report, is_last: bool) -> None:
        """Show a report, each of its lines in at most two rows."""
        if is_last:
            self.engine_task.cancel()
        with limit_width(self.columns):
            best = [wrap(analysis_text.format_line(line), indent="  ").split("\n") for line in report.lines[:MAX_HINTS]]
            evaluation = wrap(analysis_text.format_evaluation(report, self.colours))
        bar = f"[{analysis_text.format_bar(report, self.columns - 2)}]"
        effort = analysis_text.format_search_effort(report)
        self.show_text("\n".join([bar, evaluation, effort, *(row for rows in best for row in rows[:2])]))


class SidePanel(Vertical):
    """Analysis, moves and messages beside the board."""

    def __init__(self, game: Game) -> None:
        self.analysis = AnalysisPanel(game)
        self.moves = MoveList()
        self.messages = RichLog(id="messages", wrap=True, markup=False, min_width=10)
        self.messages.can_focus = False
        super().__init__(self.analysis, self.moves, self.messages, id="panel")
        self.is_requested: bool | None = None  # None: shown where there is room
        self.panel_layout: tuple[bool, int, bool] | None = None  # is it shown, its width, has it an analysis

    @property
    def message_width(self) -> int:
        """The columns of a message."""
        return (self.panel_layout[1] if self.panel_layout else MIN_PANEL_WIDTH) - MESSAGE_MARGIN

    def fit(self, columns: int) -> None:
        """Take the columns that the board leaves, if they are enough or the panel was requested."""
        is_shown = columns >= MIN_PANEL_WIDTH if self.is_requested is None else self.is_requested
        layout = (is_shown, max(MIN_PANEL_WIDTH, min(MAX_PANEL_WIDTH, columns)), self.analysis.is_enabled)
        if layout != self.panel_layout:
            self.panel_layout = layout
            self.display, self.styles.width, self.analysis.display = layout
            self.analysis.columns = self.message_width

    def request(self) -> None:
        """Show the panel regardless of the available space."""
        if not self.display:
            self.is_requested = True

    def write_message(self, text: str) -> None:
        """Add a message, its lines wrapped to the width of the panel."""
        with limit_width(self.message_width):
            rows = [row for line in text.splitlines() for row in wrap(line, indent="  ").split("\n")]
        self.messages.write("\n".join(rows), width=self.message_width, shrink=False)


class StatusBar(Vertical):
    """The lines below the board: the colour to move and the score, the move at the cursor, the main keys."""

    def __init__(self) -> None:
        self.status = TextLines("status")
        self.cell = TextLines("live")
        self.keys = TextLines("keys")
        super().__init__(self.status, self.cell, self.keys, id="bar")

    def show_session(self, session: Session, selection: MoveSelection, cell: str) -> None:
        """Show the position in view and what Enter would do at a cell."""
        self.status.show_text(
            f"{format_status(session)}\n{session.game.text.score_summary(session.position, session.start)}"
        )
        is_waiting = session.is_live and session.is_bots_turn()
        self.cell.show_text(
            f"{cell}: wait for the bot, or press u to take back your last move" if is_waiting else selection.describe(cell)
        )
        offered = "".join(f"s {move}  " for move in selection.list_moves_without_cell()[:1])
        self.keys.show_text(f"Enter play  {offered}u undo  h hint  w why  a analyse  : type  ? help  q quit")


class CommandInput(Input):
    """The line in which a move or a command is typed; hidden while it is not open."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "close", "Close the line")]

    def __init__(self) -> None:
        super().__init__(id="typed", placeholder="type a move or a command, or help")

    def on_mount(self) -> None:
        """Hide the line until it is opened."""
        self.display = False

    def show_line(self) -> None:
        """Show the line and give it the focus."""
        self.display = True
        self.focus()

    def action_close(self) -> None:
        """Empty and hide the line, and give the focus back to the board."""
        self.value = ""
        self.display = False
        self.screen.query_one(BoardWidget).focus()


def format_move_rows(session: Session) -> Iterator[str]:
    """Yield the steps of a game in numbered rows, each with the turns of both seats."""
    number, row, previous_seat = 0, "", 1
    for seat, step in session.list_steps():
        if seat != previous_seat and seat == 0:
            if row:
                yield row
            number += 1
            row = f"{number:>3}. {step}"
        elif seat != previous_seat:
            row = f"{row or f'{number + 1:>3}. ...'}  {step}"
        else:
            row += step if step[:1] in "/~" else f" {step}"
        previous_seat = seat
    if row:
        yield row


def format_title(session: Session) -> str:
    """Return the game, its designer, and the players, without bots the spec."""
    game = session.game
    names = [session.bots[seat].name if seat in session.bots else "you" for seat in (0, 1)]
    seats = ", ".join(f"{name} {colour}" for name, colour in zip(names, session.latest.colours, strict=True))
    return f"{game.name}, by {game.designer}   {seats if session.bots else game.spec}"


def format_status(session: Session) -> str:
    """Return the colour to move, or the result, and the last move."""
    last = f"; last: {session.last_step}" if session.last_step else ""
    if not session.is_live:
        count = len(session.positions) - 1
        return f"position {session.view_index} of {count}{last}; PgDn: next, :here: continue from here"
    if session.seat is None:
        return f"{format_result(session).splitlines()[0]}{last}"
    colour = session.get_colour(session.seat)
    if session.seat in session.bots:
        return f"{colour} to move: {session.bots[session.seat].name} is searching{last}"
    return f"{colour} to move{last}"
