"""How strong each game's nets got while they learnt: the picture docs/strength.svg.

    python docs/strength.py [--games N] [--folder DIR] NETS

NETS is a folder with the nets of several times, GAME-MINUTES.onnx, as they were shipped one after the other. Each plays the
next older one, with 64 evaluations a move, and the oldest plays plain tree search with 1,000 visits, from which Elo is
counted. What came out is kept in docs/strength.json: only what is new is played. Interrupted in any way, the same command
goes on where it was. The drawing needs ropewalk[train].
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from contests import Contests, Result

import ropewalk
from ropewalk.arena.elo_plot import format_signed
from ropewalk.stats.elo import estimate_ratings
from ropewalk.training.plots import FIRST_PANEL_TOP, ChartPanel, CurvePoint, render_page

DOCS = Path(__file__).parent
FIRST = "uct@1000"  # at 0 Elo
EVALUATIONS = 64


def minutes_of(net: Path) -> float:
    """How long a net had learnt."""
    return float(net.stem.rpartition("-")[2])


def nets_of(key: str, folder: Path) -> list[Path]:
    """The nets of a game, the oldest first."""
    return sorted((net for net in folder.glob("*.onnx") if net.stem.rpartition("-")[0] == key), key=minutes_of)


def contests_of(key: str, nets: list[Path], games: int, contests: Contests) -> list[Result]:
    """Each net against the one before it, the first against the first bot."""
    game = ropewalk.game(key)
    bots = [FIRST, *(f"net:{net}@{EVALUATIONS}" for net in nets)]
    times = [FIRST, *(f"{minutes_of(net):g}" for net in nets)]
    return [
        contests.played(f"{game.spec} {times[later]} {times[later - 1]}", game, (bots[later], bots[later - 1]), games)
        for later in range(1, len(bots))
    ]


def points(nets: list[Path], results: list[Result]) -> list[CurvePoint]:
    """Elo above the first bot over the minutes, with intervals."""
    pairings = [(later, later - 1) for later in range(1, len(nets) + 1)]
    rated = estimate_ratings(len(nets) + 1, pairings, np.array([result["pairs"] for result in results]))
    ends = [[math.nan if math.isinf(end) else end for end in vars(one).values()] for one in rated[1:]]
    return [CurvePoint(minutes_of(net), *found) for net, found in zip(nets, ends, strict=True)]


def main() -> None:
    """Play, then draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nets", metavar="NETS", type=Path)
    parser.add_argument("--games", type=int, default=24, help="of every two that meet, an even number (24)")
    parser.add_argument("--folder", type=Path, default=Path("build/strength"), help="where games are kept (build/strength)")
    asked = parser.parse_args()
    contests = Contests(DOCS / "strength.json", asked.folder)
    lines: dict[str, list[CurvePoint]] = {}
    for entry in ropewalk.games():
        if nets := nets_of(entry.key, asked.nets):
            lines[entry.name] = points(nets, contests_of(entry.key, nets, asked.games, contests))
    if not lines:
        parser.error(f"no net GAME-MINUTES.onnx in {asked.nets}")
    last = max(point.minutes for line in lines.values() for point in line)
    panel = ChartPanel(f"Elo above {FIRST}, with 95 % intervals", lines, format_signed, last, FIRST_PANEL_TOP)
    words = f"Nets with {EVALUATIONS} evaluations a move, over the minutes that they had learnt on one GPU"
    (DOCS / "strength.svg").write_text(render_page([panel], "The strength of the nets", words))


if __name__ == "__main__":
    main()
