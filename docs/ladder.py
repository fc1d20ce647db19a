"""The ladder: a match of every level against the one below on each standard board, and the page docs/ladder.md.

    python docs/ladder.py [--games N] [--folder DIR]

Results are stored in docs/ladder/results.json: a match is played again only if one of its levels has changed or more games
are required. After an interruption the same command resumes it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from contests import Contests, Result

import ropewalk
from ropewalk.arena.elo_plot import render_elo_plot
from ropewalk.arena.standings import PairingScore, Standings, score_pairing
from ropewalk.stats.elo import estimate_ratings

DOCS = Path(__file__).parent
LEVEL_RATINGS = DOCS.parent / "web" / "src" / "content" / "levelRatings.ts"
RATINGS_HEAD = """/** Elo of the levels on the standard board of each game, level 1 being 0; `make ladder` writes it. */
export const LEVEL_RATINGS: Readonly<Record<string, readonly number[]>> = {"""
LEVELS = range(8, 0, -1)
STEPS = [(index, index + 1) for index in range(len(LEVELS) - 1)]  # pairings of indices into LEVELS, the stronger first

HEAD = """# Strength ladder

Each level plays the level below it on the standard board of each game, in pairs: an opening of random moves is played twice
with exchanged seats. Openings are balanced: level 5 gives each seat at least 40 %. Scores are those of the higher level. The
intervals are 95 % confidence intervals computed from pairs. Elo ratings are relative to level 8. `make ladder` plays missing
games and writes this page.
"""


def compute_ladder_standings(steps: list[Result]) -> Standings:
    """Return the standings of all levels from the results of STEPS."""
    counts = np.array([step["pairs"] for step in steps])
    scores: list[PairingScore] = [score_pairing(pairing, row, []) for pairing, row in zip(STEPS, counts, strict=True)]
    ratings = estimate_ratings(len(LEVELS), STEPS, counts)
    no_faults = tuple(Counter[str]() for _ in LEVELS)
    return Standings(tuple(map(str, LEVELS)), tuple(scores), tuple(ratings), no_faults, (0.0,) * len(LEVELS))


def render_plot(game: ropewalk.Game, steps: list[Result]) -> str:
    """Return the Elo plot of a game."""
    games = 2 * sum(sum(step["pairs"]) for step in steps)
    title = f"{game.name}, by {game.designer} ({game.year})"
    return render_elo_plot(compute_ladder_standings(steps), title, f"{game.spec}, ladder, {games:,} games")


def render_section(game: ropewalk.Game, steps: list[Result]) -> str:
    """Return the section of a game."""
    ladder = compute_ladder_standings(steps)
    lines = [
        f"## {game.name}, by {game.designer}: `{game.spec}`",
        "",
        f"![Elo of the levels of {game.name}](ladder/{game.spec}.svg)",
        "",
        "| level | budget | against | pairs | score | 95 % |",
        "|---|---|---|---|---|---|",
    ]
    for step, pairing in zip(steps, ladder.pairing_scores, strict=True):
        higher, lower = (LEVELS[index] for index in pairing.pairing)
        assert pairing.score is not None
        score, low, high = (f"{100 * number:.1f}" for number in vars(pairing.score).values())
        lines.append(f"| {higher} | {step['bots'][0]} | {lower} | {sum(pairing.pairs)} | {score} % | {low} to {high} % |")
    lines.append(f"| 1 | {steps[-1]['bots'][1]} | | | | |")
    return "\n".join(lines)


def main() -> None:
    """Play the missing games, then write the page and the plots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games of each match, an even number (40)")
    parser.add_argument("--folder", type=Path, default=Path("build/ladder"), help="folder of the games (build/ladder)")
    arguments = parser.parse_args()
    contests = Contests(DOCS / "ladder" / "results.json", arguments.folder)
    for entry in ropewalk.games():
        game = ropewalk.game(entry.key)
        steps = [play_step(contests, game, *pair, arguments.games) for pair in STEPS]
        (DOCS / "ladder" / f"{game.spec}.svg").write_text(render_plot(game, steps))
    (DOCS / "ladder.md").write_text(render_page(contests.results))
    LEVEL_RATINGS.write_text(format_level_ratings(contests.results), "utf-8")


def list_steps(spec: str, results: dict[str, Result]) -> list[Result]:
    """Return the stored results of STEPS on a board."""
    return [results[f"{spec} {LEVELS[higher]} {LEVELS[lower]}"] for higher, lower in STEPS]


def render_page(results: dict[str, Result]) -> str:
    """Return the page of the stored results."""
    games = [ropewalk.game(entry.key) for entry in ropewalk.games()]
    sections = [render_section(game, list_steps(game.spec, results)) for game in games]
    return "\n\n".join([HEAD.rstrip(), *sections]) + "\n"


def format_level_ratings(results: dict[str, Result]) -> str:
    """Return the page's table of Elo ratings by game, relative to level 1, from the stored results."""
    lines = []
    for entry in ropewalk.games():
        standings = compute_ladder_standings(list_steps(entry.standard_spec, results))
        ratings = [estimate.value for estimate in standings.ratings][::-1]
        numbers = ", ".join(str(10 * round((rating - ratings[0]) / 10)) for rating in ratings)
        lines.append(f"  {json.dumps(entry.key) if '-' in entry.key else entry.key}: [{numbers}],")
    return "\n".join([RATINGS_HEAD, *lines, "};", ""])


def play_step(contests: Contests, game: ropewalk.Game, higher: int, lower: int, games: int) -> Result:
    """Return the result of one level against the next; `higher` and `lower` are indices into LEVELS."""
    levels = str(LEVELS[higher]), str(LEVELS[lower])
    return contests.played(f"{game.spec} {' '.join(levels)}", game, levels, games)


if __name__ == "__main__":
    main()
