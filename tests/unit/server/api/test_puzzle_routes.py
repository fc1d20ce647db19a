"""Puzzles through the API: lists, attempts that are judged by the stored proof and by a solver, hints, ratings, streaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.engine.protocol import Query
from ropewalk.engine.query_executor import QueryExecutor
from ropewalk.games.registry import game as game_of
from ropewalk.server.engine_pool.worker_client import EngineWorkerClient, Request, Response
from tests.support.app_client import PASSWORD, AppClient, create_account, create_guest
from tests.unit.puzzles.samples import SAMPLE

pytestmark = pytest.mark.anyio
PATH = f"/api/puzzles/{SAMPLE.id}"


class SolverWorker(EngineWorkerClient):
    """An engine in this process that solves positions and does nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.executor = QueryExecutor(lambda query: game_of(query.spec or ""), 1, 1, lambda response: None)
        self.requests: list[Request] = []

    async def ask(self, request: Request, seconds: float, on_report: Callable[[Response], None] | None = None) -> Response:
        self.requests.append(request)
        query = Query(request["id"], request["action"], request["spec"], request["position"], tuple(request["moves"]))
        return self.executor.execute(query)


@pytest.fixture
def solver(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> SolverWorker:
    """The engine of the application during a test: the pool's task keeps its worker, so only the method is replaced."""
    worker = SolverWorker()
    monkeypatch.setattr(app.state.services.engine_pool.workers[0], "ask", worker.ask)
    return worker


async def play(client: AppClient, *moves: str) -> Any:
    """Play moves of an attempt; return the last response."""
    for move in moves:
        count = len((await client.request("GET", PATH))["attempt"]["moves"])
        response = await client.request("POST", f"{PATH}/moves", move=move, move_count=count)
    return response


async def test_puzzles_are_listed_without_their_solutions(app: FastAPI) -> None:
    listed = await AppClient(app).request("GET", "/api/puzzles?game=tether&theme=capture&limit=5")
    assert listed["total"] > len(listed["puzzles"]) == 5
    assert {(puzzle["game"], puzzle["theme"], puzzle["status"]) for puzzle in listed["puzzles"]} == {
        ("tether", "capture", "new")
    }
    standard = await AppClient(app).request("GET", "/api/puzzles?spec=tether-13")
    assert {puzzle["spec"] for puzzle in standard["puzzles"]} == {"tether-13"}
    overview = await AppClient(app).request("GET", "/api/puzzles/overview")
    tether = next(game for game in overview["games"] if game["game"] == "tether")
    assert tether["boards"]["tether-13"] == standard["total"]
    assert sum(tether["turns"].values()) == tether["count"]
    shown = await AppClient(app).request("GET", PATH)
    assert shown["position"]["text"] == SAMPLE.position_text
    assert (shown["attempt"]["number"], shown["attempt"]["solution"]) == (0, None)


async def test_the_main_line_needs_no_engine(app: FastAPI, solver: SolverWorker) -> None:
    client = await create_guest(app)
    response = await play(client, *SAMPLE.main_line[::2])
    assert response["verdict"] == "winning"
    attempt = response["attempt"]
    assert (attempt["moves"], attempt["is_solved"], attempt["score"]) == (list(SAMPLE.main_line), True, 1.0)
    assert attempt["position"]["outcome"]["winner"] == 0
    assert attempt["solution"]["winning_moves"] == ["g5"]
    assert attempt["rating_change"]["after"] > attempt["rating_change"]["before"] == 1500
    assert solver.requests == []
    overview = await client.request("GET", "/api/puzzles/overview")
    assert (overview["streak"], overview["best_streak"]) == (1, 1)
    tether = next(game for game in overview["games"] if game["game"] == "tether")
    assert (tether["solved"], tether["rating"]["games"]) == (1, 1)


async def test_other_winning_moves_are_accepted_and_answered(app: FastAPI, solver: SolverWorker) -> None:
    client = await create_guest(app)
    path = "/api/puzzles/lariat-00152ec4"  # its main line is e6 b4 c1
    first = await client.request("POST", f"{path}/moves", move="d3", move_count=0)
    assert (first["verdict"], len(first["answers"])) == ("winning", 1)
    assert len(solver.requests) == 1
    attempt = first["attempt"]
    while not attempt["is_solved"]:
        count = len(attempt["moves"])
        await client.request("POST", f"{path}/hints", move_count=count)
        hint = await client.request("POST", f"{path}/hints", move_count=count)
        played = await client.request("POST", f"{path}/moves", move=hint["move"], move_count=count)
        assert played["verdict"] == "winning"
        attempt = played["attempt"]


async def test_a_losing_move_is_refuted_and_rated_once(app: FastAPI, solver: SolverWorker) -> None:
    client = await create_guest(app)
    refused = await play(client, "b1")
    assert (refused["verdict"], refused["answers"]) == ("losing", ["g5"])
    assert {"b1", "g5"} <= set(refused["refuted"]["pieces"])
    assert (refused["attempt"]["moves"], refused["attempt"]["mistakes"], refused["attempt"]["score"]) == ([], 1, 0.0)
    after = refused["attempt"]["rating_change"]["after"]
    assert after < 1500
    again = await client.request("POST", f"{PATH}/restart")
    assert (again["number"], again["mistakes"]) == (2, 0)
    solved = await play(client, *SAMPLE.main_line[::2])
    assert (solved["attempt"]["score"], solved["attempt"]["rating_change"]["after"]) == (0.0, after)
    listed = await client.request("GET", "/api/puzzles?game=tether&limit=200")
    assert next(puzzle for puzzle in listed["puzzles"] if puzzle["id"] == SAMPLE.id)["status"] == "failed"


async def test_hints_show_the_region_then_the_move(app: FastAPI) -> None:
    client = await create_guest(app)
    region = await client.request("POST", f"{PATH}/hints", move_count=0)
    assert (region["stage"], region["move"], region["attempt"]["score"]) == (1, None, None)
    assert "g5" in region["cells"]
    assert len(region["cells"]) > 3
    move = await client.request("POST", f"{PATH}/hints", move_count=0)
    assert (move["stage"], move["move"], move["cells"], move["attempt"]["score"]) == (2, "g5", ["g5"], 0.0)


async def test_giving_up_shows_the_solution(app: FastAPI) -> None:
    client = await create_guest(app)
    shown = await client.request("POST", f"{PATH}/solution")
    assert (shown["solution"]["main_line"], shown["score"]) == (list(SAMPLE.main_line), 0.0)


async def test_requests_that_cannot_be_done_say_why(app: FastAPI) -> None:
    client = await create_guest(app)
    await client.request_error("GET", "/api/puzzles/tether-0", "not-found")
    await client.request_error("GET", "/api/puzzles/next?game=chess", "not-found")
    await client.request_error("POST", f"{PATH}/moves", "stale", move="g5", move_count=2)
    await client.request_error("POST", f"{PATH}/moves", "bad-move", move="zz", move_count=0)
    await client.request_error("POST", f"{PATH}/moves", "illegal-move", move="a1", move_count=0)
    await play(client, *SAMPLE.main_line[::2])
    count = len(SAMPLE.main_line)
    await client.request_error("POST", f"{PATH}/moves", "game-over", move="a1", move_count=count)
    await client.request_error("POST", f"{PATH}/hints", "game-over", move_count=count)


async def test_the_next_puzzle_is_near_the_rating_and_was_not_tried(app: FastAPI) -> None:
    client = await create_guest(app)
    for _ in range(5):
        chosen = await client.request("GET", "/api/puzzles/next?game=tether")
        assert chosen["game"] == "tether"
        assert abs(chosen["rating"] - 1500) <= 200
        assert chosen["status"] == "new"


async def test_a_puzzle_is_exported_with_its_solution(app: FastAPI) -> None:
    response = await AppClient(app).http.get(f"{PATH}/record.sgf")
    assert response.headers["content-type"].startswith("application/x-go-sgf")
    assert SAMPLE.id in response.text
    assert "g5" in response.text


async def test_what_is_stored_of_a_user_is_exported_and_erased(app: FastAPI, solver: SolverWorker) -> None:
    client = await create_account(app, "puzzler")
    await play(client, "b1")
    data = await client.request("GET", "/api/me/export")
    assert [row["puzzle_id"] for row in data["puzzle_attempts"]] == [SAMPLE.id]
    assert [row["game"] for row in data["puzzle_ratings"]] == ["tether"]
    await client.request("DELETE", "/api/me", password=PASSWORD)
    repository = app.state.services.puzzles
    assert await repository.list_user_ratings(client.user["id"]) == {}
    assert await repository.list_scores(client.user["id"]) == []
