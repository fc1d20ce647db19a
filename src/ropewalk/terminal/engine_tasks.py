"""Bots that think while the screen stays alive: each in a thread of its own, stopped when it is no longer wanted."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from textual.app import App

from ..bots.bot import Bot, Limit, Report
from ..errors import RopewalkError
from ..games.position import Position


class EngineTask:
    """At most one thought at a time; a new one cancels the one before, whose answers are then not heard."""

    def __init__(self, app: App[None], name: str) -> None:
        self.app = app
        self.name = name
        self.cancelled = Event()
        self.is_running = False

    def cancel(self) -> None:
        """Let the thought go."""
        self.cancelled.set()
        self.is_running = False

    def choose(self, player: Bot, position: Position, on_move: Callable[[str], None]) -> None:
        """Have a bot choose a step."""
        limit = self.start()

        def think() -> None:
            step = player.choose(position, limit)
            self.post(limit, on_move, step)

        self.app.run_worker(think, thread=True, group=self.name, exit_on_error=True)

    def analyse(
        self,
        make_bot: Callable[[], Bot],
        position: Position,
        seconds: float | None,
        on_report: Callable[[Report, bool], None],
    ) -> None:
        """Have a bot say what it thinks while it thinks, and whether that was its last word."""
        limit = self.start(seconds)

        def think() -> None:
            player, report = make_bot(), None
            try:
                for report in player.analyse(position, limit):
                    self.post(limit, on_report, report, False)
                if report is not None:
                    self.post(limit, on_report, report, True)
            except RopewalkError:
                pass
            finally:
                player.close()

        self.app.run_worker(think, thread=True, group=self.name, exit_on_error=True)

    def start(self, seconds: float | None = None) -> Limit:
        """A limit that `stop` can cancel."""
        self.cancel()
        self.cancelled, self.is_running = Event(), True
        return Limit(seconds=seconds, cancelled=self.cancelled)

    def post(self, limit: Limit, callback: Callable[..., None], *arguments: object) -> None:
        """Hand words over to the screen's own thread, unless nobody wants them any more."""
        if not limit.cancelled.is_set():
            self.app.call_from_thread(self.deliver, limit, callback, *arguments)

    def deliver(self, limit: Limit, callback: Callable[..., None], *arguments: object) -> None:
        """In the screen's thread, where nothing can come between the question and the answer."""
        if limit.cancelled is self.cancelled and not limit.cancelled.is_set():
            callback(*arguments)
