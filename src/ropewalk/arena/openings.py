"""Openings: a few random steps before the bots take over, so that bots without chance do not repeat themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from ..bots.bot import Bot, Limit
from ..bots.bot_spec import make_bot, parse_bot_spec
from ..errors import ArenaError
from ..games.game import Game, Position
from ..games.perft import iterate_counts
from ..jit.prng import Rng, make_rng, rand_below

ImbalanceFunction: TypeAlias = Callable[[Position], float]  # how far from even a position is, 0 to a half
MIN_OPENINGS = 5000
MAX_DEFAULT_PLIES = 8
MAX_TRIES = 100  # to find an opening that has not come yet; small boards have few
MAX_JUDGED = 25  # of those, at most
DEFAULT_JUDGE = "5"  # the bot that usually says whether an opening is even
MAX_IMBALANCE = 0.1  # how far from a half a seat's expectation may be
MAX_BALANCING_MOVES = 30  # steps at most that even out an opening
BALANCING_CANDIDATES = 12  # of each of them
SCREENING_DIVISOR = 16  # a judge takes so small a part of its visits for one
CLEAR_IMBALANCE = 0.25  # lopsided: so far from a half that a first look is enough


def choose_default_plies(game: Game) -> int:
    """The fewest steps that can be played in thousands of ways: 2 or 3 on most boards, more where moves are few."""
    for plies, num_sequences in iterate_counts(game.start()):
        if num_sequences >= MIN_OPENINGS or plies == MAX_DEFAULT_PLIES or num_sequences == 0:
            return plies if num_sequences else plies - 1
    raise AssertionError("counts go on")


def generate_openings(game: Game, plies: int, seed: int, judge: str = "") -> Iterator[tuple[str, ...]]:
    """One opening after the other, the same for the same seed, each leading elsewhere as long as there are such.

    With a bot as judge, those that it finds even: of random ones, or where none is (as in Lariat, where the centre is worth
    the game), one that more steps have evened out.
    """
    rng = make_rng(seed)
    imbalance = imbalance_by(make_bot(game, judge), parse_judge_visits(judge)) if judge else (lambda position: 0.0)
    seen: set[str] = set()
    while True:
        balanced = most_balanced(game, plies, rng, seen, imbalance)
        if judge:
            balanced = rebalance(balanced, rng, seen, imbalance)
        seen.add(str(balanced.position))
        yield balanced.moves


class Opening(NamedTuple):
    """Steps, where they lead, and how far from even that is."""

    moves: tuple[str, ...]
    position: Position
    imbalance: float = math.inf  # as far as nobody has judged it, or it has been played already


def most_balanced(game: Game, plies: int, rng: Rng, seen: set[str], imbalance: ImbalanceFunction) -> Opening:
    """The first opening that is new and even enough, or else the most even of some."""
    best, num_judged = Opening(*random_opening(game, plies, rng)), 0
    candidate = best
    for _ in range(MAX_TRIES):
        if str(candidate.position) not in seen:
            num_judged += 1
            candidate = candidate._replace(imbalance=imbalance(candidate.position))
        best = min(best, candidate, key=opening_imbalance)
        if best.imbalance <= MAX_IMBALANCE or num_judged == MAX_JUDGED:
            break
        candidate = Opening(*random_opening(game, plies, rng))
    return best


def rebalance(best: Opening, rng: Rng, seen: set[str], imbalance: ImbalanceFunction) -> Opening:
    """An opening and, while it is not even, more steps: each time the one of some that leads to the most even position."""
    current = best
    for _ in range(MAX_BALANCING_MOVES):
        if best.imbalance <= MAX_IMBALANCE:
            break
        continuations = [play_random_moves(current.position, 1, rng) for _ in range(BALANCING_CANDIDATES)]
        candidates = [
            Opening((*current.moves, *new_moves), new_position, imbalance(new_position))
            for new_moves, new_position in dict(continuations).items()
            if new_position.seat is not None and str(new_position) not in seen
        ]
        if not candidates:
            break
        current = min(candidates, key=opening_imbalance)
        best = min(best, current, key=opening_imbalance)
    return best


def opening_imbalance(candidate: Opening) -> float:
    """What openings are compared by."""
    return candidate.imbalance


def parse_judge_visits(judge: str) -> int | None:
    """What a judge's name says that it may spend, if that is visits."""
    limit = parse_bot_spec(judge).limit
    return None if limit is None else limit.visits


def imbalance_by(judge: Bot, visits: int | None = None) -> ImbalanceFunction:
    """How far a bot's expectation is from a half; pairs from lopsided openings say little.

    A bot that is known to spend so many visits takes a first look with few of them, and is content where that is clear.
    """
    limits = [None] if visits is None else [Limit(visits=max(1, visits // SCREENING_DIVISOR)), None]

    def imbalance(position: Position) -> float:
        judge.new_game(0)
        distance = 0.0
        for limit in limits:
            *_, report = judge.analyse(position, limit)
            distance = abs(report.value - 0.5)
            if distance > CLEAR_IMBALANCE:
                break
        return distance

    return imbalance


def random_opening(game: Game, plies: int, rng: Rng) -> tuple[tuple[str, ...], Position]:
    """Random steps that do not end the game."""
    for _ in range(MAX_TRIES):
        moves, position = play_random_moves(game.start(), plies, rng)
        if len(moves) == plies and position.seat is not None:
            return moves, position
    raise ArenaError(f"{plies} random steps end a game of {game.spec}: choose fewer with --opening-plies")


def play_random_moves(position: Position, plies: int, rng: Rng) -> tuple[tuple[str, ...], Position]:
    """So many random steps, or fewer if the game ends before."""
    played: list[str] = []
    while len(played) < plies and position.seat is not None:
        moves = position.moves()
        played.append(moves[rand_below(rng, len(moves))])
        position = position.play(played[-1])
    return tuple(played), position
