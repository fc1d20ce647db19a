"""Random games per second on each game's standard board, compared with OpenSpiel's rollouts of Hex in the same run.

    python -m benchmarks.playouts [--rounds N] [--seconds S] [--json] [--output FILE]

All figures use one thread except `batch`, which uses all cores. `batch-1` is the same on one thread; `lists` also reads the
lists of legal moves at every step, as OpenSpiel's loop must. All contenders are measured in turn in every round. A ratio is
the median over the rounds of figures from the same round, because absolute times vary on a shared machine.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import numpy as np
import pyspiel

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk import Batch, Game
from ropewalk.jit.prng import make_rng
from ropewalk.rules.generic import run_playouts
from ropewalk.rules.interface import ONGOING

SPECS = [f"{entry.key}-{entry.standard}" for entry in ropewalk.games()]
BATCH = 4096
LIMITS = {  # what each must reach, as a multiple of OpenSpiel's figure of the same kind
    ("stones", "lariat-2x10"): 30,
    ("stones", "cube-lariat-4"): 30,
    ("stones", "tether-13"): 5,
    ("games", "laocoon-weave"): 3,
    ("games", "liger-8"): 3,
    **{("facade", spec): 1 / 3 for spec in SPECS},
    **{("batch", spec): 10 for spec in SPECS},
}


@dataclass
class Contender:
    """Something that can be measured: a call that takes some time and returns how much work it did."""

    kind: str  # games, facade, batch, batch-1 (on one thread) or lists
    name: str
    work: Callable[[], int]
    rates: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Work for about the given time and record the rate per second."""
        start = time.perf_counter()
        done = 0
        while (spent := time.perf_counter() - start) < seconds:
            done += self.work()
        self.rates.append(done / spent)


def our_playouts(game: Game, games: int = 2000) -> Callable[[], int]:
    start, moves, rng = game.start_row(), np.empty(game.max_legal_moves, np.int16), make_rng(1)
    row, results = start.copy(), np.zeros(3, np.int64)

    def work() -> int:
        run_playouts(game.rules, start, row, moves, rng, games, results)
        return games

    return work


def our_facade(game: Game) -> Callable[[], int]:
    game.compile()
    chance = random.Random(1)

    def work() -> int:
        position = game.start()
        steps = 0
        while moves := position.moves():
            position = position.play(moves[int(chance.random() * len(moves))])
            steps += 1
        return steps

    return work


def our_batch(game: Game, threads: int | None = None, lists: bool = False) -> Callable[[], int]:
    batch = Batch(game, BATCH, threads=threads)

    def work() -> int:
        if lists:
            _ = batch.moves
        batch.play_random(restart=True)
        return BATCH

    return work


def open_spiel_rollouts(rollouts: int = 2000) -> Callable[[], int]:
    """Return one simulation of an MCTS bot whose evaluation is many random rollouts, played in C++."""
    hexagons = pyspiel.load_game("hex(board_size=11)")
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(hexagons, evaluator, 2.0, 1, 10, False, 1, False)
    state = hexagons.new_initial_state()

    def work() -> int:
        bot.step(state)
        return rollouts

    return work


def open_spiel_facade() -> Callable[[], int]:
    hexagons = pyspiel.load_game("hex(board_size=11)")
    chance = random.Random(1)

    def work() -> int:
        state = hexagons.new_initial_state()
        steps = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance.random() * len(actions))])
            steps += 1
        return steps

    return work


def stones_a_game(game: Game) -> float:
    """Return the number of placements of a random game; the fast playout of a claiming game fills the whole board."""
    if "pie" in game.options:
        return len(game.board)
    return steps_a_game(game)


def steps_a_game(game: Game, size: int = 512) -> float:
    batch = Batch(game, size)
    steps = 0
    while (running := int((batch.outcomes == ONGOING).sum())) > 0:
        batch.play(batch.choose())
        steps += running
    return steps / size


def stones_a_rollout(games: int = 300) -> float:
    """Return the number of stones of a random game of Hex, which ends when a side is connected."""
    play = open_spiel_facade()
    return sum(play() for _ in range(games)) / games


def contenders(games: list[Game]) -> list[Contender]:
    found = [Contender("games", "OpenSpiel hex(11)", open_spiel_rollouts())]
    found += [Contender("games", game.spec, our_playouts(game)) for game in games]
    found += [Contender("facade", "OpenSpiel hex(11)", open_spiel_facade())]
    found += [Contender("facade", game.spec, our_facade(game)) for game in games]
    found += [Contender("batch", game.spec, our_batch(game)) for game in games]
    found += [Contender("batch-1", game.spec, our_batch(game, threads=1)) for game in games]
    found += [Contender("lists", game.spec, our_batch(game, threads=1, lists=True)) for game in games]
    return found


def ratio(ours: Contender, floor: Contender, scale: float = 1.0) -> float:
    return statistics.median(scale * mine / theirs for mine, theirs in zip(ours.rates, floor.rates, strict=True))


@dataclass
class Line:
    """One row of the table."""

    figure: str
    game: str
    ours: float
    open_spiel: float
    ratio: float
    asked: float | None

    def __str__(self) -> str:
        asked = "" if self.asked is None else f"{self.asked:9.2f} {'ok' if self.ratio >= self.asked else 'SHORT'}"
        return f"{self.figure:8} {self.game:14} {self.ours:13,.0f} {self.open_spiel:13,.0f} {self.ratio:8.2f} {asked}"


def table(found: list[Contender], games: list[Game]) -> list[Line]:
    """Return a row for each figure; random games are counted in games and in stones."""
    floors = {contender.kind: contender for contender in found if contender.name.startswith("OpenSpiel")}
    stones = stones_a_rollout()
    lines = []
    for contender in found:
        if contender is floors.get(contender.kind):
            continue
        game = next(game for game in games if game.spec == contender.name)
        floor = floors["games"] if contender.kind == "games" else floors["facade"]
        lines.append(line(contender.kind, game, contender, floor))
        if contender.kind == "games":
            lines.append(line("stones", game, contender, floor, stones_a_game(game), stones))
    return sorted(lines, key=lambda line: line.figure)


def line(kind: str, game: Game, ours: Contender, floor: Contender, mine: float = 1.0, theirs: float = 1.0) -> Line:
    return Line(
        figure=kind,
        game=game.spec,
        ours=statistics.median(ours.rates) * mine,
        open_spiel=statistics.median(floor.rates) * theirs,
        ratio=ratio(ours, floor, mine / theirs),
        asked=LIMITS.get((kind, game.spec)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each contender in each round")
    parser.add_argument("--json", action="store_true")
    add_output_option(parser)
    arguments = parser.parse_args()
    measured = describe_machine()
    games = [ropewalk.game(spec) for spec in SPECS]
    found = contenders(games)
    for contender in found:
        contender.work()  # compile and warm up
    for _ in range(arguments.rounds):
        for contender in found:
            contender.measure(arguments.seconds)
    lines = table(found, games)
    write_results(arguments.output, measured, {"figures": [asdict(figure) for figure in lines]})
    if arguments.json:
        print(json.dumps([asdict(figure) for figure in lines], indent=2))
        return
    print(f"{'figure':8} {'game':14} {'ours/s':>13} {'OpenSpiel/s':>13} {'ratio':>8} {'asked for':>9}")
    for figure in lines:
        print(figure)
    for game in games:
        size = game.start_row().nbytes
        print(f"{game.spec}: {steps_a_game(game):.0f} steps a random game, {size:,} bytes a position in a batch")


if __name__ == "__main__":
    main()
