"""A UGI engine: the variant of UCI for arbitrary games, over stdin and stdout; described in `docs/engine.md`.

The reader thread queues commands and handles `stop`, `quit` and, during a search, `isready` at once. The main thread
executes the queue in order, so a `go` finishes before the next command starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Event

from .. import __version__
from ..arena.schedule import derive_game_seed
from ..bots.bot import Bot, Certainty, Report
from ..errors import RopewalkError
from ..games.game import Game
from ..text import did_you_mean, ellipsis, one_line
from .session import PositionTracker, make_warm_bot
from .stdio import MAX_LINE_BYTES, InputLine, LineWriter, start_reading
from .ugi_commands import GoCommand, UgiError, parse_depth, parse_limit, parse_position_command, parse_setoption

AUTHOR = "The Ropewalk authors"
MAX_QUEUED_COMMANDS = 10_000
MAX_THREADS = 64
MAX_MULTIPV = 20
MAX_SEED = 2**31 - 1
QUERY_NAMES = ("gameover", "p1turn", "result")


class UgiOption:
    """An integer option, set by `setoption`."""

    def __init__(self, name: str, value: int, minimum: int, maximum: int) -> None:
        self.name, self.value, self.minimum, self.maximum = name, value, minimum, maximum
        self.default = value

    def __str__(self) -> str:
        return f"option name {self.name} type spin default {self.default} min {self.minimum} max {self.maximum}"

    def parse_value(self, text: str) -> None:
        """Set the value from text. Raises UgiError unless it is an integer from minimum to maximum."""
        if not re.fullmatch(r"\d{1,15}", text, re.ASCII) or not self.minimum <= int(text) <= self.maximum:
            raise UgiError(
                f"option {self.name} must be an integer from {self.minimum} to {self.maximum}, not {ellipsis(text)}"
            )
        self.value = int(text)


class UgiEngine:
    """A UGI session: its position, its options and the bot that plays."""

    def __init__(self, game: Game, level: int, threads: int, writer: LineWriter) -> None:
        self.game = game
        self.level = UgiOption("Level", level, 1, len(game.definition.bots))
        self.threads = UgiOption("Threads", threads, 1, MAX_THREADS)
        self.multipv = UgiOption("MultiPV", 1, 1, MAX_MULTIPV)
        self.seed = UgiOption("Seed", 0, 0, MAX_SEED)
        self.options = {option.name.lower(): option for option in (self.level, self.threads, self.multipv, self.seed)}
        self.tracker = PositionTracker(game)
        self.num_games = 0
        self.bot: Bot | None = None
        self.command_queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.pending_go_commands: list[GoCommand] = []
        self.quit_event = Event()
        self.writer = writer
        self.commands: dict[str, Callable[[Sequence[str]], None]] = {
            "ugi": self.handle_ugi,
            "isready": self.handle_isready,
            "setoption": self.handle_setoption,
            "uginewgame": self.handle_uginewgame,
            "position": self.handle_position,
            "query": self.handle_query,
        }

    def run(self) -> None:
        """Execute commands until `quit` or the end of input. Raises BrokenPipeError if the output was closed."""
        self.writer.on_broken_pipe = self.quit
        start_reading(self.handle_line, self.handle_end_of_input)
        try:
            self.run_commands()
        finally:
            self.close_bot()
        self.writer.raise_if_broken()

    # Reader thread

    def handle_line(self, line: InputLine) -> None:
        """Handle an input line: execute it at once if it must not wait, else queue it."""
        command, *arguments = line.text.split() or [""]
        if command == "stop":
            self.stop()
        elif command == "quit":
            self.quit()
        elif command == "isready" and self.pending_go_commands:
            self.writer.write_lines("readyok")
        elif self.command_queue.qsize() >= MAX_QUEUED_COMMANDS:
            self.send_error(f"{MAX_QUEUED_COMMANDS} commands wait already, {ellipsis(line.text)} is not taken")
        elif not line.is_complete:
            self.send_error(f"the line is too long: at most {MAX_LINE_BYTES} bytes are allowed")
        elif command == "go":
            self.pending_go_commands.append(GoCommand(arguments))
            self.command_queue.put(partial(self.handle_go, self.pending_go_commands[-1]))
        elif command:
            self.command_queue.put(partial(self.execute, command, arguments))

    def stop(self) -> None:
        """Cancel all pending `go` commands; each still sends its `bestmove`."""
        for go_command in list(self.pending_go_commands):
            go_command.cancelled.set()

    def quit(self) -> None:
        """Cancel the search and end the session; queued commands are dropped."""
        self.quit_event.set()
        self.stop()
        self.command_queue.put(None)

    def handle_end_of_input(self) -> None:
        """End the session after the queued commands; infinite searches are cancelled."""
        for go_command in list(self.pending_go_commands):
            if go_command.is_infinite:
                go_command.cancelled.set()
        self.command_queue.put(None)

    # Main thread

    def run_commands(self) -> None:
        """Execute queued commands in order; exceptions become error lines."""
        while (command := self.command_queue.get()) is not None and not self.quit_event.is_set():
            try:
                command()
            except RopewalkError as error:
                self.send_error(str(error))
            except Exception as error:  # the client expects a line, not a traceback
                self.send_error(f"{type(error).__name__}: {error}")

    def send_error(self, message: str) -> None:
        """Write an error as an `info string` line."""
        self.writer.write_lines(f"info string error: {one_line(message)}")

    def execute(self, command: str, arguments: Sequence[str]) -> None:
        """Execute a command by its name. Raises UgiError if it is unknown."""
        if command not in self.commands:
            known = [*self.commands, "go", "stop", "quit"]
            raise UgiError(
                f"unknown command {ellipsis(command)}; allowed are {', '.join(known)}{did_you_mean(command, known)}"
            )
        self.commands[command](arguments)

    def handle_ugi(self, arguments: Sequence[str]) -> None:
        """`ugi`: send name, author and options."""
        name = f"id name Ropewalk {__version__}, level {self.level.value}"
        self.writer.write_lines(name, f"id author {AUTHOR}", *map(str, self.options.values()), "ugiok")

    def handle_isready(self, arguments: Sequence[str]) -> None:
        """`isready`: make the bot, which compiles kernels, then send `readyok`."""
        self.get_bot()
        self.writer.write_lines("readyok")

    def handle_setoption(self, arguments: Sequence[str]) -> None:
        """`setoption`: set an option; Level and Threads discard the bot, Seed makes the next game the first of its seed."""
        name, value = parse_setoption(arguments)
        option = self.options.get(name.lower())
        if option is None:
            names = [option.name for option in self.options.values()]
            raise UgiError(f"unknown option {ellipsis(name)}; allowed are {', '.join(names)}{did_you_mean(name, names)}")
        option.parse_value(value)
        if option in (self.level, self.threads):
            self.close_bot()
        if option is self.seed:
            self.num_games = 0
            self.seed_bot()

    def handle_uginewgame(self, arguments: Sequence[str]) -> None:
        """`uginewgame`: return to the start position and reset the bot with the next seed."""
        self.tracker.reset()
        self.num_games += 1
        self.seed_bot()

    def seed_bot(self) -> None:
        """Reset the bot, if there is one, with the seed of the current game."""
        if self.bot is not None:
            self.bot.new_game(derive_game_seed(self.seed.value, (self.num_games,)))

    def handle_position(self, arguments: Sequence[str]) -> None:
        """`position`: set the position; an error leaves it unchanged."""
        try:
            self.tracker.set_position(*parse_position_command(arguments))
        except RopewalkError as error:
            raise UgiError(f"{error}; the position is unchanged") from None

    def handle_query(self, arguments: Sequence[str]) -> None:
        """`query`: send a property of the current position."""
        position = self.tracker.position
        outcome = position.outcome
        if arguments == ["gameover"]:
            response = "true" if outcome else "false"
        elif arguments == ["p1turn"]:
            response = "true" if position.seat == 0 else "false"
        elif arguments == ["result"]:
            response = "none" if outcome is None else "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"
        else:
            raise UgiError(f"unknown query {ellipsis(' '.join(arguments))}; allowed are {', '.join(QUERY_NAMES)}")
        self.writer.write_lines(f"response {response}")

    # Search

    def handle_go(self, go_command: GoCommand) -> None:
        """`go`: search, sending info lines, then send `bestmove`."""
        try:
            self.writer.write_lines(f"bestmove {self.choose_move(go_command)}")
        finally:
            self.pending_go_commands.remove(go_command)

    def choose_move(self, go_command: GoCommand) -> str:
        """Search the current position and return the move to play, "none" if the game is over."""
        position = self.tracker.position
        outcome = position.outcome
        if outcome is not None:
            self.send_error(f"the game is over: {outcome.words}")
            return "none"
        limit, max_depth = parse_limit(go_command, position.seat or 0), parse_depth(go_command)
        player = self.get_bot()
        for report in player.analyse(position, limit):
            self.writer.write_lines(*format_info_lines(report, self.multipv.value))
            if len(report.lines[0].moves) >= max_depth:
                limit.cancelled.set()
        if go_command.is_infinite:
            go_command.cancelled.wait()  # the search is finished, but UCI requires waiting for `stop`
        return player.decide(position, report)

    def get_bot(self) -> Bot:
        """Return the bot; make it if there is none."""
        if self.bot is None:
            self.bot = make_warm_bot(self.game, self.level.value, self.threads.value)
            self.seed_bot()
        return self.bot

    def close_bot(self) -> None:
        """Close the bot, if there is one."""
        if self.bot is not None:
            self.bot.close()
        self.bot = None


def format_info_lines(report: Report, multipv: int) -> Iterator[str]:
    """Yield an info line for each of the first `multipv` lines of a report; depth is the length of its moves."""
    new_visits = report.visits - report.kept
    effort = f"nodes {report.visits} nps {round(new_visits / max(report.seconds, 1e-3))} time {round(1000 * report.seconds)}"
    for number, line in enumerate(report.lines[:multipv], start=1):
        multipv_text = f" multipv {number}" if multipv > 1 else ""
        score = f"score wdl {format_wdl(line.value, line.certainty)} {line.certainty}"
        yield f"info depth {len(line.moves)}{multipv_text} {score} {effort} pv {' '.join(line.moves)}"


def format_wdl(value: float, certainty: Certainty) -> str:
    """Return wins, draws and losses in thousandths for the seat to move; draws only if proven, else 0."""
    if certainty != "estimate" and value == 0.5:
        return "0 1000 0"
    wins = round(1000 * value)
    return f"{wins} 0 {1000 - wins}"
