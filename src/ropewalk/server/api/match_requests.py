"""Functions that HTTP routes and sockets share: views of matches for a user, and actions within the rate limits."""

from __future__ import annotations

from collections.abc import Sequence

from ..db.match_repository import MatchRecordRow
from ..db.user_repository import User, now_ms
from ..domain.actions import Action, Actor, Chat, RequestTakeback
from ..domain.events import MatchEvent
from ..errors import ApiError
from ..matches.live_match import LiveMatch
from ..services import AppServices
from .rate_limit import TokenBucketLimiter
from .schemas.matches import LobbyView, MatchSummary, MatchView, build_match, build_summary

BOT_KINDS = {"builtin-bot", "external-bot"}
STATE_ERRORS = ("stale", "too-late", "not-playing")  # errors whose details contain the current state


async def load_match_view(services: AppServices, match: LiveMatch, viewer: User | None) -> MatchView:
    """Return a match as one user sees it."""
    users = await services.users.find_all(match.seats)
    muted = await services.users.load_mutes(None if viewer is None else viewer.id)
    return build_match(match, users, viewer, now_ms(), muted)


async def load_summaries(services: AppServices, rows: Sequence[MatchRecordRow]) -> list[MatchSummary]:
    """Return the entries of a list of matches."""
    users = await services.users.find_all(user_id for row in rows for user_id in row.seats)
    return [build_summary(row, users) for row in rows]


async def load_lobby_view(services: AppServices) -> LobbyView:
    """Return the lobby with the number of the last event that it includes."""
    await services.lobby.refresh()
    seq = services.lobby.seq
    challenges = await load_summaries(services, await services.match_repository.list_challenges())
    playing = await load_summaries(services, await services.match_repository.list_in_progress())
    return LobbyView.model_construct(seq=seq, challenges=challenges, playing=playing)


async def perform_action(
    services: AppServices, limiter: TokenBucketLimiter, match: LiveMatch, user: User, action: Action
) -> MatchEvent:
    """Perform an action within the rate limits.

    Raises:
        ApiError: The action is not allowed; some errors have the current state in their details.
    """
    limiter.consume("chat" if isinstance(action, Chat) else "actions", user.id)
    try:
        actor = await load_actor(services, match, user) if isinstance(action, RequestTakeback) else Actor(user.id)
        return await services.matches.perform(match, actor, action)
    except ApiError as error:
        if error.code in STATE_ERRORS:
            error.details["match"] = (await load_match_view(services, match, user)).model_dump(mode="json")
        raise


async def load_actor(services: AppServices, match: LiveMatch, user: User) -> Actor:
    """Return a user who requests a takeback as the rules of actions see them."""
    kinds = {player.id: player.kind for player in (await services.users.find_all(match.seats)).values()}
    return Actor(
        user.id,
        opponent_is_bot="builtin-bot" in kinds.values(),
        has_bot_in_match=not BOT_KINDS.isdisjoint(kinds.values()),
    )
