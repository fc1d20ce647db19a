"""`ropewalk check`, `ropewalk perft` and `ropewalk bench`: claims, counts and speed of the games."""

from __future__ import annotations

import json
import random
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from ... import game as game_of
from ... import games
from ...console.formatting import format_json_list, format_number, format_table, wrap
from ..arguments import Parser, add_json, add_position, add_spec, make_float_parser, make_int_parser, read_position
from ..command import EXIT_INTERRUPTED, EXIT_NEGATIVE, EXIT_OK, Command

if TYPE_CHECKING:
    from ...conformance import CheckResult
    from ...games.game import Game
    from ...games.position import Position

DEFAULT_GAMES, MAX_GAMES = 20, 10_000_000
MAX_SEED = 2**63 - 1

CHECK_DESCRIPTION = (
    "Check on random games the contract of all games (texts can be read back, illegal moves have a reason, symmetries "
    "hold) and the claims of the game's rule sheet. The exit code is 1 if a claim is violated that no ruling covers."
)

CHECK_EXAMPLES = [
    ("ropewalk check tether-9", f"{DEFAULT_GAMES} random games"),
    ("ropewalk check lariat --games 10000 --seed 7", "more games, another seed"),
    ("ropewalk check liger-4 --json", "as JSON"),
]


def add_check_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk check`."""
    add_spec(parser)
    limits = make_int_parser(1, MAX_GAMES)
    parser.add_argument(
        "--games", metavar="N", type=limits, default=DEFAULT_GAMES, help=f"number of random games ({DEFAULT_GAMES})"
    )
    parser.add_argument("--seed", metavar="N", type=make_int_parser(0, MAX_SEED), default=0, help="random seed (0)")
    add_json(parser)


def run_check(arguments: Namespace) -> int:
    """Check all claims on random games and print the findings; return the exit code."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ...conformance import check
    from ...games.batch import Batch
    from ...jit.compile_progress import show_compile_progress
    from ...progress import progress_bar
    from ...rules.batch import find_illegal, legal_moves_batch, random_moves_batch, reset_finished, step_batch
    from ...rules.generic import inspect_row, step

    with show_compile_progress(
        game.name,
        game.rules,
        inspect_row,
        step,
        random_moves_batch,
        find_illegal,
        step_batch,
        legal_moves_batch,
        reset_finished,
    ):
        batch = Batch(game, 1)
        batch.play(batch.moves[:, 0])
        batch.play(batch.choose())
        batch.restart()
        game.start().play(game.start().moves()[0])
    with progress_bar(f"checking {game.spec}") as report:
        findings = check(game, games=arguments.games, seed=arguments.seed, progress=report)
    print(format_json_list(map(asdict, findings)) if arguments.json else format_findings(findings))
    return EXIT_NEGATIVE if any(finding.violations and not finding.expected for finding in findings) else EXIT_OK


def format_findings(findings: list[CheckResult]) -> str:
    """Return a table with a row for each claim, followed by the violations."""
    rows = [
        [finding.claim, *(f"{count:,}" for count in (finding.cases, finding.violations)), str(finding.seed)]
        for finding in findings
    ]
    against = [format_violation(finding) for finding in findings if finding.violations]
    return "\n\n".join([format_table(("claim", "cases", "violations", "seed"), rows), *against])


def format_violation(finding: CheckResult) -> str:
    """Return a claim that does not hold, with an example."""
    verdict = "known, covered by a ruling" if finding.expected else "NOT EXPECTED"
    lines = [wrap(f"{finding.claim}: violated ({verdict})")]
    lines += [wrap(text, f"  {label}: ") for label, text in (("example", finding.example), ("note", finding.note)) if text]
    return "\n".join(lines)


MAX_DEPTH = 100

PERFT_DESCRIPTION = (
    "Count the move sequences of length 1 to DEPTH from a position and print them as JSON; a sequence ends with the "
    "game. Programs that implement the same rules find the same numbers. Ctrl-C prints the completed depths."
)

PERFT_EXAMPLES = [
    ("ropewalk perft tether-5 4", '{"1": 25, "2": 600, "3": 13800, "4": 303600}'),
    ("ropewalk perft tether-3 9", "a small board until it is full"),
    ("ropewalk perft liger-4 3 --position '2/b,1/1,r/2 red'", "from a position"),
]


def add_perft_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk perft`."""
    add_spec(parser)
    parser.add_argument(
        "depth", metavar="DEPTH", type=make_int_parser(1, MAX_DEPTH), help=f"maximum number of moves, 1 to {MAX_DEPTH}"
    )
    add_position(parser)


def run_perft(arguments: Namespace) -> int:
    """Count the sequences by depth and print them as JSON; return the exit code."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ...games.perft import perft
    from ...jit.compile_progress import show_compile_progress
    from ...rules.generic import count_sequences, step

    with show_compile_progress(game.name, game.rules, count_sequences):
        position = read_position(game, arguments.position)
        perft(position, 1)
    with show_compile_progress(game.name, game.rules, step):  # which a shallow count never calls
        return print_counts(position, arguments.depth)


def print_counts(position: Position, max_depth: int) -> int:
    """Print the counts of all depths, after Ctrl-C those of the complete ones; return the exit code."""
    from ...games.perft import count_next_depth
    from ...progress import progress_bar

    counts, share = [1], 0.0

    def watch(done: int, total: int) -> None:
        nonlocal share
        share = done / total
        report(done, total)

    code = EXIT_OK
    try:
        while len(counts) <= max_depth:
            share = 0.0
            with progress_bar(f"depth {len(counts)}") as report:
                counts.append(count_next_depth(position, counts, watch))
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
        print(f"ropewalk: interrupted at {share:.0%} of depth {len(counts)} (of {max_depth})", file=sys.stderr)
    print(json.dumps(dict(enumerate(counts[1:], start=1))))
    return code


DEFAULT_SECONDS = 1.0
BATCH_SIZE = 4096
MIN_CHUNK_SECONDS = 0.05  # chunks of work grow until they take this long

Workload: TypeAlias = Callable[[int], int]  # does an amount of work and returns how many units were completed

BENCH_DESCRIPTION = (
    "Measure the speed of each game from its start position: random games per second in compiled code, moves per "
    f"second through Position.play, and moves per second through a Batch of {BATCH_SIZE:,} positions on all cores."
)

BENCH_EXAMPLES = [
    ("ropewalk bench", "the standard boards of all games"),
    ("ropewalk bench tether-9 tether-17 --seconds 3", "two boards, measured longer"),
    ("ropewalk bench --json", "as JSON"),
]


def add_bench_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "specs",
        metavar="SPEC",
        nargs="*",
        default=[],
        help="game such as tether-9 (default: the standard boards of all games)",
    )
    help_text = f"duration of each measurement in seconds ({DEFAULT_SECONDS:g})"
    parser.add_argument(
        "--seconds", metavar="S", type=make_float_parser(0.01, 600, "seconds"), default=DEFAULT_SECONDS, help=help_text
    )
    add_json(parser)


def run_bench(arguments: Namespace) -> int:
    """Measure all games, then print a line for each; return the exit code."""
    from ...progress import progress_bar

    selected_games = [game_of(spec) for spec in arguments.specs or [entry.key for entry in games()]]
    workloads = [(game, prepare_workloads(game)) for game in selected_games]
    rates = []
    with progress_bar("measuring") as update_bar:
        for num_done, (game, game_workloads) in enumerate(workloads):
            update_bar(num_done, len(workloads))
            rates.append(
                {"spec": game.spec} | {key: measure_rate(work, arguments.seconds) for key, work in game_workloads.items()}
            )
    print(format_json_list(rates) if arguments.json else format_rates(rates))
    return EXIT_OK


def format_rates(rates: list[dict[str, Any]]) -> str:
    """Return the rates as a table."""
    rows = [[str(spec), *map(format_number, numbers)] for spec, *numbers in (row.values() for row in rates)]
    return format_table(("game", "random games/s", "moves/s", f"moves/s in a batch of {BATCH_SIZE:,}"), rows)


def measure_rate(work: Workload, min_seconds: float) -> float:
    """Return how many units a workload completes per second, measured for at least `span` seconds."""
    amount, num_units = 1, 0
    started_at = last = time.perf_counter()
    while last - started_at < min_seconds:
        num_units += work(amount)
        now = time.perf_counter()
        amount *= 2 if now - last < MIN_CHUNK_SECONDS else 1
        last = now
    return num_units / (last - started_at)


def prepare_workloads(game: Game) -> dict[str, Workload]:
    """Return the three workloads of a game by their JSON keys, with their kernels compiled."""
    from ...jit.compile_progress import show_compile_progress
    from ...rules.batch import random_step_batch
    from ...rules.generic import inspect_row, run_playouts, step

    with show_compile_progress(
        game.name,
        game.rules,
        inspect_row,
        step,
        run_playouts,
        random_step_batch,
    ):
        workloads = {
            "random_games_per_second": make_playout_workload(game),
            "steps_per_second": make_position_workload(game),
            "batch_steps_per_second": make_batch_workload(game),
        }
        for work in workloads.values():
            work(1)
    return workloads


def make_playout_workload(game: Game) -> Workload:
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


def make_position_workload(game: Game) -> Workload:
    """Return a workload of random moves by `Position.play`; units are moves, or restarts of a finished game."""
    rng = random.Random(0)
    position = game.start()

    def work(amount: int) -> int:
        nonlocal position
        for _ in range(amount):
            position = position.play(rng.choice(position.moves())) if position.seat is not None else game.start()
        return amount

    return work


def make_batch_workload(game: Game) -> Workload:
    """Return a workload of random moves in a Batch, finished games being restarted; units are moves."""
    from ...games.batch import Batch

    batch = Batch(game, BATCH_SIZE)

    def work(amount: int) -> int:
        for _ in range(amount):
            batch.play_random(restart=True)
        return amount * BATCH_SIZE

    return work


COMMANDS = {
    "check": Command(CHECK_DESCRIPTION, CHECK_EXAMPLES, add_check_arguments, run_check),
    "perft": Command(PERFT_DESCRIPTION, PERFT_EXAMPLES, add_perft_arguments, run_perft),
    "bench": Command(BENCH_DESCRIPTION, BENCH_EXAMPLES, add_bench_arguments, run_bench),
}
