"""The match service: actions are decided, stored and published once, whatever other servers do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ropewalk.server.db.append_request import AppendRequest, EventKey
from ropewalk.server.db.event_store import EventStore
from ropewalk.server.db.user_repository import User, now_ms
from ropewalk.server.domain.actions import Abort, Actor, Chat, Move, OfferDraw, Publish, Resign
from ropewalk.server.domain.clocks import Days, Fischer
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.match import initial_state
from ropewalk.server.errors import ApiError
from ropewalk.server.matches.live_match import LiveMatch
from ropewalk.server.matches.matchmaking import AgainstUser, ByInvitation
from ropewalk.server.services import AppServices
from tests.support.match_log import expect_error
from tests.support.services import create_match, load_types, perform, play, set_clock, start_match

pytestmark = pytest.mark.anyio
CLOCK = Fischer(initial_seconds=10, increment_seconds=0)


async def load_moves(services: AppServices, match: LiveMatch) -> list[str]:
    """Return the moves of a match that the database has."""
    events = await services.match_repository.load_events(match.id)
    return [event.data["move"] for event in events if event.type == "move-played"]


async def test_the_result_of_a_match_that_is_published_afterwards_is_counted_once(services: AppServices) -> None:
    first, _, match = await start_match(services, opponent=ByInvitation(), public=False)
    before = (await services.ratings.compute_first_seat_advantages())["tether"]
    await perform(services, match, first, Resign())
    counted = (await services.ratings.compute_first_seat_advantages())["tether"]
    assert counted.games == before.games + 1
    await perform(services, match, first, Publish())
    assert (await services.ratings.compute_first_seat_advantages())["tether"] == counted


async def test_an_action_is_stored_and_its_row_follows(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=Days(days=1))
    event = await play(services, match, first, "c3", "mine")
    assert (event.seq, event.type, event.user_id, event.request_id) == (2, "move-played", first.id, "mine")
    assert match.log[-1] == event
    assert await services.match_repository.load_events(match.id) == match.log
    row = await services.match_repository.find(match.id)
    assert row is not None
    assert (row.status, row.to_move_user_id, row.move_deadline_ms) == ("playing", second.id, match.state.timeout_at())
    await perform(services, match, first, Resign())
    row = await services.match_repository.find(match.id)
    assert row is not None
    assert (row.status, row.to_move_user_id, row.move_deadline_ms) == ("over", None, None)
    assert (row.winner_seat, row.end_reason, row.ended_at) == (1, "resign", match.log[-1].timestamp_ms)


# Repeated requests


async def test_a_repeated_request_returns_its_event_and_is_stored_once(services: AppServices) -> None:
    first, _, match = await start_match(services)
    action = Move(move="c3", position_version=1, request_id="mine")
    events = await asyncio.gather(*(perform(services, match, first, action) for _ in range(3)))
    assert len({event.seq for event in events}) == 1
    services.registry.reset()
    assert await perform(services, await services.registry.get(match.id), first, action) == events[0], "after a restart"
    assert await load_moves(services, match) == ["c3"]


async def test_request_ids_of_different_users_are_different(services: AppServices) -> None:
    first, second, match = await start_match(services)
    await play(services, match, first, "c3", "same")
    await play(services, match, second, "b2", "same")
    assert await load_moves(services, match) == ["c3", "b2"]


async def test_actions_without_a_request_id_are_never_repeated_ones(services: AppServices) -> None:
    first, _, match = await start_match(services)
    for _ in range(2):
        await perform(services, match, first, Chat(text="hello"))
    assert await load_types(services, match.id) == ["match-started", "chat-posted", "chat-posted"]


@pytest.mark.parametrize(
    "other",
    [
        Move(move="b2", position_version=1, request_id="mine"),
        Resign(request_id="mine"),
        Chat(text="hello", request_id="mine"),
    ],
    ids=lambda action: str(action.type),
)
async def test_a_request_id_cannot_be_used_for_another_action(services: AppServices, other: Any) -> None:
    first, _, match = await start_match(services)
    await perform(services, match, first, Move(move="c3", position_version=1, request_id="mine"))
    with expect_error("id-reused"):
        await perform(services, match, first, other)


@pytest.mark.parametrize(
    "other", [Resign(request_id="mine"), OfferDraw(request_id="mine"), Chat(text="goodbye", request_id="mine")],
    ids=lambda action: str(action.type),
)  # fmt: skip
async def test_a_request_id_of_a_chat_message_cannot_be_used_for_another_action(services: AppServices, other: Any) -> None:
    first, _, match = await start_match(services, spec="liger-4")
    await perform(services, match, first, Chat(text="hello", request_id="mine"))
    with expect_error("id-reused"):
        await perform(services, match, first, other)
    assert match.state.status == "playing"


# Errors


@pytest.mark.parametrize(
    ("move", "code"), [("c3", "illegal-move"), ("z99", "bad-move"), ("b2 d4", "bad-move")], ids=["illegal", "no", "turn"]
)
async def test_an_invalid_move_changes_nothing(services: AppServices, move: str, code: str) -> None:
    first, second, match = await start_match(services)
    await play(services, match, first, "c3")
    before = match.state
    with expect_error(code):
        await play(services, match, second, move)
    assert match.state is before
    assert not match.needs_refresh
    assert await load_moves(services, match) == ["c3"]


async def test_a_move_after_the_time_is_up_is_too_late_and_the_timeout_is_stored(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, match = await start_match(services, clock=CLOCK)
    set_clock(monkeypatch, services, lambda: now_ms() + 10_000)
    with expect_error("too-late"):
        await play(services, match, first, "c3")
    assert await load_types(services, match.id) == ["match-started", "timed-out"]
    assert match.state.result is not None
    assert (match.state.result.winner, match.state.result.reason) == (1, "time")


async def test_a_timeout_is_claimed_only_when_the_time_is_up(
    services: AppServices, other_services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, match = await start_match(services, clock=CLOCK)
    await other_services.registry.get(match.id)
    await services.matches.claim_timeout(match.id)
    assert match.state.status == "playing"
    started_at = match.log[0].timestamp_ms
    set_clock(monkeypatch, services, lambda: started_at + 5_000)
    await play(services, match, first, "c3")
    set_clock(monkeypatch, other_services, lambda: started_at + 10_000)
    await other_services.matches.claim_timeout(match.id)
    there = await other_services.registry.get(match.id)
    assert there.state.status == "playing", "the other server has loaded the move before it looked at the clock"
    for one in (services, other_services):
        set_clock(monkeypatch, one, lambda: started_at + 15_000)
    await asyncio.gather(*(one.matches.claim_timeout(match.id) for one in (services, other_services)))
    assert await load_types(services, match.id) == ["match-started", "move-played", "timed-out"]


async def test_the_time_of_an_event_is_never_before_that_of_the_last_one(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, match = await start_match(services)
    set_clock(monkeypatch, services, lambda: 5)
    event = await play(services, match, first, "c3")
    assert event.timestamp_ms == match.log[0].timestamp_ms


# Several servers, and databases that fail


async def test_a_server_that_has_missed_events_decides_again(services: AppServices, other_services: AppServices) -> None:
    first, second, match = await start_match(services)
    there = await other_services.registry.get(match.id)
    await play(services, match, first, "c3")
    event = await perform(other_services, there, second, Chat(text="hello"))
    assert event.seq == 3, "the number that it would have taken was taken"
    assert there.log[1].type == "move-played"
    with expect_error("stale"):
        await perform(services, match, second, Move(move="b2", position_version=1))
    assert match.state.seq == 3, "an error is raised only for the newest state"


async def test_of_two_moves_on_two_servers_exactly_one_is_stored(services: AppServices, other_services: AppServices) -> None:
    first, _, match = await start_match(services)
    there = await other_services.registry.get(match.id)
    moves = [
        play(services, match, first, "c3"),
        play(other_services, there, first, "b2"),
    ]
    result = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(one, MatchEvent) for one in result) == 1
    assert [one.code for one in result if isinstance(one, ApiError)] == ["stale"]
    assert len(await load_moves(services, match)) == 1


async def test_a_request_that_reaches_two_servers_is_performed_once(
    services: AppServices, other_services: AppServices
) -> None:
    first, _, match = await start_match(services)
    there = await other_services.registry.get(match.id)
    action = Move(move="c3", position_version=1, request_id="once")
    here_event, there_event = await asyncio.gather(
        perform(services, match, first, action), perform(other_services, there, first, action)
    )
    assert here_event == there_event
    assert await load_moves(services, match) == ["c3"]


async def test_a_server_that_always_loses_gives_up(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _, match = await start_match(services)

    async def write_nothing(store: EventStore, requests: Sequence[AppendRequest], epoch: str | None) -> set[EventKey]:
        return set()

    monkeypatch.setattr(EventStore, "write", write_nothing)
    with expect_error("busy"):
        await play(services, match, first, "c3")
    assert match.state.seq == 1


async def test_an_event_that_was_stored_although_the_database_failed_is_found(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, match = await start_match(services)
    write = EventStore.write

    async def write_and_fail(store: EventStore, requests: Sequence[AppendRequest], epoch: str | None) -> set[EventKey]:
        await write(store, requests, epoch)
        raise ApiError("storage", "the connection was lost after the commit")

    action = Move(move="c3", position_version=1, request_id="mine")
    monkeypatch.setattr(EventStore, "write", write_and_fail)
    with expect_error("storage"):
        await perform(services, match, first, action)
    assert match.needs_refresh
    assert match.state.seq == 1
    monkeypatch.setattr(EventStore, "write", write)
    event = await perform(services, match, first, action)
    assert (event.seq, match.needs_refresh) == (2, False)
    assert await load_moves(services, match) == ["c3"]


async def test_an_event_that_was_not_stored_is_not_shown(services: AppServices, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _, match = await start_match(services)

    async def fail(store: EventStore, requests: Sequence[AppendRequest], epoch: str | None) -> set[EventKey]:
        raise ApiError("storage", "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(EventStore, "write", fail)
        with expect_error("storage"):
            await play(services, match, first, "c3")
    assert (await services.registry.get(match.id)).state.seq == 1
    assert (await play(services, match, first, "c3")).seq == 2


async def test_an_event_is_committed_although_its_caller_was_cancelled(services: AppServices) -> None:
    first, _, match = await start_match(services)
    task = asyncio.create_task(play(services, match, first, "c3"))
    while not match.needs_refresh:  # until the event was passed to the event store
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await perform(services, match, first, Chat(text="hello"))
    assert [event.type for event in match.log] == ["match-started", "move-played", "chat-posted"]
    assert task.cancelled()


async def test_a_match_that_was_loaded_again_meanwhile_is_refreshed(services: AppServices) -> None:
    first, _, match = await start_match(services)
    services.registry.reset()
    again = await services.registry.get(match.id)
    await play(services, match, first, "c3")
    assert again.state == match.state


# Joining and creating


async def test_a_player_joins_and_the_match_starts(services: AppServices) -> None:
    host, guest = await services.users.add_guest(), await services.users.add_guest()
    match = await create_match(services, host, seat=1)
    event = await services.matches.join(match, guest)
    assert (event.type, event.data) == ("match-started", {"seats": [guest.id, host.id]})
    assert (match.state.status, match.seats) == ("playing", (guest.id, host.id))
    row = await services.match_repository.find(match.id)
    assert row is not None
    assert (row.status, row.is_open, row.seats) == ("playing", False, (guest.id, host.id))


async def test_a_seat_that_is_taken_own_or_reserved_is_not_taken(services: AppServices) -> None:
    host, friend, stranger = [await services.users.add_guest() for _ in range(3)]
    match = await create_match(services, host, AgainstUser(name=friend.name))
    with expect_error("seat-taken"):
        await services.matches.join(match, host)
    with expect_error("seat-taken"):
        await services.matches.join(match, stranger)
    await services.matches.join(match, friend)
    with expect_error("seat-taken"):
        await services.matches.join(match, stranger)


async def test_of_several_users_who_join_at_once_exactly_one_gets_the_seat(services: AppServices) -> None:
    host = await services.users.add_guest()
    match = await create_match(services, host)
    guests = [await services.users.add_guest() for _ in range(4)]
    joined = await asyncio.gather(*(services.matches.join(match, guest) for guest in guests), return_exceptions=True)
    assert [one.code for one in joined if isinstance(one, ApiError)] == ["seat-taken"] * 3
    assert await load_types(services, match.id) == ["match-started"]


async def test_a_guest_cannot_join_a_rated_match(services: AppServices) -> None:
    host = await services.users.add(User("host", "Host", "account"))
    match = await create_match(services, host, rated=True)
    with expect_error("bad-request"):
        await services.matches.join(match, await services.users.add_guest())
    await services.matches.join(match, await services.users.add(User("member", "Member", "account")))


async def test_a_waiting_match_is_withdrawn_by_its_creator_only(services: AppServices) -> None:
    host, stranger = await services.users.add_guest(), await services.users.add_guest()
    match = await create_match(services, host, ByInvitation())
    with expect_error("not-your-match"):
        await perform(services, match, stranger, Abort())
    await perform(services, match, host, Abort(request_id="withdraw"))
    assert (match.state.status, match.state.seats) == ("over", (None, None))
    with expect_error("seat-taken"):
        await services.matches.join(match, stranger)


async def test_a_new_match_whose_id_is_taken_is_not_stored(services: AppServices) -> None:
    host = await services.users.add_guest()
    match = await create_match(services, host)
    row = replace(match.row, created_by="somebody else")
    with expect_error("busy"):
        await services.matches.create(row, [], initial_state(row.config))
    stored = await services.match_repository.find(match.id)
    assert stored is not None
    assert stored.created_by == host.id


async def test_the_lobby_gets_an_event_for_every_change_of_a_listed_match(services: AppServices) -> None:
    first, _, match = await start_match(services)
    await play(services, match, first, "c3")
    await perform(services, match, first, Resign())
    withdrawn = await create_match(services, first)
    await perform(services, withdrawn, first, Abort())
    await start_match(services, opponent=ByInvitation())
    await services.lobby.refresh()
    assert [(event.seq, event.type, event.match_id) for event in services.lobby.log] == [
        (1, "challenge-opened", match.id),
        (2, "match-started", match.id),
        (3, "match-finished", match.id),
        (4, "challenge-opened", withdrawn.id),
        (5, "challenge-closed", withdrawn.id),
    ]


async def test_an_actor_without_a_seat_is_rejected(services: AppServices) -> None:
    _, _, match = await start_match(services)
    with expect_error("not-your-match"):
        await services.matches.perform(match, Actor("eve"), Resign())
