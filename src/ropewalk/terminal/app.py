"""The full screen: the board with a cursor, what is said of it, moves and messages, all by keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Click, Resize
from textual.filter import LineFilter, Monochrome
from textual.widgets import Input, RichLog, Static

from ..bots.bot import Bot, Report
from ..bots.levels import bot as bot_of
from ..console import analysis_text
from ..console.formatting import limit_width, wrap
from ..errors import RopewalkError
from ..games.notation import list_cell_names
from ..text import one_line
from .commands import ANALYSIS_LEVEL, HINT_LEVEL, MAX_HINTS, CommandInterpreter, parse_seconds
from .cursor import Cursor
from .dialogs import ConfirmDialog, HelpScreen
from .engine_tasks import EngineTask
from .move_selection import MoveSelection, format_refusal
from .session import CommandError, Session
from .theme import DARK, LIGHT, has_light_background
from .widgets import BoardWidget, Highlights, drawing_width

NARROWEST_PANEL, WIDEST_PANEL = 26, 46
BESIDE_MESSAGES = 4  # columns for the border, the padding and the scrollbar
LONGEST_ANALYSIS = 120.0  # seconds
WATCHING = 0.4  # seconds between the steps of two bots
GROWING = ("analysis", "moves")  # parts of the screen that are as high as their words
SLOW_COMMANDS = ("hint", "analyse", "analyze")


class TerminalApp(App[None]):
    """A session at the full screen."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "leave", priority=True, show=False)]

    def __init__(self, session: Session, *, plain: bool = False) -> None:
        super().__init__()
        self.monochrome = Monochrome(enabled=plain and not self.no_color)  # Textual filters where NO_COLOR is set
        self.no_color = self.no_color or plain
        self.session = session
        self.game = session.start.game
        self.commands = CommandInterpreter(session, lambda session: "")
        self.drawing = session.position.drawing()
        self.cursor = Cursor(self.game.board, self.drawing)
        self.choice = MoveSelection(session.position)
        self.player = EngineTask(self, "player")
        self.analyst = EngineTask(self, "analyst")
        self.adviser = EngineTask(self, "adviser")
        self.witness: frozenset[str] = frozenset()
        self.wants_panel: bool | None = None  # None: where there is room
        self.is_analysing = False
        self.analysis_seconds = LONGEST_ANALYSIS
        self.written: dict[str, str] = {}  # words by the part of the screen that they are on
        self.laid_out: tuple[bool, int, bool] | None = None

    # What is on the screen

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of everything that is rendered, among them the one that turns colours into greys."""
        return [*super().get_line_filters(), *([self.monochrome] if self.monochrome.enabled else [])]

    def compose(self) -> ComposeResult:
        """The board and its panel, what is said beneath, the keys, the typed line."""
        yield Static(id="title", markup=False)
        panel = Vertical(
            Static(id="analysis", markup=False),
            Static(id="moves", markup=False),
            RichLog(id="messages", wrap=True, markup=False, min_width=10),
            id="panel",
        )
        yield Horizontal(BoardWidget(self.game), panel, id="middle")
        yield Static(id="status", markup=False)
        yield Static(id="live", markup=False)
        yield Static(id="keys", markup=False)
        yield Input(id="typed", placeholder="a move or a command; help lists them")

    def on_mount(self) -> None:
        """Begin."""
        self.theme = "textual-light" if has_light_background() else "textual-dark"
        self.query_one(BoardWidget).focus()
        self.query_one("#typed").display = False
        self.query_one("#messages").can_focus = False
        self.set_title()
        self.call_after_refresh(self.changed)

    def set_title(self) -> None:
        """The game, its designer, and who plays."""
        game, session = self.game, self.session
        names = [session.bots[seat].name if seat in session.bots else "you" for seat in (0, 1)]
        seats = ", ".join(f"{name} {colour}" for name, colour in zip(names, session.latest.colours, strict=True))
        words = f"{game.name}, by {game.designer}   {seats if session.bots else game.spec}"
        self.write("title", words)

    def on_resize(self, event: Resize) -> None:
        """Another size: the panel may come or go."""
        self.call_after_refresh(self.show)

    def changed(self) -> None:
        """Another position is in view, or the game went on: choose anew, show it, let bots think."""
        position = self.session.position
        self.choice = MoveSelection(position)
        self.witness = frozenset(position.outcome.witness) if position.outcome else frozenset()
        self.drawing = position.drawing()
        self.cursor.set_drawing(self.drawing)
        self.set_title()
        self.show()
        self.ask_bot()
        self.ask_analyst()

    def show(self) -> None:
        """Draw everything as it stands."""
        position = self.session.position
        drawing = self.drawing
        self.lay_out(drawing_width(drawing))
        source = self.choice.source
        last = self.session.last_step
        highlights = Highlights(
            last=frozenset(list_cell_names(self.game.board, last)[-1:] if last else ()),
            source=source,
            targets=frozenset(self.choice.list_targets()) if source else frozenset(),
            witness=self.witness,
        )
        colours = LIGHT if self.theme == "textual-light" else DARK
        self.query_one(BoardWidget).draw_board(drawing, self.cursor.index, highlights, colours)
        self.write("status", f"{self.status()}\n{self.game.text.score_summary(position, self.session.start)}")
        self.write("live", self.live())
        self.write("keys", self.keys())
        self.show_moves()

    def write(self, name: str, words: str) -> None:
        """Put words on a part of the screen, where they are others than before."""
        if self.written.get(name) != words:
            self.written[name] = words
            self.query_one(f"#{name}", Static).update(words, layout=name in GROWING)

    def lay_out(self, board_width: int) -> None:
        """Give the panel what the board leaves, if that is enough or somebody wants it."""
        room = self.size.width - board_width - 3
        panel = self.query_one("#panel")
        shown = room >= NARROWEST_PANEL if self.wants_panel is None else self.wants_panel
        width = max(NARROWEST_PANEL, min(WIDEST_PANEL, room))
        if self.laid_out != (shown, width, self.is_analysing):
            self.laid_out = (shown, width, self.is_analysing)
            panel.display, panel.styles.width = shown, width
            self.query_one("#analysis").display = self.is_analysing

    @property
    def cell(self) -> str:
        """The name of the cell under the cursor."""
        return self.game.board.names[self.cursor.cell]

    def status(self) -> str:
        """Whose move it is, or how the game ended, and the last step."""
        session = self.session
        last = f"; last: {session.last_step}" if session.last_step else ""
        if not session.is_live:
            return (
                f"position {session.view_index} of {len(session.positions) - 1}{last}; PgDn goes on, :here plays from here"
            )
        if session.seat is None:
            return f"{self.commands.format_result().splitlines()[0]}{last}"
        colour = session.get_colour(session.seat)
        if session.seat in session.bots:
            return f"{colour} to move: {session.bots[session.seat].name} thinks{last}"
        return f"{colour} to move{last}"

    def live(self) -> str:
        """What Enter would do now, or why it would not."""
        if self.session.is_live and self.session.is_bots_turn():
            return f"{self.cell}: wait, or u takes your last step back"
        return self.choice.describe(self.cell)

    def keys(self) -> str:
        """The keys that matter now."""
        offered = "".join(f"s {move}  " for move in self.choice.list_moves_without_cell()[:1])
        return f"Enter play  {offered}u undo  h hint  w why  a analyse  : type  ? help  q quit"

    def show_moves(self) -> None:
        """The last moves that fit, one line a turn of both seats."""
        rows = list(format_move_rows(self.session))
        room = max(3, self.query_one("#middle").size.height // 2 - 1)
        self.write("moves", "\n".join(rows[-room:]) or "no moves yet")

    def say(self, words: str) -> None:
        """A message; the panel opens for it."""
        if not words.strip():
            return
        if not self.query_one("#panel").display:
            self.wants_panel = True
        self.show()  # first, so that the panel has its width
        width = self.panel_width
        with limit_width(width):
            lines = [row for line in words.splitlines() for row in wrap(line, indent="  ").split("\n")]
        self.query_one("#messages", RichLog).write("\n".join(lines), width=width, shrink=False)

    @property
    def panel_width(self) -> int:
        """The columns of a message."""
        return (self.laid_out[1] if self.laid_out else NARROWEST_PANEL) - BESIDE_MESSAGES

    # Keys that move and play

    def action_step(self, way: str) -> None:
        """An arrow."""
        self.cursor.step(way)
        self.moved()

    def action_line(self, to_end: bool) -> None:
        """Home and End."""
        self.cursor.go_to_line_end() if to_end else self.cursor.go_to_line_start()
        self.moved()

    def moved(self) -> None:
        """The cursor is elsewhere."""
        self.choice.alternative = 0
        self.witness = frozenset()
        self.show()

    def on_click(self, event: Click) -> None:
        """A click moves the cursor; one on the cursor is Enter."""
        board = self.query_one(BoardWidget)
        if event.widget is not board or (spot := board.find_cell_at(event.get_content_offset_capture(board))) is None:
            return
        if spot.cell == self.cursor.cell:
            self.action_enter()
        else:
            self.cursor.go_to(spot.cell)
            self.moved()

    def action_enter(self) -> None:
        """Play, or pick what moves."""
        if self.session.is_bots_turn():
            return
        if self.choice.needs_target(self.cell):
            self.choice.select_source(self.cell)
            self.cursor.go_to(self.game.board.index[self.choice.list_targets()[0]])
            self.show()
        elif (move := self.choice.get_move(self.cell)) is not None:
            self.play(move)
        elif self.choice.source is not None and self.choice.source == self.cell:
            self.action_let_go()
        else:
            self.action_why()

    def action_turn(self, by: int) -> None:
        """Another of the moves here, or another target."""
        choice = self.choice
        if choice.source is None and (sources := choice.list_sources()):
            self.next_of([name for name in self.game.board.names if name in sources], by)
        elif len(choice.list_moves(self.cell)) > 1 and (choice.alternative + by) % len(choice.list_moves(self.cell)) != 0:
            choice.alternative += by
        elif choice.source is not None:
            self.next_of(choice.list_targets(), by)
        self.show()

    def next_of(self, names: list[str], by: int) -> None:
        """Put the cursor on the next of some cells."""
        place = names.index(self.cell) + by if self.cell in names else 0
        self.cursor.go_to(self.game.board.index[names[place % len(names)]])
        self.choice.alternative = 0

    def action_let_go(self) -> None:
        """Forget what was picked; with nothing picked, close the panel."""
        if self.choice.source is not None:
            self.cursor.go_to(self.game.board.index[self.choice.source])
            self.choice.select_source(None)
        elif self.wants_panel:
            self.wants_panel = None
        self.show()

    def action_swap(self) -> None:
        """Play the move that names no cell."""
        offered = self.choice.list_moves_without_cell()
        if offered and not self.session.is_bots_turn():
            self.play(offered[0])
        else:
            self.say("there is nothing to swap or keep now")

    def play(self, move: str) -> None:
        """Play a step; what it does is told."""
        self.try_to(lambda: self.session.play([move]))

    def try_to(self, deed: object) -> None:
        """Do something to the session; a refusal is a message."""
        assert callable(deed)
        try:
            deed()
        except RopewalkError as error:
            self.say(one_line(str(error)))
            return
        self.changed()

    # Keys that ask

    def action_why(self) -> None:
        """What a move here would do, or why it is refused, with the clause and the cells that show it."""
        move = self.choice.get_move(self.cell)
        refusal = self.choice.find_refusal(self.cell) if move is None else None
        if refusal is None:
            self.say(self.choice.describe(self.cell))
            return
        self.witness = frozenset(refusal.witness)
        with limit_width(self.panel_width):
            self.say(f"{wrap(format_refusal(self.cell, refusal))}\n{wrap(f'rules: {refusal.clause}', '  ')}")

    def action_hint(self) -> None:
        """What a bot would think of."""
        position = self.session.position
        if position.seat is None:
            self.say("the game is over")
            return
        self.say("thinking of a hint ...")

        def heard(report: Report, is_last: bool) -> None:
            if is_last:
                self.adviser.cancel()
                with limit_width(self.panel_width):
                    lines = [wrap(analysis_text.format_line(line), indent="  ") for line in report.lines[:MAX_HINTS]]
                self.say("\n".join(lines))
                self.point_at(report.lines[0].moves[0])

        self.adviser.analyse(lambda: bot_of(self.game, HINT_LEVEL), position, None, heard)

    def point_at(self, move: str) -> None:
        """Put the cursor where a move begins."""
        if self.choice.source is None and (cells := list_cell_names(self.game.board, move)):
            self.cursor.go_to(self.game.board.index[cells[0]])
            self.show()

    def action_analysis(self) -> None:
        """The analysis, on or off."""
        self.is_analysing = not self.is_analysing
        if self.is_analysing and not self.query_one("#panel").display:
            self.wants_panel = True
        self.show()
        self.ask_analyst()

    def analyse_for(self, rest: list[str]) -> None:
        """The analysis, on for so many seconds a position; without a number, on or off."""
        if rest:
            try:
                self.analysis_seconds = parse_seconds(rest)
            except CommandError as error:
                self.say(str(error))
                return
            self.is_analysing = False
        self.action_analysis()

    def ask_analyst(self) -> None:
        """Think about the position in view, as long as somebody looks."""
        position = self.session.position
        self.analyst.cancel()
        if not self.is_analysing:
            return
        self.write("analysis", "the game is over" if position.seat is None else "thinking ...")
        if position.seat is not None:
            self.analyst.analyse(lambda: bot_of(self.game, ANALYSIS_LEVEL), position, self.analysis_seconds, self.analysed)

    def analysed(self, report: Report, is_last: bool) -> None:
        """Show what is thought so far."""
        if is_last:
            self.analyst.cancel()
        colours, width = self.session.position.colours, self.panel_width
        with limit_width(width):
            best = [wrap(analysis_text.format_line(line), indent="  ").split("\n") for line in report.lines[:MAX_HINTS]]
            words = wrap(analysis_text.format_evaluation(report, colours))
        bar = analysis_text.format_bar(report, width - 2)
        lines = [row for rows in best for row in rows[:2]]
        self.write("analysis", "\n".join([f"[{bar}]", words, analysis_text.format_search_effort(report), *lines]))

    # Keys that change the game otherwise

    def action_undo(self) -> None:
        """Take back; a bot stops thinking."""
        self.player.cancel()
        if not self.session.undo():
            self.say("there is no move to take back")
        self.changed()

    def action_resign(self) -> None:
        """Ask first."""
        if self.session.seat is None:
            self.say("the game is over already")
            return
        self.push_screen(ConfirmDialog(f"Resign as {self.session.get_colour(self.session.resigning_seat)}?"), self.resigned)

    def resigned(self, is_sure: bool | None) -> None:
        """The answer to that."""
        if is_sure and self.session.seat is not None:
            self.player.cancel()
            self.try_to(self.session.resign)

    def action_look(self, by: int) -> None:
        """An earlier or later position."""
        self.session.view(self.session.view_index + by)
        self.changed()

    def action_panel(self) -> None:
        """Moves and messages, on or off."""
        self.wants_panel = not self.query_one("#panel").display
        self.show()

    def action_light(self) -> None:
        """The other background."""
        self.theme = "textual-dark" if self.theme == "textual-light" else "textual-light"
        self.show()

    def action_help(self) -> None:
        """All keys and commands."""
        self.push_screen(HelpScreen(self.game))

    def action_leave(self) -> None:
        """Go; the game is kept already."""
        for thinker in (self.player, self.analyst, self.adviser):
            thinker.cancel()
        self.exit()

    # The typed line

    def action_type(self) -> None:
        """Open the line."""
        typed = self.query_one("#typed", Input)
        typed.display = True
        typed.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer what was typed."""
        self.close_line()
        words = event.value.split()
        if not words:
            return
        self.say(f"> {event.value}")
        if words[0].lower() in SLOW_COMMANDS:
            self.action_hint() if words[0].lower() == "hint" else self.analyse_for(words[1:])
            return
        if words[0].lower() in ("help", "?"):
            self.action_help()
            return
        before = (self.session.latest, self.session.view_index)
        with limit_width(self.panel_width):
            self.say(self.commands.execute(event.value))
        if self.commands.has_quit:
            self.action_leave()
        elif before != (self.session.latest, self.session.view_index) or self.session.seat is None:
            self.player.cancel()
            self.changed()

    def close_line(self) -> None:
        """Back to the board."""
        typed = self.query_one("#typed", Input)
        typed.value = ""
        typed.display = False
        self.query_one(BoardWidget).focus()

    def on_key(self, event: object) -> None:
        """Esc closes the typed line."""
        if getattr(event, "key", "") == "escape" and self.query_one("#typed").display:
            self.close_line()

    # Bots

    def ask_bot(self) -> None:
        """Have the bot think whose turn it is, unless it does already or another position is in view."""
        session = self.session
        seat = session.seat
        if seat is None or seat not in session.bots or not session.is_live or self.player.is_running:
            return
        if len(session.bots) > 1:
            self.set_timer(WATCHING, self.ask_next)
            return
        self.begin_thought(session.bots[seat])

    def ask_next(self) -> None:
        """The next step of two bots, after a look at the last."""
        session = self.session
        if session.seat is not None and session.is_live and not self.player.is_running:
            self.begin_thought(session.bots[session.seat])

    def begin_thought(self, player: Bot) -> None:
        """Let a bot choose, in a thread."""
        self.player.choose(player, self.session.latest, self.bot_chose)

    def bot_chose(self, step: str) -> None:
        """Play what a bot chose."""
        self.player.cancel()
        session = self.session
        session.view(len(session.positions))
        name = session.bots[session.seat].name if session.seat is not None else ""
        words = session.play([step])
        self.changed()
        if self.query_one("#panel").display:
            self.say(f"{name}: {' '.join(words)}")


def format_move_rows(session: Session) -> Iterable[str]:
    """The steps gathered by turns, numbered, both seats in a line."""
    number, row, before = 0, "", 1
    for seat, step in session.list_steps():
        if seat != before and seat == 0:
            if row:
                yield row
            number += 1
            row = f"{number:>3}. {step}"
        elif seat != before:
            row = f"{row or f'{number + 1:>3}. ...'}  {step}"
        else:
            row += step if step[:1] in "/~" else f" {step}"
        before = seat
    if row:
        yield row
