"""Searches of bots in threads, cancelled when their results are no longer needed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from textual.app import App

from ..bots.bot import Bot, Limit, Report
from ..errors import RopewalkError
from ..games.position import Position


class EngineTask:
    """A search in a thread, at most one at a time: a new one cancels the one before, whose results are dropped."""

    def __init__(self, app: App[None], name: str) -> None:
        self.app = app
        self.name = name
        self.cancelled = Event()
        self.is_running = False

    def cancel(self) -> None:
        """Cancel the search, if one runs."""
        self.cancelled.set()
        self.is_running = False

    def choose(self, player: Bot, position: Position, on_move: Callable[[str], None]) -> None:
        """Start to choose a step; `on_move` is called with it in the thread of the app."""
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
        """Start an analysis by a bot that is made in the thread.

        `on_report` is called in the thread of the app with each report and whether it is the last one.
        """
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
        """Cancel the current search and return the limit of a new one, which `cancel` cancels."""
        self.cancel()
        self.cancelled, self.is_running = Event(), True
        return Limit(seconds=seconds, cancelled=self.cancelled)

    def post(self, limit: Limit, callback: Callable[..., None], *arguments: object) -> None:
        """Have the thread of the app deliver a result, unless the search was cancelled."""
        if not limit.cancelled.is_set():
            self.app.call_from_thread(self.deliver, limit, callback, *arguments)

    def deliver(self, limit: Limit, callback: Callable[..., None], *arguments: object) -> None:
        """Call back with a result, in the thread of the app, unless the search was cancelled meanwhile."""
        if limit.cancelled is self.cancelled and not limit.cancelled.is_set():
            callback(*arguments)
