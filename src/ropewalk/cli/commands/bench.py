"""`ropewalk bench`: the speed of the games on this machine."""

from __future__ import annotations

import random
import time
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ... import game as game_of
from ... import games
from ...console.formatting import format_json_list, format_number, format_table
from ..arguments import Parser, add_json, seconds

if TYPE_CHECKING:
    from ...games.game import Game

DEFAULT_SECONDS = 1.0
BATCH_SIZE = 4096
MIN_CHUNK_SECONDS = 0.05  # chunks of work grow until they take this long

Workload: TypeAlias = Callable[[int], int]  # does an amount of work and returns how many units were completed

DESCRIPTION = (
    "Measure each game from its start: whole random games a second in compiled code, steps a second through Position.play, "
    f"and steps a second through a Batch of {BATCH_SIZE:,} positions on all cores."
)

EXAMPLES = [
    ("ropewalk bench", "the standard boards of all games"),
    ("ropewalk bench tether-9 tether-17 --seconds 3", "two boards, longer"),
    ("ropewalk bench --json", "for programs"),
]


def define(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "specs", metavar="SPEC", nargs="*", default=[], help="a game such as tether-9 (the five standard boards)"
    )
    help_text = f"how long to measure each figure ({DEFAULT_SECONDS:g})"
    parser.add_argument("--seconds", metavar="S", type=seconds(0.01, 600), default=DEFAULT_SECONDS, help=help_text)
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Measure all games, then print a line for each; return the exit code."""
    from ...progress import progress_bar

    selected_games = [game_of(spec) for spec in arguments.specs or [entry.key for entry in games()]]
    workloads = [(game, ready(game)) for game in selected_games]
    rates = []
    with progress_bar("measuring") as update_bar:
        for num_done, (game, game_workloads) in enumerate(workloads):
            update_bar(num_done, len(workloads))
            rates.append({"spec": game.spec} | {key: rate(work, arguments.seconds) for key, work in game_workloads.items()})
    print(format_json_list(rates) if arguments.json else format_rates(rates))
    return 0


def format_rates(rates: list[dict[str, Any]]) -> str:
    """Return the rates as a table."""
    rows = [[str(spec), *map(format_number, numbers)] for spec, *numbers in (row.values() for row in rates)]
    return format_table(("game", "random games/s", "steps/s", f"steps/s in a batch of {BATCH_SIZE:,}"), rows)


def rate(work: Workload, span: float) -> float:
    """Return how many units a workload completes per second, measured for at least `span` seconds."""
    amount, num_units = 1, 0
    started_at = last = time.perf_counter()
    while last - started_at < span:
        num_units += work(amount)
        now = time.perf_counter()
        amount *= 2 if now - last < MIN_CHUNK_SECONDS else 1
        last = now
    return num_units / (last - started_at)


def ready(game: Game) -> dict[str, Workload]:
    """Return the three workloads of a game by their JSON keys, with their kernels compiled."""
    from ...jit.compile_progress import show_compile_progress
    from ...rules.generic import (
        find_first_illegal,
        inspect_row,
        random_moves_batch,
        reset_finished,
        run_playouts,
        step,
        step_batch,
    )

    with show_compile_progress(
        game.name,
        game.rules,
        inspect_row,
        step,
        run_playouts,
        random_moves_batch,
        find_first_illegal,
        step_batch,
        reset_finished,
    ):
        workloads = {
            "random_games_per_second": random_games(game),
            "steps_per_second": steps_of_positions(game),
            "batch_steps_per_second": steps_of_batch(game),
        }
        for work in workloads.values():
            work(1)
    return workloads


def random_games(game: Game) -> Workload:
    """Return a workload of random playouts in compiled code; units are games."""
    import numpy as np

    from ...jit.prng import make_rng
    from ...rules.generic import run_playouts

    start = game.start().row
    row, moves, rng, results = start.copy(), np.empty(game.max_legal_moves, np.int16), make_rng(0), np.zeros(3, np.int64)

    def work(amount: int) -> int:
        run_playouts(game.rules, start, row, moves, rng, amount, results)
        return amount

    return work


def steps_of_positions(game: Game) -> Workload:
    """Return a workload of random moves by `Position.play`; units are moves, or restarts of a finished game."""
    rng = random.Random(0)
    position = game.start()

    def work(amount: int) -> int:
        nonlocal position
        for _ in range(amount):
            position = position.play(rng.choice(position.moves())) if position.seat is not None else game.start()
        return amount

    return work


def steps_of_batch(game: Game) -> Workload:
    """Return a workload of random moves in a Batch, finished games being restarted; units are moves."""
    from ...games.batch import Batch

    batch = Batch(game, BATCH_SIZE)

    def work(amount: int) -> int:
        for _ in range(amount):
            batch.play(batch.choose())
            batch.restart()
        return amount * BATCH_SIZE

    return work
