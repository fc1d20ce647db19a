"""The naive rules confirm the puzzles of the package: every winning move wins, no other move does."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ropewalk
from ropewalk.puzzles.library import load_library
from ropewalk.puzzles.puzzle import Puzzle, PuzzleError
from tests.support.naive_puzzles import check_by_reference, count_failures
from tests.unit.puzzles.samples import SAMPLE

KEYS = [definition.key for definition in ropewalk.games()]
SAMPLE_STEP = 25  # every 25th puzzle of a game is checked by `make test`


def list_puzzles(key: str) -> list[Puzzle]:
    """Return the puzzles of a game."""
    return [puzzle for puzzle in load_library().values() if puzzle.key == key]


@pytest.mark.parametrize("key", KEYS)
def test_a_sample_of_the_puzzles_is_right(key: str) -> None:
    num_puzzles, _, num_failures = count_failures(list_puzzles(key)[::SAMPLE_STEP])
    assert num_puzzles > 0
    assert num_failures == 0


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_every_puzzle_is_right(key: str) -> None:
    num_puzzles, num_positions, num_failures = count_failures(list_puzzles(key))
    print(f"{key}: {num_puzzles} puzzles, {num_positions} positions, {num_failures} failures")
    assert num_failures == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"winning_moves": ("b1",)},
        {"refutation": "(*:g5)"},
        {"proofs": (SAMPLE.proofs[0].replace("*:c4", "*:b1"),)},
        {"seat": 1},
    ],
)
def test_the_naive_rules_find_a_wrong_puzzle(changes: dict[str, object]) -> None:
    assert check_by_reference(SAMPLE) > 50
    with pytest.raises(PuzzleError):
        check_by_reference(replace(SAMPLE, **changes))  # type: ignore[arg-type]
