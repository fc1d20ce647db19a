"""The search for matches by player, opponent, game, board, first moves and result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, and_, or_, select

from .match_repository import SEAT_COLUMNS, has_seat
from .tables import MAX_OPENING_LENGTH, matches

MatchOutcome = Literal["won", "drawn", "lost", "void"]  # for the player; void: aborted
MatchPhase = Literal["waiting", "playing", "over"]
MAX_OPENING_MOVES = 12  # that matches can be found by


@dataclass(frozen=True)
class MatchFilter:
    """What matches are searched for; None: everything."""

    player_id: str | None = None
    opponent_id: str | None = None
    game: str | None = None  # the key of a game
    spec: str | None = None
    outcome: MatchOutcome | None = None
    phase: MatchPhase | None = None
    before: int | None = None  # the time of creation
    opening: str | None = None  # as `format_opening` writes it; of matches that are over


def format_opening(moves: Iterable[str]) -> str:
    """Return the first moves of a match as they are stored: in small letters, each with a space after it."""
    return "".join(f"{move.lower()} " for move in islice(moves, MAX_OPENING_MOVES))[:MAX_OPENING_LENGTH]


def build_search(wanted: MatchFilter, viewer_id: str | None, limit: int) -> Select[Any]:
    """Return the query for matches that a viewer may read, the newest first."""
    conditions = [matches.c.is_public if viewer_id is None else or_(matches.c.is_public, has_seat(viewer_id))]
    if wanted.game is not None:
        conditions.append(or_(matches.c.spec == wanted.game, matches.c.spec.startswith(f"{wanted.game}-", autoescape=True)))
    if wanted.spec is not None:
        conditions.append(matches.c.spec == wanted.spec)
    if wanted.phase is not None:
        conditions.append(matches.c.status == wanted.phase)
    if wanted.before is not None:
        conditions.append(matches.c.created_at < wanted.before)
    if wanted.opening:
        conditions.append(matches.c.opening.startswith(wanted.opening, autoescape=True))
    if wanted.player_id is not None:
        conditions.append(build_player_condition(wanted, wanted.player_id))
    return select(matches).where(*conditions).order_by(matches.c.created_at.desc()).limit(limit)


def build_player_condition(wanted: MatchFilter, player_id: str) -> ColumnElement[bool]:
    """Return the condition on the seats of a match and its result, for either seat of the player."""
    alternatives = []
    for seat, (own, other) in enumerate(SEAT_COLUMNS):
        parts: list[ColumnElement[bool]] = [own == player_id]
        if wanted.opponent_id is not None:
            parts.append(other == wanted.opponent_id)
        if wanted.outcome is not None:
            parts.append(build_outcome_condition(wanted.outcome, seat))
        alternatives.append(and_(*parts))
    return or_(*alternatives)


def build_outcome_condition(outcome: MatchOutcome, seat: int) -> ColumnElement[bool]:
    """Return the condition that a match has ended in a way for a seat."""
    is_over = matches.c.status == "over"
    is_void = matches.c.end_reason == "abandoned"
    if outcome == "void":
        return is_over & is_void
    winner: ColumnElement[bool] = {
        "won": matches.c.winner_seat == seat,
        "lost": matches.c.winner_seat == 1 - seat,
        "drawn": matches.c.winner_seat.is_(None),
    }[outcome]
    return is_over & ~is_void & winner
