"""Records: a match is exported with players, clocks and result, and a record is imported as a match."""

from __future__ import annotations

import pytest

from ropewalk.records import PlayerIdentity, read
from ropewalk.server.api.match_requests import import_record
from ropewalk.server.api.quotas import SharedQuotas
from ropewalk.server.api.rate_limit import TokenBucketLimiter
from ropewalk.server.api.work import WorkRequester
from ropewalk.server.db.usage_repository import UsageRepository
from ropewalk.server.domain.actions import Actor, Move, Resign
from ropewalk.server.domain.clocks import Fischer
from ropewalk.server.domain.usernames import DELETED_NAME
from ropewalk.server.matches import record_io
from ropewalk.server.matches.matchmaking import AgainstSelf
from ropewalk.server.matches.record_io import export_record
from ropewalk.server.services import AppServices
from tests.support.match_log import expect_error
from tests.support.services import create_match, perform, play, start_match

pytestmark = pytest.mark.anyio


def build_requester(services: AppServices) -> WorkRequester:
    """Return a client without limits."""
    quotas = SharedQuotas(UsageRepository(services.database), 0)
    return WorkRequester(services, TokenBucketLimiter(0), quotas, "10.0.0.1", None)


async def export_sgf(services: AppServices, match_id: str) -> str:
    """Return a match as SGF."""
    match = await services.registry.get(match_id)
    return export_record(match, await services.users.find_all(match.seats)).to_sgf()


async def test_a_record_has_players_turns_clocks_and_result(services: AppServices) -> None:
    first, second, match = await start_match(services, clock=Fischer(initial_seconds=60, increment_seconds=5))
    await play(services, match, first, "c3")
    await play(services, match, second, "b2")
    await perform(services, match, first, Resign())
    record = read(await export_sgf(services, match.id))
    assert [player.name for player in record.players] == [first.name, second.name]
    assert [node.turn for node in record.main_line()[1:]] == ["c3", "b2"]
    assert record.result is not None
    assert (record.result.winner, record.result.reason) == (1, "resign")
    clocks = [node.get_clock(seat) for node, seat in zip(record.main_line()[1:], (0, 1), strict=True)]
    assert all(clock.seconds is not None and 55 < clock.seconds <= 60 for clock in clocks)


async def test_a_turn_of_several_moves_is_one_turn_of_the_record(services: AppServices) -> None:
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstSelf(), spec="laocoon-weave",
                               clock=Fischer(initial_seconds=60, increment_seconds=5))  # fmt: skip
    for move in ("d4", "e6", "g2", "b8", "d4-e5", "e6-f6"):
        await play(services, match, user, move)
    await play(services, match, user, match.state.position.moves()[0])
    record = read(await export_sgf(services, match.id))
    assert str(record.end.position) == str(match.state.position)
    assert len(record.main_line()) - 1 < len(match.state.moves)


async def test_a_record_names_the_engine_of_a_bot_and_no_deleted_user(services: AppServices) -> None:
    bot = await services.users.find("level-2")
    assert bot is not None
    first, second, match = await start_match(services)
    await services.matches.perform(
        match, Actor(first.id, engine_info={"version": "1.2"}), Move(move="c3", position_version=1)
    )
    record = export_record(match, {first.id: bot})
    assert record.players[0].identity == PlayerIdentity("bot", "1.2", "2")
    assert record.players[1].name == DELETED_NAME
    assert second.name not in record.to_sgf()


async def test_an_exported_match_is_imported_again(services: AppServices) -> None:
    first, second, match = await start_match(services)
    await play(services, match, first, "c3")
    await perform(services, match, second, Resign())
    copy = await import_record(build_requester(services), first, await export_sgf(services, match.id))
    assert (copy.seats, copy.row.origin, copy.row.config.is_rated) == ((first.id, first.id), "import", False)
    assert [move.move for move in copy.state.moves] == ["c3"]
    assert copy.state.result is not None
    assert (copy.state.result.winner, copy.state.result.reason) == (0, "resign")
    assert [event.type for event in copy.log] == ["match-started", "move-played", "imported"]
    assert await services.match_repository.load_events(copy.id) == copy.log


async def test_an_imported_match_without_a_result_is_continued(services: AppServices) -> None:
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstSelf())
    await play(services, match, user, "c3")
    copy = await import_record(build_requester(services), user, await export_sgf(services, match.id))
    assert copy.state.status == "playing"
    await play(services, copy, user, "b2")
    assert copy.state.seq == 3


async def test_a_record_from_another_position_keeps_it(services: AppServices) -> None:
    user = await services.users.add_guest()
    start = (await services.games.get("tether-5")).start().play("c3")
    match = await create_match(services, user, AgainstSelf(), position=str(start))
    await play(services, match, user, "b2")
    copy = await import_record(build_requester(services), user, await export_sgf(services, match.id))
    assert copy.row.config.initial_position == str(start)
    assert copy.state.position == match.state.position


@pytest.mark.parametrize("text", ["", "/etc/passwd", "(;", "{}", "{", "(;GM[1]SZ[19];B[aa])", "\ufeff ( not sgf"], ids=repr)
async def test_a_text_that_is_no_record_is_rejected(services: AppServices, text: str) -> None:
    user = await services.users.add_guest()
    with expect_error("bad-record"):
        await import_record(build_requester(services), user, text)
    assert await services.match_repository.list_by_user(user.id, 10) == []


async def test_a_record_with_an_illegal_move_or_too_many_moves_is_rejected(
    services: AppServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await services.users.add_guest()
    match = await create_match(services, user, AgainstSelf())
    await play(services, match, user, "c3")
    await play(services, match, user, "b2")
    text = await export_sgf(services, match.id)
    assert text.count("[b2]") == 1
    with expect_error("bad-record"):
        await import_record(build_requester(services), user, text.replace("[b2]", "[c3]"))
    monkeypatch.setattr(record_io, "MAX_MOVES", 1)
    with expect_error("bad-record") as caught:
        await import_record(build_requester(services), user, text)
    assert caught.value.details == {"limit": 1}


async def test_a_match_with_clocks_and_without_moves_has_a_record(services: AppServices) -> None:
    _, _, match = await start_match(services, clock=Fischer(initial_seconds=60, increment_seconds=5))
    assert len(read(await export_sgf(services, match.id)).main_line()) == 1


@pytest.mark.parametrize(
    ("reason", "stored"), [("x" * 300, "x" * 80), ("a\0b", "ab"), ("\ud800", "unknown"), ("", "unknown"), ("Time", "Time")]
)
def test_the_reason_of_a_recorded_result_is_made_fit_for_a_database(reason: str, stored: str) -> None:
    assert record_io.clean_reason(reason) == stored


@pytest.mark.parametrize("escape", ["x" * 300, "a\\u0000b"])
async def test_a_record_with_any_reason_of_its_result_is_imported(services: AppServices, escape: str) -> None:
    first, second, match = await start_match(services)
    await play(services, match, first, "c3")
    await perform(services, match, second, Resign())
    users = await services.users.find_all(match.seats)
    text = export_record(match, users).to_json()
    assert text.count('"resign"') == 1
    copy = await import_record(build_requester(services), first, text.replace('"resign"', f'"{escape}"'))
    assert copy.state.result is not None
    assert copy.state.result.winner == 0
