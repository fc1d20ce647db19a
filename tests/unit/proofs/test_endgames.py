"""The laoCoon endgames, one to six turns before the end, are solved and their proofs verified."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.proofs.solver import SolverLimits
from ropewalk.proofs.strategy.checker import check_strategy_proof
from ropewalk.proofs.strategy.solver import solve_by_strategy
from tests.unit.proofs.endgames import COUNT, FILE, MAX_TURNS, SPEC


def load_suite() -> list[tuple[Position, int, int]]:
    """Return positions, their winners, and the turns left."""
    game = ropewalk.game(SPEC)
    lines = (line.split("\t") for line in FILE.read_text().splitlines())
    return [(game.position(text), int(winner), int(turns)) for text, winner, turns in lines]


def require_proven(position: Position, winner: int, path: Path) -> None:
    """Solve a position and check the proof; the last values before the time limit may lack one."""
    for limits in (SolverLimits(memory_bytes=1 << 26, seconds=5), SolverLimits(memory_bytes=1 << 28, seconds=60)):
        solution = solve_by_strategy(position, path, limits)
        if not path.exists():  # compilation took all the time
            continue
        checked = check_strategy_proof(path)
        assert all(value in (None, solution.moves[move]) for move, value in checked.moves.items())
        if checked.value is not None:
            break
    assert solution.value == checked.value == winner


def test_the_suite_has_as_many_endgames_of_every_length() -> None:
    endgames = load_suite()
    assert len({str(position) for position, _, _ in endgames}) == len(endgames) == COUNT
    assert Counter(turns for _, _, turns in endgames) == dict.fromkeys(range(1, MAX_TURNS + 1), COUNT // MAX_TURNS)
    assert {winner == position.seat for position, winner, _ in endgames} == {True, False}


def test_some_endgames_are_proven(tmp_path: Path) -> None:
    for position, winner, turns in load_suite()[:: 2 * COUNT // MAX_TURNS]:
        require_proven(position, winner, tmp_path / f"{turns}.proof")


@pytest.mark.slow
def test_all_endgames_are_proven(tmp_path: Path) -> None:
    for number, (position, winner, _) in enumerate(load_suite()):
        require_proven(position, winner, tmp_path / f"{number}.proof")
