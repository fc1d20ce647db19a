"""Worker processes that play the games of a tournament.

A worker receives tasks over a pipe and sends a GameProgress before each call of a bot and a GameResult at the end of
each game. Workers are separate processes so that a bot that blocks or ends its process loses one game and nothing else:
the pool enforces the deadlines and replaces the worker.
"""

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

EXIT_TIMEOUT_SECONDS = 2.0  # for a worker to end by itself


class ArenaWorker:
    """A worker process, its current task, and the deadline of the bot that is running."""

    def __init__(self, spec: str, names: Sequence[str]) -> None:
        # A new interpreter: a fork would copy running threads and the lock of the results file.
        context = multiprocessing.get_context("spawn")
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=worker_main, args=(other_end, spec, list(names)), daemon=True)
        self.process.start()
        other_end.close()
        self.task: GameTask | None = None
        self.set_progress(GameProgress(timeout_seconds=MAX_MOVE_SECONDS))

    def set_progress(self, progress: GameProgress) -> None:
        """Store the progress and set the deadline GRACE_SECONDS after the bot's own timeout."""
        self.progress = progress
        self.deadline = time.monotonic() + progress.timeout_seconds + GRACE_SECONDS

    def receive_identities(self) -> list[BotIdentity]:
        """Wait until the bots are made and return their identities. Raises ArenaError or the error of a bot."""
        try:
            message = self.pipe.recv() if self.pipe.poll(self.deadline - time.monotonic()) else None
        except EOFError:
            raise ArenaError(f"the bots could not be started: {self.describe_exit()}") from None
        if message is None:
            raise ArenaError(f"the bots were not ready after {self.progress.timeout_seconds:g} s")
        if isinstance(message, Exception):
            raise message
        identities: list[BotIdentity] = message
        return identities

    def start_game(self, task: GameTask) -> None:
        """Send a task to the process."""
        self.task = task
        self.set_progress(GameProgress())
        self.pipe.send(task)

    def receive(self) -> GameResult | None:
        """Read one message. Return the result if the game is over or the process has ended, else None."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            return BotFault(self.progress.seat, CRASH, self.describe_exit()).make_result(self.progress)
        if isinstance(message, GameResult):
            return message
        self.set_progress(message)
        return None

    def make_timeout_result(self) -> GameResult:
        """Return the result of the current game, lost by the running bot on time."""
        message = f"still thinking after {self.progress.timeout_seconds:g} s"
        return BotFault(self.progress.seat, OVERTIME, message).make_result(self.progress)

    def describe_exit(self) -> str:
        """Wait for the process to end and return a message with its exit code."""
        self.process.join(EXIT_TIMEOUT_SECONDS)
        return f"its process ended with exit code {self.process.exitcode}"

    def close(self) -> None:
        """Close the pipe, which ends the process; kill it after EXIT_TIMEOUT_SECONDS."""
        self.pipe.close()
        self.process.join(EXIT_TIMEOUT_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class ArenaWorkerPool:
    """Up to `num_workers` processes that share the games of a tournament; a context manager that ends them."""

    def __init__(self, spec: str, names: Sequence[str], num_workers: int) -> None:
        self.spec, self.names, self.num_workers = spec, names, num_workers
        self.workers: list[ArenaWorker] = []

    def __enter__(self) -> ArenaWorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.pipe.close()  # close all pipes before waiting for any process
        for worker in self.workers:
            worker.close()

    def start_worker(self) -> list[BotIdentity]:
        """Start a worker, wait until its bots are made, and return their identities."""
        worker = ArenaWorker(self.spec, self.names)
        self.workers.append(worker)
        return worker.receive_identities()

    def play_games(self, tasks: Iterable[GameTask]) -> Iterator[tuple[GameTask, GameResult]]:
        """Play all tasks and yield each with its result, in order of completion."""
        remaining = list(tasks)[::-1]
        while remaining or self.busy_workers():
            while len(self.workers) < min(self.num_workers, len(remaining) + len(self.busy_workers())):
                self.start_worker()  # one by one: the first compiles kernels, the others load them
            for worker in self.workers:
                if worker.task is None and remaining:
                    worker.start_game(remaining.pop())
            yield from self.collect_results()

    def busy_workers(self) -> list[ArenaWorker]:
        """Return the workers that are playing a game."""
        return [worker for worker in self.workers if worker.task is not None]

    def collect_results(self) -> Iterator[tuple[GameTask, GameResult]]:
        """Wait for a message or a deadline; yield the games that ended, faults included."""
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
        """Mark a worker as free; remove it from the pool if it has ended or is blocked."""
        worker.task = None
        if result.progress is worker.progress:  # made here, because the worker has ended or is blocked
            self.workers.remove(worker)
            worker.close()


def require_unchanged_bots(stored: Sequence[BotIdentity], current: Sequence[BotIdentity]) -> None:
    """Raise BotError if a bot is not the one in the results file."""
    for old, new in zip(stored, current, strict=True):
        if old != replace(new, net=new.net if old.net else ""):  # older files have no net
            raise BotError(
                f"bot {old.text} has changed: {describe_bot(old)} in the results file, {describe_bot(new)} now; "
                "use another results file"
            )


def describe_bot(bot: BotIdentity) -> str:
    """Return name, budget and net hash of a bot for a message."""
    return f"{bot.name!r} ({bot.budget}{f', net {bot.net[:8]}' if bot.net else ''})"


def worker_main(pipe: Connection, spec: str, names: Sequence[str]) -> None:
    """Entry point of a worker: make the bots, send their identities, then play tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process
    tasks: queue.SimpleQueue[GameTask] = queue.SimpleQueue()
    threading.Thread(target=receive_tasks, args=(pipe, tasks), daemon=True).start()
    try:
        players = make_players(spec, names)
        pipe.send([player.make_identity() for player in players])
    except RopewalkError as error:
        pipe.send(error)
        return
    except Exception as error:  # of a bot's own code; it may not be picklable
        pipe.send(ArenaError(f"the bots could not be started: {type(error).__name__}: {error}"))
        return
    while True:
        task = tasks.get()
        first, second = task.seats
        pipe.send(play_game(task, (players[first], players[second]), pipe.send))


def make_players(spec: str, names: Sequence[str]) -> list[ArenaPlayer]:
    """Make the bots in the order of `names` and compile their kernels, with a progress bar."""
    game = game_of(spec)
    players = [ArenaPlayer(game, parse_bot_spec(name)) for name in names]
    with show_compile_progress(game.name, game.rules, inspect_row, step):
        for player in players:
            player.ensure_bot()
    return players


def receive_tasks(pipe: Connection, tasks: queue.SimpleQueue[GameTask]) -> None:
    """Queue incoming tasks; when the pipe closes, kill the UGI engines and end this process."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        for ugi_process in list(UgiProcess.running_processes):
            ugi_process.kill()
        os._exit(0)
