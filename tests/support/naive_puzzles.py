"""Checks puzzles by the naive reference rules: every winning move wins, no other move does.

    python -m tests.support.naive_puzzles [FILE ...]

checks the library of the package, or files of puzzles, and prints a line for each file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ropewalk.puzzles.library import LIBRARY_DIR, SUFFIX, read_puzzles
from ropewalk.puzzles.puzzle import Puzzle, PuzzleError, check_puzzle
from tests.reference import Reference, reference
from tests.support.reference_comparison import format_full_spec, list_extras


class NaiveRules:
    """The reference implementation of a game, as the checker of strategy trees uses it."""

    def __init__(self, rules: Reference) -> None:
        self.rules = rules

    def get_seat(self, state: Any) -> int | None:
        return self.rules.seat(state)

    def get_winner(self, state: Any) -> int | None:
        outcome = self.rules.outcome(state)
        return None if outcome is None else outcome[0]

    def list_moves(self, state: Any) -> Sequence[str]:
        return self.rules.moves(state)

    def play(self, state: Any, move: str) -> Any:
        return self.rules.play(state, move) if move in self.rules.moves(state) else None

    def get_key(self, state: Any) -> Hashable:
        return state


def check_by_reference(puzzle: Puzzle) -> int:
    """Check a puzzle by the naive rules alone; return the positions visited. Raises PuzzleError."""
    position = puzzle.position
    rules = reference(format_full_spec(position.game))
    state = rules.state_of(position.contents, list_extras(position))
    return check_puzzle(puzzle, NaiveRules(rules), state)


def count_failures(puzzles: Iterable[Puzzle]) -> tuple[int, int, int]:
    """Return the numbers of puzzles, of positions visited and of failures, which are printed."""
    num_puzzles = num_positions = num_failures = 0
    for puzzle in puzzles:
        num_puzzles += 1
        try:
            num_positions += check_by_reference(puzzle)
        except PuzzleError as error:
            num_failures += 1
            print(error)
    return num_puzzles, num_positions, num_failures


def main(names: Sequence[str]) -> int:
    """Check files, by default the library; return the exit code."""
    total_failures = 0
    for path in map(Path, names) if names else sorted(LIBRARY_DIR.glob(f"*{SUFFIX}")):
        started_at = time.monotonic()
        num_puzzles, num_positions, num_failures = count_failures(read_puzzles(path))
        seconds = time.monotonic() - started_at
        print(f"{path.name}: {num_puzzles} puzzles, {num_positions} positions, {num_failures} failures, {seconds:.0f} s")
        total_failures += num_failures
    return 1 if total_failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
