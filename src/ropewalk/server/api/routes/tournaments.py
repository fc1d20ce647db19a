"""Routes of tournaments: create, join, withdraw, start, cancel, live standings, and the records of all games."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response, status

from ...db.tournament_repository import StoredTournament
from ...db.user_repository import User
from ...domain.actions import clean_text
from ...domain.tournament import TournamentSettings
from ...domain.tournament_actions import decide_cancellation, decide_start, decide_withdrawal
from ...errors import ApiError
from ...matches.matchmaking import AgainstLevel, check_level
from ...matches.record_io import format_collection
from ...services import AppServices
from ..dependencies import CurrentUser, LimiterDep, OptionalUser, ServicesDep
from ..match_requests import SGF_TYPE, name_attachment
from ..quotas import MATCH_BYTES
from ..schemas.tournaments import (
    MIN_TITLE_LENGTH,
    AddPlayerRequest,
    CreateTournamentRequest,
    TournamentListView,
    TournamentView,
    build_tournament,
    build_tournament_summary,
)
from ..work import RequesterDep, WorkRequester, estimate_cost

GAMES_PER_PLAYER = 10  # that a player is charged for; most tournaments have fewer
MAX_DELAY_MS = 90 * 24 * 3600 * 1000  # until a tournament starts
TournamentId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z]+$")]
PlayerNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
router = APIRouter(prefix="/api/tournaments", tags=["tournaments"])


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_tournament(
    request: CreateTournamentRequest, user: CurrentUser, requester: RequesterDep, limiter: LimiterDep
) -> TournamentView:
    """Create a tournament, of which you are the organiser; join it to take part yourself."""
    require_account(user)
    limiter.consume("tournaments", user.id)
    services = requester.services
    check_settings(request, services.clock.now_ms())
    game = await requester.load_game(request.spec)
    await requester.quotas.charge_storage(user, requester.address, MATCH_BYTES)
    config = TournamentSettings(
        name=require_title(request.name),
        format=request.format,
        spec=game.spec,
        clock=request.clock,
        is_rated=request.rated,
        rounds=request.rounds if request.format == "swiss" else None,
        cycles=request.cycles if request.format == "round-robin" else 1,
        duration_minutes=request.duration_minutes if request.format == "arena" else None,
        starts_at=request.starts_at,
        max_players=request.max_players,
    )
    return await load_view(services, await services.tournaments.create(user, config, is_open=request.open), user)


@router.get("")
async def list_tournaments(services: ServicesDep) -> TournamentListView:
    """Return the tournaments that can be joined, those in progress, and the last ones that are over."""
    repository = services.tournaments.repository
    lists = [await repository.list_by_status([each]) for each in ("registering", "playing", "over")]
    registering, playing, over = ([build_tournament_summary(row) for row in rows] for rows in lists)
    return TournamentListView.model_construct(registering=registering, playing=playing, over=over)


@router.get("/{tournament_id}", responses={status.HTTP_304_NOT_MODIFIED: {"description": "not changed"}})
async def show_tournament(
    tournament_id: TournamentId, request: Request, response: Response, user: OptionalUser, services: ServicesDep
) -> TournamentView:
    """Return a tournament; with `If-None-Match` and the last ETag, 304 without a body if nothing has changed."""
    version = await services.tournaments.repository.find_version(tournament_id)
    headers = build_cache_headers(version, user)
    if version is not None and request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)  # type: ignore[return-value]
    tournament = await services.tournaments.load(tournament_id)
    response.headers.update(build_cache_headers(tournament.version, user))
    return await load_view(services, tournament, user)


@router.post("/{tournament_id}/players")
async def add_player(
    tournament_id: TournamentId, request: AddPlayerRequest, user: CurrentUser, requester: RequesterDep
) -> TournamentView:
    """Join a tournament, with its key unless it is open; the organiser may add built-in bots by their level."""
    require_account(user)
    services = requester.services
    requester.limiter.consume("actions", user.id)
    tournament = await services.tournaments.load(tournament_id)
    player = await find_player(requester, tournament, user, request)
    await requester.quotas.charge_storage(user, requester.address, GAMES_PER_PLAYER * MATCH_BYTES)
    return await load_view(services, await services.tournaments.join(tournament, player), user)


@router.delete("/{tournament_id}/players/{number}")
async def remove_player(
    tournament_id: TournamentId, number: PlayerNumber, user: CurrentUser, requester: RequesterDep
) -> TournamentView:
    """Withdraw from a tournament; the organiser may remove any player. A running game goes on."""
    services = requester.services
    requester.limiter.consume("actions", user.id)
    tournament = await services.tournaments.load(tournament_id)
    if number not in tournament.state.numbers_of(user.id):
        require_organiser(tournament, user)
    changed = await services.tournaments.append(tournament, lambda state: decide_withdrawal(state, user.id, number))
    return await load_view(services, changed, user)


@router.post("/{tournament_id}/start")
async def start_tournament(tournament_id: TournamentId, user: CurrentUser, requester: RequesterDep) -> TournamentView:
    """End the registration and start the first round; only the organiser may do so."""
    services = requester.services
    requester.limiter.consume("actions", user.id)
    tournament = await services.tournaments.load(tournament_id)
    require_organiser(tournament, user)
    changed = await services.tournaments.append(tournament, lambda state: decide_start(state, user.id))
    return await load_view(services, changed, user)


@router.post("/{tournament_id}/cancel")
async def cancel_tournament(tournament_id: TournamentId, user: CurrentUser, requester: RequesterDep) -> TournamentView:
    """Cancel a tournament, as its organiser; nothing is paired any more, and running games do not count for it."""
    services = requester.services
    requester.limiter.consume("actions", user.id)
    tournament = await services.tournaments.load(tournament_id)
    require_organiser(tournament, user)
    changed = await services.tournaments.append(tournament, lambda state: decide_cancellation(state, user.id))
    return await load_view(services, changed, user)


@router.get(
    "/{tournament_id}/records.sgf",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {SGF_TYPE: {"schema": {"type": "string"}}}}},
    tags=["records"],
)
async def export_records(tournament_id: TournamentId, requester: RequesterDep) -> Response:
    """Return all games of a tournament that have ended, as one SGF collection."""
    services = requester.services
    state = (await services.tournaments.load(tournament_id)).state
    games = [
        (f"{number}", game.match_id)
        for number, each in enumerate(state.rounds, 1)
        for game in each.games
        if game.match_id is not None and game.result is not None
    ]
    if not games:
        raise ApiError("not-found", "no game of this tournament has ended yet")
    matches = [(number, await services.registry.get(match_id)) for number, match_id in games]
    users = await services.users.find_all(user_id for _, match in matches for user_id in match.seats)
    cost = sum(estimate_cost(match.state.position.game, len(match.state.moves)) for _, match in matches)
    text = await requester.run(cost, format_collection, matches, users, state.config.name)
    return Response(text, media_type=SGF_TYPE, headers=name_attachment(f"ropewalk-{tournament_id}.sgf"))


# Shared by several routes


async def load_view(services: AppServices, tournament: StoredTournament, viewer: User | None) -> TournamentView:
    """Return a tournament as one user sees it."""
    user_ids = [tournament.row.created_by, *(player.user_id for player in tournament.state.players)]
    return build_tournament(tournament, await services.users.find_all(user_ids), viewer)


async def find_player(requester: WorkRequester, tournament: StoredTournament, user: User, request: AddPlayerRequest) -> User:
    """Return the user whom a request adds: a bot if the organiser names a level, otherwise who sends it."""
    if request.level is not None:
        require_organiser(tournament, user)
        check_level(await requester.load_game(tournament.row.config.spec), AgainstLevel(level=request.level))
        bot = await requester.services.users.find(f"level-{request.level}")
        assert bot is not None
        return bot
    is_organiser = user.id == tournament.row.created_by
    has_key = secrets.compare_digest((request.key or "").encode(), tournament.row.join_key.encode())
    if not (tournament.row.is_open or is_organiser or has_key):
        raise ApiError("not-invited", "this tournament can be joined only with the link of its organiser")
    return user


def require_title(name: str) -> str:
    """Return the name of a tournament without characters that are not printable. Raises ApiError if too little is left."""
    title = clean_text(name)
    if len(title) < MIN_TITLE_LENGTH:
        message = f"the name of a tournament has at least {MIN_TITLE_LENGTH} letters"
        raise ApiError("bad-request", message, limit=MIN_TITLE_LENGTH)
    return title


def check_settings(request: CreateTournamentRequest, now: int) -> None:
    """Raise ApiError `bad-request` for settings that do not fit together."""
    if request.format == "arena" and (request.duration_minutes is None or request.clock.kind == "days"):
        raise ApiError("bad-request", "an arena needs duration_minutes, and a clock of minutes instead of days")
    if request.starts_at is not None and not now <= request.starts_at <= now + MAX_DELAY_MS:
        limit = MAX_DELAY_MS // (24 * 3600 * 1000)
        raise ApiError("bad-request", f"starts_at must be within the next {limit} days", limit=limit)


def require_account(user: User) -> None:
    """Raise ApiError `account-needed` for a guest."""
    if user.kind == "guest":
        raise ApiError("account-needed", "tournaments are for accounts and bots; register first")


def require_organiser(tournament: StoredTournament, user: User) -> None:
    """Raise ApiError `not-organiser` unless a user has created the tournament."""
    if tournament.row.created_by != user.id:
        raise ApiError("not-organiser", "only the organiser of the tournament may do this")


def build_cache_headers(version: str | None, user: User | None) -> dict[str, str]:
    """Return the headers by which a browser asks whether its copy of a tournament is current."""
    viewer = "" if user is None else user.id
    return {"ETag": f'W/"{version}-{viewer}"', "Cache-Control": "private, no-cache"}
