"""The ladder: a match of every level against the one below on each standard board, and the page docs/ladder.md.

    python docs/ladder.py [--games N] [--folder DIR] [--workers N]

Results are stored in docs/ladder/results.json: a match is played again only if one of its levels has changed or more games
are required. After an interruption the same command resumes it. Each level also tries the puzzles of the package
(docs/ladder/tactics.json). The levels' descriptions in the command line and on the page are written from both.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from contests import Contests, Result
from tactics import list_tasks, measure_missing

import ropewalk
from ropewalk.arena.elo_plot import render_elo_plot
from ropewalk.arena.standings import PairingScore, Standings, score_pairing
from ropewalk.bots.level_strength import STRENGTHS_FILE, LevelStrength, format_percent
from ropewalk.games.definition import GameSpec
from ropewalk.stats.elo import estimate_ratings

Tactics: TypeAlias = dict[str, dict[str, Any]]  # results of `tactics` by game and level
Strengths: TypeAlias = dict[str, list[LevelStrength]]  # by key of the game, from level 1

DOCS = Path(__file__).parent
PAGE_STRENGTHS = DOCS.parent / "web" / "src" / "content" / "levelStrengths.ts"
PAGE_HEAD = """/** The measured strength of the levels of each game; `make ladder` writes it. */
import type { LevelStrength } from "../lib/match/levels";

export const LEVEL_STRENGTHS: Readonly<Record<string, readonly LevelStrength[]>> = {"""
LEVELS = range(8, 0, -1)
STEPS = [(index, index + 1) for index in range(len(LEVELS) - 1)]  # pairings of indices into LEVELS, the stronger first

HEAD = """# Strength ladder

Each level plays the level below it on the standard board of each game, in pairs: an opening of random moves is played twice
with exchanged seats. Openings are balanced: level 5 gives each seat at least 40 %. Scores are those of the higher level. The
intervals are 95 % confidence intervals computed from pairs. Elo ratings are relative to level 8. The last columns are the
shares of the package's puzzles, on all boards of the game, that a level solves: those with a win in one turn, in two or
three, and in more (three tries each). `make ladder` plays missing games and writes this page.
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


def render_section(game: ropewalk.Game, steps: list[Result], strengths: Sequence[LevelStrength]) -> str:
    """Return the section of a game."""
    ladder = compute_ladder_standings(steps)
    lines = [
        f"## {game.name}, by {game.designer}: `{game.spec}`",
        "",
        f"![Elo of the levels of {game.name}](ladder/{game.spec}.svg)",
        "",
        "| level | budget | against | pairs | score | 95 % | 1 turn | 2 or 3 | more |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for step, pairing in zip(steps, ladder.pairing_scores, strict=True):
        higher, lower = (LEVELS[index] for index in pairing.pairing)
        assert pairing.score is not None
        score, low, high = (f"{100 * number:.1f}" for number in vars(pairing.score).values())
        result = f"{lower} | {sum(pairing.pairs)} | {score} % | {low} to {high} %"
        lines.append(f"| {higher} | {step['bots'][0]} | {result} | {format_tactics(strengths[higher - 1])} |")
    lines.append(f"| 1 | {steps[-1]['bots'][1]} | | | | | {format_tactics(strengths[0])} |")
    return "\n".join(lines)


def format_tactics(strength: LevelStrength) -> str:
    """Return the shares of puzzles that a level solves as cells of a table."""
    return " | ".join(format_percent(share) for share in strength.wins_found.values())


def main() -> None:
    """Play the missing games, then write the page and the plots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games of each match, an even number (40)")
    parser.add_argument("--folder", type=Path, default=Path("build/ladder"), help="folder of the games (build/ladder)")
    parser.add_argument("--workers", type=int, default=1, help="processes that try puzzles (1)")
    arguments = parser.parse_args()
    contests = Contests(DOCS / "ladder" / "results.json", arguments.folder)
    for entry in ropewalk.games():
        game = ropewalk.game(entry.key)
        steps = [play_step(contests, game, *pair, arguments.games) for pair in STEPS]
        (DOCS / "ladder" / f"{game.spec}.svg").write_text(render_plot(game, steps))
    tasks = list_tasks([entry.key for entry in ropewalk.games()], LEVELS)
    tactics = measure_missing(DOCS / "ladder" / "tactics.json", tasks, arguments.workers)
    write_texts(contests.results, tactics)


def write_texts(results: dict[str, Result], tactics: Tactics) -> None:
    """Write the page, and the strengths of the levels for the package and for the web page."""
    strengths = compute_strengths(results, tactics)
    (DOCS / "ladder.md").write_text(render_page(results, strengths))
    STRENGTHS_FILE.write_text(format_strengths(strengths), "utf-8")
    PAGE_STRENGTHS.write_text(format_page_strengths(strengths), "utf-8")


def list_steps(spec: str, results: dict[str, Result]) -> list[Result]:
    """Return the stored results of STEPS on a board."""
    return [results[f"{spec} {LEVELS[higher]} {LEVELS[lower]}"] for higher, lower in STEPS]


def render_page(results: dict[str, Result], strengths: Strengths) -> str:
    """Return the page of the stored results."""
    games = [ropewalk.game(entry.key) for entry in ropewalk.games()]
    sections = [render_section(game, list_steps(game.spec, results), strengths[game.definition.key]) for game in games]
    return "\n\n".join([HEAD.rstrip(), *sections]) + "\n"


def compute_strengths(results: dict[str, Result], tactics: Tactics) -> Strengths:
    """Return the strengths of all levels by key of the game."""
    return {entry.key: compute_game_strengths(entry, results, tactics) for entry in ropewalk.games()}


def compute_game_strengths(entry: GameSpec, results: dict[str, Result], tactics: Tactics) -> list[LevelStrength]:
    """Return the strengths of a game's levels, from level 1."""
    standings = compute_ladder_standings(list_steps(entry.standard_spec, results))
    ratings = [estimate.value for estimate in standings.ratings][::-1]
    scores = [pairing.score.value for pairing in reversed(standings.pairing_scores) if pairing.score is not None]
    return [
        LevelStrength(
            elo=10 * round((rating - ratings[0]) / 10),
            score_against_next=round(1 - scores[level - 1], 4) if level <= len(scores) else None,
            wins_found={
                turns: round(found / tried, 3) for turns, (found, tried) in tactics[f"{entry.key} {level}"]["found"].items()
            },
        )
        for level, rating in enumerate(ratings, 1)
    ]


def format_strengths(strengths: Strengths) -> str:
    """Return the strengths as the JSON file of the package, a line for each level."""
    games = [
        f" {json.dumps(key)}: [\n" + ",\n".join(f"  {json.dumps(level._asdict())}" for level in levels) + "\n ]"
        for key, levels in strengths.items()
    ]
    return "{\n" + ",\n".join(games) + "\n}\n"


def format_page_strengths(strengths: Strengths) -> str:
    """Return the strengths as the TypeScript module of the web page."""
    lines = []
    for key, levels in strengths.items():
        lines.append(f"  {json.dumps(key) if '-' in key else key}: [")
        for level in levels:
            found = ", ".join(map(str, level.wins_found.values()))
            score = json.dumps(level.score_against_next)
            lines.append(f"    {{ elo: {level.elo}, scoreAgainstNext: {score}, winsFound: [{found}] }},")
        lines.append("  ],")
    return "\n".join([PAGE_HEAD, *lines, "};", ""])


def play_step(contests: Contests, game: ropewalk.Game, higher: int, lower: int, games: int) -> Result:
    """Return the result of one level against the next; `higher` and `lower` are indices into LEVELS."""
    levels = str(LEVELS[higher]), str(LEVELS[lower])
    return contests.played(f"{game.spec} {' '.join(levels)}", game, levels, games)


if __name__ == "__main__":
    main()
