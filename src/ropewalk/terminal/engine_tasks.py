"""Bots that think while the screen stays alive: each in a thread of its own, stopped when it is no longer wanted."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from textual.app import App

from ..bots.bot import Bot, Limit, Report
from ..errors import RopewalkError
from ..games.position import Position


class Thinker:
    """At most one thought at a time; a new one cancels the one before, whose answers are then not heard."""

    def __init__(self, app: App[None], name: str) -> None:
        self.app = app
        self.name = name
        self.cancelled = Event()
        self.busy = False

    def stop(self) -> None:
        """Let the thought go."""
        self.cancelled.set()
        self.busy = False

    def choose(self, player: Bot, position: Position, chosen: Callable[[str], None]) -> None:
        """Have a bot choose a step."""
        limit = self.begin()

        def think() -> None:
            step = player.choose(position, limit)
            self.tell(limit, chosen, step)

        self.app.run_worker(think, thread=True, group=self.name, exit_on_error=True)

    def analyse(
        self, make: Callable[[], Bot], position: Position, seconds: float | None, heard: Callable[[Report, bool], None]
    ) -> None:
        """Have a bot say what it thinks while it thinks, and whether that was its last word."""
        limit = self.begin(seconds)

        def think() -> None:
            player, report = make(), None
            try:
                for report in player.analyse(position, limit):
                    self.tell(limit, heard, report, False)
                if report is not None:
                    self.tell(limit, heard, report, True)
            except RopewalkError:
                pass
            finally:
                player.close()

        self.app.run_worker(think, thread=True, group=self.name, exit_on_error=True)

    def begin(self, seconds: float | None = None) -> Limit:
        """A limit that `stop` can cancel."""
        self.stop()
        self.cancelled, self.busy = Event(), True
        return Limit(seconds=seconds, cancelled=self.cancelled)

    def tell(self, limit: Limit, heard: Callable[..., None], *words: object) -> None:
        """Hand words over to the screen's own thread, unless nobody wants them any more."""
        if not limit.cancelled.is_set():
            self.app.call_from_thread(self.deliver, limit, heard, *words)

    def deliver(self, limit: Limit, heard: Callable[..., None], *words: object) -> None:
        """In the screen's thread, where nothing can come between the question and the answer."""
        if limit.cancelled is self.cancelled and not limit.cancelled.is_set():
            heard(*words)
