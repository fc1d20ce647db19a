"""The puzzles of the package as a server offers them: by game, board, theme and turns, and one for each day."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from ...puzzles.library import load_library
from ...puzzles.puzzle import Puzzle
from ...text import ellipsis
from ..domain.glicko2 import DAY_MS
from ..errors import ApiError

DAILY_SEED = 1  # of the order in which the puzzles of the day come


@dataclass(frozen=True)
class PuzzleFilter:
    """Which puzzles are wanted; None stands for all."""

    game: str | None = None
    theme: str | None = None
    turns: int | None = None
    spec: str | None = None

    def matches(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle is wanted."""
        texts = ((self.game, puzzle.key), (self.theme, puzzle.theme), (self.spec, puzzle.spec))
        wanted = (*texts, (self.turns, puzzle.turns))
        return all(value is None or value == found for value, found in wanted)


class PuzzleCatalogue:
    """All puzzles; they are read from the package when they are first needed."""

    @cached_property
    def puzzles(self) -> dict[str, Puzzle]:
        """The puzzles by id: easy ones first, game after game."""
        found = load_library()
        games = {puzzle.key: number for number, puzzle in enumerate(found.values())}
        ordered = sorted(found.values(), key=lambda each: (games[each.key], each.difficulty, each.turns, each.id))
        return {puzzle.id: puzzle for puzzle in ordered}

    @cached_property
    def games(self) -> dict[str, list[Puzzle]]:
        """The puzzles of each game."""
        found: dict[str, list[Puzzle]] = {}
        for puzzle in self.puzzles.values():
            found.setdefault(puzzle.key, []).append(puzzle)
        return found

    def get(self, puzzle_id: str) -> Puzzle:
        """Return a puzzle. Raises ApiError `not-found`."""
        puzzle = self.puzzles.get(puzzle_id)
        if puzzle is None:
            raise ApiError("not-found", f"there is no puzzle {ellipsis(puzzle_id)}; GET /api/puzzles lists all")
        return puzzle

    def find(self, wanted: PuzzleFilter) -> list[Puzzle]:
        """Return the puzzles that are wanted."""
        return [puzzle for puzzle in self.puzzles.values() if wanted.matches(puzzle)]

    def count_themes(self, game: str) -> dict[str, int]:
        """Return the number of puzzles of a game by theme, the most frequent first."""
        return dict(Counter(puzzle.theme for puzzle in self.games.get(game, [])).most_common())

    def count_boards(self, game: str) -> dict[str, int]:
        """Return the number of puzzles of a game by spec, small boards first."""
        counts = Counter(puzzle.spec for puzzle in self.games.get(game, []))
        return {spec: counts[spec] for spec in sorted(counts, key=split_numbers)}

    def count_turns(self, game: str) -> dict[int, int]:
        """Return the number of puzzles of a game by turns, the shortest first."""
        return dict(sorted(Counter(puzzle.turns for puzzle in self.games.get(game, [])).items()))

    def find_daily(self, now_ms: int) -> Puzzle:
        """Return the puzzle of a day in UTC: the games take turns, and no puzzle comes again before all others came."""
        day = now_ms // DAY_MS
        games = list(self.games.values())
        puzzles = games[day % len(games)].copy()
        random.Random(DAILY_SEED).shuffle(puzzles)
        return puzzles[day // len(games) % len(puzzles)]


def split_numbers(spec: str) -> list[tuple[int, str]]:
    """Return the numbers and other parts of a spec, to sort tether-5 before tether-13."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", spec)]


def format_day(now_ms: int) -> str:
    """Return the day of a time in UTC, such as 2026-03-01."""
    return datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y-%m-%d")
