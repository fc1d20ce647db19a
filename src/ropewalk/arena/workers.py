"""The processes that play: a bot that hangs or takes its process down loses one game, and the arena goes on."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Any

from ..bots.bot import BotError
from ..bots.external import GRACE, LONGEST_MOVE
from .errors import ArenaError
from .playing import Fault, Result, Sitting
from .record import CRASH, OVERTIME, Identity
from .schedule import Fixture
from .worker import work

PARTING = 2.0  # seconds in which a worker may end by itself


class Worker:
    """One process, and what it is doing."""

    def __init__(self, spec: str, names: Sequence[str]) -> None:
        # A fresh interpreter: forks do not get along with threads, nor with files that are locked here.
        context = multiprocessing.get_context("spawn")
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=work, args=(other_end, spec, list(names)), daemon=True)
        self.process.start()
        other_end.close()
        self.fixture: Fixture | None = None
        self.wait_for(Sitting(patience=LONGEST_MOVE))

    def wait_for(self, sitting: Sitting) -> None:
        """Note what it is about to do, and when that will have taken too long; bots watch their own time first."""
        self.sitting = sitting
        self.deadline = time.monotonic() + sitting.patience + GRACE

    def identities(self) -> list[Identity]:
        """Who its bots are, once they are made."""
        try:
            said = self.pipe.recv() if self.pipe.poll(self.deadline - time.monotonic()) else None
        except EOFError:
            raise ArenaError(f"the bots could not be made: {self.ended()}") from None
        if said is None:
            raise ArenaError(f"the bots were not ready after {self.sitting.patience:g} s")
        if isinstance(said, Exception):
            raise said
        identities: list[Identity] = said
        return identities

    def begin(self, fixture: Fixture) -> None:
        """Have it play a game."""
        self.fixture = fixture
        self.wait_for(Sitting())
        self.pipe.send(fixture)

    def news(self) -> Result | None:
        """Read what it says; the result of its game, if that is over."""
        try:
            said = self.pipe.recv()
        except (EOFError, OSError):
            return Fault(self.sitting.seat, CRASH, self.ended()).result(self.sitting)
        if isinstance(said, Result):
            return said
        self.wait_for(said)
        return None

    def overtime(self) -> Result:
        """The result of a game in which a bot hangs."""
        words = f"still thinking after {self.sitting.patience:g} s"
        return Fault(self.sitting.seat, OVERTIME, words).result(self.sitting)

    def ended(self) -> str:
        """How the process ended."""
        self.process.join(PARTING)
        return f"its process ended with exit code {self.process.exitcode}"

    def close(self) -> None:
        """Let it go, by force if need be."""
        self.pipe.close()
        self.process.join(PARTING)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class Workers:
    """Some processes that share the games of a contest."""

    def __init__(self, spec: str, names: Sequence[str], count: int) -> None:
        self.spec, self.names, self.count = spec, names, count
        self.workers: list[Worker] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.pipe.close()  # all hear it before we wait for any
        for worker in self.workers:
            worker.close()

    def hire(self) -> list[Identity]:
        """Start one more; who its bots are."""
        worker = Worker(self.spec, self.names)
        self.workers.append(worker)
        return worker.identities()

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[tuple[Fixture, Result]]:
        """Play all games; results come as they are ready."""
        left = list(fixtures)[::-1]
        while left or self.busy():
            while len(self.workers) < min(self.count, len(left) + len(self.busy())):
                self.hire()  # one by one: what the first compiles, the others load
            for worker in self.workers:
                if worker.fixture is None and left:
                    worker.begin(left.pop())
            yield from self.finished()

    def busy(self) -> list[Worker]:
        """Those that play."""
        return [worker for worker in self.workers if worker.fixture is not None]

    def finished(self) -> Iterator[tuple[Fixture, Result]]:
        """Wait for news; the games that have ended, well or not."""
        busy = self.busy()
        patience = min(worker.deadline for worker in busy) - time.monotonic()
        speaking: list[Any] = wait([worker.pipe for worker in busy], max(0.0, patience))
        for worker in busy:
            fixture, result = worker.fixture, None
            if worker.pipe in speaking:
                result = worker.news()
            elif time.monotonic() > worker.deadline:
                result = worker.overtime()
            if result is not None and fixture is not None:
                self.release(worker, result)
                yield fixture, result

    def release(self, worker: Worker, result: Result) -> None:
        """Free a worker for another game; let one go that hangs or is gone already."""
        worker.fixture = None
        if result.sitting is worker.sitting:  # the result is not the worker's own
            self.workers.remove(worker)
            worker.close()


def refuse_changed(then: Sequence[Identity], now: Sequence[Identity]) -> None:
    """Bots that call themselves otherwise than before are not the same bots."""
    for before, after in zip(then, now, strict=True):
        if before != replace(after, net=after.net if before.net else ""):  # files of old name no nets
            raise BotError(
                f"{before.text} was {described(before)} in the results so far, now it is {described(after)}: "
                "choose another file"
            )


def described(bot: Identity) -> str:
    """Who a bot says it is."""
    return f"{bot.name!r} ({bot.budget}{f', net {bot.net[:8]}' if bot.net else ''})"
