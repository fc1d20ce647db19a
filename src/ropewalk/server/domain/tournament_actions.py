"""What users and the server may do in a tournament: functions that return an event without storing it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import ApiError
from .pairing import PairingPlayer, RoundPairings, count_round_robin_rounds, pair_arena, pair_round_robin
from .standings import compute_points
from .swiss import pair_swiss
from .tournament import GameResult, TournamentEventType, TournamentPlayer, TournamentState
from .usernames import is_builtin_bot_id

MIN_PLAYERS = 2
MAX_BOTS = 32
MAX_ROUND_ROBIN_PLAYERS = 16
MAX_ARENA_GAMES = 500
MAX_REGISTRATION_MS = 30 * 24 * 3600 * 1000  # after which a tournament that nobody has started is cancelled


@dataclass(frozen=True)
class NewTournamentEvent:
    """An event of a tournament that is not stored yet."""

    type: TournamentEventType
    user_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


def decide_join(state: TournamentState, user_id: str, *, is_builtin_bot: bool = False) -> NewTournamentEvent:
    """Return the event that adds a player; a built-in bot may take part several times.

    Raises:
        ApiError: The registration has ended, the tournament is full, or the user takes part already.
    """
    require_registering(state)
    limit = find_player_limit(state)
    if len(state.players) >= limit:
        raise ApiError("too-many", f"the tournament is full: it has {limit} players", limit=limit)
    if is_builtin_bot and sum(is_builtin_bot_id(player.user_id) for player in state.players) >= MAX_BOTS:
        raise ApiError("too-many", f"a tournament has at most {MAX_BOTS} bots", limit=MAX_BOTS)
    if not is_builtin_bot and state.numbers_of(user_id):
        raise ApiError("already-joined", "you take part in this tournament already")
    return NewTournamentEvent("player-joined", user_id, {"number": state.num_joined + 1})


def find_player_limit(state: TournamentState) -> int:
    """Return how many players a tournament may have."""
    limit = state.config.max_players
    return min(limit, MAX_ROUND_ROBIN_PLAYERS) if state.config.format == "round-robin" else limit


def decide_withdrawal(state: TournamentState, user_id: str, number: int) -> NewTournamentEvent:
    """Return the event that removes a player, at the request of a user.

    Raises:
        ApiError: There is no such player, or the tournament is over.
    """
    require_not_over(state)
    player = state.find_player(number)
    if player is None or player.is_withdrawn:
        raise ApiError("not-found", f"player {number} does not take part in this tournament")
    return NewTournamentEvent("player-withdrew", user_id, {"number": number})


def decide_start(state: TournamentState, user_id: str | None) -> NewTournamentEvent:
    """Return the event that starts a tournament. Raises ApiError if it has too few players or has started."""
    require_registering(state)
    if len(state.players) < MIN_PLAYERS:
        raise ApiError("too-few-players", f"a tournament needs at least {MIN_PLAYERS} players", limit=MIN_PLAYERS)
    return NewTournamentEvent("tournament-started", user_id)


def decide_cancellation(state: TournamentState, user_id: str | None) -> NewTournamentEvent:
    """Return the event that cancels a tournament; its matches go on, but do not count. Raises ApiError if it is over."""
    require_not_over(state)
    return NewTournamentEvent("tournament-cancelled", user_id)


def require_registering(state: TournamentState) -> None:
    """Raise ApiError `registration-closed` unless players may still join."""
    if state.status != "registering":
        raise ApiError("registration-closed", f"the registration has ended: the tournament is {state.status}")


def require_not_over(state: TournamentState) -> None:
    """Raise ApiError `tournament-over` if a tournament has ended or was cancelled."""
    if state.status in ("over", "cancelled"):
        raise ApiError("tournament-over", f"the tournament is {state.status}")


# What the server does


def plan_next_event(
    state: TournamentState, created_at: int, now: int, generate_id: Callable[[], str]
) -> NewTournamentEvent | None:
    """Return what has to happen next without anybody's request, None if nothing has to.

    Args:
        state: The tournament, with the results of all matches that have ended.
        created_at: When it was created.
        now: The time in milliseconds.
        generate_id: Returns the id of a new match.
    """
    if state.status == "registering":
        return plan_start(state, created_at, now)
    if state.status != "playing":
        return None
    pairings = find_pairings(state, now)
    if pairings is not None and (pairings.games or pairings.bye is not None):
        return build_round(state, pairings, generate_id)
    is_over = not state.open_games and (pairings is None or len(state.active_players) < MIN_PLAYERS)
    return NewTournamentEvent("tournament-ended") if is_over else None


def plan_start(state: TournamentState, created_at: int, now: int) -> NewTournamentEvent | None:
    """Return the event that starts a tournament when its time has come, or cancels it for want of players."""
    starts_at = state.config.starts_at
    if starts_at is not None and now >= starts_at:
        return decide_start(state, None) if len(state.players) >= MIN_PLAYERS else decide_cancellation(state, None)
    is_expired = starts_at is None and now >= created_at + MAX_REGISTRATION_MS
    return decide_cancellation(state, None) if is_expired else None


def find_pairings(state: TournamentState, now: int) -> RoundPairings | None:
    """Return the games that can begin now, none while others must end first; None if there will be no more."""
    if state.config.format == "arena":
        return find_arena_pairings(state, now)
    is_concurrent = state.config.format == "round-robin" and state.config.clock.kind == "days"
    if state.open_games and not is_concurrent:
        return RoundPairings(())
    if len(state.rounds) >= count_rounds(state) or len(state.active_players) < MIN_PLAYERS:
        return None
    if state.config.format == "swiss":
        return pair_swiss(list_pairing_players(state))
    return pair_round_robin([player.number for player in state.players], len(state.rounds))


def count_rounds(state: TournamentState) -> int:
    """Return the number of rounds of a tournament that is not an arena; 0 before it has players."""
    num_players = len(state.players)
    if state.config.format == "round-robin":
        return count_round_robin_rounds(num_players, state.config.cycles) if num_players else 0
    return state.config.rounds or math.ceil(math.log2(max(2, num_players)))


def find_arena_pairings(state: TournamentState, now: int) -> RoundPairings | None:
    """Return the games that can begin in an arena, None after its end."""
    ends_at = state.ends_at
    if (ends_at is not None and now >= ends_at) or len(state.games) >= MAX_ARENA_GAMES:
        return None
    busy = {number for game in state.open_games for number in (game.first, game.second)}
    last_game = {number: index for index, game in enumerate(state.games) for number in (game.first, game.second)}
    waiting = [player for player in list_pairing_players(state) if player.number not in busy]
    waiting.sort(key=lambda player: last_game.get(player.number, -1))
    return pair_arena(waiting, len(state.active_players))


def list_pairing_players(state: TournamentState) -> list[PairingPlayer]:
    """Return the active players with their history."""
    points = compute_points(state)
    return [build_pairing_player(state, player, points[player.number]) for player in state.active_players]


def build_pairing_player(state: TournamentState, player: TournamentPlayer, points: float) -> PairingPlayer:
    """Return a player with the games so far."""
    own = [game for game in state.games if player.number in (game.first, game.second)]
    opponents = tuple(game.second if game.first == player.number else game.first for game in own)
    seats = tuple(0 if game.first == player.number else 1 for game in own)
    has_had_bye = any(each.bye == player.number for each in state.rounds)
    return PairingPlayer(player.number, points, opponents, seats, has_had_bye)


def build_round(state: TournamentState, pairings: RoundPairings, generate_id: Callable[[], str]) -> NewTournamentEvent:
    """Return the event of a round; who was paired with a player who has withdrawn gets the point without a game."""
    withdrawn = {player.number for player in state.players if player.is_withdrawn}
    games = []
    for first, second in pairings.games:
        result: GameResult | None = None
        if first in withdrawn or second in withdrawn:
            result = "void" if {first, second} <= withdrawn else "first" if second in withdrawn else "second"
        match_id = generate_id() if result is None else None
        games.append({"match_id": match_id, "first": first, "second": second, "result": result})
    return NewTournamentEvent("round-paired", None, {"games": games, "bye": pairings.bye})
