"""A tournament: settings and a log of events, from which its players, rounds and results are derived.

The matches of a round are named in the event that pairs it, before they are created. A server that stops in between
leaves nothing undone: another one, or itself after its start, creates those that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, Literal

from .clocks import ClockSettings

TournamentFormat = Literal["round-robin", "swiss", "arena"]
TournamentStatus = Literal["registering", "playing", "over", "cancelled"]
GameResult = Literal["first", "second", "draw", "void"]  # void: the match was aborted and counts for nobody
TournamentEventType = Literal[
    "player-joined",  # `number`: the first free one; the user is that of the event
    "player-withdrew",  # `number`
    "tournament-started",
    "round-paired",  # `games`: `match_id`, `first`, `second`, and `result` of a walkover; `bye`: a number or null
    "games-ended",  # `results` by match id
    "tournament-ended",
    "tournament-cancelled",
]

POINTS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5), "void": (0.0, 0.0)}
BYE_POINTS = 1.0
MINUTE_MS = 60_000


@dataclass(frozen=True)
class TournamentEvent:
    """An event of a tournament; `user_id` names who caused it, or who joined."""

    seq: int
    timestamp_ms: int
    type: TournamentEventType
    user_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TournamentSettings:
    """The settings of a tournament, fixed when it is created."""

    name: str
    format: TournamentFormat
    spec: str
    clock: ClockSettings
    is_rated: bool = False
    rounds: int | None = None  # of a Swiss tournament; None: by the number of players
    cycles: int = 1  # of a round robin: how often everybody meets everybody
    duration_minutes: int | None = None  # of an arena: no game begins later
    starts_at: int | None = None  # None: when the organiser says so
    max_players: int = 64


@dataclass(frozen=True)
class TournamentPlayer:
    """A player with a number that is unique in the tournament; a built-in bot may take part several times."""

    number: int
    user_id: str
    is_withdrawn: bool = False


@dataclass(frozen=True)
class PairedGame:
    """A game between two players, named by their numbers; a walkover has no match."""

    match_id: str | None
    first: int
    second: int
    result: GameResult | None = None

    def points_of(self, number: int) -> float:
        """Return the points of one of the players; 0 while the game goes on."""
        return 0.0 if self.result is None else POINTS[self.result][0 if number == self.first else 1]


@dataclass(frozen=True)
class TournamentRound:
    """A round; those of an arena are the games that were paired at one time."""

    games: tuple[PairedGame, ...]
    bye: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether all games have ended."""
        return all(game.result is not None for game in self.games)


@dataclass(frozen=True)
class TournamentState:
    """A tournament after some of its events."""

    config: TournamentSettings
    seq: int = 0  # of the last event
    timestamp_ms: int = 0  # of the last event
    status: TournamentStatus = "registering"
    players: tuple[TournamentPlayer, ...] = ()
    num_joined: int = 0  # including those who have left before the start
    rounds: tuple[TournamentRound, ...] = ()
    started_at: int | None = None
    ended_at: int | None = None

    @cached_property
    def games(self) -> tuple[PairedGame, ...]:
        """All games, in the order in which they were paired."""
        return tuple(game for each in self.rounds for game in each.games)

    @cached_property
    def open_games(self) -> tuple[PairedGame, ...]:
        """The games that have no result yet."""
        return tuple(game for game in self.games if game.result is None)

    @cached_property
    def active_players(self) -> tuple[TournamentPlayer, ...]:
        """The players who have not withdrawn."""
        return tuple(player for player in self.players if not player.is_withdrawn)

    def numbers_of(self, user_id: str | None) -> tuple[int, ...]:
        """Return the numbers of a user who has not withdrawn."""
        return tuple(player.number for player in self.active_players if player.user_id == user_id)

    def find_player(self, number: int) -> TournamentPlayer | None:
        """Return a player by their number, None if there is none."""
        return next((player for player in self.players if player.number == number), None)

    @property
    def ends_at(self) -> int | None:
        """When an arena ends; None for other formats, and before it starts."""
        if self.started_at is None or self.config.duration_minutes is None:
            return None
        return self.started_at + self.config.duration_minutes * MINUTE_MS


def replay_tournament(config: TournamentSettings, events: Iterable[TournamentEvent]) -> TournamentState:
    """Return the state of a tournament after all its events."""
    return reduce(apply_tournament_event, events, TournamentState(config))


def apply_tournament_event(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Return the state after one more event; events are trusted."""
    return replace(TOURNAMENT_HANDLERS[event.type](state, event), seq=event.seq, timestamp_ms=event.timestamp_ms)


def add_player(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Add the user of an event under its number."""
    assert event.user_id is not None
    player = TournamentPlayer(event.data["number"], event.user_id)
    return replace(state, players=(*state.players, player), num_joined=player.number)


def withdraw_player(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Remove a player before the start; afterwards they stay in the standings, but get no more games."""
    number = event.data["number"]
    if state.status == "registering":
        return replace(state, players=tuple(player for player in state.players if player.number != number))
    players = (replace(player, is_withdrawn=True) if player.number == number else player for player in state.players)
    return replace(state, players=tuple(players))


def start_tournament(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """End the registration."""
    return replace(state, status="playing", started_at=event.timestamp_ms)


def add_round(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Add the games of a round."""
    games = tuple(PairedGame(**game) for game in event.data["games"])
    return replace(state, rounds=(*state.rounds, TournamentRound(games, event.data["bye"])))


def set_results(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """Set the results of games that have ended."""
    results: Mapping[str, GameResult] = event.data["results"]

    def update(game: PairedGame) -> PairedGame:
        result = None if game.match_id is None else results.get(game.match_id)
        return game if result is None else replace(game, result=result)

    rounds = tuple(replace(each, games=tuple(map(update, each.games))) for each in state.rounds)
    return replace(state, rounds=rounds)


def end_tournament(status: TournamentStatus) -> Callable[[TournamentState, TournamentEvent], TournamentState]:
    """Return a handler for events after which nothing is paired any more."""
    return lambda state, event: replace(state, status=status, ended_at=event.timestamp_ms)


TOURNAMENT_HANDLERS: dict[str, Callable[[TournamentState, TournamentEvent], TournamentState]] = {
    "player-joined": add_player,
    "player-withdrew": withdraw_player,
    "tournament-started": start_tournament,
    "round-paired": add_round,
    "games-ended": set_results,
    "tournament-ended": end_tournament("over"),
    "tournament-cancelled": end_tournament("cancelled"),
}
