"""The ladder: every level against the one below on each standard board, and the page docs/ladder.md that says so.

    python docs/ladder.py [--games N] [--folder DIR] [SPEC ...]

Interrupted in any way, the same command goes on where it was. The page has what is there so far.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import ropewalk

DOCS = Path(__file__).parent
LEVELS = [str(level) for level in range(8, 0, -1)]  # so that the first of each pairing is the stronger one

HEAD = """# The ladder of bots

Each level against the one below it, on each game's standard board, in pairs: an opening of random steps that level 5 thinks
even (each seat 40 % or more) is played twice with seats exchanged. Scores are of the higher level, intervals of 95 % by
pairs; Elo is counted from level 8. `make ladder` plays on and writes this page anew.
"""


def ladder(spec: str, games: int, folder: Path) -> dict[str, Any]:
    """Play on, and what the games say."""
    kept, plot = folder / f"{spec}.jsonl", DOCS / "ladder" / f"{spec}.svg"
    plot.parent.mkdir(exist_ok=True)
    words = ["arena", spec, *LEVELS, "--ladder", "--even", "--games", str(games), "--seed", "1"]
    command = [sys.executable, "-m", "ropewalk", *words, "-o", str(kept), "--plot", str(plot), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def section(spec: str, found: dict[str, Any]) -> str:
    """A game's table and plot."""
    game = ropewalk.game(spec)
    lines = [
        f"## {game.name}, by {game.designer}: `{spec}`",
        "",
        f"![Elo of the levels of {game.name}](ladder/{spec}.svg)",
        "",
        "| level | spends | against | pairs | score | 95 % |",
        "|---|---|---|---|---|---|",
    ]
    for pairing in found["pairings"]:
        score = pairing["score"]
        if score is not None:
            higher, lower = pairing["bots"]
            within = f"{100 * score['low']:.1f} to {100 * score['high']:.1f} %"
            share = f"{100 * score['value']:.1f} %"
            lines.append(
                f"| {higher} | {spent(game, int(higher))} | {lower} | {sum(pairing['pairs'])} | {share} | {within} |"
            )
    lines.append(f"| 1 | {spent(game, 1)} | | | | |")
    return "\n".join(lines)


def spent(game: ropewalk.Game, level: int) -> str:
    """What a level spends on a move."""
    player = ropewalk.bot(game, level)
    player.close()
    return player.budget


def main() -> None:
    """Play, then write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    standard = [f"{entry.key}-{entry.standard}" for entry in ropewalk.games()]
    parser.add_argument("specs", metavar="SPEC", nargs="*", default=standard)
    parser.add_argument("--games", type=int, default=60, help="of every two that meet, an even number (60)")
    parser.add_argument("--folder", type=Path, default=Path("build/ladder"), help="where the games are kept (build/ladder)")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    sections = [section(spec, ladder(spec, arguments.games, arguments.folder)) for spec in arguments.specs]
    (DOCS / "ladder.md").write_text("\n\n".join([HEAD.rstrip(), *sections]) + "\n")


if __name__ == "__main__":
    main()
