"""The text commands of line mode, which can be typed on the full screen too."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from ..bots.bot import Limit
from ..bots.levels import bot as bot_of
from ..console import analysis_text, position_text
from ..console.formatting import format_pairs, wrap
from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.sequence import MoveSequence, MoveSequenceError
from ..records import read
from ..text import did_you_mean, one_line
from .session import CommandError, Session

COMMAND_HELP = [
    ("MOVE ...", "play one or more moves or turns"),
    ("moves", "list the legal moves"),
    ("explain MOVE", "explain what a move does"),
    ("why MOVE", "explain why a move is illegal"),
    ("at CELL", "describe a cell"),
    ("neighbours CELL", "list the adjacent cells and their contents"),
    ("list WHAT", "list the cells of a colour, empty cells, or marks"),
    ("hint", "show the best moves that a bot finds"),
    ("analyse [SECONDS]", "evaluate the position and show the best lines"),
    ("undo", "take back the last move"),
    ("resign", "resign the game"),
    ("save FILE", "save the game as .sgf or .json"),
    ("load FILE", "load a saved game and continue it"),
    ("replay FILE", "view a saved game from its start"),
    ("first, back, next, last", "view other positions; back 5 goes back 5 moves"),
    ("here", "continue the game from the position in view"),
    ("board", "draw the board again"),
    ("text", "show the position as one line of text"),
    ("quit", "quit, as do Ctrl-D and Ctrl-C"),
]
COMMAND_NAMES = (
    "moves", "explain", "why", "at", "neighbours", "list", "hint", "analyse", "undo", "resign", "save", "load", "replay",
    "first", "back", "next", "last", "here", "board", "text", "help", "quit",
)  # fmt: skip
ALIASES = {"neighbors": "neighbours", "analyze": "analyse", "exit": "quit", "forward": "next", "?": "help"}
HINT_LEVEL, ANALYSIS_LEVEL = 6, 8  # the levels that give hints and analyse
MAX_HINTS, MAX_LINES = 3, 5
DEFAULT_SECONDS, MAX_SECONDS = 5.0, 600.0
BAR_WIDTH = 40

Reply = Callable[[list[str]], str]


class CommandInterpreter:
    """Executes typed lines on a session. `draw` returns the text of the board in view."""

    def __init__(self, session: Session, draw: Callable[[Session], str] | None = None) -> None:
        self.session = session
        self.draw = draw or (lambda session: session.position.draw())
        self.has_quit = False
        self.replies: dict[str, Reply] = {word: getattr(self, f"reply_{word}") for word in COMMAND_NAMES}

    def format_prompt(self) -> str:
        """Return the prompt: the colour to move, with an example of a move."""
        session = self.session
        if not session.is_live:
            return f"position {session.view_index} of {len(session.positions) - 1}"
        if session.seat is None:
            return "game over"
        moves = session.latest.moves()
        colour = session.get_colour(session.seat)
        return f"{colour}, {len(moves)} moves such as {moves[0]}" if len(moves) > 1 else f"{colour}, only {moves[0]}"

    def execute(self, line: str) -> str:
        """Execute a line, which is a command or moves; return the text to print. Errors become texts."""
        words = line.split()
        if not words:
            return ""
        name = words[0].lower()
        reply = self.replies.get(ALIASES.get(name, name))
        try:
            return self.play(words) if reply is None else reply(words[1:])
        except MoveSequenceError as error:
            hint = did_you_mean(words[0], self.replies) if reply is None and isinstance(error.cause, MoveError) else ""
            return format_move_error(error, is_only=len(words) == (1 if reply is None else 2)) + hint
        except RopewalkError as error:
            return wrap(one_line(str(error)))

    def play(self, moves: list[str]) -> str:
        """Play all of the moves, or none if one fails; return explanations and board."""
        explanations = [wrap(text, indent="  ") for text in self.session.play(moves)]
        return "\n".join([*explanations, "", self.show_board()])

    def show_board(self) -> str:
        """Return the board in view, and the result if the position shows it."""
        return "\n\n".join(filter(None, [self.draw(self.session), format_result(self.session)]))

    def play_bot(self) -> str:
        """Let the bot to move play a step; return explanation and board."""
        seat = self.session.seat
        assert seat is not None
        player = self.session.bots[seat]
        return f"{player.name}: {self.play([player.choose(self.session.latest)])}"

    # Commands

    def reply_moves(self, arguments: list[str]) -> str:
        """List the legal moves of the position in view."""
        position = self.session.position
        return position_text.format_legal_moves(position) if position.seat is not None else "none: the game is over"

    def reply_explain(self, moves: list[str]) -> str:
        """Explain what moves would do."""
        if not moves:
            return "missing move: explain MOVE"
        position = self.session.position
        return "\n".join(wrap(text, indent="  ") for text in MoveSequence.play(position, moves).explain())

    def reply_why(self, moves: list[str]) -> str:
        """Explain why a move is illegal; the error of `reply_explain` does."""
        return f"legal: {self.reply_explain(moves)}" if moves else "missing move: why MOVE"

    def reply_at(self, names: list[str]) -> str:
        """Describe the contents of cells."""
        position = self.session.position
        cells = [position_text.find_cell(position.game.board, name) for name in names]
        return (
            "\n".join(wrap(position_text.describe_cell(position, cell), indent="  ") for cell in cells)
            or "missing cell: at CELL"
        )

    def reply_neighbours(self, names: list[str]) -> str:
        """Describe the neighbours of cells."""
        position = self.session.position
        cells = [position_text.find_cell(position.game.board, name) for name in names]
        return (
            "\n".join(position_text.describe_neighbours(position, cell) for cell in cells) or "missing cell: neighbours CELL"
        )

    def reply_list(self, kinds: list[str]) -> str:
        """List the cells of a kind."""
        if not kinds:
            allowed = ", ".join([*position_text.group_cells(self.session.position), position_text.MARKS])
            return wrap(f"missing argument: list WHAT, one of {allowed}")
        return "\n".join(
            wrap(line, indent="  ")
            for line in position_text.list_cells(self.session.position, " ".join(kinds).lower()).splitlines()
        )

    def reply_hint(self, arguments: list[str]) -> str:
        """Return the best moves that a bot finds, with their lines."""
        position = self.session.position
        if position.seat is None:
            return "the game is over"
        adviser = bot_of(position.game, HINT_LEVEL)
        *_, last = adviser.analyse(position)
        adviser.close()
        return analysis_text.format_best_lines(last, MAX_HINTS)

    def reply_analyse(self, arguments: list[str]) -> str:
        """Analyse the position in view: a bar and the best lines."""
        position = self.session.position
        if position.seat is None:
            return "the game is over"
        analyst = bot_of(position.game, ANALYSIS_LEVEL)
        *_, last = analyst.analyse(position, Limit(seconds=parse_seconds(arguments)))
        analyst.close()
        first, second = position.colours
        bar = f"{first} [{analysis_text.format_bar(last, BAR_WIDTH)}] {second}"
        lines = [
            f"  {number}. {analysis_text.format_line(line)}" for number, line in enumerate(last.lines[:MAX_LINES], start=1)
        ]
        summary = f"{analysis_text.format_evaluation(last, position.colours)}, {analysis_text.format_search_effort(last)}"
        return "\n".join([bar, wrap(summary), *(wrap(line, indent="     ") for line in lines)])

    def reply_undo(self, arguments: list[str]) -> str:
        """Take back the last step."""
        return self.show_board() if self.session.undo() else "there is no move to take back"

    def reply_resign(self, arguments: list[str]) -> str:
        """Resign the game and return the result."""
        self.session.resign()
        return format_result(self.session)

    def reply_save(self, names: list[str]) -> str:
        """Save the game to a file."""
        path = parse_path(names, "save")
        self.session.to_record().save(path)
        return f"saved as {path}; to view it, run ropewalk play --replay {path}"

    def reply_load(self, names: list[str]) -> str:
        """Load a game from a file and continue it."""
        self.load_game(parse_path(names, "load"))
        return self.show_board()

    def reply_replay(self, names: list[str]) -> str:
        """View a game from its start: that of a file, or without one this game."""
        if names:
            self.load_game(parse_path(names, "replay"))
        self.session.view(0)
        return self.show_board()

    def load_game(self, path: Path) -> None:
        """Replace the game of the session by that of a file. Raises CommandError if it is another game."""
        record = read(path)
        game = self.session.start.game
        if record.game != game:
            raise CommandError(f"{path.name} is a game of {record.game.spec}, but this session plays {game.spec}")
        self.session.load(record)

    def reply_first(self, arguments: list[str]) -> str:
        """View the start position."""
        return self.view_position(0)

    def reply_last(self, arguments: list[str]) -> str:
        """View the latest position of the game."""
        return self.view_position(len(self.session.positions) - 1)

    def reply_back(self, arguments: list[str]) -> str:
        """View an earlier position."""
        return self.view_position(self.session.view_index - parse_count(arguments))

    def reply_next(self, arguments: list[str]) -> str:
        """View a later position."""
        return self.view_position(self.session.view_index + parse_count(arguments))

    def view_position(self, place: int) -> str:
        """View the position of an index; return how it came about and the board."""
        session = self.session
        if not session.view(place):
            return "this is the first position" if place <= 0 else "this is the latest position"
        step = session.last_step
        came = f"{step}: {session.positions[session.view_index - 1].explain(step)}" if step else "start position"
        return f"{wrap(f'{session.view_index} of {len(session.positions) - 1}, {came}', indent='  ')}\n\n{self.show_board()}"

    def reply_here(self, arguments: list[str]) -> str:
        """Continue the game from the position in view."""
        self.session.continue_from_view()
        return f"the game continues from here; the later moves are kept as a variation\n\n{self.show_board()}"

    def reply_board(self, arguments: list[str]) -> str:
        """Draw the board again."""
        return self.show_board()

    def reply_text(self, arguments: list[str]) -> str:
        """Return the position in view as text that `--position` and `game.position` read."""
        return str(self.session.position)

    def reply_help(self, arguments: list[str]) -> str:
        """List all commands and the syntax of moves."""
        return f"{format_pairs(COMMAND_HELP)}\n{wrap(self.session.start.game.text.move_syntax(), '  ')}"

    def reply_quit(self, arguments: list[str]) -> str:
        """End the loop of the front end."""
        self.has_quit = True
        return ""


def parse_path(names: list[str], verb: str) -> Path:
    """Return the path in the arguments of a command; it may contain spaces. Raises CommandError."""
    if not names:
        raise CommandError(f"missing file name: {verb} FILE, where FILE ends in .sgf or .json")
    return Path(os.path.expanduser(" ".join(names)))


def parse_count(arguments: list[str]) -> int:
    """Return the number of steps in the arguments of a command, 1 by default. Raises CommandError."""
    if not arguments:
        return 1
    if not re.fullmatch(r"\d{1,6}", arguments[0], re.ASCII):
        raise CommandError(f"{arguments[0][:40]!r} is not a number of moves")
    return int(arguments[0])


def parse_seconds(arguments: list[str]) -> float:
    """Return the seconds in the arguments of a command, DEFAULT_SECONDS by default. Raises CommandError."""
    if not arguments:
        return DEFAULT_SECONDS
    if not re.fullmatch(r"\d{1,5}(\.\d{1,5})?", arguments[0], re.ASCII) or not 0.1 <= float(arguments[0]) <= MAX_SECONDS:
        raise CommandError(f"{arguments[0][:40]!r} is not a number of seconds from 0.1 to {MAX_SECONDS:g}")
    return float(arguments[0])


def format_move_error(error: MoveSequenceError, *, is_only: bool) -> str:
    """Return why a move fails, with its number unless it is the only one, the cells that show it, and the rule."""
    lines = [wrap(one_line(str(error.cause if is_only else error)))]
    if error.witness:
        lines.append(wrap(f"shown by {' '.join(error.witness)}", "  "))
    if isinstance(error.cause, IllegalMove):
        lines.append(f"  rules: {error.cause.clause}")
    return "\n".join(lines)


def format_result(session: Session) -> str:
    """Return how the game ended if the position in view shows it, else an empty text."""
    if session.resigned_seat is not None and session.is_live:
        winner = 1 - session.resigned_seat
        return f"{session.get_colour(winner)} (seat {winner}) wins: {session.get_colour(session.resigned_seat)} resigns"
    outcome = session.position.outcome
    return position_text.format_outcome(session.position, outcome) if outcome else ""
