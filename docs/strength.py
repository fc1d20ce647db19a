"""How strong each game's nets got while they learnt: the picture docs/strength.svg.

    python docs/strength.py [--games N] [--folder DIR] NETS [GAME ...]

NETS is a folder with the nets of several times, GAME-MINUTES.onnx. Each plays the next older one, with 64 evaluations a
move, and the oldest plays plain tree search with 1,000 visits, from which Elo is counted. Interrupted in any way, the same
command goes on where it was. The drawing needs ropewalk[train].
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import ropewalk
from ropewalk.arena.plot import signed
from ropewalk.training.curve import TOP, Panel, Point, page

DOCS = Path(__file__).parent
FIRST = "uct@1000"  # at 0 Elo
EVALUATIONS = 64
ENDS = ("value", "low", "high")


def minutes_of(net: Path) -> float:
    """How long a net had learnt."""
    return float(net.stem.rpartition("-")[2])


def nets_of(key: str, folder: Path) -> list[Path]:
    """The nets of a game, the oldest first."""
    return sorted((net for net in folder.glob("*.onnx") if net.stem.rpartition("-")[0] == key), key=minutes_of)


def contest(spec: str, nets: list[Path], games: int, folder: Path) -> dict[str, Any]:
    """Play on, and what the games say."""
    bots = [FIRST, *(f"net:{net}@{EVALUATIONS}" for net in nets)]
    words = ["arena", spec, *bots, "--ladder", "--even", "--games", str(games), "--seed", "1"]
    command = [sys.executable, "-m", "ropewalk", *words, "-o", str(folder / f"{spec}.jsonl"), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def points(nets: list[Path], found: dict[str, Any]) -> list[Point]:
    """Elo above the first bot over the minutes, with intervals."""
    elo = [bot["elo"] for bot in found["bots"]]
    base = elo[0]["value"]
    rated = [(minutes_of(net), one) for net, one in zip(nets, elo[1:], strict=True)]
    return [Point(at, *(math.nan if one[end] is None else one[end] - base for end in ENDS)) for at, one in rated]


def main() -> None:
    """Play, then draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nets", metavar="NETS", type=Path)
    parser.add_argument("games_wanted", metavar="GAME", nargs="*", default=[entry.key for entry in ropewalk.games()])
    parser.add_argument("--games", type=int, default=24, help="of every two that meet, an even number (24)")
    parser.add_argument("--folder", type=Path, default=Path("build/strength"), help="where games are kept (build/strength)")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    lines: dict[str, list[Point]] = {}
    for entry in ropewalk.games():
        nets = nets_of(entry.key, asked.nets) if entry.key in asked.games_wanted else []
        if nets:
            found = contest(f"{entry.key}-{entry.standard}", nets, asked.games, asked.folder)
            lines[entry.name] = points(nets, found)
    if not lines:
        parser.error(f"no net of {', '.join(asked.games_wanted)} in {asked.nets}")
    last = max(point.minutes for line in lines.values() for point in line)
    panel = Panel(f"Elo above {FIRST}, with 95 % intervals", lines, signed, last, TOP)
    words = f"Nets with {EVALUATIONS} evaluations a move, over the minutes that they had learnt on one GPU"
    (DOCS / "strength.svg").write_text(page([panel], "The strength of the nets", words))


if __name__ == "__main__":
    main()
