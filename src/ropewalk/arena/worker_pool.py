"""The processes that play: a bot that hangs or takes its process down loses one game, and the arena goes on."""
# MERGED DOCSTRING: """A process that plays games: tasks come in over a pipe, results go out, and every move is announced."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from ..bots.bot import BotError
from ..bots.bot_spec import parse_bot_spec
from ..bots.ugi_client import GRACE_SECONDS, MAX_MOVE_SECONDS, UgiProcess
from ..errors import ArenaError, RopewalkError
from ..games.registry import game as game_of
from ..jit.compile_progress import show_compile_progress
from ..rules.generic import inspect_row, step
from .game_record import CRASH, OVERTIME, BotIdentity
from .match import ArenaPlayer, BotFault, GameProgress, GameResult, play_game
from .schedule import GameTask

EXIT_TIMEOUT_SECONDS = 2.0  # seconds in which a worker may end by itself


class ArenaWorker:
    """One process, and what it is doing."""

    def __init__(self, spec: str, names: Sequence[str]) -> None:
        # A fresh interpreter: forks do not get along with threads, nor with files that are locked here.
        context = multiprocessing.get_context("spawn")
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=worker_main, args=(other_end, spec, list(names)), daemon=True)
        self.process.start()
        other_end.close()
        self.task: GameTask | None = None
        self.set_progress(GameProgress(timeout_seconds=MAX_MOVE_SECONDS))

    def set_progress(self, progress: GameProgress) -> None:
        """Note what it is about to do, and when that will have taken too long; bots watch their own time first."""
        self.progress = progress
        self.deadline = time.monotonic() + progress.timeout_seconds + GRACE_SECONDS

    def receive_identities(self) -> list[BotIdentity]:
        """Who its bots are, once they are made."""
        try:
            message = self.pipe.recv() if self.pipe.poll(self.deadline - time.monotonic()) else None
        except EOFError:
            raise ArenaError(f"the bots could not be made: {self.describe_exit()}") from None
        if message is None:
            raise ArenaError(f"the bots were not ready after {self.progress.timeout_seconds:g} s")
        if isinstance(message, Exception):
            raise message
        identities: list[BotIdentity] = message
        return identities

    def start_game(self, task: GameTask) -> None:
        """Have it play a game."""
        self.task = task
        self.set_progress(GameProgress())
        self.pipe.send(task)

    def receive(self) -> GameResult | None:
        """Read what it says; the result of its game, if that is over."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            return BotFault(self.progress.seat, CRASH, self.describe_exit()).make_result(self.progress)
        if isinstance(message, GameResult):
            return message
        self.set_progress(message)
        return None

    def make_timeout_result(self) -> GameResult:
        """The result of a game in which a bot hangs."""
        message = f"still thinking after {self.progress.timeout_seconds:g} s"
        return BotFault(self.progress.seat, OVERTIME, message).make_result(self.progress)

    def describe_exit(self) -> str:
        """How the process ended."""
        self.process.join(EXIT_TIMEOUT_SECONDS)
        return f"its process ended with exit code {self.process.exitcode}"

    def close(self) -> None:
        """Let it go, by force if need be."""
        self.pipe.close()
        self.process.join(EXIT_TIMEOUT_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class ArenaWorkerPool:
    """Some processes that share the games of a contest."""

    def __init__(self, spec: str, names: Sequence[str], num_workers: int) -> None:
        self.spec, self.names, self.num_workers = spec, names, num_workers
        self.workers: list[ArenaWorker] = []

    def __enter__(self) -> ArenaWorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.pipe.close()  # all hear it before we wait for any
        for worker in self.workers:
            worker.close()

    def start_worker(self) -> list[BotIdentity]:
        """Start one more; who its bots are."""
        worker = ArenaWorker(self.spec, self.names)
        self.workers.append(worker)
        return worker.receive_identities()

    def play_games(self, tasks: Iterable[GameTask]) -> Iterator[tuple[GameTask, GameResult]]:
        """Play all games; results come as they are ready."""
        remaining = list(tasks)[::-1]
        while remaining or self.busy_workers():
            while len(self.workers) < min(self.num_workers, len(remaining) + len(self.busy_workers())):
                self.start_worker()  # one by one: what the first compiles, the others load
            for worker in self.workers:
                if worker.task is None and remaining:
                    worker.start_game(remaining.pop())
            yield from self.collect_results()

    def busy_workers(self) -> list[ArenaWorker]:
        """Those that play."""
        return [worker for worker in self.workers if worker.task is not None]

    def collect_results(self) -> Iterator[tuple[GameTask, GameResult]]:
        """Wait for news; the games that have ended, well or not."""
        busy = self.busy_workers()
        timeout_seconds = min(worker.deadline for worker in busy) - time.monotonic()
        ready_pipes: list[Any] = wait([worker.pipe for worker in busy], max(0.0, timeout_seconds))
        for worker in busy:
            task, result = worker.task, None
            if worker.pipe in ready_pipes:
                result = worker.receive()
            elif time.monotonic() > worker.deadline:
                result = worker.make_timeout_result()
            if result is not None and task is not None:
                self.release(worker, result)
                yield task, result

    def release(self, worker: ArenaWorker, result: GameResult) -> None:
        """Free a worker for another game; let one go that hangs or is gone already."""
        worker.task = None
        if result.progress is worker.progress:  # the result is not the worker's own
            self.workers.remove(worker)
            worker.close()


def require_unchanged_bots(stored: Sequence[BotIdentity], current: Sequence[BotIdentity]) -> None:
    """Bots that call themselves otherwise than before are not the same bots."""
    for old, new in zip(stored, current, strict=True):
        if old != replace(new, net=new.net if old.net else ""):  # files of old name no nets
            raise BotError(
                f"{old.text} was {describe_bot(old)} in the results so far, now it is {describe_bot(new)}: "
                "choose another file"
            )


def describe_bot(bot: BotIdentity) -> str:
    """Who a bot says it is."""
    return f"{bot.name!r} ({bot.budget}{f', net {bot.net[:8]}' if bot.net else ''})"


def worker_main(pipe: Connection, spec: str, names: Sequence[str]) -> None:
    """Make the bots, say who they are, then play what comes until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    tasks: queue.SimpleQueue[GameTask] = queue.SimpleQueue()
    threading.Thread(target=receive_tasks, args=(pipe, tasks), daemon=True).start()
    try:
        players = make_players(spec, names)
        pipe.send([player.make_identity() for player in players])
    except RopewalkError as error:
        pipe.send(error)
        return
    while True:
        task = tasks.get()
        first, second = task.seats
        pipe.send(play_game(task, (players[first], players[second]), pipe.send))


def make_players(spec: str, names: Sequence[str]) -> list[ArenaPlayer]:
    """The players, their kernels compiled."""
    game = game_of(spec)
    players = [ArenaPlayer(game, parse_bot_spec(name)) for name in names]
    with show_compile_progress(game, inspect_row, step):
        for player in players:
            player.ensure_bot()
    return players


def receive_tasks(pipe: Connection, tasks: queue.SimpleQueue[GameTask]) -> None:
    """Take tasks in; when the pipe closes, nobody waits for us any more: end at once, and the engines with us."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        for ugi_process in list(UgiProcess.running_processes):
            ugi_process.kill()
        os._exit(0)
