"""Creating matches: against a bot, at one screen, by invitation, as a challenge, as a rematch."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...games.registry import MAX_SPEC_LENGTH
from ..db.identifiers import generate_id, generate_token
from ..db.match_repository import MatchRecordRow, MatchRepository
from ..db.moderation_repository import ModerationRepository
from ..db.user_repository import MAX_LEVEL, User, UserRepository
from ..domain.actions import MAX_POSITION_LENGTH, Abort, Actor, Integer, NewEvent
from ..domain.clocks import ClockSettings, NoClock, require_tag
from ..domain.events import LobbyEvent, MatchEvent, MatchOrigin
from ..domain.match import MatchConfig, replay_events
from ..errors import ApiError
from .hub import Origin
from .live_match import LiveMatch
from .lobby import Lobby
from .service import MatchService

if TYPE_CHECKING:
    from ...games.game import Game
    from ..engine_pool.pool import EnginePool

MAX_WAITING_MATCHES = 20  # challenges and invitations that one user may have open
MAX_WITHDRAWN = 200  # challenges of a user whose account is closed or deleted


class OpponentChoice(BaseModel):
    """Base class: the choice of an opponent for a new match."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=require_tag("kind"))


class AgainstLevel(OpponentChoice):
    """Play against a built-in bot of a level."""

    kind: Literal["bot"] = "bot"
    level: Integer = Field(ge=1, le=MAX_LEVEL)


class AgainstSelf(OpponentChoice):
    """Play both seats yourself."""

    kind: Literal["self"] = "self"


class ByInvitation(OpponentChoice):
    """Play against the first user who opens the invitation link."""

    kind: Literal["invitation"] = "invitation"


class OpenChallenge(OpponentChoice):
    """Play against the first user who accepts the challenge in the lobby."""

    kind: Literal["open"] = "open"


class AgainstUser(OpponentChoice):
    """Play against a user by name; an external bot accepts at once."""

    kind: Literal["user"] = "user"
    name: str = Field(min_length=1, max_length=40)


Opponent = Annotated[AgainstLevel | AgainstSelf | ByInvitation | OpenChallenge | AgainstUser, Field(discriminator="kind")]


class CreateMatchRequest(BaseModel):
    """A request to create a match."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["cube-lariat-4"])
    opponent: Opponent
    seat: Literal[0, 1] | None = Field(default=None, description="your seat; null: chosen at random")
    clock: ClockSettings = NoClock()
    rated: bool = Field(default=False, description="accounts and bots only")
    position: str | None = Field(
        default=None, max_length=MAX_POSITION_LENGTH, description="the initial position; such a match cannot be rated"
    )
    public: bool | None = Field(
        default=None, description="whether everybody may read the match; null: only if it is a challenge in the lobby"
    )


@dataclass(frozen=True)
class SeatAssignment:
    """The seats of a new match: user ids of taken seats, and the user id for which a free one is reserved."""

    origin: MatchOrigin
    seats: tuple[str | None, str | None]
    reserved_for: str | None = None
    is_open: bool = False
    rematch_of: str | None = None


class Matchmaker:
    """Creates matches and rematches."""

    def __init__(
        self,
        service: MatchService,
        repository: MatchRepository,
        users: UserRepository,
        lobby: Lobby,
        engine_pool: EnginePool,
        moderation: ModerationRepository,
    ) -> None:
        self.service = service
        self.registry = service.registry
        self.repository = repository
        self.users = users
        self.lobby = lobby
        self.engine_pool = engine_pool
        self.moderation = moderation

    async def create_match(self, user: User, request: CreateMatchRequest) -> tuple[LiveMatch, str | None]:
        """Create a match. Returns it, and the token of its invitation if it has one."""
        if isinstance(request.opponent, AgainstLevel):
            self.engine_pool.prioritise(request.spec)
        game = await self.registry.games.get(request.spec)
        check_level(game, request.opponent)
        if request.position is not None:
            game.position(request.position)
        is_public = request.opponent.kind == "open" if request.public is None else request.public
        config = MatchConfig(game.spec, request.clock, request.rated, request.position, is_public)
        opponent = await self.find_opponent(request.opponent)
        check_rating_allowed(config, user, opponent, request.opponent.kind)
        await self.check_opponent(user, opponent)
        seat = secrets.randbelow(2) if request.seat is None else request.seat
        return await self.store_match(user, config, assign_seats(user, opponent, request.opponent.kind, seat))

    async def find_opponent(self, choice: Opponent) -> User | None:
        """Return the chosen user, None if any user may join."""
        if isinstance(choice, AgainstLevel):
            return await self.users.find(f"level-{choice.level}")
        if isinstance(choice, AgainstUser):
            return (await self.users.find_by_name(choice.name))[0]
        return None

    async def check_opponent(self, user: User, opponent: User | None) -> None:
        """Raise ApiError if a user cannot be challenged: their account is closed, or one has blocked the other."""
        if opponent is not None and not opponent.is_bot:
            if opponent.is_closed or opponent.kind == "deleted":
                raise ApiError("account-closed", "this account is closed; choose another opponent")
            await self.moderation.require_not_blocked(user.id, opponent.id)

    async def join(self, match: LiveMatch, user: User) -> None:
        """Seat a user on the free seat, unless one of both players has blocked the other."""
        for owner_id in match.row.seats:
            await self.moderation.require_not_blocked(user.id, owner_id)
        await self.service.join(match, user)

    async def withdraw_challenges(self, user: User) -> None:
        """Abort the matches of a user that wait for an opponent."""
        for row in await self.repository.list_by_user(user.id, MAX_WITHDRAWN):
            if row.status == "waiting" and row.created_by == user.id:
                try:
                    await self.service.perform(await self.registry.get(row.id), Actor(user.id), Abort())
                except ApiError as error:
                    if error.code == "storage":
                        raise

    async def store_match(self, user: User, config: MatchConfig, assignment: SeatAssignment) -> tuple[LiveMatch, str | None]:
        """Store a new match, which starts at once if both seats are taken. Returns it and its invitation token."""
        now, is_full = self.service.clock.now_ms(), None not in assignment.seats
        if not is_full:
            await self.check_waiting_limit(user)
        row = MatchRecordRow(
            generate_id(),
            config,
            user.id,
            now,
            assignment.seats,
            assignment.origin,
            assignment.is_open,
            rematch_of=assignment.rematch_of,
            reserved_for=assignment.reserved_for,
            spectator_key=generate_token(),
        )
        token = generate_token() if assignment.origin == "invitation" and not is_full else None
        return await self.store_row(row, token), token

    async def store_row(self, row: MatchRecordRow, token: str | None = None) -> LiveMatch:
        """Store and publish a new match, which starts at once if both seats are taken.

        Raises:
            ApiError: `busy`: there is a match with this id.
        """
        is_full, now = None not in row.seats, row.created_at
        events = [MatchEvent(1, now, "match-started", None, row.created_by, {"seats": list(row.seats)})] if is_full else []
        lobby_event = build_creation_event(row, now, is_full)
        match = await self.service.create(row, events, replay_events(row.config, events), lobby_event, token)
        self.service.hub.publish(match, match.log, Origin.LOCAL)
        self.lobby.schedule_refresh()
        return match

    async def check_waiting_limit(self, user: User) -> None:
        """Raise ApiError `too-many` if too many matches of the user wait for an opponent."""
        recent = await self.repository.list_by_user(user.id, 200)
        if sum(row.status == "waiting" for row in recent) >= MAX_WAITING_MATCHES:
            message = f"you have {MAX_WAITING_MATCHES} matches waiting for players already"
            raise ApiError("too-many", message, limit=MAX_WAITING_MATCHES)

    async def request_rematch(self, match: LiveMatch, user: User) -> LiveMatch:
        """Create a match with exchanged seats, or join the one that the opponent has created."""
        state = match.state
        if not state.seats_of(user.id):
            raise ApiError("not-your-match", "you are not a player of this match")
        if state.status != "over":
            raise ApiError("not-playing", "the match is not over")
        if state.rematch_id is None:
            await self.create_rematch(match, user)
        rematch = await self.registry.get(match.state.rematch_id or "")
        if rematch.state.status == "waiting" and user.id != rematch.row.created_by:
            await self.join(rematch, user)
        return rematch

    async def create_rematch(self, match: LiveMatch, user: User) -> None:
        """Create a rematch; if the opponent does so at the same time, only one of both is named in the events."""
        players = await self.users.find_all(match.state.seats)
        second, first = (players.get(user_id or "") for user_id in match.state.seats)
        if first is None or second is None or "deleted" in (first.kind, second.kind):
            raise ApiError("not-playing", "one of the players has no account any more")
        config = replace(match.row.config, is_public=match.state.is_public)
        rematch, _ = await self.store_match(user, config, assign_rematch_seats(match, user, first, second))

        def decide_rematch(now: int) -> NewEvent | MatchEvent:
            return find_rematch_event(match) or NewEvent("rematch-created", None, user.id, {"match_id": rematch.id})

        await self.service.append(match, decide_rematch)


def check_level(game: Game, choice: Opponent) -> None:
    """Raise ApiError if the game does not have the chosen level."""
    level_count = len(game.definition.bots)
    if isinstance(choice, AgainstLevel) and choice.level > level_count:
        raise ApiError("bad-request", f"invalid level {choice.level}; {game.name} has levels 1 to {level_count}")


def check_rating_allowed(config: MatchConfig, user: User, opponent: User | None, kind: MatchOrigin) -> None:
    """Raise ApiError for a rated match with a guest, with one user on both seats, or with an initial position."""
    if not config.is_rated:
        return
    if user.kind == "guest" or (opponent is not None and opponent.kind == "guest"):
        raise ApiError("bad-request", "only registered accounts and bots can play rated matches; register first")
    if kind == "self" or config.initial_position is not None or opponent == user:
        raise ApiError("bad-request", "rated matches need two players and the standard start position")


def assign_seats(user: User, opponent: User | None, kind: MatchOrigin, seat: int) -> SeatAssignment:
    """Return the seats of a new match; `seat` is the user's."""
    if kind == "self" or opponent == user:
        return SeatAssignment("self", (user.id, user.id))
    if opponent is not None and opponent.is_bot:
        return SeatAssignment(kind, order_seats(user.id, opponent.id, seat))
    reserved_for = None if opponent is None else opponent.id
    return SeatAssignment(kind, order_seats(user.id, None, seat), reserved_for, is_open=kind == "open")


def assign_rematch_seats(match: LiveMatch, user: User, first: User, second: User) -> SeatAssignment:
    """Return the seats of a rematch, in which a person's seat is reserved until they accept; bots accept at once."""
    if all(player.is_bot or player == user for player in (first, second)):
        origin: MatchOrigin = "bot" if match.row.origin == "tournament" else match.row.origin
        return SeatAssignment(origin, (first.id, second.id), rematch_of=match.id)
    seats = (user.id, None) if first == user else (None, user.id)
    opponent = second if first == user else first
    return SeatAssignment("user", seats, opponent.id, rematch_of=match.id)


def order_seats(user_id: str, opponent_id: str | None, seat: int) -> tuple[str | None, str | None]:
    """Return both user ids in the order of seats, the first one on `seat`."""
    return (user_id, opponent_id) if seat == 0 else (opponent_id, user_id)


def build_creation_event(row: MatchRecordRow, now: int, has_begun: bool) -> LobbyEvent | None:
    """Return the lobby event of a new match, None if the lobby does not show it."""
    if has_begun and row.is_listed:
        return LobbyEvent(0, now, "match-started", row.id)
    return LobbyEvent(0, now, "challenge-opened", row.id) if row.is_open else None


def find_rematch_event(match: LiveMatch) -> MatchEvent | None:
    """Return the event that names the rematch, None if there is none."""
    return next((event for event in match.log if event.type == "rematch-created"), None)
