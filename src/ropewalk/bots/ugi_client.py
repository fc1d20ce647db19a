"""Engines of others, as processes that speak UGI: UCI's form for any game, in lines over standard input and output.

We say `ugi`, `isready`, `uginewgame`, `position startpos moves ...` (or `position fen TEXT`), `go movetime MS` or
`go nodes N`, `stop` and `quit`; the engine says `id name ...`, `ugiok`, `readyok`, `info ...` and `bestmove STEP`.
Moves are steps, written as everywhere in Ropewalk.
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
from typing import IO, ClassVar

from ..games.game import Game, Position
from ..text import ellipsis
from .bot import Bot, BotError, Limit, Line, Report, require_ongoing

GRACE_SECONDS = 3.0  # seconds beyond its limit after which a bot is taken to hang
MAX_MOVE_SECONDS = 600.0  # seconds for a move that no time limits
DEFAULT_MOVE_SECONDS = 1.0  # for a move when no limit is given
START_TIMEOUT_SECONDS = 120.0  # to answer `ugi` and `isready`; ours compiles kernels meanwhile
STOP_TIMEOUT_SECONDS = 1.0  # to answer `stop`, and to leave after `quit`
POLL_SECONDS = 0.05  # seconds between two looks at whether we are cancelled
MAX_LINE_BYTES = 1 << 16
MAX_QUEUED_LINES = 1000  # that may wait to be read; then the engine waits


class BotTimeout(BotError):
    """A bot did not answer in its time."""


class UgiProcess:
    """The process of an engine: lines go in, lines come out, and it does not outlive us."""

    running_processes: ClassVar[set[UgiProcess]] = set()  # all of this process, so that they can be ended with it

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
        """Remember the last line of the error stream, in case the engine ends."""
        if line is not None:
            self.stderr_tail.append(line)

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self.exit_error() from None

    def wait_for(self, keyword: str, seconds: float, cancelled: threading.Event | None = None) -> list[str]:
        """All lines up to one that begins with a word; Overtime if it does not come, or not soon after `stop`."""
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
        raise BotTimeout(f"{ellipsis(self.command)} did not say {keyword} within {seconds:g} s")

    def poll_line(self, seconds: float) -> str | None:
        """The next line, if one comes soon."""
        try:
            line = self.output_lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self.output_lines.put(None)  # for whoever asks again
            raise self.exit_error()
        return line

    def exit_error(self) -> BotError:
        """Says how the process ended."""
        try:
            exit_code: int | None = self.process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            exit_code = None
        self.reader_threads[-1].join(STOP_TIMEOUT_SECONDS)  # its last words may still be on the way
        ending = "closed its output" if exit_code is None else f"ended with exit code {exit_code}"
        last_stderr = f": {ellipsis(self.stderr_tail[-1])}" if self.stderr_tail else ""
        return BotError(f"{ellipsis(self.command)} {ending}{last_stderr}")

    def quit(self) -> None:
        """Ask the engine to end, and see to it."""
        with suppress(BotError, subprocess.TimeoutExpired):
            self.send("quit")
            self.process.wait(STOP_TIMEOUT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process and what it has started."""
        if self not in self.running_processes:
            return
        kill_process_group(self.process)
        self.process.wait()
        with suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        while not self.output_lines.empty():  # a reader that waits for room shall end too
            self.output_lines.get_nowait()
        self.running_processes.discard(self)


def start_process(command: str) -> subprocess.Popen[bytes]:
    """The process, in a group of its own: Ctrl-C is ours to handle."""
    pipe = subprocess.PIPE
    try:
        if sys.platform == "win32":
            creation_flags = subprocess.CREATE_NEW_PROCESS_GROUP
            return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, creationflags=creation_flags)
        return subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except (OSError, IndexError, ValueError) as error:
        raise BotError(f"cannot start the engine {ellipsis(command)}: {error}") from None


def kill_process_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children; one that has ended already is fine."""
    if sys.platform == "win32":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def read_lines(stream: IO[bytes], on_line: Callable[[str | None], object]) -> None:
    """Hand over every line of a stream as it comes, and None at the end."""
    with stream:
        while line := stream.readline(MAX_LINE_BYTES):
            if text := line.decode(errors="replace").strip():
                on_line(text)
    on_line(None)


class UgiBot(Bot):
    """An engine as a bot. `{spec}` in its command stands for the game's spec."""

    def __init__(self, game: Game, command: str) -> None:
        self.game = game
        self.command = command.replace("{spec}", game.spec)
        self.budget = f"{DEFAULT_MOVE_SECONDS:g} s"
        self.moves_from_start: Sequence[str] = ()
        self.ugi_process = UgiProcess(self.command)
        self.name = self.handshake()

    def handshake(self) -> str:
        """Say hello; what the engine calls itself."""
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
        """Wait until everything said so far is done."""
        self.ugi_process.send("isready")
        self.ugi_process.wait_for("readyok", START_TIMEOUT_SECONDS)

    def new_game(self, seed: int) -> None:
        """UGI has no word for a seed: whether the same game comes again is the engine's affair."""
        self.moves_from_start = ()
        self.ugi_process.send("uginewgame")
        self.wait_until_ready()

    def set_moves(self, moves: Sequence[str]) -> None:
        """The steps from the start that led to the next position, which most engines understand better than its text."""
        self.moves_from_start = tuple(moves)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report, when the engine has answered. An engine that does not, within GRACE, is killed."""
        require_ongoing(position)
        assert position.seat is not None
        limit = limit or Limit()
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
        """The moves from the start, if we were told those that lead here, else the position's text."""
        start = self.game.start()
        replayed = start
        for move in self.moves_from_start:
            replayed = replayed.play(move)
        if replayed != position:
            return f"position fen {position}"
        return " ".join(["position startpos", *(["moves"] if self.moves_from_start else []), *self.moves_from_start])

    def close(self) -> None:
        """End the engine."""
        self.ugi_process.quit()


def go_command(limit: Limit) -> str:
    """How UGI says a limit."""
    tokens = ["go"]
    if limit.visits is not None:
        tokens += ["nodes", str(limit.visits)]
    if limit.seconds is not None or limit.visits is None:
        tokens += ["movetime", str(max(1, round(1000 * (limit.seconds or DEFAULT_MOVE_SECONDS))))]
    return " ".join(tokens)


def timeout_seconds(limit: Limit) -> float:
    """How long to wait for a move, all in all."""
    if limit.seconds is None:
        return (MAX_MOVE_SECONDS if limit.visits is not None else DEFAULT_MOVE_SECONDS) + GRACE_SECONDS
    return limit.seconds + GRACE_SECONDS


def parse_bestmove(line: str) -> str:
    """The step that a bestmove line names, "" if none."""
    return [*line.split(), "", ""][1]


def parse_info(lines: Sequence[str]) -> tuple[float, int]:
    """Value and visits of the last info lines that tell them: `wdl` in thousandths, `nodes`."""
    value, visits = 0.5, 0
    for line in lines:
        if line.startswith("info ") and (match := re.search(r"\bwdl (\d{1,4}) (\d{1,4}) (\d{1,4})\b", line, re.ASCII)):
            wins, draws, losses = map(int, match.groups())
            value = (wins + draws / 2) / max(1, wins + draws + losses)
        if line.startswith("info ") and (match := re.search(r"\bnodes (\d{1,18})\b", line, re.ASCII)):
            visits = int(match[1])
    return value, visits
