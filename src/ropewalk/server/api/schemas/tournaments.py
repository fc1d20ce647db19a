"""Models of tournaments, with one builder each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from ....games.registry import MAX_SPEC_LENGTH
from ...db.user_repository import MAX_LEVEL
from ...domain.actions import PRINTABLE, Integer
from ...domain.clocks import ByoYomi, Days, Fischer
from ...domain.standings import compute_standings
from ...domain.tournament import GameResult, TournamentFormat, TournamentStatus
from ...domain.tournament_actions import count_rounds, find_player_limit
from .users import UserView, build_known_user

if TYPE_CHECKING:
    from ...db.tournament_repository import StoredTournament, TournamentRow
    from ...db.user_repository import User
    from ...domain.tournament import TournamentRound

MIN_TITLE_LENGTH, MAX_TITLE_LENGTH = 3, 60
MAX_ROUNDS = 20
MAX_CYCLES = 2
MAX_PLAYERS = 64
MAX_DURATION_MINUTES = 360

RunningClock = Fischer | ByoYomi | Days


class CreateTournamentRequest(BaseModel):
    """A request to create a tournament."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=MIN_TITLE_LENGTH, max_length=MAX_TITLE_LENGTH, pattern=PRINTABLE)
    format: TournamentFormat
    spec: str = Field(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["tether-7"])
    clock: RunningClock = Field(discriminator="kind")
    rated: bool = False
    open: bool = Field(default=True, description="anybody may join; otherwise who has the link")
    rounds: int | None = Field(
        default=None, ge=1, le=MAX_ROUNDS, description="of a Swiss tournament; null: by the number of players"
    )
    cycles: Integer = Field(default=1, ge=1, le=MAX_CYCLES, description="of a round robin: games of each pair of players")
    duration_minutes: int | None = Field(default=None, ge=1, le=MAX_DURATION_MINUTES, description="of an arena")
    starts_at: int | None = Field(
        default=None, ge=0, le=2**53, description="milliseconds since 1970; null: when the organiser starts it"
    )
    max_players: int = Field(default=MAX_PLAYERS, ge=2, le=MAX_PLAYERS)


class AddPlayerRequest(BaseModel):
    """A request to join a tournament, or of its organiser to add a built-in bot."""

    model_config = ConfigDict(extra="forbid")
    level: int | None = Field(default=None, ge=1, le=MAX_LEVEL, description="add a bot of this level; null: join yourself")
    key: str | None = Field(default=None, max_length=100, description="of the link, unless the tournament is open")


class StandingView(BaseModel):
    """A player and their place; players who are equal in everything have the same rank."""

    rank: int
    number: int = Field(description="of the player in this tournament; a bot may take part several times")
    user: UserView
    points: float
    games: int
    wins: int
    buchholz: float
    sonneborn_berger: float
    withdrawn: bool


class TournamentGameView(BaseModel):
    """A game of a round, its players by number."""

    match_id: str | None = Field(description="null for a walkover")
    first: int
    second: int
    result: GameResult | None


class TournamentRoundView(BaseModel):
    """A round; those of an arena are the games that began together."""

    games: list[TournamentGameView]
    bye: int | None


class TournamentSummary(BaseModel):
    """An entry of the list of tournaments."""

    id: str
    name: str
    format: TournamentFormat
    spec: str
    clock: RunningClock = Field(discriminator="kind")
    rated: bool
    open: bool
    status: TournamentStatus
    created_at: int
    starts_at: int | None
    player_count: int


class TournamentView(TournamentSummary):
    """A tournament with its standings and rounds."""

    version: str = Field(description="changes with every event; the ETag contains it")
    organiser: UserView | None
    rounds_planned: int | None = Field(description="null for an arena")
    cycles: int
    duration_minutes: int | None
    max_players: int
    started_at: int | None
    ends_at: int | None = Field(description="of an arena in progress")
    ended_at: int | None
    standings: list[StandingView]
    rounds: list[TournamentRoundView]
    your_numbers: list[int]
    is_organiser: bool
    join_key: str | None = Field(description="of the link /tournaments/ID?key=KEY; null unless you are the organiser")


class TournamentListView(BaseModel):
    """Tournaments by status, the newest first."""

    registering: list[TournamentSummary]
    playing: list[TournamentSummary]
    over: list[TournamentSummary]


ListedStatus = Literal["registering", "playing", "over"]


def build_tournament_summary(row: TournamentRow) -> TournamentSummary:
    """Return the entry of a tournament in a list."""
    config = row.config
    return TournamentSummary.model_construct(
        id=row.id,
        name=config.name,
        format=config.format,
        spec=config.spec,
        clock=config.clock,
        rated=config.is_rated,
        open=row.is_open,
        status=row.status,
        created_at=row.created_at,
        starts_at=config.starts_at,
        player_count=row.num_players,
    )


def build_tournament(tournament: StoredTournament, users: Mapping[str, User], viewer: User | None) -> TournamentView:
    """Return the view of a tournament for one user."""
    row, state, config = tournament.row, tournament.state, tournament.row.config
    is_organiser = viewer is not None and viewer.id == row.created_by
    return TournamentView.model_construct(
        **vars(build_tournament_summary(row)) | {"status": state.status, "player_count": len(state.players)},
        version=tournament.version,
        organiser=build_known_user(users, row.created_by),
        rounds_planned=None if config.format == "arena" else count_rounds(state),
        cycles=config.cycles,
        duration_minutes=config.duration_minutes,
        max_players=find_player_limit(state),
        started_at=state.started_at,
        ends_at=state.ends_at,
        ended_at=state.ended_at,
        standings=build_standings(tournament, users),
        rounds=list(map(build_round_view, state.rounds)),
        your_numbers=[] if viewer is None else list(state.numbers_of(viewer.id)),
        is_organiser=is_organiser,
        join_key=row.join_key if is_organiser else None,
    )


def build_standings(tournament: StoredTournament, users: Mapping[str, User]) -> list[StandingView]:
    """Return the views of all players in the order of their places."""
    players = {player.number: player for player in tournament.state.players}
    return [
        StandingView.model_construct(
            **vars(row),
            user=build_known_user(users, players[row.number].user_id),
            withdrawn=players[row.number].is_withdrawn,
        )
        for row in compute_standings(tournament.state)
    ]


def build_round_view(each: TournamentRound) -> TournamentRoundView:
    """Return the view of a round."""
    games = [TournamentGameView.model_construct(**vars(game)) for game in each.games]
    return TournamentRoundView.model_construct(games=games, bye=each.bye)
