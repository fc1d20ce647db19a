"""Standings of tournaments: points and tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .tournament import BYE_POINTS, PairedGame, TournamentFormat, TournamentState


@dataclass(frozen=True)
class Standing:
    """The place of a player with what decides about it."""

    rank: int
    number: int
    points: float
    games: int  # that have ended, without byes and walkovers
    wins: int
    buchholz: float  # the points of all opponents; a bye counts as an opponent with the player's own points
    sonneborn_berger: float  # the points of defeated opponents, and half of those of drawn games


def compute_standings(state: TournamentState) -> list[Standing]:
    """Return all players with their places, the first one first; equal in everything is equal in rank."""
    points = compute_points(state)
    rows = [build_standing(state, player.number, points) for player in state.players]
    key = TIE_BREAKS[state.config.format]
    rows.sort(key=lambda row: (*(-value for value in key(row)), row.number))
    ranked: list[Standing] = []
    for place, row in enumerate(rows, 1):
        is_equal = bool(ranked) and key(ranked[-1]) == key(row)
        ranked.append(Standing(**(vars(row) | {"rank": ranked[-1].rank if is_equal else place})))
    return ranked


def compute_points(state: TournamentState) -> dict[int, float]:
    """Return the points of every player."""
    points = dict.fromkeys((player.number for player in state.players), 0.0)
    for each in state.rounds:
        for game in each.games:
            for number in (game.first, game.second):
                points[number] += game.points_of(number)
        if each.bye is not None and state.config.format == "swiss":
            points[each.bye] += BYE_POINTS
    return points


def build_standing(state: TournamentState, number: int, points: Mapping[int, float]) -> Standing:
    """Return the figures of a player; the rank is set later."""
    won: list[float] = []
    drawn: list[float] = []
    played = 0
    wins = 0
    buchholz = 0.0
    for each in state.rounds:
        for game in games_of(each.games, number):
            opponent = game.second if game.first == number else game.first
            if game.result in (None, "void"):
                continue
            if game.match_id is None:
                buchholz += points[number]
                continue
            played += 1
            buchholz += points[opponent]
            score = game.points_of(number)
            wins += score == 1.0
            won += [points[opponent]] if score == 1.0 else []
            drawn += [points[opponent]] if score == 0.5 else []
        if each.bye == number and state.config.format == "swiss":
            buchholz += points[number]
    return Standing(0, number, points[number], played, wins, buchholz, sum(won) + sum(drawn) / 2)


def games_of(games: tuple[PairedGame, ...], number: int) -> list[PairedGame]:
    """Return those of some games in which a player takes part."""
    return [game for game in games if number in (game.first, game.second)]


def order_swiss(row: Standing) -> tuple[float, ...]:
    """Return what decides in a Swiss tournament, the greatest first."""
    return row.points, row.buchholz, row.sonneborn_berger, row.wins


def order_round_robin(row: Standing) -> tuple[float, ...]:
    """Return what decides in a round robin, the greatest first."""
    return row.points, row.sonneborn_berger, row.wins


def order_arena(row: Standing) -> tuple[float, ...]:
    """Return what decides in an arena, the greatest first: of equal points, those from fewer games."""
    return row.points, -row.games


TIE_BREAKS = {"swiss": order_swiss, "round-robin": order_round_robin, "arena": order_arena}
assert set(TIE_BREAKS) == set(TournamentFormat.__args__)  # type: ignore[attr-defined]
