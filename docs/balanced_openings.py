"""Openings that self-play of a net finds balanced, for docs/boards.py: a few minutes per board, on a GPU unless it is small.

    python docs/balanced_openings.py SPEC ... [--pairs N] [--rounds ROUND ...] [--opening-moves N] [--seed N] [--threads N]

Random openings are screened by the net's search; the candidates nearest to balance are then played out by the net against
itself, with Gumbel noise, in rounds. A round such as 64x32@128 plays 32 games with 128 simulations per move from each of the
64 candidates that were most balanced before. Those in which the first seat's score of the last round is nearest to one half
are stored in docs/boards/openings.json, with these scores.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from boards import SEED, StoredOpenings
from numpy.typing import NDArray

import ropewalk
from ropewalk import Game, Position
from ropewalk.games.helper_threads import HelperThreads
from ropewalk.games.position import list_history
from ropewalk.nets.config import file_sha256, make_net_config
from ropewalk.nets.model import PolicyValueNet
from ropewalk.nets.onnx_evaluator import OnnxEvaluator, resolve_net_path
from ropewalk.nets.onnx_export import read_weights
from ropewalk.search.gumbel import GumbelParams
from ropewalk.search.interfaces import ROOT
from ropewalk.training.evaluation import is_ongoing, points_for_seat
from ropewalk.training.inference import TorchEvaluator
from ropewalk.training.selfplay.batch import RootSearchBatch

BLOCKS, CHANNELS = 6, 64  # of all bundled nets
DATA = Path(__file__).parent / "boards"
MIN_OPENING_MOVES = 2
SCREENING_FACTOR = 32  # random openings for each candidate of the first round
MAX_UNFINISHED = 0.02  # share of games that are adjudicated as draws, so that few long games do not delay the rest
MAX_TREES = 4096  # searched at once; a game that ends makes place for the next
NUM_BATCHES = 2  # the net evaluates one while threads advance the other
DEFAULT_ROUNDS = ("64x32@32",)


class Round(NamedTuple):
    """Games of self-play from each of the candidates that were most balanced before."""

    candidates: int
    games: int  # of each candidate
    simulations: int  # per move

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse CANDIDATESxGAMES@SIMULATIONS; raises argparse.ArgumentTypeError."""
        match = re.fullmatch(r"(\d+)x(\d+)@(\d+)", text)
        if match is None:
            raise argparse.ArgumentTypeError(f"{text} is not CANDIDATESxGAMES@SIMULATIONS, such as 64x32@128")
        return cls(*map(int, match.groups()))


class CpuQueue:
    """Evaluates the leaves of a batch's first `num_trees` trees on the CPU, by the kernels that the bots use."""

    def __init__(self, game: Game, path: Path, batch: RootSearchBatch) -> None:
        self.evaluator = OnnxEvaluator(game, path)
        self.batch = batch
        self.num_trees = 0

    def submit(self) -> None:
        """Write logits and values."""
        planes, logits, values = self.batch.evaluations
        for tree in range(self.num_trees):
            [logits[tree]], [values[tree]] = self.evaluator.evaluate(planes[tree : tree + 1])

    def wait(self) -> None:
        """Do nothing, as `submit` has finished."""


class SelfPlayJudge:
    """Searches many positions of one board at once with the bundled net and plays them out."""

    def __init__(self, game: Game, num_trees: int, num_simulations: int, num_threads: int) -> None:
        path = resolve_net_path(game)
        params = GumbelParams(
            num_simulations=num_simulations,
            max_num_considered_actions=16,
            value_scale=0.1,
            maxvisit_init=50.0,
            gumbel_scale=1.0,
            sequential_halving=1,
        )
        self.num_trees = num_trees
        self.net_hash = file_sha256(path)[:8]
        threads = HelperThreads(num_threads - 1)
        self.batch_size = -(-num_trees // NUM_BATCHES)
        self.batches = [
            RootSearchBatch(game, self.batch_size, params, seed=SEED + number, threads=threads)
            for number in range(NUM_BATCHES)
        ]
        evaluator = load_evaluator(game, path) if torch.cuda.is_available() else None
        self.queues = [evaluator.queue_for(batch) if evaluator else CpuQueue(game, path, batch) for batch in self.batches]

    def search(self, positions: list[Position]) -> None:
        """Search at most `num_trees` positions."""
        for number, batch in enumerate(self.batches):
            roots = positions[number::NUM_BATCHES]
            batch.set_roots(roots, list(range(len(roots))))
            queue = self.queues[number]
            if isinstance(queue, CpuQueue):
                queue.num_trees = len(roots)
        searching = list(zip(self.batches, self.queues, strict=True))
        while searching:
            for batch, queue in list(searching):
                queue.wait()
                if batch.advance():
                    queue.submit()
                else:
                    searching.remove((batch, queue))

    def best_move(self, index: int) -> int:
        """Return the final move of the search of the position with this index."""
        return self.batches[index % NUM_BATCHES].best_move(index // NUM_BATCHES)

    def root_value(self, index: int) -> float:
        """Return the value of the search of the position with this index, from -1 to 1."""
        trees, tree = self.batches[index % NUM_BATCHES].trees, index // NUM_BATCHES
        return float(trees.value_sum[tree, ROOT]) / max(int(trees.visits[tree, ROOT]), 1)

    def play_out(self, openings: list[Position], num_games: int) -> NDArray[np.float64]:
        """Return the mean points of seat 0 in `num_games` games of self-play from each opening."""
        waiting = [index for _ in range(num_games) for index in reversed(range(len(openings)))]  # taken from the end
        num_unfinished = MAX_UNFINISHED * len(waiting)
        points = np.zeros(len(openings))
        games: list[tuple[int, Position]] = []  # opening and position of each game in progress
        while len(games) + len(waiting) > num_unfinished:
            while waiting and len(games) < self.num_trees:
                games.append((waiting[-1], openings[waiting.pop()]))
            self.search([position for _, position in games])
            games = [(opening, position.play_id(self.best_move(index))) for index, (opening, position) in enumerate(games)]
            for opening, position in games:
                if not is_ongoing(position):
                    points[opening] += points_for_seat(position.result, 0)
            games = [game for game in games if is_ongoing(game[1])]
        for opening, position in games:
            points[opening] += points_for_seat(position.result, 0)
        return points / num_games


def load_evaluator(game: Game, path: Path) -> TorchEvaluator:
    """Return a net on the GPU."""
    net = PolicyValueNet(make_net_config(game, BLOCKS, CHANNELS))
    weights = {name: torch.from_numpy(array) for name, array in read_weights(path).items()}
    net.load_state_dict(net.state_dict() | weights)  # a game without global moves has no weights for them
    device = torch.device("cuda")
    return TorchEvaluator(net.to(device), device, compile_net=True)


def random_positions(game: Game, count: int, max_moves: int, rng: random.Random) -> list[Position]:
    """Return `count` distinct unfinished positions after random moves; fewer if a small board has no more."""
    found: dict[str, Position] = {}
    for _ in range(20 * count):
        position = game.start()
        for _ in range(rng.randint(MIN_OPENING_MOVES, max_moves)):
            if position.seat is not None:
                position = position.play_id(int(rng.choice(position.move_ids().tolist())))
        if position.seat is not None:
            found[str(position)] = position
        if len(found) == count:
            break
    return list(found.values())


def screen_openings(judge: SelfPlayJudge, game: Game, num_candidates: int, max_moves: int, seed: int) -> list[Position]:
    """Return the random openings whose searched values are nearest to 0."""
    rng = random.Random(f"{seed} {game.spec}")
    valued: dict[str, tuple[float, Position]] = {}
    for _ in range(-(-SCREENING_FACTOR * num_candidates // judge.num_trees)):
        positions = random_positions(game, judge.num_trees, max_moves, rng)
        judge.search(positions)
        for index, position in enumerate(positions):
            valued[str(position)] = (abs(judge.root_value(index)), position)
    ranked = sorted(valued.values(), key=lambda pair: pair[0])
    return [position for _, position in ranked[:num_candidates]]


def read_openings(game: Game, data: Path) -> list[Position]:
    """Return the stored openings of a board."""
    openings = StoredOpenings(data / "openings.json").boards[game.spec]["openings"]
    return [reduce(Position.play, moves, game.start()) for moves in openings]


def find_openings(game: Game, arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the entry of a board in openings.json after each round."""
    positions: list[Position] = []
    for number, current in enumerate(arguments.rounds):
        num_trees = min(MAX_TREES, current.candidates * current.games)
        judge = SelfPlayJudge(game, num_trees, current.simulations, arguments.threads)
        if number == 0 and arguments.stored:
            positions = read_openings(game, arguments.data)
        elif number == 0:
            positions = screen_openings(judge, game, current.candidates, arguments.opening_moves, arguments.seed)
        scores = judge.play_out(positions[: current.candidates], current.games)
        ranking = np.argsort(np.abs(scores - 0.5), kind="stable")
        positions, scores = [positions[index] for index in ranking], scores[ranking]
        moves = [[game.move_texts[move] for move in list_history(position.move_history)] for position in positions]
        budget = f"{current.games} games of self-play, {current.simulations} simulations a move"
        yield {
            "judge": f"{budget}, net {judge.net_hash}",
            "openings": moves[: arguments.pairs],
            "first_seat_scores": scores[: arguments.pairs].tolist(),
        }


def main() -> None:
    """Find the openings of all boards that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", metavar="SPEC", nargs="+")
    parser.add_argument("--pairs", type=int, default=20, help="openings to store (20)")
    default_rounds = list(map(Round.parse, DEFAULT_ROUNDS))
    help_text = f"CANDIDATESxGAMES@SIMULATIONS ({' '.join(DEFAULT_ROUNDS)})"
    parser.add_argument("--rounds", metavar="ROUND", nargs="+", type=Round.parse, default=default_rounds, help=help_text)
    parser.add_argument("--opening-moves", type=int, default=12, help="at most so many random moves (12)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the random openings ({SEED})")
    parser.add_argument("--stored", action="store_true", help="begin with the stored openings instead of random ones")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of openings.json")
    arguments = parser.parse_args()
    for spec in arguments.specs:
        started_at = time.monotonic()
        for found in find_openings(ropewalk.game(spec), arguments):
            stored = StoredOpenings(arguments.data / "openings.json")  # read again: others may have been added meanwhile
            stored.add(spec, found)
            scores = " ".join(f"{score:.2f}" for score in found["first_seat_scores"])
            print(f"{spec}: {found['judge']}: {scores}; {time.monotonic() - started_at:.0f} s", flush=True)


if __name__ == "__main__":
    main()
