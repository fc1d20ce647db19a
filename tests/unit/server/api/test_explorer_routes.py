"""The opening explorer through the API: finished public matches are counted once, private ones never."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.server.domain.review import PositionEvaluation
from ropewalk.server.services import AppServices
from tests.support.app_client import AppClient, create_guest, start_match

pytestmark = pytest.mark.anyio


async def finish_match(app: FastAPI, spec: str, *moves: str, **more: Any) -> tuple[AppClient, AppClient, str]:
    """Return the players of a match that seat 0 has resigned after moves, and its id."""
    first, second, match = await start_match(app, spec, **more)
    for number, move in enumerate(moves):
        await (first, second)[number % 2].play(match, move)
    await first.act(match, "resign")
    return first, second, match


async def explore(app: FastAPI, spec: str, moves: str = "") -> Any:
    """Count the matches that wait, and return what was played in a position."""
    services: AppServices = app.state.services
    await services.explorer.count_all_pending()
    return await AppClient(app).request("GET", f"/api/explorer?spec={spec}&moves={moves}")


async def test_symmetric_openings_are_counted_together(app: FastAPI) -> None:
    first, second, match = await finish_match(app, "tether-11", "a1", "b2")
    await finish_match(app, "tether-11", "k11", "j10")
    found = await explore(app, "tether-11")
    assert (found["games"], found["first_wins"], found["draws"], found["second_wins"]) == (2, 0, 0, 2)
    (move,) = found["moves"]
    assert {move["move"], *move["equivalent_moves"]} == {"a1", "k11"}
    (reply,) = (await explore(app, "tether-11", "a1"))["moves"]
    assert (reply["move"], reply["equivalent_moves"], reply["games"]) == ("b2", [], 2)
    listed = found["last_matches"][1]
    assert (listed["match_id"], listed["winner"]) == (match, 1)
    assert [player["id"] for player in listed["players"]] == [first.user["id"], second.user["id"]]
    assert await explore(app, "tether-11") == found, "nothing is counted again"


async def test_private_running_and_aborted_matches_are_not_counted(app: FastAPI) -> None:
    await finish_match(app, "tether-15", "a1", "b2", public=False)
    running, _, match = await start_match(app, "tether-15")
    await running.play(match, "c3")
    aborted, _, match = await start_match(app, "tether-15")
    await aborted.act(match, "abort")
    own = await create_guest(app)
    match = (await own.create_match("tether-15", "self", public=True))["match"]["id"]
    await own.play(match, "a1")
    await own.act(match, "resign")
    assert (await explore(app, "tether-15"))["games"] == 0


async def test_a_private_match_is_counted_when_it_is_published(app: FastAPI) -> None:
    first, _, match = await finish_match(app, "tether-7", "a1", "b2", public=False)
    assert (await explore(app, "tether-7"))["games"] == 0
    await first.act(match, "publish")
    assert (await explore(app, "tether-7"))["games"] == 1


async def test_matches_of_an_erased_user_keep_only_their_counts(app: FastAPI) -> None:
    first, _, _ = await finish_match(app, "tether-17", "a1", "b2")
    assert len((await explore(app, "tether-17"))["last_matches"]) == 1
    await first.request("DELETE", "/api/me")
    found = await explore(app, "tether-17")
    assert (found["games"], found["last_matches"]) == (1, [])


async def test_values_of_reviewed_matches_are_shown(app: FastAPI) -> None:
    _, _, match = await finish_match(app, "tether-19", "a1", "b2")
    services: AppServices = app.state.services
    state = (await services.registry.get(match)).state
    values = [PositionEvaluation(value, is_proven=value == 1) for value in (0.55, 0.25, 1.0)]
    await services.explorer.add_review(state, dict(enumerate(values)))
    found = await explore(app, "tether-19")
    assert (found["value"], found["certainty"]) == (0.55, "estimate")
    assert (found["moves"][0]["value"], found["moves"][0]["certainty"]) == (0.25, "estimate")
    (reply,) = (await explore(app, "tether-19", "a1"))["moves"]
    assert (reply["value"], reply["certainty"]) == (1.0, "proven")


async def test_a_turn_of_several_steps_is_counted_by_step(app: FastAPI) -> None:
    client = await create_guest(app)
    game = await client.request("GET", "/api/games/laocoon-weave")
    assert game["spec"] == "laocoon-weave"
    first, second, match = await start_match(app, "laocoon-weave")
    for player in (first, second):
        while (state := (await player.get_match(match))["state"])["seat"] == (player is second):
            await player.play(match, state["position"]["moves"][0])
    await first.act(match, "resign")
    found = await explore(app, "laocoon-weave")
    assert found["games"] == 1
    assert (await explore(app, "laocoon-weave", found["moves"][0]["move"]))["games"] == 1


async def test_invalid_requests_are_refused(app: FastAPI) -> None:
    client = AppClient(app)
    await client.request_error("GET", "/api/explorer?spec=chess", "bad-spec")
    await client.request_error("GET", "/api/explorer?spec=tether-5&moves=z9", "bad-move")
    await client.request_error("GET", "/api/explorer?spec=tether-5&moves=a1,a1", "illegal-move")
    await client.request_error("GET", "/api/explorer?spec=tether-5&position=x", "bad-position")
    details = await client.request_error("GET", f"/api/explorer?spec=tether-5&moves={'a1,' * 1001}", "too-large")
    assert details["limit"] == 1000
