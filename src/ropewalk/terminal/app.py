"""The full screen: a Textual application with the board, its cursor, a panel, and keys for everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.filter import LineFilter, Monochrome

from ..bots.bot import Report
from ..bots.levels import bot as bot_of
from ..console import analysis_text
from ..console.formatting import limit_width, wrap
from ..errors import RopewalkError
from ..games.notation import list_cell_names
from ..text import one_line
from .board_widget import BoardWidget, drawing_width, make_highlights
from .commands import HINT_LEVEL, MAX_HINTS, CommandInterpreter
from .cursor import Cursor
from .dialogs import ConfirmDialog, HelpScreen
from .engine_tasks import EngineTask
from .move_selection import MoveSelection, format_refusal
from .session import Session
from .theme import DARK, DARK_THEME, LIGHT, LIGHT_THEME, has_light_background
from .widgets import CommandInput, SidePanel, StatusBar, TextLines, format_title

BOARD_MARGIN = 3  # columns between the board and the panel
BOT_PAUSE_SECONDS = 0.4  # between the steps of two bots


class TerminalApp(App[None]):
    """A session on the full screen. The game's state is in the session; the app draws it and turns keys into actions."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "leave", "Quit", priority=True, show=False)]

    def __init__(self, session: Session, *, no_colour: bool = False) -> None:
        super().__init__()
        self.monochrome = Monochrome(enabled=no_colour and not self.no_color)  # Textual filters where NO_COLOR is set
        self.no_color = self.no_color or no_colour
        self.session = session
        self.game = session.game
        self.interpreter = CommandInterpreter(session, lambda session: "")
        self.drawing = session.position.build_text_diagram()
        self.cursor = Cursor(self.game.board, self.drawing)
        self.selection = MoveSelection(session.position)
        self.witness: frozenset[str] = frozenset()
        self.move_task = EngineTask(self, "move")
        self.hint_task = EngineTask(self, "hint")

    # Layout

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of everything that is rendered, among them the one that turns colours into greys."""
        return [*super().get_line_filters(), *([self.monochrome] if self.monochrome.enabled else [])]

    def compose(self) -> ComposeResult:
        """Yield the title, the board with its panel, the lines beneath, and the input line."""
        yield TextLines("title")
        yield Horizontal(BoardWidget(self.game), SidePanel(self.game), id="middle")
        yield StatusBar()
        yield CommandInput()

    def on_mount(self) -> None:
        """Choose the theme, focus the board, and draw once the layout is known."""
        self.theme = LIGHT_THEME if has_light_background() else DARK_THEME
        self.query_one(BoardWidget).focus()
        self.call_after_refresh(self.update_position)

    def on_resize(self, event: Resize) -> None:
        """Draw again: the panel may appear or disappear."""
        self.call_after_refresh(self.update_screen)

    @property
    def panel(self) -> SidePanel:
        """The panel beside the board."""
        return self.query_one(SidePanel)

    @property
    def cell(self) -> str:
        """The name of the cell under the cursor."""
        return self.game.board.names[self.cursor.cell]

    def update_position(self) -> None:
        """Follow the session to the position in view: reset the selection, draw, start the bot and the analysis."""
        position = self.session.position
        self.selection = MoveSelection(position)
        self.witness = frozenset(position.outcome.witness) if position.outcome else frozenset()
        self.drawing = position.build_text_diagram()
        self.cursor.set_drawing(self.drawing)
        self.update_screen()
        self.start_bot()
        self.panel.analysis.analyse(position)

    def update_screen(self) -> None:
        """Draw the board and all texts as they are now."""
        self.panel.fit(self.size.width - drawing_width(self.drawing) - BOARD_MARGIN)
        highlights = make_highlights(self.session, self.selection, self.witness)
        colours = LIGHT if self.theme == LIGHT_THEME else DARK
        self.query_one(BoardWidget).draw_board(self.drawing, self.cursor.index, highlights, colours)
        self.query_one("#title", TextLines).show_text(format_title(self.session))
        self.query_one(StatusBar).show_session(self.session, self.selection, self.cell)
        self.panel.moves.show_moves(self.session, self.query_one("#middle").size.height // 2 - 1)

    def show_message(self, text: str) -> None:
        """Write a message to the panel, which is shown for it."""
        if text.strip():
            self.panel.request()
            self.update_screen()  # first, so that the panel has its width
            self.panel.write_message(text)

    # Cursor and selection

    def action_move_cursor(self, direction: str) -> None:
        """Move the cursor by an arrow key."""
        self.cursor.step(direction)
        self.update_cursor()

    def action_go_to_line_edge(self, edge: str) -> None:
        """Move the cursor to the start or the end of its line."""
        self.cursor.go_to_line_end() if edge == "end" else self.cursor.go_to_line_start()
        self.update_cursor()

    def move_cursor_to(self, name: str) -> None:
        """Move the cursor to the cell of this name, without drawing."""
        self.cursor.go_to(self.game.board.index[name])

    def update_cursor(self) -> None:
        """Draw the cursor where it is now; the first of the moves there is selected."""
        self.selection.alternative = 0
        self.witness = frozenset()
        self.update_screen()

    def on_board_widget_cell_clicked(self, event: BoardWidget.CellClicked) -> None:
        """Move the cursor to the clicked cell; a click on the cursor is Enter."""
        if event.cell == self.cursor.cell:
            self.action_confirm_cell()
        else:
            self.cursor.go_to(event.cell)
            self.update_cursor()

    def action_confirm_cell(self) -> None:
        """Play the selected move, or select the cell as the source of one."""
        if self.session.is_bots_turn():
            return
        if self.selection.needs_target(self.cell):
            self.selection.select_source(self.cell)
            self.move_cursor_to(self.selection.list_targets()[0])
            self.update_screen()
        elif (move := self.selection.get_move(self.cell)) is not None:
            self.change_session(lambda: self.session.play([move]))
        elif self.selection.source is not None and self.selection.source == self.cell:
            self.action_deselect()
        else:
            self.action_explain()

    def action_select_next(self, offset: int) -> None:
        """Select another of the moves at the cursor, another target, or another source."""
        name = self.selection.select_next(self.cell, offset)
        if name != self.cell:
            self.move_cursor_to(name)
        self.update_screen()

    def action_deselect(self) -> None:
        """Deselect the source; without one, hide a panel that was requested."""
        if self.selection.source is not None:
            self.move_cursor_to(self.selection.source)
            self.selection.select_source(None)
        elif self.panel.is_requested:
            self.panel.is_requested = None
        self.update_screen()

    # Changes of the game

    def change_session(self, change: Callable[[], object]) -> None:
        """Change the session and draw it; an error becomes a message."""
        try:
            change()
        except RopewalkError as error:
            self.show_message(one_line(str(error)))
        else:
            self.update_position()

    def action_swap(self) -> None:
        """Play the move that names no cell, such as swap."""
        moves = self.selection.list_moves_without_cell()
        if moves and not self.session.is_bots_turn():
            self.change_session(lambda: self.session.play(moves[:1]))
        else:
            self.show_message("swap and keep are not allowed in this position")

    def action_undo(self) -> None:
        """Take back the last step; a bot stops its search."""
        self.move_task.cancel()
        if not self.session.undo():
            self.show_message("there is no move to take back")
        self.update_position()

    def action_resign(self) -> None:
        """Resign, after a question."""
        if self.session.seat is None:
            self.show_message("the game is already over")
            return
        question = f"Resign as {self.session.get_colour(self.session.resigning_seat)}?"
        self.push_screen(ConfirmDialog(question), self.resign_if_confirmed)

    def resign_if_confirmed(self, is_confirmed: bool | None) -> None:
        """Resign if the question was answered with yes."""
        if is_confirmed and self.session.seat is not None:
            self.move_task.cancel()
            self.change_session(self.session.resign)

    def action_view(self, offset: int) -> None:
        """View an earlier or later position."""
        self.session.view(self.session.view_index + offset)
        self.update_position()

    # Explanations, hints and analysis

    def action_explain(self) -> None:
        """Explain the move at the cursor, or why it is illegal, with the rule and the cells that show it."""
        move = self.selection.get_move(self.cell)
        refusal = self.selection.find_refusal(self.cell) if move is None else None
        if refusal is None:
            self.show_message(self.selection.describe(self.cell))
            return
        self.witness = frozenset(refusal.witness)
        with limit_width(self.panel.message_width):
            self.show_message(f"{wrap(format_refusal(self.cell, refusal))}\n{wrap(f'rules: {refusal.clause}', '  ')}")

    def action_hint(self) -> None:
        """Ask a bot for the best moves."""
        if self.session.position.seat is None:
            self.show_message("the game is over")
            return
        self.show_message("searching for a hint ...")
        self.hint_task.analyse(lambda: bot_of(self.game, HINT_LEVEL), self.session.position, None, self.show_hint)

    def show_hint(self, report: Report, is_last: bool) -> None:
        """Write the best moves of the last report, and put the cursor where the first of them begins."""
        if not is_last:
            return
        self.hint_task.cancel()
        with limit_width(self.panel.message_width):
            self.show_message(analysis_text.format_best_lines(report, MAX_HINTS))
        if self.selection.source is None and (cells := list_cell_names(self.game.board, report.lines[0].moves[0])):
            self.move_cursor_to(cells[0])
            self.update_screen()

    def action_toggle_analysis(self) -> None:
        """Turn the analysis on or off."""
        analysis = self.panel.analysis
        analysis.is_enabled = not analysis.is_enabled
        if analysis.is_enabled:
            self.panel.request()
        self.update_screen()
        analysis.analyse(self.session.position)

    # The screen itself

    def action_toggle_panel(self) -> None:
        """Show or hide the panel."""
        self.panel.is_requested = not self.panel.display
        self.update_screen()

    def action_toggle_theme(self) -> None:
        """Change between the light and the dark theme."""
        self.theme = DARK_THEME if self.theme == LIGHT_THEME else LIGHT_THEME
        self.update_screen()

    def action_help(self) -> None:
        """Show all keys and commands."""
        self.push_screen(HelpScreen(self.game))

    def action_leave(self) -> None:
        """Quit; the game has been saved after every move."""
        for task in (self.move_task, self.panel.analysis.engine_task, self.hint_task):
            task.cancel()
        self.exit()

    # Typed commands

    def action_open_input(self) -> None:
        """Open the input line."""
        self.query_one(CommandInput).show_line()

    def on_input_submitted(self, event: CommandInput.Submitted) -> None:
        """Execute a typed line; an error becomes a message."""
        self.query_one(CommandInput).action_close()
        if event.value.strip():
            self.show_message(f"> {event.value}")
            try:
                self.execute(event.value)
            except RopewalkError as error:
                self.show_message(one_line(str(error)))

    def execute(self, line: str) -> None:
        """Execute a typed line: those that need an engine or a dialog here, all others as in line mode."""
        name, *arguments = line.lower().split()
        if name == "hint":
            self.action_hint()
        elif name in ("analyse", "analyze"):
            self.panel.analysis.set_limit(arguments)
            self.action_toggle_analysis()
        elif name in ("help", "?"):
            self.action_help()
        else:
            self.interpret(line)

    def interpret(self, line: str) -> None:
        """Execute a command of the line mode and write its answer."""
        before = (self.session.latest, self.session.view_index)
        with limit_width(self.panel.message_width):
            self.show_message(self.interpreter.execute(line))
        if self.interpreter.has_quit:
            self.action_leave()
        elif before != (self.session.latest, self.session.view_index) or self.session.seat is None:
            self.move_task.cancel()
            self.update_position()

    # Bots

    def start_bot(self) -> None:
        """Start the search of the bot to move, if one is; two bots pause between their moves."""
        if len(self.session.bots) > 1:
            self.set_timer(BOT_PAUSE_SECONDS, self.start_bot_move)
        else:
            self.start_bot_move()

    def start_bot_move(self) -> None:
        """Start the search of the bot to move in a thread, unless it runs or another position is in view."""
        session = self.session
        if session.seat in session.bots and session.is_live and not self.move_task.is_running:
            self.move_task.choose(session.bots[session.seat], session.latest, self.play_bot_move)

    def play_bot_move(self, step: str) -> None:
        """Play the step that a bot chose."""
        self.move_task.cancel()
        session = self.session
        session.view(len(session.positions))
        name = session.bots[session.seat].name if session.seat is not None else ""
        explanations = session.play([step])
        self.update_position()
        if self.panel.display:
            self.show_message(f"{name}: {' '.join(explanations)}")
