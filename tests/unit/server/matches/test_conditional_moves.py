"""Conditional moves: which line is followed, when a move is played, and what is rejected."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from ropewalk.errors import IllegalMove
from ropewalk.server.db.user_repository import User
from ropewalk.server.domain.actions import AnswerTakeback, RequestTakeback
from ropewalk.server.domain.clocks import Days, Fischer, NoClock
from ropewalk.server.matches.conditional_moves import (
    MAX_LINE_LENGTH,
    MAX_LINES,
    allows_conditional_moves,
    validate_lines,
)
from ropewalk.server.matches.live_match import LiveMatch
from ropewalk.server.services import AppServices
from tests.support.match_log import MatchLog, expect_error
from tests.support.services import perform, play, start_match

pytestmark = pytest.mark.anyio
CORRESPONDENCE = Days(days=2)


async def save(services: AppServices, match: LiveMatch, user: User, *lines: Sequence[str]) -> None:
    """Save conditional moves of a user from the current position on."""
    await services.conditional_moves.save(match.id, user.id, match.state.position_version, lines)


async def settle(services: AppServices) -> None:
    """Wait until no conditional move is being played."""
    while services.background.tasks:
        await asyncio.wait(services.background.tasks)
        await asyncio.sleep(0)  # finished tasks are removed in the next iteration of the loop


def list_moves(match: LiveMatch) -> list[str]:
    """Return the moves of a match that stand."""
    return [move.move for move in match.state.moves]


async def test_the_line_that_the_opponent_follows_is_played(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    await save(services, match, first, ["b4", "a1"], ["b2", "d4", "d3", "e2"])
    await play(services, match, second, "b2")
    await settle(services)
    assert list_moves(match) == ["c3", "b2", "d4"]
    assert match.log[-1].user_id == first.id
    await play(services, match, second, "d3")
    await settle(services)
    assert list_moves(match)[3:] == ["d3", "e2"]


async def test_another_move_of_the_opponent_is_not_answered(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    await save(services, match, first, ["b2", "d4"])
    await play(services, match, second, "a1")
    await settle(services)
    assert list_moves(match) == ["c3", "a1"]


async def test_lines_of_both_players_answer_each_other(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await save(services, match, second, ["c3", "b2", "d4", "d3"])
    await play(services, match, first, "c3")
    await settle(services)
    await save(services, match, second, ["d4", "d3", "e2", "a5"])
    await save(services, match, first, ["d3", "e2"])
    assert list_moves(match) == ["c3", "b2"]
    await play(services, match, first, "d4")
    await settle(services)
    assert list_moves(match) == ["c3", "b2", "d4", "d3"], "the first player's line starts with the wrong seat"


async def test_lines_from_a_position_that_was_taken_back_are_not_played(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    await save(services, match, first, ["b2", "d4"])
    await perform(services, match, first, RequestTakeback(event_seq=2))
    await perform(services, match, second, AnswerTakeback(event_seq=2, accept=True))
    await play(services, match, first, "a1")
    await play(services, match, second, "b2")
    await settle(services)
    assert list_moves(match) == ["a1", "b2"]


async def test_lines_from_the_position_after_a_takeback_are_played(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    await perform(services, match, first, RequestTakeback(event_seq=2))
    await perform(services, match, second, AnswerTakeback(event_seq=2, accept=True))
    await save(services, match, second, ["a1", "b2"])
    await play(services, match, first, "a1")
    await settle(services)
    assert list_moves(match) == ["a1", "b2"]


async def test_a_move_is_answered_once_whichever_servers_learn_of_it(
    services: AppServices, other_services: AppServices
) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    await save(services, match, first, ["b2", "d4"])
    there = await other_services.registry.get(match.id)
    services.hub.listeners.remove(services.conditional_move_player.on_events)  # as if it stopped after the move
    await play(services, match, second, "b2")
    await other_services.registry.refresh(there)
    await settle(other_services)
    assert list_moves(there) == ["c3", "b2", "d4"]
    await services.conditional_move_player.play_next(match)  # this server has not heard of the answer yet
    assert [event.type for event in await services.match_repository.load_events(match.id)].count("move-played") == 3


async def test_an_answer_that_a_stopped_server_owes_is_played_by_another(
    services: AppServices, other_services: AppServices
) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    await save(services, match, first, ["b2", "d4"])
    services.hub.listeners.remove(services.conditional_move_player.on_events)
    await play(services, match, second, "b2")
    player = other_services.conditional_move_player
    for _ in range(2):
        await player.resume_stalled()
        await settle(other_services)
    assert list_moves(await other_services.registry.get(match.id)) == ["c3", "b2", "d4"]
    assert player.examined == {}


async def test_a_move_of_another_server_is_answered_there_only(services: AppServices, other_services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await play(services, match, first, "c3")
    there = await other_services.registry.get(match.id)
    await save(services, match, first, ["b2", "d4"])
    await play(services, match, second, "b2")
    await settle(services)
    await other_services.registry.refresh(there)
    await settle(other_services)
    assert list_moves(there) == ["c3", "b2", "d4"]


@pytest.mark.parametrize(
    ("clock", "allowed"), [(CORRESPONDENCE, True), (NoClock(), False), (Fischer(initial_seconds=60), False)]
)
def test_conditional_moves_are_for_correspondence(clock: Any, allowed: bool) -> None:
    assert allows_conditional_moves(MatchLog(clock=clock).state) is allowed


def test_lines_have_limits_and_legal_moves() -> None:
    state = MatchLog(clock=CORRESPONDENCE).state
    validate_lines(state, [["c3", "b2"], ["b2", "c3"]])
    with expect_error("too-many") as caught:
        validate_lines(state, [["c3", "b2"]] * (MAX_LINES + 1))
    assert caught.value.details == {"limit": MAX_LINES}
    with expect_error("too-many") as caught:
        validate_lines(state, [["c3"] * (MAX_LINE_LENGTH + 1)])
    assert caught.value.details == {"limit": MAX_LINE_LENGTH}
    with pytest.raises(IllegalMove):
        validate_lines(state, [["c3", "c3"]])


async def test_saved_lines_replace_earlier_ones_and_none_remove_them(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=CORRESPONDENCE)
    await save(services, match, second, ["c3", "b2"])
    await save(services, match, second, ["c3", "d4"], ["b2", "c3"])
    stored = await services.conditional_moves.find(match.id, second.id)
    assert stored is not None
    assert (stored.position_version, stored.lines) == (1, (("c3", "d4"), ("b2", "c3")))
    assert await services.conditional_moves.find(match.id, first.id) is None
    await save(services, match, second)
    assert await services.conditional_moves.find(match.id, second.id) is None
