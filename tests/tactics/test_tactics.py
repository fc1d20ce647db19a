"""The suites of tactics say what they should, and the solver still finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ropewalk
from ropewalk import Position
from ropewalk.proofs.searcher import Searcher

from .make import GAMES

LEAST = 40


def suite(spec: str) -> list[tuple[Position, list[str]]]:
    """The positions of a game's file with their winning moves."""
    game = ropewalk.game(spec)
    lines = (Path(__file__).parent / f"{spec}.txt").read_text().splitlines()
    return [(game.position(text), moves.split()) for text, moves in (line.split("\t") for line in lines)]


@pytest.mark.parametrize("spec", GAMES)
def test_each_suite_has_enough_positions_in_which_few_moves_win(spec: str) -> None:
    tactics = suite(spec)
    assert len({str(position) for position, _ in tactics}) == len(tactics) >= LEAST
    at_once = 0
    for position, winning in tactics:
        assert 1 <= 3 * len(winning) <= len(position.moves())
        assert set(winning) <= set(position.moves())
        at_once += any(position.play(move).result == position.seat for move in winning)
    assert 2 * at_once <= len(tactics)


@pytest.mark.parametrize("spec", ["lariat-2x10", "tether-13"])
def test_the_solver_finds_the_same_moves_by_the_other_way_of_searching(spec: str) -> None:
    searcher = Searcher(ropewalk.game(spec), 1 << 24)
    for position, winning in suite(spec)[:3]:
        assert position.seat is not None
        for move in position.moves():
            after = position.play(move)
            wins = after.result == position.seat if after.seat is None else None
            if wins is None:
                wins = searcher.wins(after.row, position.seat, patience=2_000_000, stubborn=True)
            assert wins is None or wins == (move in winning), (str(position), move)
