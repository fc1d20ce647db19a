"""The strength of each game's nets over their training time: the picture docs/strength.svg.

    python docs/strength.py [--games N] [--folder DIR] NETS

NETS is a folder with nets of several training times, GAME-MINUTES.onnx. Each net plays the next older one, with 64
evaluations a move; the oldest plays plain tree search with 1,000 visits, to which Elo is relative. Results are stored in
docs/strength.json: only new matches are played. After an interruption the same command resumes. The picture needs
ropewalk[train].
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from contests import Contests, Result

import ropewalk
from ropewalk.stats.elo import estimate_ratings
from ropewalk.stats.svg_chart import format_signed
from ropewalk.training.plots import FIRST_PANEL_TOP, ChartPanel, CurvePoint, render_page

DOCS = Path(__file__).parent
FIRST = "uct@1000"  # at 0 Elo
EVALUATIONS = 64


def training_minutes(net: Path) -> float:
    """Return the training time of a net in minutes, from its file name."""
    return float(net.stem.rpartition("-")[2])


def list_nets(key: str, folder: Path) -> list[Path]:
    """Return the nets of a game, the oldest first."""
    return sorted((net for net in folder.glob("*.onnx") if net.stem.rpartition("-")[0] == key), key=training_minutes)


def play_matches(key: str, nets: list[Path], games: int, contests: Contests) -> list[Result]:
    """Return the results of each net against the one before it, the first net against FIRST."""
    game = ropewalk.game(key)
    bots = [FIRST, *(f"net:{net}@{EVALUATIONS}" for net in nets)]
    times = [FIRST, *(f"{training_minutes(net):g}" for net in nets)]
    return [
        contests.played(f"{game.spec} {times[later]} {times[later - 1]}", game, (bots[later], bots[later - 1]), games)
        for later in range(1, len(bots))
    ]


def make_curve(nets: list[Path], results: list[Result]) -> list[CurvePoint]:
    """Return the Elo of each net above FIRST over its training time; infinite bounds become NaN."""
    pairings = [(later, later - 1) for later in range(1, len(nets) + 1)]
    ratings = estimate_ratings(len(nets) + 1, pairings, np.array([result["pairs"] for result in results]))
    numbers = [[math.nan if math.isinf(number) else number for number in vars(rating).values()] for rating in ratings[1:]]
    return [CurvePoint(training_minutes(net), *estimate) for net, estimate in zip(nets, numbers, strict=True)]


def main() -> None:
    """Play the missing games, then write the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nets", metavar="NETS", type=Path)
    parser.add_argument("--games", type=int, default=24, help="games of each match, an even number (24)")
    parser.add_argument("--folder", type=Path, default=Path("build/strength"), help="folder of the games (build/strength)")
    arguments = parser.parse_args()
    contests = Contests(DOCS / "strength.json", arguments.folder)
    curves: dict[str, list[CurvePoint]] = {}
    for entry in ropewalk.games():
        if nets := list_nets(entry.key, arguments.nets):
            curves[entry.name] = make_curve(nets, play_matches(entry.key, nets, arguments.games, contests))
    if not curves:
        parser.error(f"no net GAME-MINUTES.onnx in {arguments.nets}")
    max_minutes = max(point.minutes for curve in curves.values() for point in curve)
    panel = ChartPanel(f"Elo above {FIRST}, with 95 % intervals", curves, format_signed, max_minutes, FIRST_PANEL_TOP)
    subtitle = f"Nets with {EVALUATIONS} evaluations a move, over the minutes that they had learnt on one GPU"
    (DOCS / "strength.svg").write_text(render_page([panel], "The strength of the nets", subtitle))


if __name__ == "__main__":
    main()
