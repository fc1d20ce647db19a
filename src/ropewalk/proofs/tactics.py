"""Positions from the last part of sensible games, with all their winning moves, each proven, as are all that do not win."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from ..chance import Rng, make_rng
from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.questions import DRAW, ONGOING
from ..rules.stepping import run_playouts
from .chart import Chart
from .searcher import Searcher

TABLE = 1 << 27  # bytes
CHARTED = 1 << 23  # bytes of a chart
PATIENCE = 30_000  # positions for a move
MOST_TURNS = 4  # to the end, where play can go round and no chart is small enough
CANDIDATES, GAMES = 8, 24  # of a sensible move: random moves, and random games for each
SENSIBLE = 0.2  # least share of a game that is played so; random moves leave more to decide
LATEST, EARLIEST = 2, 60  # steps before the end of a game
SOON = 3  # turns after a move: the rest of the mover's, the answer, the next
ENOUGH = 4  # tactics of a game, to choose one from
ENDINGS = 4  # games with the same beginning
GIVE_UP = 2  # positions of a game that are too hard
FEW = 3  # at most one move in so many wins
AT_ONCE = 3  # at most one position in so many is won by a single step


@dataclass(frozen=True)
class Tactic:
    """A position with all moves that win it."""

    position: str
    winning: tuple[str, ...]
    at_once: bool  # whether one of them ends the game


class TooHard(Exception):
    """A position that cannot be settled with the patience there is."""


class Judge(Protocol):
    """Says whether the mover of a position wins after each of its moves."""

    def wins(self, after: Position, seat: int) -> bool:
        """Whether a seat wins a position, or TooHard."""


def proven_positions(game: Game, count: int, seed: int, *, exact: bool = True) -> Iterator[Tactic]:
    """So many positions in which few moves win; the same for the same seed.

    Not `exact`, where play can go round: the moves after which a win comes within SOON turns, as after no other.
    """
    chance, player = random.Random(seed), FairlySensiblePlayer(game, seed)
    searcher = Searcher(game, TABLE)
    at_once = found = 0
    seen: set[str] = set()
    for line in player.lines(chance):
        tactics = tactics_of(line, searcher, chance, exact)
        usable = [tactic for tactic in islice(tactics, ENOUGH) if not tactic.at_once or AT_ONCE * (at_once + 1) <= found + 1]
        usable = [tactic for tactic in usable if tactic.position not in seen]
        if usable:
            tactic = chance.choice(usable)  # one a game, so that they differ
            seen.add(tactic.position)
            at_once += tactic.at_once
            found += 1
            yield tactic
        if found == count:
            return


def tactics_of(line: list[Position], searcher: Searcher, chance: random.Random, exact: bool) -> Iterator[Tactic]:
    """Tactics of one game, from its end back to where positions get too hard; their past is forgotten."""
    hard = 0
    for position in line[-LATEST:-EARLIEST:-1]:
        try:
            alone = line[0].game.position(str(position))
            tactic = tactic_of(alone, judge_of(alone, searcher, exact), chance)
        except TooHard:
            hard += 1
            if hard == GIVE_UP:
                return
        else:
            if tactic is not None:
                yield tactic


def judge_of(position: Position, searcher: Searcher, exact: bool) -> Judge:
    """A search to the end, or a chart, or a search within some turns."""
    if not position.game.can_repeat:
        return EndJudge(searcher)
    if not exact:
        return SoonJudge(searcher)
    chart = Chart(position, CHARTED)
    return ChartJudge(chart) if chart.draw(lambda: True) else TurnsJudge(searcher)


def tactic_of(position: Position, judge: Judge, chance: random.Random) -> Tactic | None:
    """All winning moves, if they are few; TooHard when it cannot be said of a move."""
    seat, moves = position.seat, position.moves()
    if seat is None or len(moves) < FEW:
        return None
    winning: set[str] = set()
    at_once = False
    for move in chance.sample(moves, len(moves)):  # soon many win, or one is too hard, where that is so of most
        after = position.play(move)
        if after.result == seat if after.result != ONGOING else judge.wins(after, seat):
            winning.add(move)
            at_once |= after.result == seat
            if FEW * len(winning) > len(moves):
                return None
    return Tactic(str(position), tuple(move for move in moves if move in winning), at_once) if winning else None


class EndJudge:
    """Searches to the end."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher

    def wins(self, after: Position, seat: int) -> bool:
        """Whether the search finds a win or its absence in time."""
        return known(self.searcher.wins(after.row, seat, patience=PATIENCE))


class ChartJudge:
    """Knows every position."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart

    def wins(self, after: Position, seat: int) -> bool:
        """The chart has it."""
        return self.chart.value(after)[0] == seat


class TurnsJudge:
    """Knows wins of either side within a few turns; what neither wins so soon is too hard."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher

    def wins(self, after: Position, seat: int) -> bool:
        """Whether one of the two wins in time, the nearest win first."""
        for turns in range(1, MOST_TURNS + 1):
            for winner in (seat, 1 - seat):
                if known(self.searcher.wins(after.row, winner, turns, patience=PATIENCE)):
                    return winner == seat
        raise TooHard


class SoonJudge:
    """Knows whether a win comes soon; one that takes longer counts as none."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher

    def wins(self, after: Position, seat: int) -> bool:
        """Whether the seat wins within SOON turns."""
        searches = (self.searcher.wins(after.row, seat, turns, patience=PATIENCE) for turns in range(1, SOON + 1))
        return any(map(known, searches))


def known(found: bool | None) -> bool:
    """What was found, if anything was."""
    if found is None:
        raise TooHard
    return found


class FairlySensiblePlayer:
    """Sees what wins or loses at once; else takes of a few random moves the one that random games like best, or any."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.rng: Rng = make_rng(seed)
        row = game.start().row
        self.moves, self.results = np.zeros(game.max_legal_moves, np.int64), np.zeros(3, np.int64)
        self._playouts = compile_for(run_playouts, game.rules, row, row, self.moves, self.rng, 0, self.results)

    def lines(self, chance: random.Random) -> Iterator[list[Position]]:
        """Games without end, each the positions from its start to its end; several share a sensible beginning."""
        while True:
            line = self.played_on([self.game.start()], chance, CANDIDATES)
            for _ in range(ENDINGS):
                first = int(len(line) * chance.uniform(SENSIBLE, 1))
                yield self.played_on(line[:first], chance, 1)

    def played_on(self, line: list[Position], chance: random.Random, candidates: int) -> list[Position]:
        """Play to the end, each time the best of so many moves."""
        while line[-1].seat is not None:
            line.append(self.after_move(line[-1], chance, candidates))
        return line

    def after_move(self, position: Position, chance: random.Random, candidates: int) -> Position:
        """The position after a move that wins at once, else after the best of some that do not lose at once."""
        assert position.seat is not None
        seat = position.seat
        after = [position.play_id(move) for move in position.move_ids().tolist()]
        for place in after:
            if place.result == seat:
                return place
        chance.shuffle(after)
        safe = list(islice((place for place in after if not loses_at_once(place, seat)), candidates))
        return max(safe or after[:1], key=lambda place: self.promise(place, seat)) if candidates > 1 else (safe or after)[0]

    def promise(self, position: Position, seat: int) -> float:
        """How often a seat wins random games from here."""
        if position.result != ONGOING:
            return {seat: 1.0, DRAW: 0.5}.get(position.result, 0.0)
        self.results[:] = 0
        self._playouts(self.game.rules, position.row, position.row.copy(), self.moves, self.rng, GAMES, self.results)
        return float(self.results[seat] + self.results[DRAW] / 2) / GAMES


def loses_at_once(position: Position, seat: int) -> bool:
    """Whether the other seat can end the game with its next step, or it has ended badly."""
    if position.result != ONGOING:
        return position.result == 1 - seat
    return any(position.play_id(move).result == 1 - seat for move in position.move_ids().tolist())
