"""Analysis of many positions at once, in lines of JSON, in the manner of KataGo's; `docs/engine.md` is its manual."""

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
from ..games.game import Game, Position
from ..games.registry import game as game_of
from ..text import ellipsis
from .analysis_queries import ControlRequest, Query, QueryError, make_move_error, parse_fields, parse_id, parse_request
from .query_queue import QueryQueue
from .session import MoveSequenceError, make_warm_bot, parse_position, play_moves
from .stdio import MAX_LINE_BYTES, InputLine, LineWriter, start_reading

MAX_CACHED_BOTS = 4  # of a worker: each has memory of its own
VALUE_DECIMALS = 4  # of a value
POLL_SECONDS = 0.2  # seconds between two looks at whether somebody has interrupted us
SWITCH_INTERVAL_SECONDS = (
    0.0005  # seconds that a thread may keep others from Python: who listens must not wait for who reports
)
QUERY_SEED = 0  # of every query, so that the same question gets the same answer


class AnalysisServer:
    """Hears queries in one thread, answers them in others."""

    def __init__(self, games: Sequence[Game], level: int, num_workers: int, capacity: int, writer: LineWriter) -> None:
        self.games = {game.spec: game for game in games}
        self.level = level
        self.num_workers = num_workers
        self.worker_done_events: list[Event] = []  # of the workers that are at work
        self.queue = QueryQueue(capacity)
        self.writer = writer

    def run(self) -> None:
        """Answer until the input ends and nothing is left; whoever interrupts us gets what is known so far."""
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
        """Compile what the games need, before many threads want it at once."""
        for game in self.games.values():
            make_warm_bot(game, self.level).close()

    def start_workers(self) -> None:
        """Set the workers to work."""
        for _ in range(self.num_workers):
            done = Event()
            Thread(target=self.run_worker, args=(done,), daemon=True).start()
            self.worker_done_events.append(done)

    def wait_for_workers(self) -> None:
        """Wait until all work is done."""
        for done in self.worker_done_events:  # not by `join`: when that is interrupted, Python takes the thread for dead
            while not done.wait(POLL_SECONDS):
                pass

    def stop(self) -> None:
        """Answer everything now, and take nothing more."""
        self.queue.close()
        self.terminate(self.queue.find())

    # What the listening thread does

    def handle_line(self, line: InputLine) -> None:
        """Take a line in."""
        fields: Mapping[str, Any] = {}
        try:
            if line.text:
                fields = self.parse_line(line)
                self.handle_request(parse_request(fields))
        except Exception as error:  # whatever is said, the next line is heard
            self.send(error_to_json(try_parse_id(fields), error))

    def parse_line(self, line: InputLine) -> Mapping[str, Any]:
        """The fields of a line that is not too long."""
        if not line.is_complete:
            raise QueryError("line-too-long", f"a line has at most {MAX_LINE_BYTES} bytes, this one is longer")
        return parse_fields(line.text)

    def handle_request(self, request: Query | ControlRequest) -> None:
        """Hand a query in, or act."""
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
        """Have some queries answered now."""
        for query in self.queue.cancel(queries):
            self.send(no_result(query))

    def find_game(self, query: Query) -> Game:
        """The game that a query is about."""
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

    # What the workers do

    def run_worker(self, done: Event) -> None:
        """Answer one query after another."""
        bots: dict[str, Bot] = {}
        for game in list(self.games.values())[:MAX_CACHED_BOTS]:  # now: a bot that is still being made cannot be stopped
            self.get_bot(game, bots)
        while (query := self.queue.take()) is not None:
            try:
                response = self.analyse_query(query, bots)
            except Exception as error:  # a fault of ours shall not leave others without an answer
                response = error_to_json(query.id, error)
            self.queue.finish(query)
            self.send(response)
        for cached_bot in bots.values():
            cached_bot.close()
        done.set()

    def analyse_query(self, query: Query, bots: dict[str, Bot]) -> dict[str, Any]:
        """Think about a query, and say so meanwhile if that is wanted."""
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
        """A worker's bot for a game; those used longest ago make room."""
        cached_bot = bots.pop(game.spec, None) or bot(game, self.level)
        while len(bots) >= MAX_CACHED_BOTS:
            bots.pop(next(iter(bots))).close()
        bots[game.spec] = cached_bot
        return cached_bot

    def send(self, response: Mapping[str, Any]) -> None:
        """One line."""
        self.writer.write_lines(json.dumps(response))


def try_parse_id(fields: Mapping[str, Any]) -> str | None:
    """The id of a query that may be wrong in every way."""
    try:
        return parse_id(fields)
    except QueryError:
        return None


def error_to_json(query_id: str | None, error: Exception) -> dict[str, Any]:
    """A refusal as an answer."""
    if not isinstance(error, QueryError):
        error = QueryError("internal", f"{type(error).__name__}: {error}")
    details = {"field": error.field_name, "reason": error.reason}
    return {"id": query_id, "code": error.code, "error": str(error)} | {
        key: value for key, value in details.items() if value
    }


def resolve_position(game: Game, query: Query) -> Position:
    """The position that a query is about; one in which there is something to think about."""
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
    """A report as an answer; its values are those of the seat to move."""
    if report.visits == 0:
        return no_result(query)
    response = {
        "id": query.id,
        "isDuringSearch": is_during_search,
        "spec": position.game.spec,
        "seat": report.seat,
        "colour": position.colours[report.seat],
        "value": round(report.value, VALUE_DECIMALS),
        "kind": report.certainty,
        "visits": report.visits,
        "seconds": round(report.seconds, VALUE_DECIMALS),
        "lines": [line_to_json(line) for line in report.lines[: query.lines]],
    }
    return response | ({"terminated": True} if query.cancelled.is_set() and not is_during_search else {})


def no_result(query: Query) -> dict[str, Any]:
    """The answer to a query that nobody has thought about."""
    return {"id": query.id, "isDuringSearch": False, "noResults": True, "terminated": True}


def line_to_json(line: Line) -> dict[str, Any]:
    """A line of play."""
    return {
        "move": line.moves[0],
        "value": round(line.value, VALUE_DECIMALS),
        "kind": line.certainty,
        "visits": line.visits,
        "moves": list(line.moves),
    }
