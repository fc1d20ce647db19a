"""The ladder: every level against the one below on each standard board, and the page docs/ladder.md that says so.

    python docs/ladder.py [--games N] [--folder DIR]

What came out is kept in docs/ladder/results.json: a step is played again only when one of its levels has changed, or when
more games are asked for. Interrupted in any way, the same command goes on where it was.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from contests import Contests, Result

import ropewalk
from ropewalk.arena.elo_plot import render_elo_plot
from ropewalk.arena.standings import PairingScore, Standings, score_pairing
from ropewalk.stats.elo import estimate_ratings

DOCS = Path(__file__).parent
LEVELS = range(8, 0, -1)
STEPS = [(place, place + 1) for place in range(len(LEVELS) - 1)]  # so that the first of each is the stronger one

HEAD = """# The ladder of bots

Each level against the one below it, on each game's standard board, in pairs: an opening of random steps that level 5 thinks
even (each seat 40 % or more) is played twice with seats exchanged. Scores are of the higher level, intervals of 95 % by
pairs; Elo is counted from level 8. `make ladder` plays what is missing and writes this page anew.
"""


def standings(steps: list[Result]) -> Standings:
    """What the steps say together."""
    counts = np.array([step["pairs"] for step in steps])
    scores: list[PairingScore] = [score_pairing(pair, line, []) for pair, line in zip(STEPS, counts, strict=True)]
    rated = estimate_ratings(len(LEVELS), STEPS, counts)
    none = tuple(Counter[str]() for _ in LEVELS)
    return Standings(tuple(map(str, LEVELS)), tuple(scores), tuple(rated), none, (0.0,) * len(LEVELS))


def section(game: ropewalk.Game, steps: list[Result]) -> str:
    """A game's table and plot."""
    found = standings(steps)
    games = 2 * sum(sum(step["pairs"]) for step in steps)
    title = f"{game.name}, by {game.designer} ({game.year})"
    (DOCS / "ladder" / f"{game.spec}.svg").write_text(render_elo_plot(found, title, f"{game.spec}, ladder, {games:,} games"))
    lines = [
        f"## {game.name}, by {game.designer}: `{game.spec}`",
        "",
        f"![Elo of the levels of {game.name}](ladder/{game.spec}.svg)",
        "",
        "| level | spends | against | pairs | score | 95 % |",
        "|---|---|---|---|---|---|",
    ]
    for step, pairing in zip(steps, found.pairing_scores, strict=True):
        higher, lower = (LEVELS[place] for place in pairing.pairing)
        assert pairing.score is not None
        share, low, high = (f"{100 * end:.1f}" for end in vars(pairing.score).values())
        lines.append(f"| {higher} | {step['bots'][0]} | {lower} | {sum(pairing.pairs)} | {share} % | {low} to {high} % |")
    lines.append(f"| 1 | {steps[-1]['bots'][1]} | | | | |")
    return "\n".join(lines)


def main() -> None:
    """Play, then write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="of every two that meet, an even number (40)")
    parser.add_argument("--folder", type=Path, default=Path("build/ladder"), help="where the games are kept (build/ladder)")
    arguments = parser.parse_args()
    contests = Contests(DOCS / "ladder" / "results.json", arguments.folder)
    sections = []
    for entry in ropewalk.games():
        game = ropewalk.game(entry.key)
        sections.append(section(game, [step(contests, game, *pair, arguments.games) for pair in STEPS]))
    (DOCS / "ladder.md").write_text("\n\n".join([HEAD.rstrip(), *sections]) + "\n")


def step(contests: Contests, game: ropewalk.Game, higher: int, lower: int, games: int) -> Result:
    """One level against the next, by their places."""
    levels = str(LEVELS[higher]), str(LEVELS[lower])
    return contests.played(f"{game.spec} {' '.join(levels)}", game, levels, games)


if __name__ == "__main__":
    main()
