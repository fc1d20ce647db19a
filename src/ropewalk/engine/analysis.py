"""Analysis server: JSON queries on stdin, JSON responses on stdout, modelled on KataGo's analysis engine.

One thread reads queries into a priority queue (`query_queue.py`); worker threads search. Responses come in any order
and are matched by `id`. The protocol is described in `docs/engine.md`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

from .. import __version__
from ..errors import SpecError
from ..games.game import Game
from ..games.registry import game as game_of
from ..text import ellipsis
from .heartbeat import Heartbeat
from .protocol import ControlRequest, Query, QueryError, parse_fields, parse_id, parse_request
from .query_executor import QueryExecutor, error_to_json, no_result
from .query_queue import QueryQueue
from .session import make_warm_bot
from .stdio import MAX_LINE_BYTES, InputLine, LineWriter, start_reading

MAX_CACHED_BOTS = 4  # per worker; each has a search tree of its own
POLL_SECONDS = 0.2  # between checks for KeyboardInterrupt
SWITCH_INTERVAL_SECONDS = 0.0005  # of the interpreter lock, so that reporting threads do not delay the reader


@dataclass(frozen=True)
class AnalysisSettings:
    """Settings of an analysis server."""

    games: tuple[Game, ...]  # those that are served; none for all games
    level: int  # of queries that name none
    num_workers: int  # searches at a time
    queue_capacity: int
    max_cached_bots: int = MAX_CACHED_BOTS  # per worker
    cancels_at_end: bool = False  # whether the end of the input cancels the open queries


class AnalysisServer:
    """Serves queries on standard input with worker threads, each with bots of its own."""

    def __init__(self, settings: AnalysisSettings, writer: LineWriter, heartbeat: Heartbeat | None = None) -> None:
        self.settings = settings
        self.heartbeat = heartbeat  # it watches the search of a single worker thread
        self.games = {game.spec: game for game in settings.games}
        self.worker_done_events: list[Event] = []  # one per worker thread, set at its end
        self.queue = QueryQueue(settings.queue_capacity)
        self.writer = writer

    def run(self) -> None:
        """Serve until the input ends and all queries are finished or cancelled.

        On KeyboardInterrupt the open queries are cancelled and their partial results sent before it is raised again.
        Raises BrokenPipeError if the output was closed.
        """
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        self.writer.on_broken_pipe = self.stop
        start_reading(self.handle_line, self.stop if self.settings.cancels_at_end else self.queue.close)
        try:
            self.compile_kernels()
            self.start_workers()
            self.wait_for_workers()
        except KeyboardInterrupt:
            self.stop()
            self.wait_for_workers()
            raise
        self.writer.raise_if_broken()

    def compile_kernels(self) -> None:
        """Compile the kernels of all games before worker threads need them concurrently."""
        for game in self.games.values():
            make_warm_bot(game, self.settings.level).close()

    def start_workers(self) -> None:
        """Start the worker threads."""
        for _ in range(self.settings.num_workers):
            done = Event()
            Thread(target=self.run_worker, args=(done,), daemon=True).start()
            self.worker_done_events.append(done)

    def wait_for_workers(self) -> None:
        """Wait until all worker threads are finished."""
        for done in self.worker_done_events:  # not `join`: after an interrupt Python considers the thread ended
            while not done.wait(POLL_SECONDS):
                pass

    def stop(self) -> None:
        """Reject further queries and cancel the open ones."""
        self.queue.close()
        self.terminate(self.queue.find())

    # Reader thread

    def handle_line(self, line: InputLine) -> None:
        """Handle an input line; any exception becomes an error response. Empty lines are ignored."""
        fields: Mapping[str, Any] = {}
        try:
            if line.text:
                fields = self.parse_line(line)
                self.handle_request(parse_request(fields))
        except Exception as error:  # the next line must be read
            self.send(error_to_json(try_parse_id(fields), error))

    def parse_line(self, line: InputLine) -> Mapping[str, Any]:
        """Return the fields of a line. Raises QueryError if it is too long or not a JSON object."""
        if not line.is_complete:
            raise QueryError("line-too-long", f"the line is too long: at most {MAX_LINE_BYTES} bytes are allowed")
        return parse_fields(line.text)

    def handle_request(self, request: Query | ControlRequest) -> None:
        """Queue a query, or execute a control request at once."""
        if isinstance(request, Query):
            check_level(self.find_game(request), request)
            self.queue.add(request)
        elif request.action == "query_version":
            self.send(request.echo() | self.describe())
        else:
            matching = self.queue.find(request.terminate_id)
            self.send(request.echo() | {"terminated": len(matching)})
            self.terminate(matching)

    def terminate(self, queries: Iterable[Query]) -> None:
        """Cancel queries; those not yet started are removed and get a response without result."""
        for query in self.queue.cancel(queries):
            self.send(no_result(query))

    def describe(self) -> dict[str, Any]:
        """Return the version and the settings that a client can ask for; `specs` is null if all games are served."""
        return {
            "version": __version__,
            "specs": list(self.games) or None,
            "level": self.settings.level,
            "workers": self.settings.num_workers,
        }

    def find_game(self, query: Query) -> Game:
        """Return the game of a query. Raises QueryError if the spec is missing, invalid or not served."""
        if query.spec is None and len(self.games) == 1:
            return next(iter(self.games.values()))
        served_specs = ", ".join(self.games)
        if query.spec is None:
            hint = f", one of {served_specs}" if self.games else ""
            raise QueryError("bad-spec", f'missing field "spec"{hint}', "spec")
        try:
            game = game_of(query.spec)
        except SpecError as error:
            raise QueryError("bad-spec", str(error), "spec") from None
        if self.games and game.spec not in self.games:
            raise QueryError(
                "spec-not-served", f"{ellipsis(game.spec)} is not served; the served games are {served_specs}", "spec"
            )
        return self.games.get(game.spec, game)

    # Worker threads

    def run_worker(self, done: Event) -> None:
        """Worker thread: serve queries until the queue is closed and empty, then set `done`."""
        settings = self.settings
        executor = QueryExecutor(self.find_game, settings.level, settings.max_cached_bots, self.send)
        for game in list(self.games.values())[: settings.max_cached_bots]:  # in advance: making a bot cannot be cancelled
            executor.get_bot(game, settings.level)
        while (query := self.queue.take()) is not None:
            self.watch(query)
            response = executor.execute(query)
            self.watch(None)
            self.queue.finish(query)
            self.send(response)
        executor.close()
        done.set()

    def watch(self, query: Query | None) -> None:
        """Let the heartbeat watch the search of a query, or none."""
        if self.heartbeat is not None:
            self.heartbeat.query = query

    def send(self, response: Mapping[str, Any]) -> None:
        """Write a response as one line."""
        self.writer.write_lines(json.dumps(response))


def try_parse_id(fields: Mapping[str, Any]) -> str | None:
    """Return the id of a query, None if it is missing or invalid."""
    try:
        return parse_id(fields)
    except QueryError:
        return None


def check_level(game: Game, query: Query) -> None:
    """Raise QueryError if the game of a query has no such level."""
    num_levels = len(game.definition.bots.levels)
    if query.level is not None and query.level > num_levels:
        raise QueryError("bad-field", f"invalid level {query.level}; {game.name} has levels 1 to {num_levels}", "level")
