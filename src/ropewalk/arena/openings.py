"""Openings: a few random steps before the bots take over, so that bots without chance do not repeat themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from ..bots.bot import Bot
from ..bots.named import bot_named
from ..chance import Rng, below, seeded
from ..games.game import Game, Position
from ..games.perft import counts_by_depth
from .errors import ArenaError

ENOUGH_OPENINGS = 5000
USUAL_MOST_PLIES = 8
TRIES = 100  # to find an opening that has not come yet; small boards have few
JUDGED = 25  # of those, at most
JUDGE = "5"  # the bot that usually says whether an opening is even
EVEN = 0.1  # how far from a half a seat's expectation may be
MORE = 30  # steps at most that even out an opening
CHOICES = 12  # of each of them


def usual_plies(game: Game) -> int:
    """The fewest steps that can be played in thousands of ways: 2 or 3 on most boards, more where moves are few."""
    for plies, ways in counts_by_depth(game.start()):
        if ways >= ENOUGH_OPENINGS or plies == USUAL_MOST_PLIES or ways == 0:
            return plies if ways else plies - 1
    raise AssertionError("counts go on")


def openings(game: Game, plies: int, seed: int, judge: str = "") -> Iterator[tuple[str, ...]]:
    """One opening after the other, the same for the same seed, each leading elsewhere as long as there are such.

    With a bot as judge, those that it finds even: of random ones, or where none is (as in Lariat, where the centre is worth
    the game), one that more steps have evened out.
    """
    rng = seeded(seed)
    lopsided = lopsided_by(bot_named(game, judge)) if judge else (lambda position: 0.0)
    seen: set[str] = set()
    while True:
        steps, reached = evened_out(*most_even(game, plies, rng, seen, lopsided), rng, lopsided)
        seen.add(str(reached))
        yield steps


def most_even(
    game: Game, plies: int, rng: Rng, seen: set[str], lopsided: Callable[[Position], float]
) -> tuple[tuple[str, ...], Position]:
    """The first opening that is new and even enough, or else the most even of some."""
    best, least, judged = opening(game, plies, rng), math.inf, 0
    tried = best
    for _ in range(TRIES):
        if str(tried[1]) not in seen:
            judged += 1
            if (found := lopsided(tried[1])) < least:
                best, least = tried, found
        if least <= EVEN or judged == JUDGED:
            break
        tried = opening(game, plies, rng)
    return best


def evened_out(
    steps: tuple[str, ...], position: Position, rng: Rng, lopsided: Callable[[Position], float]
) -> tuple[tuple[str, ...], Position]:
    """An opening and, while it is not even, more steps: each time the one of some that leads to the most even position."""
    best, least = (steps, position), lopsided(position)
    for _ in range(MORE):
        if least <= EVEN:
            break
        further = [random_steps(position, 1, rng) for _ in range(CHOICES)]
        judged = [(lopsided(reached), step, reached) for step, reached in further if reached.seat is not None]
        if not judged:
            break
        found, step, position = min(judged, key=lambda one: one[0])
        steps = (*steps, *step)
        if found < least:
            best, least = (steps, position), found
    return best


def lopsided_by(judge: Bot) -> Callable[[Position], float]:
    """How far a bot's expectation is from a half; pairs from lopsided openings say little."""

    def lopsided(position: Position) -> float:
        judge.new_game(0)
        *_, report = judge.analyse(position)
        return abs(report.value - 0.5)

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
        steps.append(moves[below(rng, len(moves))])
        position = position.play(steps[-1])
    return tuple(steps), position
