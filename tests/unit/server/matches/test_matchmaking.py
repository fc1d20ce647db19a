"""Creating matches: seats and opponents, what is not allowed, and rematches."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import ropewalk
from ropewalk.errors import RopewalkError
from ropewalk.server.db.user_data import delete_user_data
from ropewalk.server.db.user_repository import MAX_LEVEL, User
from ropewalk.server.domain.actions import Resign
from ropewalk.server.domain.clocks import Days
from ropewalk.server.errors import from_domain_error
from ropewalk.server.matches.hub import Origin
from ropewalk.server.matches.live_match import LiveMatch
from ropewalk.server.matches.matchmaking import (
    MAX_WAITING_MATCHES,
    AgainstLevel,
    AgainstSelf,
    AgainstUser,
    ByInvitation,
    CreateMatchRequest,
    OpenChallenge,
)
from ropewalk.server.services import AppServices
from tests.support.app_client import FirstMoveWorker
from tests.support.match_log import expect_error
from tests.support.services import create_match, perform, play, start_match

pytestmark = pytest.mark.anyio


async def add_account(services: AppServices, name: str, kind: str = "account") -> User:
    """Store an account or an external bot."""
    return await services.users.add(User(name.lower(), name, kind))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", [OpenChallenge(), ByInvitation()], ids=lambda choice: str(choice.kind))
async def test_a_match_without_an_opponent_waits(services: AppServices, opponent: Any, seat: int) -> None:
    user = await services.users.add_guest()
    match, token = await services.matchmaker.create_match(
        user,
        CreateMatchRequest(spec="tether-5", opponent=opponent, seat=seat),  # type: ignore[arg-type]
    )
    assert match.seats == ((user.id, None) if seat == 0 else (None, user.id))
    assert (match.state.status, match.log, match.row.is_open) == ("waiting", [], opponent.kind == "open")
    assert (token is not None) == (opponent.kind == "invitation")
    if token is not None:
        found = await services.match_repository.find_by_invitation(token)
        assert found is not None
        assert found.id == match.id
        assert await services.match_repository.find_by_invitation(token + "x") is None


async def test_a_match_at_one_screen_starts_at_once(services: AppServices) -> None:
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstSelf())
    assert (match.seats, match.state.status, match.row.origin) == ((user.id, user.id), "playing", "self")
    myself = await create_match(services, user, AgainstUser(name=user.name))
    assert (myself.seats, myself.row.origin) == ((user.id, user.id), "self")


async def test_a_built_in_bot_plays_at_once(services: AppServices) -> None:
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstLevel(level=3), seat=1)
    assert match.seats == ("level-3", user.id)
    await services.bot_player.turns[match.id]
    assert [(event.type, event.user_id) for event in match.log] == [
        ("match-started", user.id),
        ("move-played", "level-3"),
    ]
    await play(services, match, user, match.state.position.moves()[0])
    await services.bot_player.turns[match.id]
    assert (match.state.seq, match.engine_status) == (4, None)
    worker = services.engine_pool.workers[0]
    assert isinstance(worker, FirstMoveWorker)
    assert [(request["level"], len(request["moves"])) for request in worker.requests] == [(3, 0), (3, 2)]


async def test_a_user_who_is_challenged_has_the_seat_reserved_and_an_external_bot_accepts_at_once(
    services: AppServices,
) -> None:
    user, friend = await services.users.add_guest(), await add_account(services, "Friend")
    bot = await add_account(services, "Robot", "external-bot")
    match = await create_match(services, user, AgainstUser(name="friend"))
    assert (match.state.status, match.row.reserved_for, match.row.is_open) == ("waiting", friend.id, False)
    against_bot = await create_match(services, user, AgainstUser(name="ROBOT"))
    assert (against_bot.state.status, against_bot.seats) == ("playing", (user.id, bot.id))


async def test_without_a_choice_both_seats_occur(services: AppServices) -> None:
    user = await services.users.add_guest()
    seats = set()
    for _ in range(60):
        match = await create_match(services, user, AgainstUser(name="Level 1"), seat=None)
        seats |= set(match.seats_of(user.id))
        if len(seats) == 2:
            return
    raise AssertionError(f"sixty matches, and always seat {seats}")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"spec": "chess"}, "bad-spec"),
        ({"spec": "tether-2"}, "bad-spec"),
        ({"position": "nonsense"}, "bad-position"),
        ({"opponent": AgainstUser(name="Nobody")}, "not-found"),
        ({"rated": True}, "bad-request"),
    ],
    ids=["game", "size", "position", "opponent", "rated-guest"],
)
async def test_an_impossible_match_is_not_created(services: AppServices, fields: dict[str, Any], code: str) -> None:
    user = await services.users.add_guest()
    with pytest.raises(RopewalkError) as caught:
        await create_match(services, user, **fields)
    assert from_domain_error(caught.value).code == code
    assert await services.match_repository.list_by_user(user.id, 10) == []


async def test_a_level_that_the_game_lacks_is_rejected(services: AppServices) -> None:
    level_count = len(ropewalk.game("tether-5").definition.bots)
    user = await services.users.add_guest()
    await create_match(services, user, AgainstLevel(level=level_count))
    if level_count < MAX_LEVEL:
        with expect_error("bad-request"):
            await create_match(services, user, AgainstLevel(level=level_count + 1))


@pytest.mark.parametrize(
    "fields",
    [
        {"opponent": AgainstSelf()},
        {"opponent": AgainstUser(name="Member")},
        {"opponent": AgainstUser(name="A Guest")},
        {"position": str(ropewalk.game("tether-5").start().play("c3"))},
    ],
    ids=["self", "own-name", "guest", "position"],
)
async def test_only_matches_of_two_accounts_from_the_start_are_rated(services: AppServices, fields: dict[str, Any]) -> None:
    member = await add_account(services, "Member")
    await services.users.add(User("guest", "A Guest", "guest"))
    with expect_error("bad-request"):
        await create_match(services, member, rated=True, **fields)
    assert (await create_match(services, member, rated=True)).row.config.is_rated


async def test_a_user_may_have_only_so_many_matches_waiting(services: AppServices) -> None:
    user = await services.users.add_guest()
    for _ in range(MAX_WAITING_MATCHES):
        await create_match(services, user)
    with expect_error("too-many") as caught:
        await create_match(services, user)
    assert caught.value.details == {"limit": MAX_WAITING_MATCHES}
    await create_match(services, user, AgainstSelf())


async def test_the_first_events_of_a_match_are_published(services: AppServices) -> None:
    published: list[tuple[str, list[str], Origin]] = []
    services.hub.subscribe(
        lambda match, events, origin: published.append((match.id, [event.type for event in events], origin))
    )
    match = await create_match(services, await services.users.add_guest(), AgainstSelf())
    assert published == [(match.id, ["match-started"], Origin.LOCAL)]


# Rematches


async def finish_match(services: AppServices, **more: Any) -> tuple[User, User, LiveMatch]:
    """Return two guests and their match, which the first has resigned."""
    first, second, match = await start_match(services, **more)
    await perform(services, match, first, Resign())
    return first, second, match


async def test_a_rematch_has_the_same_settings_and_exchanged_seats(services: AppServices) -> None:
    first, second, match = await finish_match(services, spec="liger-4", clock=Days(days=3))
    rematch = await services.matchmaker.request_rematch(match, first)
    assert (rematch.state.status, rematch.seats, rematch.row.reserved_for) == ("waiting", (None, first.id), second.id)
    assert (rematch.row.config, rematch.row.rematch_of) == (match.row.config, match.id)
    assert match.state.rematch_id == rematch.id
    assert await services.matchmaker.request_rematch(match, first) is rematch, "asking again changes nothing"
    assert await services.matchmaker.request_rematch(match, second) is rematch
    assert (rematch.state.status, rematch.seats) == ("playing", (second.id, first.id))


async def test_players_who_request_a_rematch_at_once_get_the_same_one(services: AppServices) -> None:
    first, second, match = await finish_match(services)
    rematches = await asyncio.gather(*(services.matchmaker.request_rematch(match, user) for user in (first, second)))
    assert rematches[0] is rematches[1]
    assert [event.type for event in match.log].count("rematch-created") == 1
    assert rematches[0].state.status == "playing"


async def test_a_rematch_with_a_bot_starts_at_once(services: AppServices) -> None:
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstLevel(level=1), seat=0)
    await perform(services, match, user, Resign())
    rematch = await services.matchmaker.request_rematch(match, user)
    assert (rematch.state.status, rematch.seats, rematch.row.origin) == ("playing", ("level-1", user.id), "bot")


async def test_a_rematch_is_for_players_of_a_match_that_is_over(services: AppServices) -> None:
    first, _, match = await start_match(services)
    with expect_error("not-playing"):
        await services.matchmaker.request_rematch(match, first)
    await perform(services, match, first, Resign())
    with expect_error("not-your-match"):
        await services.matchmaker.request_rematch(match, await services.users.add_guest())


async def test_there_is_no_rematch_with_a_deleted_user(services: AppServices) -> None:
    first, second, match = await finish_match(services)
    await delete_user_data(services.users, second)
    with expect_error("not-playing"):
        await services.matchmaker.request_rematch(match, first)
    assert match.state.rematch_id is None
