"""Openings of a tournament: short random move sequences, optionally selected for balance by a bot.

Random openings keep deterministic bots from repeating games. Balanced openings are those in which a judge (a bot)
expects both seats to score about equally: pairs from unbalanced openings are mostly split 1-1 and carry little
information.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from ..bots.bot import Bot, Limit
from ..bots.bot_spec import make_bot, parse_bot_spec
from ..errors import ArenaError
from ..games.game import Game
from ..games.perft import iterate_counts
from ..games.position import Position
from ..jit.prng import Rng, make_rng, rand_below

ImbalanceFunction: TypeAlias = Callable[[Position], float]  # imbalance of a position, in [0, 0.5]

MIN_OPENINGS = 5000  # sequences of the default length
MAX_DEFAULT_PLIES = 8
MAX_TRIES = 100  # to find an opening not yet generated; small boards have few
MAX_JUDGED = 25  # openings judged before the most balanced of them is taken
DEFAULT_JUDGE = "5"  # spec of the bot: level 5
MAX_IMBALANCE = 0.1  # largest |value - 0.5| of a balanced opening
MAX_BALANCING_MOVES = 30  # appended to an unbalanced opening
BALANCING_CANDIDATES = 12  # random continuations judged for each of them
SCREENING_DIVISOR = 16  # the first search of a judge has this fraction of its visits
CLEAR_IMBALANCE = 0.25  # beyond this the first search is decisive


def choose_default_plies(game: Game) -> int:
    """Return the smallest number of plies with at least MIN_OPENINGS sequences, at most MAX_DEFAULT_PLIES."""
    for plies, num_sequences in iterate_counts(game.start()):
        if num_sequences >= MIN_OPENINGS or plies == MAX_DEFAULT_PLIES or num_sequences == 0:
            return plies if num_sequences else plies - 1
    raise AssertionError("iterate_counts is infinite")


def generate_openings(game: Game, plies: int, seed: int, judge: str = "") -> Iterator[tuple[str, ...]]:
    """Yield openings of `plies` random moves, a fixed sequence for a fixed seed, without end.

    The positions reached are distinct as long as new ones are found within MAX_TRIES. `judge`, the spec of a bot,
    restricts them to balanced ones; where no random opening is balanced (as in Lariat, where the centre decides the
    game), further moves are appended until one is. Raises ArenaError if random games end before `plies` moves.
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
    """Moves from the start position, the position they reach, and its imbalance."""

    moves: tuple[str, ...]
    position: Position
    imbalance: float = math.inf  # inf: not judged, or generated before


def most_balanced(game: Game, plies: int, rng: Rng, seen: set[str], imbalance: ImbalanceFunction) -> Opening:
    """Return the first new opening within MAX_IMBALANCE, else the most balanced of up to MAX_JUDGED new ones."""
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
    """Return the opening, extended by moves until its imbalance is at most MAX_IMBALANCE.

    Each further move is the best of BALANCING_CANDIDATES random ones. If MAX_BALANCING_MOVES are not enough, return the
    most balanced opening on the way.
    """
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
    """Return the imbalance of an opening; a sort key."""
    return candidate.imbalance


def parse_judge_visits(judge: str) -> int | None:
    """Return the limit of visits in the judge's spec, None if it has none."""
    limit = parse_bot_spec(judge).limit
    return None if limit is None else limit.visits


def imbalance_by(judge: Bot, visits: int | None = None) -> ImbalanceFunction:
    """Return a function that maps a position to the distance of the judge's value from 0.5, in [0, 0.5].

    If the judge's limit of `visits` is known, a search with visits / SCREENING_DIVISOR comes first, and the full one is
    skipped when the first exceeds CLEAR_IMBALANCE. The judge is reset for each position.
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
    """Return `plies` random moves and their position, in which the game is ongoing. Raises ArenaError."""
    for _ in range(MAX_TRIES):
        moves, position = play_random_moves(game.start(), plies, rng)
        if len(moves) == plies and position.seat is not None:
            return moves, position
    raise ArenaError(f"{plies} random opening moves end a game of {game.spec}; use a smaller --opening-plies")


def play_random_moves(position: Position, plies: int, rng: Rng) -> tuple[tuple[str, ...], Position]:
    """Play `plies` uniformly random moves, or fewer if the game ends; return them and the last position."""
    played: list[str] = []
    while len(played) < plies and position.seat is not None:
        moves = position.moves()
        played.append(moves[rand_below(rng, len(moves))])
        position = position.play(played[-1])
    return tuple(played), position
