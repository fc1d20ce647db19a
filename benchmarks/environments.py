"""Steps per second with observations and action masks, compared with pgx (JAX) and OpenSpiel (C++) in the same run.

    pip install ./examples/hex pgx
    python -m benchmarks.environments [--rounds N] [--seconds S] [--json] [--output FILE] [SPEC ...]

A step is a random legal move, the observation after it and the action mask after it; finished games begin again.

- `single`: `Position` from Python, by move ids; OpenSpiel's peer is the same loop.
- `batch-N`: `Batch` of N positions on one core; pgx's peer is its compiled and vectorised step on the same core. The process
  is restricted to one core meanwhile, because XLA would use all of them.
- `cores-2`: both with 4096 positions on two cores.
- `threads`: `Batch` of 4096 positions on two threads, compared with one thread, without observations and masks.
- `threads-all`: the same with observations and masks.

All contenders are measured in turn in every round. A ratio is the median over the rounds of figures from the same round.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk import Batch, Game, SpecError

SPECS = [f"{entry.key}-{entry.standard}" for entry in ropewalk.games() if entry.key != "hex"]
SIZES = (1, 64, 1024, 4096)
PGX_GAMES = ("hex", "go_9x9", "othello")
HEX = "hex-11"
REQUIRED_PGX_RATIO, REQUIRED_THREADS_RATIO = 10.0, 1.7


@dataclass
class Contender:
    """A call that takes some time and returns the number of steps."""

    figure: str
    name: str
    work: Callable[[], int]
    num_cores: int = 1
    rates: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Work for about the given time on the allowed cores and record the rate per second."""
        restrict_cores(self.num_cores)
        started_at, steps = time.perf_counter(), 0
        while (elapsed := time.perf_counter() - started_at) < seconds:
            steps += self.work()
        self.rates.append(steps / elapsed)


ALL_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def restrict_cores(count: int) -> None:
    """Let all threads of this process, those of libraries included, run on `count` cores; only Linux can do it."""
    for task in os.listdir("/proc/self/task") if ALL_CORES else []:
        os.sched_setaffinity(int(task), ALL_CORES[:count])


def play_single(game: Game) -> Callable[[], int]:
    """Return random games from Python with observations and masks."""
    game.compile()
    rng = random.Random(1)

    def work() -> int:
        position, steps = game.start(), 0
        while len(ids := position.move_ids()):
            position = position.play_id(ids[int(rng.random() * len(ids))])
            position.observation()
            position.action_mask()
            steps += 1
        return steps

    return work


def step_batch(game: Game, size: int, threads: int, *, observe: bool = True) -> Callable[[], int]:
    """Return steps of a batch."""
    batch = Batch(game, size, seed=1, threads=threads)
    planes, masks = batch.observations(), batch.action_masks()

    def work() -> int:
        for _ in range(max(1, 1024 // size)):
            if observe:
                batch.play_random(restart=True, observations=planes, masks=masks)
            else:
                batch.play_random(restart=True)
        return size * max(1, 1024 // size)

    return work


def step_pgx(name: str, size: int) -> Callable[[], int]:
    """Return steps of a game of pgx, compiled and vectorised; its state has the observation and the mask."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    environment = pgx.make(name)
    step = jax.vmap(auto_reset(environment.step, environment.init))

    @jax.jit
    def advance(state, key):  # type: ignore[no-untyped-def]
        key, choice, reset = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choice, logits, axis=1)
        return step(state, actions, jax.random.split(reset, size)), key

    states = [jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(0), size))]
    keys = [jax.random.PRNGKey(1)]

    def work() -> int:
        states[0], keys[0] = jax.block_until_ready(advance(states[0], keys[0]))
        return size

    return work


def play_open_spiel() -> Callable[[], int]:
    """Return random games of OpenSpiel's Hex from Python with observations and masks."""
    import pyspiel

    hexagons, rng = pyspiel.load_game("hex(board_size=11)"), random.Random(1)

    def work() -> int:
        state, steps = hexagons.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            state.observation_tensor(0)
            state.legal_actions_mask()
            steps += 1
        return steps

    return work


def make_contenders(games: list[Game]) -> list[Contender]:
    """Return our contenders for every game and the peers that are installed."""
    found = []
    for game in games:
        found.append(Contender("single", game.spec, play_single(game)))
        found += [Contender(f"batch-{size}", game.spec, step_batch(game, size, 1)) for size in SIZES]
        found += [
            Contender(figure, f"{game.spec} on {threads}", step_batch(game, SIZES[-1], threads, observe=observe), threads)
            for figure, observe in (("threads", False), ("threads-all", True))
            for threads in (1, 2)
        ]
    if importlib.util.find_spec("pyspiel"):
        found.append(Contender("single", "OpenSpiel hex(11)", play_open_spiel()))
    if importlib.util.find_spec("pgx"):
        found += [Contender(f"batch-{size}", f"pgx {name}", step_pgx(name, size)) for name in PGX_GAMES for size in SIZES]
        found.append(Contender("cores-2", "pgx hex", step_pgx("hex", SIZES[-1]), 2))
        found += [Contender("cores-2", game.spec, step_batch(game, SIZES[-1], 2), 2) for game in games if game.spec == HEX]
    return found


@dataclass
class Figure:
    """One line of the table: the rate of a contender, and its ratio to a peer where there is one."""

    figure: str
    name: str
    steps_per_second: float
    peer: str = ""
    ratio: float | None = None
    required: float | None = None

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"{self.ratio:8.2f} x {self.peer}"
        verdict = (
            ""
            if self.required is None
            else f"  ({self.required:g} {'ok' if (self.ratio or 0) >= self.required else 'SHORT'})"
        )
        return f"{self.figure:12} {self.name:22} {self.steps_per_second:13,.0f} {ratio}{verdict}"


def find_peer(contender: Contender, found: list[Contender]) -> tuple[Contender | None, float | None]:
    """Return the contender to compare with, and the ratio that is required."""
    by_key = {(other.figure, other.name): other for other in found}
    if contender.figure.startswith("threads") and contender.name.endswith(" on 2"):
        required = REQUIRED_THREADS_RATIO if contender.figure == "threads" else None
        return by_key[contender.figure, contender.name[:-1] + "1"], required
    if contender.name == HEX and contender.figure.startswith(("batch", "cores")):
        return by_key.get((contender.figure, "pgx hex")), REQUIRED_PGX_RATIO
    if contender.name == HEX and contender.figure == "single":
        return by_key.get(("single", "OpenSpiel hex(11)")), None
    return None, None


def compare(contender: Contender, found: list[Contender]) -> Figure:
    """Return the line of a contender."""
    figure = Figure(contender.figure, contender.name, statistics.median(contender.rates))
    peer, required = find_peer(contender, found)
    if peer is not None:
        figure.peer, figure.required = peer.name, required
        figure.ratio = statistics.median(ours / theirs for ours, theirs in zip(contender.rates, peer.rates, strict=True))
    return figure


def main() -> None:
    """Measure all contenders and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each contender in each round")
    parser.add_argument("--json", action="store_true")
    add_output_option(parser)
    arguments = parser.parse_args()
    try:
        games = [ropewalk.game(spec) for spec in arguments.specs or [*SPECS, HEX]]
    except SpecError as error:
        parser.exit(2, f"{error}; Hex is installed by: pip install ./examples/hex\n")
    measured = describe_machine()
    found = make_contenders(games)
    for contender in found:
        contender.work()  # compile and warm up
    for _ in range(arguments.rounds):
        for contender in found:
            contender.measure(arguments.seconds)
    figures = [compare(contender, found) for contender in sorted(found, key=lambda one: (one.figure, one.name))]
    write_results(arguments.output, measured, {"figures": [asdict(figure) for figure in figures]})
    if arguments.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    for figure in figures:
        print(figure)


if __name__ == "__main__":
    main()
