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

from ..errors import ellipsis
from ..games.game import Game, Position
from .bot import Bot, BotError, Limit, Line, Report, refuse_finished

GRACE = 3.0  # seconds beyond its limit after which a bot is taken to hang
LONGEST_MOVE = 600.0  # seconds for a move that no time limits
USUAL_SECONDS = 1.0  # for a move when no limit is given
START_SECONDS = 120.0  # to answer `ugi` and `isready`; ours compiles kernels meanwhile
STOP_SECONDS = 1.0  # to answer `stop`, and to leave after `quit`
GLANCE = 0.05  # seconds between two looks at whether we are cancelled
LONGEST_LINE = 1 << 16
MOST_LINES = 1000  # that may wait to be read; then the engine waits


class Overtime(BotError):
    """A bot did not answer in its time."""


class Engine:
    """The process of an engine: lines go in, lines come out, and it does not outlive us."""

    running: ClassVar[set[Engine]] = set()  # all of this process, so that they can be ended with it

    def __init__(self, command: str) -> None:
        self.command = command
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self.complaints: deque[str] = deque(maxlen=1)
        self.process = started(command)
        self.running.add(self)
        reading = ((self.process.stdout, self.lines.put), (self.process.stderr, self.complain))
        self.readers = [threading.Thread(target=read_lines, args=pair, daemon=True) for pair in reading]
        for reader in self.readers:
            reader.start()

    def complain(self, line: str | None) -> None:
        """Remember the last line of the error stream, in case the engine ends."""
        if line is not None:
            self.complaints.append(line)

    def say(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self.gone() from None

    def hear(self, word: str, seconds: float, cancelled: threading.Event | None = None) -> list[str]:
        """All lines up to one that begins with a word; Overtime if it does not come, or not soon after `stop`."""
        heard: list[str] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if cancelled is not None and cancelled.is_set():
                self.say("stop")
                return heard + self.hear(word, STOP_SECONDS)
            line = self.next_line(min(GLANCE, max(0.0, until - time.monotonic())))
            heard += [] if line is None else [line]
            if line is not None and line.split()[:1] == [word]:
                return heard
        raise Overtime(f"{ellipsis(self.command)} did not say {word} within {seconds:g} s")

    def next_line(self, seconds: float) -> str | None:
        """The next line, if one comes soon."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self.lines.put(None)  # for whoever asks again
            raise self.gone()
        return line

    def gone(self) -> BotError:
        """Says how the process ended."""
        try:
            code: int | None = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        self.readers[-1].join(STOP_SECONDS)  # its last words may still be on the way
        ended = "closed its output" if code is None else f"ended with exit code {code}"
        last = f": {ellipsis(self.complaints[-1])}" if self.complaints else ""
        return BotError(f"{ellipsis(self.command)} {ended}{last}")

    def leave(self) -> None:
        """Ask the engine to end, and see to it."""
        with suppress(BotError, subprocess.TimeoutExpired):
            self.say("quit")
            self.process.wait(STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process and what it has started."""
        if self not in self.running:
            return
        kill_group(self.process)
        self.process.wait()
        with suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        while not self.lines.empty():  # a reader that waits for room shall end too
            self.lines.get_nowait()
        self.running.discard(self)


def started(command: str) -> subprocess.Popen[bytes]:
    """The process, in a group of its own: Ctrl-C is ours to handle."""
    pipe = subprocess.PIPE
    try:
        if sys.platform == "win32":
            group = subprocess.CREATE_NEW_PROCESS_GROUP
            return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, creationflags=group)
        return subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except (OSError, IndexError, ValueError) as error:
        raise BotError(f"cannot start the engine {ellipsis(command)}: {error}") from None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children; one that has ended already is fine."""
    if sys.platform == "win32":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def read_lines(stream: IO[bytes], keep: Callable[[str | None], object]) -> None:
    """Hand over every line of a stream as it comes, and None at the end."""
    with stream:
        while line := stream.readline(LONGEST_LINE):
            if text := line.decode(errors="replace").strip():
                keep(text)
    keep(None)


class ExternalBot(Bot):
    """An engine as a bot. `{spec}` in its command stands for the game's spec."""

    def __init__(self, game: Game, command: str) -> None:
        self.game = game
        self.command = command.replace("{spec}", game.spec)
        self.budget = f"{USUAL_SECONDS:g} s"
        self.played: Sequence[str] = ()
        self.engine = Engine(self.command)
        self.name = self.greeted()

    def greeted(self) -> str:
        """Say hello; what the engine calls itself."""
        try:
            self.engine.say("ugi")
            names = [line[8:].strip() for line in self.engine.hear("ugiok", START_SECONDS) if line.startswith("id name ")]
            self.wait_until_ready()
        except BotError:
            self.engine.kill()
            raise
        return names[0] if names else self.command

    def wait_until_ready(self) -> None:
        """Wait until everything said so far is done."""
        self.engine.say("isready")
        self.engine.hear("readyok", START_SECONDS)

    def new_game(self, seed: int) -> None:
        """UGI has no word for a seed: whether the same game comes again is the engine's affair."""
        self.played = ()
        self.engine.say("uginewgame")
        self.wait_until_ready()

    def follow(self, steps: Sequence[str]) -> None:
        """The steps from the start that led to the next position, which most engines understand better than its text."""
        self.played = tuple(steps)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report, when the engine has answered. An engine that does not, within GRACE, is killed."""
        refuse_finished(position)
        assert position.seat is not None
        limit = limit or Limit()
        began = time.monotonic()
        self.engine.say(self.described(position))
        self.engine.say(order(limit))
        try:
            heard = self.engine.hear("bestmove", patience(limit), limit.cancelled)
        except BotError:
            self.engine.kill()
            raise
        value, visits = estimate(heard)
        line = Line((best(heard[-1]),), visits, value, kind="estimate")
        yield Report(position.seat, value, "estimate", visits, seconds=time.monotonic() - began, lines=(line,))

    def described(self, position: Position) -> str:
        """The moves from the start, if we were told those that lead here, else the position's text."""
        start = self.game.start()
        reached = start
        for step in self.played:
            reached = reached.play(step)
        if reached != position:
            return f"position fen {position}"
        return " ".join(["position startpos", *(["moves"] if self.played else []), *self.played])

    def close(self) -> None:
        """End the engine."""
        self.engine.leave()


def order(limit: Limit) -> str:
    """How UGI says a limit."""
    words = ["go"]
    if limit.visits is not None:
        words += ["nodes", str(limit.visits)]
    if limit.seconds is not None or limit.visits is None:
        words += ["movetime", str(max(1, round(1000 * (limit.seconds or USUAL_SECONDS))))]
    return " ".join(words)


def patience(limit: Limit) -> float:
    """How long to wait for a move, all in all."""
    if limit.seconds is None:
        return (LONGEST_MOVE if limit.visits is not None else USUAL_SECONDS) + GRACE
    return limit.seconds + GRACE


def best(line: str) -> str:
    """The step that a bestmove line names, "" if none."""
    return [*line.split(), "", ""][1]


def estimate(heard: Sequence[str]) -> tuple[float, int]:
    """Value and visits of the last info lines that tell them: `wdl` in thousandths, `nodes`."""
    value, visits = 0.5, 0
    for line in heard:
        if line.startswith("info ") and (said := re.search(r"\bwdl (\d{1,4}) (\d{1,4}) (\d{1,4})\b", line, re.ASCII)):
            won, drawn, lost = map(int, said.groups())
            value = (won + drawn / 2) / max(1, won + drawn + lost)
        if line.startswith("info ") and (said := re.search(r"\bnodes (\d{1,18})\b", line, re.ASCII)):
            visits = int(said[1])
    return value, visits
