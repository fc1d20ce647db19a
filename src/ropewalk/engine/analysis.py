"""Analysis server: JSON queries on stdin, JSON responses on stdout, modelled on KataGo's analysis engine.

One thread reads queries into a priority queue (`query_queue.py`); worker threads search. Responses come in any order
and are matched by `id`. The protocol is described in `docs/engine.md`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from threading import Event, Thread
from typing import Any

from .. import __version__
from ..bots.bot import Bot, Line, Report
from ..bots.levels import bot
from ..errors import PositionError, SpecError
from ..games.game import Game
from ..games.position import Position
from ..games.registry import game as game_of
from ..text import ellipsis
from .protocol import ControlRequest, Query, QueryError, make_move_error, parse_fields, parse_id, parse_request
from .query_queue import QueryQueue
from .session import MoveSequenceError, make_warm_bot, parse_position, play_moves
from .stdio import MAX_LINE_BYTES, InputLine, LineWriter, start_reading

MAX_CACHED_BOTS = 4  # per worker; each has a search tree of its own
VALUE_DECIMALS = 4
POLL_SECONDS = 0.2  # between checks for KeyboardInterrupt
SWITCH_INTERVAL_SECONDS = 0.0005  # of the interpreter lock, so that reporting threads do not delay the reader
QUERY_SEED = 0  # of every query: equal queries get equal responses


class AnalysisServer:
    """Serves queries about `games` with bots of one level, `num_workers` searches at a time."""

    def __init__(self, games: Sequence[Game], level: int, num_workers: int, capacity: int, writer: LineWriter) -> None:
        self.games = {game.spec: game for game in games}
        self.level = level
        self.num_workers = num_workers
        self.worker_done_events: list[Event] = []  # one per worker thread, set at its end
        self.queue = QueryQueue(capacity)
        self.writer = writer

    def run(self) -> None:
        """Serve until the input ends and all queries are finished.

        On KeyboardInterrupt the open queries are cancelled and their partial results sent before it is raised again.
        Raises BrokenPipeError if the output was closed.
        """
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        self.writer.on_broken_pipe = self.stop
        start_reading(self.handle_line, self.queue.close)
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
            make_warm_bot(game, self.level).close()

    def start_workers(self) -> None:
        """Start the worker threads."""
        for _ in range(self.num_workers):
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
            raise QueryError("line-too-long", f"a line has at most {MAX_LINE_BYTES} bytes, this one is longer")
        return parse_fields(line.text)

    def handle_request(self, request: Query | ControlRequest) -> None:
        """Queue a query, or execute a control request at once."""
        if isinstance(request, Query):
            self.find_game(request)
            self.queue.add(request)
        elif request.action == "query_version":
            info = {"version": __version__, "specs": list(self.games), "level": self.level, "workers": self.num_workers}
            self.send(request.echo() | info)
        else:
            matching = self.queue.find(request.terminate_id)
            self.send(request.echo() | {"terminated": len(matching)})
            self.terminate(matching)

    def terminate(self, queries: Iterable[Query]) -> None:
        """Cancel queries; those not yet started are removed and get a response without result."""
        for query in self.queue.cancel(queries):
            self.send(no_result(query))

    def find_game(self, query: Query) -> Game:
        """Return the game of a query. Raises QueryError if the spec is missing, invalid or not served."""
        if query.spec is None and len(self.games) == 1:
            return next(iter(self.games.values()))
        served_specs = ", ".join(self.games)
        if query.spec is None:
            raise QueryError("bad-spec", f'a query needs a "spec", one of {served_specs}', "spec")
        try:
            spec = game_of(query.spec).spec
        except SpecError as error:
            raise QueryError("bad-spec", str(error), "spec") from None
        if spec not in self.games:
            raise QueryError("spec-not-served", f"{ellipsis(spec)} is not served here: {served_specs}", "spec")
        return self.games[spec]

    # Worker threads

    def run_worker(self, done: Event) -> None:
        """Worker thread: serve queries until the queue is closed and empty, then set `done`."""
        bots: dict[str, Bot] = {}
        for game in list(self.games.values())[:MAX_CACHED_BOTS]:  # in advance: making a bot cannot be cancelled
            self.get_bot(game, bots)
        while (query := self.queue.take()) is not None:
            try:
                response = self.analyse_query(query, bots)
            except Exception as error:  # every query must get a response
                response = error_to_json(query.id, error)
            self.queue.finish(query)
            self.send(response)
        for cached_bot in bots.values():
            cached_bot.close()
        done.set()

    def analyse_query(self, query: Query, bots: dict[str, Bot]) -> dict[str, Any]:
        """Search the position of a query and return the final response; sends reports meanwhile if required."""
        position = resolve_position(self.find_game(query), query)
        player = self.get_bot(position.game, bots)
        player.new_game(QUERY_SEED)
        last_report_at = time.monotonic()
        for report in player.analyse(position, query.limit()):
            if query.every is not None and time.monotonic() - last_report_at >= query.every:
                last_report_at = time.monotonic()
                self.send(report_to_json(query, position, report, is_during_search=True))
        return report_to_json(query, position, report, is_during_search=False)

    def get_bot(self, game: Game, bots: dict[str, Bot]) -> Bot:
        """Return a worker's bot for a game from its cache, an LRU cache of MAX_CACHED_BOTS bots. Updates `bots`."""
        cached_bot = bots.pop(game.spec, None) or bot(game, self.level)
        while len(bots) >= MAX_CACHED_BOTS:
            bots.pop(next(iter(bots))).close()
        bots[game.spec] = cached_bot
        return cached_bot

    def send(self, response: Mapping[str, Any]) -> None:
        """Write a response as one line."""
        self.writer.write_lines(json.dumps(response))


def try_parse_id(fields: Mapping[str, Any]) -> str | None:
    """Return the id of a query, None if it is missing or invalid."""
    try:
        return parse_id(fields)
    except QueryError:
        return None


def error_to_json(query_id: str | None, error: Exception) -> dict[str, Any]:
    """Return the error response of an exception; `query_id` is None if the query has no valid id."""
    if not isinstance(error, QueryError):
        error = QueryError("internal", f"{type(error).__name__}: {error}")
    details = {"field": error.field_name, "reason": error.reason}
    return {"id": query_id, "code": error.code, "error": str(error)} | {
        key: value for key, value in details.items() if value
    }


def resolve_position(game: Game, query: Query) -> Position:
    """Return the position of a query. Raises QueryError if it is invalid or the game is over."""
    try:
        position = play_moves([parse_position(game, query.position)], query.moves)[-1]
    except PositionError as error:
        raise QueryError("bad-position", str(error), "position") from None
    except MoveSequenceError as error:
        raise make_move_error(error) from None
    if position.outcome is not None:
        raise QueryError("game-over", f"the game is over: {position.outcome.words}")
    return position


def report_to_json(query: Query, position: Position, report: Report, *, is_during_search: bool) -> dict[str, Any]:
    """Return the response for a report; its values are those of the seat to move.

    A report without visits gives a response without result.
    """
    if report.visits == 0:
        return no_result(query)
    response = {
        "id": query.id,
        "isDuringSearch": is_during_search,
        "spec": position.game.spec,
        "seat": report.seat,
        "colour": position.colours[report.seat],
        "value": round(report.value, VALUE_DECIMALS),
        "certainty": report.certainty,
        "visits": report.visits,
        "seconds": round(report.seconds, VALUE_DECIMALS),
        "lines": [line_to_json(line) for line in report.lines[: query.lines]],
    }
    return response | ({"terminated": True} if query.cancelled.is_set() and not is_during_search else {})


def no_result(query: Query) -> dict[str, Any]:
    """Return the response of a query that was cancelled before a result."""
    return {"id": query.id, "isDuringSearch": False, "noResults": True, "terminated": True}


def line_to_json(line: Line) -> dict[str, Any]:
    """Return a line of a report as JSON data."""
    return {
        "move": line.moves[0],
        "value": round(line.value, VALUE_DECIMALS),
        "certainty": line.certainty,
        "visits": line.visits,
        "moves": list(line.moves),
    }
