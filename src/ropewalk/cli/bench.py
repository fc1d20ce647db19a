"""`ropewalk bench`: how fast the games are on this machine."""

from __future__ import annotations

import random
import time
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import game as game_of
from .. import games
from .parser import Parser, add_json, seconds
from .printing import json_list, rounded, table

if TYPE_CHECKING:
    from ..games.game import Game

USUAL_SECONDS = 1.0
BATCH = 4096
SHORT = 0.05  # seconds: work in portions not much shorter

Work: TypeAlias = Callable[[int], int]  # does so much, and returns how many things that were

DESCRIPTION = (
    "Measure each game from its start: whole random games a second in compiled code, steps a second through Position.play, "
    f"and steps a second through a Batch of {BATCH:,} positions on all cores."
)

EXAMPLES = [
    ("ropewalk bench", "the standard boards of all games"),
    ("ropewalk bench tether-9 tether-17 --seconds 3", "two boards, longer"),
    ("ropewalk bench --json", "for programs"),
]


def define(parser: Parser) -> None:
    """Some games, and a time."""
    parser.add_argument(
        "specs", metavar="SPEC", nargs="*", default=[], help="a game such as tether-9 (the five standard boards)"
    )
    words = f"how long to measure each figure ({USUAL_SECONDS:g})"
    parser.add_argument("--seconds", metavar="S", type=seconds(0.01, 600), default=USUAL_SECONDS, help=words)
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Measure all, then print a line a game."""
    from ..progress import progress_bar

    chosen = [game_of(spec) for spec in arguments.specs or [entry.key for entry in games()]]
    works = [(game, ready(game)) for game in chosen]
    figures = []
    with progress_bar("measuring") as report:
        for done, (game, work) in enumerate(works):
            report(done, len(works))
            figures.append({"spec": game.spec} | {name: rate(do, arguments.seconds) for name, do in work.items()})
    print(json_list(figures) if arguments.json else told(figures))
    return 0


def told(figures: list[dict[str, Any]]) -> str:
    """A small table."""
    rows = [[str(spec), *map(rounded, numbers)] for spec, *numbers in (line.values() for line in figures)]
    return table(("game", "random games/s", "steps/s", f"steps/s in a batch of {BATCH:,}"), rows)


def rate(work: Work, span: float) -> float:
    """How much of its work gets done a second."""
    amount, done = 1, 0
    began = last = time.perf_counter()
    while last - began < span:
        done += work(amount)
        now = time.perf_counter()
        amount *= 2 if now - last < SHORT else 1
        last = now
    return done / (last - began)


def ready(game: Game) -> dict[str, Work]:
    """The three things to measure, with their kernels compiled."""
    from ..jit.compile_progress import show_compile_progress
    from ..rules.generic import (
        find_first_illegal,
        inspect_row,
        random_moves_batch,
        reset_finished,
        run_playouts,
        step,
        step_batch,
    )

    with show_compile_progress(
        game, inspect_row, step, run_playouts, random_moves_batch, find_first_illegal, step_batch, reset_finished
    ):
        works = {
            "random_games_per_second": random_games(game),
            "steps_per_second": steps_of_positions(game),
            "batch_steps_per_second": steps_of_batch(game),
        }
        for work in works.values():
            work(1)
    return works


def random_games(game: Game) -> Work:
    """Whole random games inside the kernels."""
    import numpy as np

    from ..jit.prng import make_rng
    from ..rules.generic import run_playouts

    start = game.start().row
    row, moves, rng, results = start.copy(), np.empty(game.max_legal_moves, np.int16), make_rng(0), np.zeros(3, np.int64)

    def work(amount: int) -> int:
        run_playouts(game.rules, start, row, moves, rng, amount, results)
        return amount

    return work


def steps_of_positions(game: Game) -> Work:
    """Random steps by their texts, one position at a time, from game to game."""
    chance = random.Random(0)
    position = game.start()

    def work(amount: int) -> int:
        nonlocal position
        for _ in range(amount):
            position = position.play(chance.choice(position.moves())) if position.seat is not None else game.start()
        return amount

    return work


def steps_of_batch(game: Game) -> Work:
    """Random steps of many positions at once; finished games begin anew."""
    from ..games.batch import Batch

    batch = Batch(game, BATCH)

    def work(amount: int) -> int:
        for _ in range(amount):
            batch.play(batch.choose())
            batch.restart()
        return amount * BATCH

    return work
