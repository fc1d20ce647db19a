"""Thousands of positions stepped in one call."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ropewalk
from ropewalk import Batch, IllegalMove, MoveError


def test_an_illegal_move_is_refused_and_nothing_changes() -> None:
    batch = Batch(ropewalk.game("tether-5"), 3)
    batch.play([0, 1, 2])
    before = batch.rows.copy()
    with pytest.raises(IllegalMove, match="b1 already has a red stone"):
        batch.play([5, 1, 5])
    assert np.array_equal(batch.rows, before)


@pytest.mark.parametrize("moves", [[0, 1], [[0, 1, 2]], 0])
def test_a_batch_takes_one_move_for_each_position(moves: object) -> None:
    with pytest.raises(MoveError, match="a batch of 3 positions takes as many moves"):
        Batch(ropewalk.game("tether-5"), 3).play(moves)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["lariat-1x6", "laocoon-weave", "liger-4x2"])
def test_the_number_of_threads_changes_nothing(spec: str) -> None:
    game = ropewalk.game(spec)
    one, many = Batch(game, 2048, seed=5, threads=1), Batch(game, 2048, seed=5, threads=4)
    for _ in range(30):
        for batch in (one, many):
            batch.play(batch.choose())
            batch.restart()
        assert np.array_equal(one.rows, many.rows)
        assert np.array_equal(one.moves[:, :3], many.moves[:, :3])


def test_a_finished_game_waits_for_its_restart() -> None:
    batch = Batch(ropewalk.game("tether-3"), 8)
    for _ in range(9):
        batch.play(batch.choose())
    assert (batch.outcomes >= 0).all()
    finished = batch.rows.copy()
    batch.play(batch.choose())
    assert np.array_equal(batch.rows, finished)
    assert batch.restart() == 8
    assert batch[0] == ropewalk.game("tether-3").start()


def test_rows_grow_when_the_past_gets_long_and_forget_nothing() -> None:
    game = ropewalk.game("liger-8")
    batch, single = Batch(game, 1), game.start()
    chance = random.Random(4)
    width = batch.rows.shape[1]
    while single.seat is not None:
        moves = [move for move in single.moves() if not move.endswith("off")] or single.moves()
        move = game.move_id(chance.choice(moves))
        batch.play([move])
        single = single.play_id(move)
        assert batch[0] == single
    assert batch.rows.shape[1] > width
