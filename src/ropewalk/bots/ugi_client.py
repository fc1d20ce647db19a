"""External engines as bots: processes that speak UGI, the variant of UCI for arbitrary games, over stdin and stdout.

Commands sent: `ugi`, `isready`, `uginewgame`, `position startpos moves ...` (or `position fen TEXT`), `go movetime MS`
or `go nodes N`, `stop`, `quit`. Responses read: `id name ...`, `ugiok`, `readyok`, `info ...`, `bestmove MOVE`. Moves
are single steps in Ropewalk's notation.
"""

from __future__ import annotations

import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO, ClassVar, NoReturn

from ..games.game import Game
from ..games.position import Position
from ..text import ellipsis
from .bot import Bot, BotError, Limit, Line, Report, require_ongoing

GRACE_SECONDS = 3.0  # beyond its limit, after which a bot is considered blocked
MAX_MOVE_SECONDS = 600.0  # for a move without a time limit
DEFAULT_MOVE_SECONDS = 1.0  # for a move when no limit is given
START_TIMEOUT_SECONDS = 120.0  # to respond to `ugi` and `isready`; Ropewalk itself may compile kernels first
STOP_TIMEOUT_SECONDS = 1.0  # to respond to `stop`, and to end after `quit`
POLL_SECONDS = 0.05  # between checks of the cancel event
MAX_LINE_BYTES = 1 << 16
MAX_QUEUED_LINES = 1000  # unread lines, after which the engine blocks


class BotTimeout(BotError):
    """A bot did not respond in time."""


class UgiProcess:
    """The process of an engine. Two threads read its stdout and stderr; it is killed with this process."""

    running_processes: ClassVar[set[UgiProcess]] = set()  # of this process, so that they can be killed with it

    def __init__(self, command: str) -> None:
        self.command = command
        self.output_lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_LINES)
        self.stderr_tail: deque[str] = deque(maxlen=1)
        self.process = start_process(command)
        self.running_processes.add(self)
        streams = ((self.process.stdout, self.output_lines.put), (self.process.stderr, self.record_stderr))
        self.reader_threads = [threading.Thread(target=read_lines, args=pair, daemon=True) for pair in streams]
        for reader in self.reader_threads:
            reader.start()

    def record_stderr(self, line: str | None) -> None:
        """Store the last line of stderr for error messages."""
        if line is not None:
            self.stderr_tail.append(line)

    def send(self, line: str) -> None:
        """Send a line. Raises BotError if the process has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self.exit_error() from None

    def wait_for(self, keyword: str, seconds: float, cancelled: threading.Event | None = None) -> list[str]:
        """Return all lines up to the first whose first word is `keyword`.

        When `cancelled` is set, sends `stop` and waits STOP_TIMEOUT_SECONDS longer. Raises BotTimeout if the line does
        not come within `seconds`, BotError if the process ends.
        """
        received: list[str] = []
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if cancelled is not None and cancelled.is_set():
                self.send("stop")
                return received + self.wait_for(keyword, STOP_TIMEOUT_SECONDS)
            line = self.poll_line(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
            received += [] if line is None else [line]
            if line is not None and line.split()[:1] == [keyword]:
                return received
        raise BotTimeout(f"{ellipsis(self.command)} did not send {keyword} within {seconds:g} s")

    def poll_line(self, seconds: float) -> str | None:
        """Return the next line, None if there is none within `seconds`. Raises BotError at end of file."""
        try:
            line = self.output_lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self.output_lines.put(None)  # for the next call
            raise self.exit_error()
        return line

    def exit_error(self) -> BotError:
        """Return an error with the exit code and the last line of stderr."""
        try:
            exit_code: int | None = self.process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            exit_code = None
        self.reader_threads[-1].join(STOP_TIMEOUT_SECONDS)  # stderr may still have unread lines
        ending = "closed its output" if exit_code is None else f"ended with exit code {exit_code}"
        last_stderr = f": {ellipsis(self.stderr_tail[-1])}" if self.stderr_tail else ""
        return BotError(f"{ellipsis(self.command)} {ending}{last_stderr}")

    def quit(self) -> None:
        """Send `quit`, wait STOP_TIMEOUT_SECONDS, then kill the process if it is still running."""
        with suppress(BotError, subprocess.TimeoutExpired):
            self.send("quit")
            self.process.wait(STOP_TIMEOUT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the process and its children; do nothing if that was done before."""
        if self not in self.running_processes:
            return
        kill_process_group(self.process)
        self.process.wait()
        with suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        while not self.output_lines.empty():  # unblocks a reader thread whose queue is full
            self.output_lines.get_nowait()
        self.running_processes.discard(self)


def start_process(command: str) -> subprocess.Popen[bytes]:
    """Start the engine in its own process group, so that Ctrl-C does not reach it. Raises BotError."""
    pipe = subprocess.PIPE
    try:
        if sys.platform == "win32":
            creation_flags = subprocess.CREATE_NEW_PROCESS_GROUP
            return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, creationflags=creation_flags)
        return subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except (OSError, IndexError, ValueError) as error:
        raise BotError(f"cannot start the engine {ellipsis(command)}: {error}") from None


def kill_process_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children; a process that has ended is ignored."""
    if sys.platform == "win32":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def read_lines(stream: IO[bytes], on_line: Callable[[str | None], object]) -> None:
    """Call `on_line` with every non-empty line of a stream, stripped, then with None at the end."""
    with stream:
        while line := stream.readline(MAX_LINE_BYTES):
            if text := line.decode(errors="replace").strip():
                on_line(text)
    on_line(None)


class UgiBot(Bot):
    """An external engine as a bot. `{spec}` in the command is replaced by the game's spec.

    After a timeout or an error the process is killed, and the bot must be made again.
    """

    def __init__(self, game: Game, command: str) -> None:
        self.game = game
        self.command = command.replace("{spec}", game.spec)
        self.budget = f"{DEFAULT_MOVE_SECONDS:g} s"
        self.moves_from_start: Sequence[str] = ()
        self.ugi_process = UgiProcess(self.command)
        self.name = self.handshake()

    def __reduce__(self) -> NoReturn:
        raise BotError(f"the engine {ellipsis(self.command)} cannot be copied or pickled: it is a process; make another bot")

    def handshake(self) -> str:
        """Send `ugi`, wait for `ugiok` and `readyok`; return the engine's name, the command if it has none."""
        try:
            self.ugi_process.send("ugi")
            names = [
                line[8:].strip()
                for line in self.ugi_process.wait_for("ugiok", START_TIMEOUT_SECONDS)
                if line.startswith("id name ")
            ]
            self.wait_until_ready()
        except BotError:
            self.ugi_process.kill()
            raise
        return names[0] if names else self.command

    def wait_until_ready(self) -> None:
        """Send `isready` and wait for `readyok`."""
        self.ugi_process.send("isready")
        self.ugi_process.wait_for("readyok", START_TIMEOUT_SECONDS)

    def new_game(self, seed: int) -> None:
        """Send `uginewgame`. The seed is ignored: UGI has no command for it."""
        self.moves_from_start = ()
        self.ugi_process.send("uginewgame")
        self.wait_until_ready()

    def set_moves(self, moves: Sequence[str]) -> None:
        """Set the moves from the start position to the next position, to be sent instead of its text."""
        self.moves_from_start = tuple(moves)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield one report when the engine has sent `bestmove`. Raises BotTimeout after limit + GRACE_SECONDS.

        Raises BotError if the limit names moves: most engines do not support it.
        """
        require_ongoing(position)
        assert position.seat is not None
        limit = limit or Limit()
        if limit.moves is not None:
            raise BotError(f"the engine {ellipsis(self.command)} cannot be restricted to some moves")
        started_at = time.monotonic()
        self.ugi_process.send(self.format_position_command(position))
        self.ugi_process.send(go_command(limit))
        try:
            output_lines = self.ugi_process.wait_for("bestmove", timeout_seconds(limit), limit.cancelled)
        except BotError:
            self.ugi_process.kill()
            raise
        value, visits = parse_info(output_lines)
        line = Line((parse_bestmove(output_lines[-1]),), visits, value, certainty="estimate")
        yield Report(position.seat, value, "estimate", visits, seconds=time.monotonic() - started_at, lines=(line,))

    def format_position_command(self, position: Position) -> str:
        """Return the `position` command: by moves if those of `set_moves` lead here, else by text."""
        start = self.game.start()
        replayed = start
        for move in self.moves_from_start:
            replayed = replayed.play(move)
        if replayed != position:
            return f"position fen {position}"
        return " ".join(["position startpos", *(["moves"] if self.moves_from_start else []), *self.moves_from_start])

    def close(self) -> None:
        """End the engine process; kill it if it does not quit in time."""
        self.ugi_process.quit()


def go_command(limit: Limit) -> str:
    """Return the `go` command of a limit."""
    tokens = ["go"]
    if limit.visits is not None:
        tokens += ["nodes", str(limit.visits)]
    if limit.seconds is not None or limit.visits is None:
        tokens += ["movetime", str(max(1, round(1000 * (limit.seconds or DEFAULT_MOVE_SECONDS))))]
    return " ".join(tokens)


def timeout_seconds(limit: Limit) -> float:
    """Return how long to wait for `bestmove`: the time limit, or its default, plus GRACE_SECONDS."""
    if limit.seconds is None:
        return (MAX_MOVE_SECONDS if limit.visits is not None else DEFAULT_MOVE_SECONDS) + GRACE_SECONDS
    return limit.seconds + GRACE_SECONDS


def parse_bestmove(line: str) -> str:
    """Return the move of a `bestmove` line, "" if it has none."""
    return [*line.split(), "", ""][1]


def parse_info(lines: Sequence[str]) -> tuple[float, int]:
    """Return value (expected score of the seat to move) and visits from the last info lines that have them.

    The value is read from `wdl` (wins, draws, losses), the visits from `nodes`; they default to 0.5 and 0.
    """
    value, visits = 0.5, 0
    for line in lines:
        if line.startswith("info ") and (match := re.search(r"\bwdl (\d{1,4}) (\d{1,4}) (\d{1,4})\b", line, re.ASCII)):
            wins, draws, losses = map(int, match.groups())
            value = (wins + draws / 2) / max(1, wins + draws + losses)
        if line.startswith("info ") and (match := re.search(r"\bnodes (\d{1,18})\b", line, re.ASCII)):
            visits = int(match[1])
    return value, visits
