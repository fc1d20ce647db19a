"""The analysis protocol without processes: parsing, the queue, and the execution of queries on a bot of the tests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import ropewalk
from ropewalk.bots.bot import Bot, Limit, Line, Report
from ropewalk.engine import query_executor
from ropewalk.engine.analysis import AnalysisServer, AnalysisSettings
from ropewalk.engine.protocol import ControlRequest, Query, QueryError, parse_request
from ropewalk.engine.query_executor import QueryExecutor
from ropewalk.engine.query_queue import QueryQueue
from ropewalk.engine.stdio import InputLine, LineWriter
from ropewalk.games.game import Game
from ropewalk.games.position import Position

TETHER = ropewalk.game("tether-3")
WAIT_SECONDS = 60.0


class EndlessBot(Bot):
    """A bot that reports until it is cancelled; its visits are its reports, the first of which has none."""

    def __init__(self, game: Game, level: int) -> None:
        self.game = game
        self.name = f"level {level}"
        self.is_closed = False
        self.seeds: list[int] = []

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        limit = limit or Limit()
        visits = 0
        while True:
            line = Line(("b2", "a1"), visits, 0.123456, "estimate")
            yield Report(0, 0.123456, "estimate", visits, 0.001, (line, line))
            if limit.cancelled.is_set() or visits == limit.visits:
                return
            visits += 1
            time.sleep(0.001)

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)

    def close(self) -> None:
        self.is_closed = True


class SentLines(LineWriter):
    """A writer that stores what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.responses: list[dict[str, Any]] = []

    def write_lines(self, *lines: str) -> None:
        self.responses += map(json.loads, lines)

    def wait_for(self, query_id: str) -> dict[str, Any]:
        """Return the final response of a query."""
        until = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < until:
            for response in list(self.responses):
                if response["id"] == query_id and not response.get("isDuringSearch"):
                    return response
            time.sleep(0.001)
        raise TimeoutError(query_id)


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> list[EndlessBot]:
    """The bots that the executors make."""
    created: list[EndlessBot] = []

    def make(game: Game, level: int) -> EndlessBot:
        created.append(EndlessBot(game, level))
        return created[-1]

    monkeypatch.setattr(query_executor, "bot", make)
    return created


def make_executor(reports: list[dict[str, Any]] | None = None, max_bots: int = 3) -> QueryExecutor:
    sent = [] if reports is None else reports
    return QueryExecutor(lambda query: ropewalk.game(query.spec or "tether-3"), 4, max_bots, sent.append)


# Parsing


def test_a_line_without_action_is_an_analysis() -> None:
    query = parse_request({"id": "a", "spec": "tether-3", "level": 5, "seed": 9, "reportDuringSearchEvery": 0.5})
    assert isinstance(query, Query)
    assert (query.action, query.level, query.seed, query.every) == ("analyse", 5, 9, 0.5)
    assert query.limit() == Limit()


def test_actions_are_queries_or_control_requests() -> None:
    move = parse_request({"id": "a", "action": "choose_move", "moves": ["b2"], "level": 2, "seconds": 1})
    assert isinstance(move, Query)
    assert (move.action, move.moves, move.level, move.seconds) == ("choose_move", ("b2",), 2, 1.0)
    warm_up = parse_request({"id": "a", "action": "warm_up", "spec": "liger"})
    assert isinstance(warm_up, Query)
    assert (warm_up.action, warm_up.spec, warm_up.level) == ("warm_up", "liger", None)
    terminate = parse_request({"id": "a", "action": "terminate", "terminateId": "b"})
    assert terminate == ControlRequest("a", "terminate", "b")


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"id": "a", "level": 0}, "bad-field", "level"),
        ({"id": "a", "level": True}, "bad-field", "level"),
        ({"id": "a", "level": "6"}, "bad-field", "level"),
        ({"id": "a", "seed": 2**31}, "bad-field", "seed"),
        ({"id": "a", "seed": None}, "bad-field", "seed"),
        ({"id": "a", "action": "choose_move", "visits": 5}, "unknown-field", "visits"),
        ({"id": "a", "action": "choose_move", "seconds": float("inf")}, "bad-field", "seconds"),
        ({"id": "a", "action": "warm_up", "moves": ["b2"]}, "unknown-field", "moves"),
        ({"action": "warm_up"}, "bad-id", "id"),
        ({"id": "a", "action": "analyse"}, "unknown-action", "action"),
        ({"id": "a", "action": None}, "unknown-action", "action"),
    ],
)
def test_what_is_wrong_has_a_code_and_a_field(fields: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_request(fields)
    assert (caught.value.code, caught.value.field_name) == (code, field)


# The queue


def test_cancelling_removes_what_waits_and_marks_what_runs() -> None:
    queue = QueryQueue(5)
    running, waiting, other = (Query(name) for name in ("running", "waiting", "other"))
    for query in (running, waiting, other):
        queue.add(query)
    assert queue.take() is running
    assert queue.cancel([running, waiting]) == [waiting]
    assert [query.is_terminated for query in (running, waiting, other)] == [True, True, False]
    assert queue.find("running") == [running]
    assert queue.find("waiting") == []
    assert queue.take() is other


# Execution


def test_reports_are_sent_when_they_are_due_but_none_without_visits(bots: list[EndlessBot]) -> None:
    reports: list[dict[str, Any]] = []
    final = make_executor(reports).execute(Query("a", visits=20, lines=1, every=0.0, seed=3))
    assert [report["visits"] for report in reports[:3]] == [1, 2, 3]
    assert all(report["isDuringSearch"] for report in reports)
    line = {"move": "b2", "value": 0.1235, "certainty": "estimate", "visits": 20, "moves": ["b2", "a1"]}
    assert (final["isDuringSearch"], final["visits"], final["lines"]) == (False, 20, [line])
    assert bots[0].seeds == [3]


def test_without_interval_nothing_is_reported(bots: list[EndlessBot]) -> None:
    reports: list[dict[str, Any]] = []
    assert make_executor(reports).execute(Query("a", visits=20))["visits"] == 20
    assert reports == []


def test_a_cancelled_analysis_has_what_is_known_so_far(bots: list[EndlessBot]) -> None:
    query = Query("a", every=0.0)

    def cancel_at_tenth(report: dict[str, Any]) -> None:
        if report["visits"] == 10:
            query.is_terminated = True
            query.cancelled.set()

    executor = QueryExecutor(lambda query: TETHER, 4, 3, cancel_at_tenth)
    response = executor.execute(query)
    assert (response["visits"], response["terminated"]) == (10, True)


@pytest.mark.parametrize("action", ["analyse", "choose_move"])
def test_a_query_that_is_cancelled_before_its_search_has_no_result(bots: list[EndlessBot], action: str) -> None:
    query = Query("a", action, is_terminated=True)
    query.cancelled.set()
    assert make_executor().execute(query) == {"id": "a", "isDuringSearch": False, "noResults": True, "terminated": True}


def test_the_time_of_a_move_ends_its_search_but_is_no_cancellation(bots: list[EndlessBot]) -> None:
    started_at = time.monotonic()
    response = make_executor().execute(Query("a", "choose_move", seconds=0.05, level=2))
    assert time.monotonic() - started_at >= 0.05
    assert (response["move"], response["seat"], response["colour"]) == ("b2", 0, "red")
    assert "terminated" not in response
    assert bots[0].name == "level 2"
    assert threading.active_count() < 20, "the timers end"


def test_a_position_is_solved_without_a_bot(bots: list[EndlessBot]) -> None:
    executor = make_executor()
    won = executor.execute(Query("a", "solve", moves=("b2", "a2")))
    assert (won["seat"], won["winner"], won["turns"], len(won["moves"])) == (0, 0, 4, 1)
    lost = executor.execute(Query("a", "solve", position="3/1r1/3 blue"))
    assert (lost["seat"], lost["winner"], lost["turns"], lost["moves"]) == (1, 0, 4, ["a1"])
    assert bots == []
    assert make_executor().execute(Query("a", "solve", is_terminated=True))["noResults"]


def test_the_bots_that_were_used_last_are_kept(bots: list[EndlessBot]) -> None:
    executor = make_executor(max_bots=2)
    for level in (1, 2, 1, 3, 1, 2):
        executor.execute(Query("a", visits=1, level=level))
    assert [bot.name for bot in bots] == ["level 1", "level 2", "level 3", "level 2"]
    assert [bot.is_closed for bot in bots] == [False, True, True, False]
    executor.close()
    assert all(bot.is_closed for bot in bots)


def test_a_warm_up_plays_each_kind_of_level_and_ends_before_the_next_when_cancelled(
    bots: list[EndlessBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Query("w", "warm_up")
    kinds = TETHER.definition.bots.first_of_each_kind()
    assert make_executor().execute(query)["levels"] == list(kinds)
    assert make_executor().execute(Query("w", "warm_up", level=5))["levels"] == [5]

    def choose(self: EndlessBot, position: Position, limit: Limit | None = None) -> str:
        query.is_terminated = True
        return "b2"

    monkeypatch.setattr(EndlessBot, "choose", choose)
    response = make_executor().execute(query)
    assert (response["levels"], response["terminated"]) == ([kinds[0]], True)


def test_an_exception_of_a_bot_is_reported(bots: list[EndlessBot], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: EndlessBot, position: Position, limit: Limit | None = None) -> str:
        raise ValueError("out of order")

    monkeypatch.setattr(EndlessBot, "choose", fail)
    response = make_executor().execute(Query("a", "choose_move"))
    assert response == {"id": "a", "code": "internal", "error": "ValueError: out of order"}


# The server of all games


@pytest.fixture
def server(bots: list[EndlessBot]) -> Iterator[AnalysisServer]:
    settings = AnalysisSettings(games=(), level=4, num_workers=1, queue_capacity=5, cancels_at_end=True)
    server = AnalysisServer(settings, SentLines())
    server.start_workers()
    yield server
    server.stop()
    server.wait_for_workers()


def say(server: AnalysisServer, **fields: Any) -> SentLines:
    server.handle_line(InputLine(json.dumps(fields), is_complete=True))
    assert isinstance(server.writer, SentLines)
    return server.writer


def test_it_serves_every_game_at_any_level(server: AnalysisServer, bots: list[EndlessBot]) -> None:
    for spec, level in [("tether-3", 2), ("liger-4", 8)]:
        assert say(server, id=spec, spec=spec, level=level, visits=3).wait_for(spec)["spec"] == spec
    assert [bot.name for bot in bots] == ["level 2", "level 8"]
    version = say(server, id="v", action="query_version").wait_for("v")
    assert (version["specs"], version["level"], version["workers"]) == (None, 4, 1)
    assert say(server, id="n", visits=1).wait_for("n")["error"] == 'missing field "spec"'
    assert say(server, id="l", spec="tether-3", level=9).wait_for("l")["code"] == "bad-field"


def test_terminate_ends_the_search_and_the_next_begins(server: AnalysisServer) -> None:
    say(server, id="endless", spec="tether-3", reportDuringSearchEvery=0.001)
    say(server, id="waits", spec="tether-3")
    say(server, id="next", spec="tether-3", visits=3)
    say(server, id="t", action="terminate", terminateId="waits")
    sent = say(server, id="u", action="terminate", terminateId="endless")
    assert sent.wait_for("waits")["noResults"]
    assert sent.wait_for("endless")["terminated"]
    assert sent.wait_for("next")["visits"] == 3
    assert say(server, id="late", action="terminate", terminateId="endless").wait_for("late")["terminated"] == 0


def test_at_the_end_of_its_input_it_cancels_everything(server: AnalysisServer) -> None:
    say(server, id="endless", spec="tether-3")
    sent = say(server, id="waits", spec="tether-3")
    server.stop()
    assert sent.wait_for("waits")["noResults"]
    assert sent.wait_for("endless")["terminated"]
    server.wait_for_workers()
    assert say(server, id="late", spec="tether-3").wait_for("late")["code"] == "closing"
