"""Openings that self-play of a net finds balanced, for docs/boards.py: on a GPU, a minute or two per board.

    python docs/balanced_openings.py SPEC ... [--pairs N] [--candidates N] [--games N] [--simulations N] [--threads N]

Random openings are screened by the net's search; the candidates nearest to balance are then played out by the net against
itself, with Gumbel noise, all games of a board at once. Those in which the first seat's score is nearest to one half are
stored in docs/boards/openings.json, with these scores.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from boards import SEED, StoredOpenings
from numpy.typing import NDArray

import ropewalk
from ropewalk import Game, Position
from ropewalk.games.position import list_history
from ropewalk.nets.config import file_sha256, make_net_config
from ropewalk.nets.model import PolicyValueNet
from ropewalk.nets.onnx_evaluator import resolve_net_path
from ropewalk.nets.onnx_export import read_weights
from ropewalk.search.gumbel import GumbelParams
from ropewalk.training.evaluation import is_ongoing, points_for_seat
from ropewalk.training.inference import TorchEvaluator
from ropewalk.training.selfplay.batch import RootSearchBatch

BLOCKS, CHANNELS = 6, 64  # of all bundled nets
DATA = Path(__file__).parent / "boards"
MIN_OPENING_MOVES = 2
SCREENING_ROUNDS = 4  # batches of random openings, from which the candidates are chosen
MAX_UNFINISHED = 0.02  # share of games that are adjudicated as draws, so that few long games do not delay the rest


class SelfPlayJudge:
    """Searches many positions of one board at once with the bundled net and plays them out."""

    def __init__(self, game: Game, num_trees: int, num_simulations: int, num_threads: int) -> None:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        path = resolve_net_path(game)
        net = PolicyValueNet(make_net_config(game, BLOCKS, CHANNELS))
        weights = {name: torch.from_numpy(array) for name, array in read_weights(path).items()}
        net.load_state_dict(net.state_dict() | weights)  # a game without global moves has no weights for them
        params = GumbelParams(
            num_simulations=num_simulations,
            max_num_considered_actions=16,
            value_scale=0.1,
            maxvisit_init=50.0,
            gumbel_scale=1.0,
            sequential_halving=1,
        )
        self.num_trees = num_trees
        self.num_threads = num_threads
        self.net_hash = file_sha256(path)[:8]
        self.batch = RootSearchBatch(game, num_trees, params, seed=SEED)
        self.queue = TorchEvaluator(net.to(device), device, compile_net=False).queue_for(self.batch, compile_net=False)

    def search(self, positions: list[Position], tree_indices: list[int], thread_pool: ThreadPoolExecutor) -> None:
        """Search each position in the tree with the index beside it."""
        self.batch.set_roots(positions, tree_indices)
        while sum(future.result() for future in self.batch.submit(thread_pool)):
            self.queue.submit()
            self.queue.wait()

    def root_values(self, positions: list[Position]) -> NDArray[np.float64]:
        """Return the values of a search of at most `num_trees` positions, from -1 to 1."""
        with ThreadPoolExecutor(self.num_threads) as thread_pool:
            self.search(positions, list(range(len(positions))), thread_pool)
        trees = self.batch.trees
        return np.asarray(trees.value_sum[: len(positions), 0] / np.maximum(trees.visits[: len(positions), 0], 1), float)

    def play_out(self, openings: list[Position], num_games: int) -> NDArray[np.float64]:
        """Return the mean points of seat 0 in `num_games` games of self-play from each opening."""
        positions = [opening for opening in openings for _ in range(num_games)]
        with ThreadPoolExecutor(self.num_threads) as thread_pool:
            pending = list(range(len(positions)))
            while len(pending) > MAX_UNFINISHED * len(positions):
                self.search([positions[index] for index in pending], pending, thread_pool)
                for index in pending:
                    positions[index] = positions[index].play_id(self.batch.best_move(index))
                pending = [index for index in pending if is_ongoing(positions[index])]
        points = np.array([points_for_seat(position.result, 0) for position in positions])
        return points.reshape(-1, num_games).mean(1)


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


def screen_openings(judge: SelfPlayJudge, game: Game, arguments: argparse.Namespace) -> list[Position]:
    """Return the random openings whose searched values are nearest to 0."""
    rng = random.Random(f"{SEED} {game.spec}")
    valued: dict[str, tuple[float, Position]] = {}
    for _ in range(SCREENING_ROUNDS):
        positions = random_positions(game, judge.num_trees, arguments.opening_moves, rng)
        for position, value in zip(positions, judge.root_values(positions).tolist(), strict=True):
            valued[str(position)] = (abs(value), position)
    ranked = sorted(valued.values(), key=lambda pair: pair[0])
    return [position for _, position in ranked[: arguments.candidates]]


def find_openings(game: Game, arguments: argparse.Namespace) -> dict[str, object]:
    """Return the entry of a board in openings.json."""
    judge = SelfPlayJudge(game, arguments.candidates * arguments.games, arguments.simulations, arguments.threads)
    candidates = screen_openings(judge, game, arguments)
    scores = judge.play_out(candidates, arguments.games)
    chosen = np.argsort(np.abs(scores - 0.5), kind="stable")[: arguments.pairs]
    moves = [[game.move_texts[move] for move in list_history(candidates[index].move_history)] for index in chosen]
    budget = f"{arguments.games} games of self-play, {arguments.simulations} simulations a move"
    return {
        "judge": f"{budget}, net {judge.net_hash}",
        "openings": moves,
        "first_seat_scores": [float(scores[index]) for index in chosen],
    }


def main() -> None:
    """Find the openings of all boards that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", metavar="SPEC", nargs="+")
    parser.add_argument("--pairs", type=int, default=20, help="openings to store (20)")
    parser.add_argument("--candidates", type=int, default=64, help="openings to play out (64)")
    parser.add_argument("--games", type=int, default=32, help="games of each of them (32)")
    parser.add_argument("--simulations", type=int, default=32, help="per move (32)")
    parser.add_argument("--opening-moves", type=int, default=12, help="at most so many random moves (12)")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of openings.json")
    arguments = parser.parse_args()
    for spec in arguments.specs:
        started_at = time.monotonic()
        found = find_openings(ropewalk.game(spec), arguments)
        stored = StoredOpenings(arguments.data / "openings.json")  # read again: another board may have been added meanwhile
        stored.add(spec, found)
        print(f"{spec}: scores {found['first_seat_scores']}, {time.monotonic() - started_at:.0f} s", flush=True)


if __name__ == "__main__":
    main()
