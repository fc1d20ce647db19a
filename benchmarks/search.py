"""Simulations per second of the tree search, compared with OpenSpiel's C++ MCTSBot on Hex 11 x 11 in the same run.

    python -m benchmarks.search [--rounds N] [--seconds S] [--json] [--output FILE]

All figures use one thread except `two`, which grows one tree on each of two threads. `uct` is plain MCTS with uniformly
random rollouts, as in OpenSpiel's bot; `level 8` is the search of the game's strongest level. All contenders are measured in
turn in every round. A ratio is the median over the rounds of figures from the same round.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from threading import Event

import pyspiel

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk import Game
from ropewalk.games.definition import DEFAULT_MCTS, MctsLevel, MctsParams
from ropewalk.search.mcts_search import MctsSearch
from ropewalk.search.mcts_tree import node_bytes

SPECS = ["lariat-2x10", "cube-lariat-4", "tether-13", "laocoon-weave", "liger-8"]
LIMITS = {("uct", "lariat-2x10"): 20.0}  # like with like: both search plainly, with random playouts
SIMULATIONS = 2000  # of OpenSpiel's bot in one call


@dataclass
class Contender:
    """A search that can be measured: a call that searches for some seconds and returns the number of simulations."""

    figure: str
    game: str
    work: Callable[[float], tuple[int, float]]
    rates: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        done, spent = self.work(seconds)
        self.rates.append(done / spent)


def ours(game: Game, tuning: MctsParams, threads: int) -> Callable[[float], tuple[int, float]]:
    search = MctsSearch(game, tuning, threads=threads)

    def work(seconds: float) -> tuple[int, float]:
        search.reset(1)
        search.set_root(game.start())
        began = time.perf_counter()
        for _ in search.run(seconds, None, Event()):
            pass
        return search.visits, time.perf_counter() - began

    return work


def open_spiel() -> Callable[[float], tuple[int, float]]:
    hexagons = pyspiel.load_game("hex(board_size=11)")
    bot = pyspiel.MCTSBot(hexagons, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, SIMULATIONS, 1000, False, 1, False)
    state = hexagons.new_initial_state()

    def work(seconds: float) -> tuple[int, float]:
        began = time.perf_counter()
        done = 0
        while time.perf_counter() - began < seconds:
            bot.step(state)
            done += SIMULATIONS
        return done, time.perf_counter() - began

    return work


def best_tuning(game: Game) -> MctsParams:
    """Return the parameters of the strongest level with rollouts; the default ones if all strong levels evaluate instead."""
    strongest = game.definition.bots.levels[-1]
    return strongest.params if isinstance(strongest, MctsLevel) else DEFAULT_MCTS


def contenders() -> list[Contender]:
    found = [Contender("OpenSpiel", "hex(11)", open_spiel())]
    for spec in SPECS:
        game = ropewalk.game(spec)
        found += [
            Contender("uct", spec, ours(game, DEFAULT_MCTS, 1)),
            Contender("level 8", spec, ours(game, best_tuning(game), 1)),
            Contender("two", spec, ours(game, best_tuning(game), 2)),
        ]
    return found


@dataclass
class Line:
    """One row of the table."""

    figure: str
    game: str
    simulations: float
    ratio: float  # to OpenSpiel's; of `two`, to the same search on one thread
    asked: float | None

    def __str__(self) -> str:
        asked = "" if self.asked is None else f"{self.asked:9.2f} {'ok' if self.ratio >= self.asked else 'SHORT'}"
        return f"{self.figure:9} {self.game:14} {self.simulations:13,.0f} {self.ratio:8.2f} {asked}"


def ratio(mine: Contender, floor: Contender) -> float:
    return statistics.median(one / other for one, other in zip(mine.rates, floor.rates, strict=True))


def lines(found: list[Contender]) -> list[Line]:
    floor = found[0]
    by_name = {(one.figure, one.game): one for one in found}
    return [
        Line(
            one.figure,
            one.game,
            statistics.median(one.rates),
            ratio(one, by_name["level 8", one.game] if one.figure == "two" else floor),
            LIMITS.get((one.figure, one.game)),
        )
        for one in found
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each contender in each round")
    parser.add_argument("--json", action="store_true")
    add_output_option(parser)
    arguments = parser.parse_args()
    measured = describe_machine()
    found = contenders()
    for contender in found:
        contender.work(0.1)
    for _ in range(arguments.rounds):
        for contender in found:
            contender.measure(arguments.seconds)
    write_results(arguments.output, measured, {"figures": [asdict(line) for line in lines(found)]})
    if arguments.json:
        print(json.dumps([asdict(line) for line in lines(found)], indent=2))
        return
    print(f"{'search':9} {'game':14} {'simulations/s':>13} {'ratio':>8} {'asked for':>9}")
    for line in lines(found):
        print(line)
    print(f"{node_bytes()} bytes a node; the ratio of `two` is to level 8 on one thread, the others to OpenSpiel")


if __name__ == "__main__":
    main()
