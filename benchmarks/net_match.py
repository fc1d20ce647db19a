"""Two nets of one game against each other with equal simulations, all games of a board at once: on a GPU, a few minutes.

    python benchmarks/net_match.py NEW.onnx OLD.onnx SPEC ... [--pairs N] [--simulations N] [--opening-moves N] [--threads N]

Openings are random moves after which the mean of both nets' values is near 0; each is played twice with exchanged seats. The
score is that of the new net, with a 95 % interval from the variance over pairs. Prints one line of JSON per board.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch

import ropewalk
from ropewalk import Game, Position
from ropewalk.nets.config import file_sha256, make_net_config
from ropewalk.nets.model import PolicyValueNet
from ropewalk.nets.onnx_export import read_weights
from ropewalk.training.evaluation import EvaluationMatch, MatchScore
from ropewalk.training.inference import TorchEvaluator

BLOCKS, CHANNELS = 6, 64  # of all bundled nets
MIN_OPENING_MOVES = 2
MAX_VALUE = 0.25  # of an opening, -1 to 1
MAX_SEARCH_SECONDS = 40.0  # for openings within MAX_VALUE; then the most balanced ones found are taken


class OpeningMatch(EvaluationMatch):
    """A match from given openings."""

    openings: list[Position]

    def make_openings(self, seed: int) -> list[Position]:
        return [opening for opening in self.openings for _ in range(2)]

    def root_values(self, positions: list[Position]) -> list[float]:
        """Return the net's value of each position, -1 to 1 for the seat to move."""
        self.search_moves(positions, list(range(len(positions))))
        return [float(value) for value in self.batch.trees.raw_value[: len(positions), 0]]


def load_match(game: Game, path: Path, arguments: argparse.Namespace) -> OpeningMatch:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = PolicyValueNet(make_net_config(game, BLOCKS, CHANNELS))
    weights = {name: torch.from_numpy(array) for name, array in read_weights(path).items()}
    net.load_state_dict(net.state_dict() | weights)  # a game without global moves has no weights for them
    evaluator = TorchEvaluator(net.to(device), device, compile_net=False)
    return OpeningMatch(game, evaluator, arguments.pairs, arguments.simulations, arguments.threads)


def random_position(game: Game, max_moves: int, rng: random.Random) -> Position | None:
    """Return a position after random moves, None if they ended the game."""
    position = game.start()
    for _ in range(rng.randint(MIN_OPENING_MOVES, max_moves)):
        if position.seat is None:
            return None
        position = position.play_id(int(rng.choice(position.move_ids().tolist())))
    return position if position.seat is not None else None


def find_openings(game: Game, matches: list[OpeningMatch], arguments: argparse.Namespace) -> tuple[list[Position], float]:
    """Return distinct openings and the largest |mean value| of both nets among them."""
    rng, deadline = random.Random(arguments.seed), time.monotonic() + MAX_SEARCH_SECONDS
    values: dict[str, float] = {}
    found: list[Position] = []
    while len(found) < arguments.pairs or (values[str(found[-1])] > MAX_VALUE and time.monotonic() < deadline):
        candidates: dict[str, Position] = {}
        while len(candidates) < 2 * arguments.pairs:
            position = random_position(game, arguments.opening_moves, rng)
            if position is not None and str(position) not in values:
                candidates[str(position)] = position
        both = [match.root_values(list(candidates.values())) for match in matches]
        values |= dict(zip(candidates, np.abs(np.mean(both, 0)).tolist(), strict=True))
        found = sorted([*found, *candidates.values()], key=lambda position: values[str(position)])[: arguments.pairs]
    return found, values[str(found[-1])]


def play_match(game: Game, arguments: argparse.Namespace) -> tuple[MatchScore, float]:
    new, old = matches = [load_match(game, path, arguments) for path in (arguments.new, arguments.old)]
    new.openings, max_value = find_openings(game, matches, arguments)
    return new.play_net(old, seed=0), max_value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new", metavar="NEW", type=Path)
    parser.add_argument("old", metavar="OLD", type=Path)
    parser.add_argument("specs", metavar="SPEC", nargs="+")
    parser.add_argument("--pairs", type=int, default=96)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--opening-moves", type=int, default=8, help="at most so many random moves")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    nets = {name: file_sha256(getattr(arguments, name))[:8] for name in ("new", "old")}
    for spec in arguments.specs:
        started_at = time.monotonic()
        score, max_value = play_match(ropewalk.game(spec), arguments)
        figures = {"score": score.share, "error": score.error, "largest_opening_value": max_value}
        budget = {"pairs": arguments.pairs, "simulations": arguments.simulations}
        print(json.dumps({"spec": spec} | nets | budget | figures | {"seconds": time.monotonic() - started_at}), flush=True)


if __name__ == "__main__":
    main()
