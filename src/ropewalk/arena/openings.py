"""Openings: a few random steps before the bots take over, so that bots without chance do not repeat themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..bots.bot import Bot
from ..bots.levels import bot
from ..chance import Rng, below, seeded
from ..games.game import Game, Position
from ..games.perft import counts_by_depth
from .errors import ArenaError

ENOUGH_OPENINGS = 5000
USUAL_MOST_PLIES = 8
TRIES = 100  # to find an opening that has not come yet; small boards have few
JUDGE = 5  # the level that says whether an opening is even
EVEN = 0.4  # what each seat can expect at least


def usual_plies(game: Game) -> int:
    """The fewest steps that can be played in thousands of ways: 2 or 3 on most boards, more where moves are few."""
    for plies, ways in counts_by_depth(game.start()):
        if ways >= ENOUGH_OPENINGS or plies == USUAL_MOST_PLIES or ways == 0:
            return plies if ways else plies - 1
    raise AssertionError("counts go on")


def openings(game: Game, plies: int, seed: int, even: bool = False) -> Iterator[tuple[str, ...]]:
    """One opening after the other, the same for the same seed, each leading elsewhere as long as there are such."""
    rng = seeded(seed)
    is_even = even_by(bot(game, JUDGE)) if even else (lambda position: True)
    seen: set[str] = set()
    while True:
        steps, reached = opening(game, plies, rng)
        for _ in range(TRIES):
            if str(reached) not in seen and is_even(reached):
                break
            steps, reached = opening(game, plies, rng)
        seen.add(str(reached))
        yield steps


def even_by(judge: Bot) -> Callable[[Position], bool]:
    """Whether a bot expects about as much for one seat as for the other; pairs from lopsided openings say little."""

    def is_even(position: Position) -> bool:
        judge.new_game(0)
        *_, report = judge.analyse(position)
        return EVEN <= report.value <= 1 - EVEN

    return is_even


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
