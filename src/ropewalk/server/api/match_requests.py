"""Functions that HTTP routes and sockets share: views of matches for a user, and actions within the rate limits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from ...errors import SpecError
from ...games.registry import spec_of
from ..db.match_repository import MatchRecordRow
from ..db.rating_repository import BOTS, PEOPLE, MatchRating, RatingKey
from ..db.user_repository import User
from ..domain.actions import Action, Actor, Chat, RequestTakeback
from ..domain.events import MatchEvent
from ..errors import ApiError
from ..matches.live_match import LiveMatch
from ..matches.record_io import build_imported_match, find_spec, parse_record
from ..matches.registry import missing_match_error
from ..services import AppServices
from .disconnect import run_while_connected
from .quotas import MATCH_BYTES
from .schemas.matches import LobbyView, MatchSummary, MatchView, build_match, build_summary
from .work import WorkRequester, estimate_cost

SGF_TYPE = "application/x-go-sgf; charset=utf-8"
BOT_KINDS = {"builtin-bot", "external-bot"}
PICTURE_CACHING = "public, max-age=300"
CHARACTERS_PER_UNIT = 1000  # of a record that is parsed
STATE_ERRORS = ("stale", "too-late", "not-playing")  # errors whose details contain the current state


async def load_readable_match(
    services: AppServices, match_id: str, viewer: User | None, key: str | None = None
) -> LiveMatch:
    """Return a match that a viewer may read, with everything that other servers have stored.

    Raises:
        ApiError: `not-found`, also for a private match: a stranger cannot tell whether it exists.
    """
    async with hide_unreadable(services, match_id, viewer, key):
        match = await services.registry.load_current(match_id)
    require_readable(match, viewer, key)
    return match


@asynccontextmanager
async def hide_unreadable(
    services: AppServices, match_id: str, viewer: User | None, key: str | None = None
) -> AsyncIterator[None]:
    """Turn the error for a damaged match into `not-found` for users who may not read the match."""
    try:
        yield
    except ApiError as error:
        row = await services.match_repository.find(match_id) if error.code == "unreadable-match" else None
        if row is not None and not row.is_readable_by(None if viewer is None else viewer.id, key):
            raise missing_match_error() from None
        raise


def require_readable(match: LiveMatch, viewer: User | None, key: str | None = None) -> None:
    """Raise ApiError `not-found` unless a viewer may read a match."""
    if not match.is_readable_by(None if viewer is None else viewer.id, key):
        raise missing_match_error()


async def load_match_view(services: AppServices, match: LiveMatch, viewer: User | None) -> MatchView:
    """Return a match as one user sees it."""
    users = await services.users.find_all(match.seats)
    muted = await services.users.load_mutes(None if viewer is None else viewer.id)
    ratings = await load_match_ratings(services, match, users) if match.row.config.is_rated else (None, None)
    return build_match(match, users, viewer, services.clock.now_ms(), muted=muted, ratings=ratings)


async def load_match_ratings(
    services: AppServices, match: LiveMatch, users: Mapping[str, User]
) -> Sequence[MatchRating | None]:
    """Return the ratings of both players of a rated match."""
    row = replace(match.row, seats=match.seats)  # those of the row are the ones before somebody joined
    return await services.ratings.find_match_ratings(row, has_bot=any(user.is_bot for user in users.values()))


async def load_summaries(services: AppServices, rows: Sequence[MatchRecordRow]) -> list[MatchSummary]:
    """Return the entries of a list of matches."""
    users = await services.users.find_all(user_id for row in rows for user_id in (*row.seats, row.reserved_for))
    ratings = await services.ratings.find_by_users(users)
    return [build_summary(row, users, find_seat_ratings(row, users, ratings)) for row in rows]


def find_seat_ratings(row: MatchRecordRow, users: Mapping[str, User], ratings: Mapping[RatingKey, int]) -> list[int | None]:
    """Return the ratings of both seats' users in the game of a match: against people, or with bots if one takes part."""
    try:
        game = spec_of(row.config.spec).key
    except SpecError:  # of a game that is no longer installed
        return [None, None]
    players = [users.get(user_id or "") for user_id in (*row.seats, row.reserved_for)]
    pool = BOTS if any(player is not None and player.is_bot for player in players) else PEOPLE
    return [ratings.get((user_id or "", game, pool)) for user_id in row.seats]


async def load_lobby_view(services: AppServices) -> LobbyView:
    """Return the lobby with the number of the last event that it includes."""
    await services.lobby.refresh()
    seq = services.lobby.seq
    challenges = await load_summaries(services, await services.match_repository.list_challenges())
    playing = await load_summaries(services, await services.match_repository.list_in_progress())
    return LobbyView.model_construct(seq=seq, challenges=challenges, playing=playing)


async def perform_action(requester: WorkRequester, match: LiveMatch, user: User, action: Action) -> MatchEvent:
    """Perform an action within the rate limits.

    Raises:
        ApiError: The action is not allowed; some errors have the current state in their details.
    """
    services = requester.services
    requester.limiter.consume("chat" if isinstance(action, Chat) else "actions", user.id)
    requester.limiter.consume("actions of an address", requester.address)
    if isinstance(action, Chat):
        await require_voice(services, user)
    try:
        actor = await load_actor(services, match, user) if isinstance(action, RequestTakeback) else Actor(user.id)
        return await services.matches.perform(match, actor, action)
    except ApiError as error:
        if error.code in STATE_ERRORS:
            error.details["match"] = (await load_match_view(services, match, user)).model_dump(mode="json")
        raise


async def require_voice(services: AppServices, user: User) -> None:
    """Raise ApiError `muted` if an operator forbids a user to write; a socket may be older than that."""
    current = await services.users.find(user.id)
    if current is not None and current.is_silenced:
        raise ApiError("muted", "an operator of this server has muted you; you can play, but not write")


async def import_record(requester: WorkRequester, user: User, text: str) -> LiveMatch:
    """Create a private match from a record; both seats are the user's.

    Raises:
        ApiError: `bad-record`: the text is not a record, has an illegal move, or has too many moves.
    """
    record = await requester.run(len(text) / CHARACTERS_PER_UNIT, parse_record, text)
    try:
        game = await requester.load_game(find_spec(record))
    except SpecError as error:
        raise ApiError("bad-record", str(error)) from None
    cost = estimate_cost(game, 2 * len(record.main_line()))  # by the record, then by the events
    imported = await requester.run(cost, build_imported_match, record, user, requester.services.clock.now_ms())
    await requester.quotas.charge_storage(user, requester.address, MATCH_BYTES + imported.count_bytes())
    return await requester.services.matches.create(imported.row, imported.events, imported.state)


async def load_actor(services: AppServices, match: LiveMatch, user: User) -> Actor:
    """Return a user who requests a takeback as the rules of actions see them."""
    kinds = {player.id: player.kind for player in (await services.users.find_all(match.seats)).values()}
    return Actor(
        user.id,
        opponent_is_bot="builtin-bot" in kinds.values(),
        has_bot_in_match=not BOT_KINDS.isdisjoint(kinds.values()),
    )


async def render_picture(request: Request, requester: WorkRequester, drawing: str) -> Response:
    """Return a picture as a response that may be cached; only one that has to be rendered counts for the rate limit."""
    renderer = requester.services.animations
    if drawing not in renderer.cache:
        requester.limiter.consume("pictures", requester.address)
    picture = await run_while_connected(request, renderer.render(requester.client, drawing))
    return Response(picture, media_type="image/png", headers={"Cache-Control": PICTURE_CACHING})


def name_attachment(name: str) -> dict[str, str]:
    """Return the header that lets browsers save a response under a name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}
