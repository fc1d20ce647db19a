"""Openings: a few random steps before the bots take over, so that bots without chance do not repeat themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from ..bots.bot import Bot, Limit
from ..bots.named import bot_named, read_name
from ..chance import Rng, make_rng, rand_below
from ..games.game import Game, Position
from ..games.perft import iterate_counts
from .errors import ArenaError

Lopsided: TypeAlias = Callable[[Position], float]  # how far from even a position is, 0 to a half
ENOUGH_OPENINGS = 5000
USUAL_MOST_PLIES = 8
TRIES = 100  # to find an opening that has not come yet; small boards have few
JUDGED = 25  # of those, at most
JUDGE = "5"  # the bot that usually says whether an opening is even
EVEN = 0.1  # how far from a half a seat's expectation may be
MORE = 30  # steps at most that even out an opening
CHOICES = 12  # of each of them
FIRST_LOOK = 16  # a judge takes so small a part of its visits for one
CLEARLY = 0.25  # lopsided: so far from a half that a first look is enough


def usual_plies(game: Game) -> int:
    """The fewest steps that can be played in thousands of ways: 2 or 3 on most boards, more where moves are few."""
    for plies, ways in iterate_counts(game.start()):
        if ways >= ENOUGH_OPENINGS or plies == USUAL_MOST_PLIES or ways == 0:
            return plies if ways else plies - 1
    raise AssertionError("counts go on")


def openings(game: Game, plies: int, seed: int, judge: str = "") -> Iterator[tuple[str, ...]]:
    """One opening after the other, the same for the same seed, each leading elsewhere as long as there are such.

    With a bot as judge, those that it finds even: of random ones, or where none is (as in Lariat, where the centre is worth
    the game), one that more steps have evened out.
    """
    rng = make_rng(seed)
    lopsided = lopsided_by(bot_named(game, judge), visits_of(judge)) if judge else (lambda position: 0.0)
    seen: set[str] = set()
    while True:
        best = most_even(game, plies, rng, seen, lopsided)
        if judge:
            best = evened_out(best, rng, seen, lopsided)
        seen.add(str(best.position))
        yield best.steps


class Opening(NamedTuple):
    """Steps, where they lead, and how far from even that is."""

    steps: tuple[str, ...]
    position: Position
    lopsided: float = math.inf  # as far as nobody has judged it, or it has been played already


def most_even(game: Game, plies: int, rng: Rng, seen: set[str], lopsided: Lopsided) -> Opening:
    """The first opening that is new and even enough, or else the most even of some."""
    best, judged = Opening(*opening(game, plies, rng)), 0
    tried = best
    for _ in range(TRIES):
        if str(tried.position) not in seen:
            judged += 1
            tried = tried._replace(lopsided=lopsided(tried.position))
        best = min(best, tried, key=evenness)
        if best.lopsided <= EVEN or judged == JUDGED:
            break
        tried = Opening(*opening(game, plies, rng))
    return best


def evened_out(best: Opening, rng: Rng, seen: set[str], lopsided: Lopsided) -> Opening:
    """An opening and, while it is not even, more steps: each time the one of some that leads to the most even position."""
    last = best
    for _ in range(MORE):
        if best.lopsided <= EVEN:
            break
        further = [random_steps(last.position, 1, rng) for _ in range(CHOICES)]
        judged = [
            Opening((*last.steps, *step), reached, lopsided(reached))
            for step, reached in dict(further).items()
            if reached.seat is not None and str(reached) not in seen
        ]
        if not judged:
            break
        last = min(judged, key=evenness)
        best = min(best, last, key=evenness)
    return best


def evenness(one: Opening) -> float:
    """What openings are compared by."""
    return one.lopsided


def visits_of(judge: str) -> int | None:
    """What a judge's name says that it may spend, if that is visits."""
    limit = read_name(judge).limit
    return None if limit is None else limit.visits


def lopsided_by(judge: Bot, visits: int | None = None) -> Lopsided:
    """How far a bot's expectation is from a half; pairs from lopsided openings say little.

    A bot that is known to spend so many visits takes a first look with few of them, and is content where that is clear.
    """
    looks = [None] if visits is None else [Limit(visits=max(1, visits // FIRST_LOOK)), None]

    def lopsided(position: Position) -> float:
        judge.new_game(0)
        far = 0.0
        for limit in looks:
            *_, report = judge.analyse(position, limit)
            far = abs(report.value - 0.5)
            if far > CLEARLY:
                break
        return far

    return lopsided


def opening(game: Game, plies: int, rng: Rng) -> tuple[tuple[str, ...], Position]:
    """Random steps that do not end the game."""
    for _ in range(TRIES):
        steps, position = random_steps(game.start(), plies, rng)
        if len(steps) == plies and position.seat is not None:
            return steps, position
    raise ArenaError(f"{plies} random steps end a game of {game.spec}: choose fewer with --opening-plies")


def random_steps(position: Position, plies: int, rng: Rng) -> tuple[tuple[str, ...], Position]:
    """So many random steps, or fewer if the game ends before."""
    steps: list[str] = []
    while len(steps) < plies and position.seat is not None:
        moves = position.moves()
        steps.append(moves[rand_below(rng, len(moves))])
        position = position.play(steps[-1])
    return tuple(steps), position
