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
    with pytest.raises(MoveError, match="expected an array of 3 move ids"):
        Batch(ropewalk.game("tether-5"), 3).play(moves)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [2**16 + 5, -(2**16) + 5, 5.5])
def test_a_number_that_is_no_id_is_refused_and_not_cut_short(move: float) -> None:
    batch = Batch(ropewalk.game("tether-5"), 2)
    with pytest.raises(MoveError, match=f"move id {move} is out of range; tether-5 has move ids 0 to 24"):
        batch.play([5, move])
    assert batch.counts.tolist() == [25, 25]


@pytest.mark.parametrize("index", [0, 700, 2047])
def test_an_illegal_move_anywhere_leaves_every_position_as_it_was(index: int) -> None:
    batch = Batch(ropewalk.game("tether-5"), 2048, threads=2)
    batch.play(np.zeros(2048, np.int16))
    before, moves = batch.rows.copy(), np.ones(2048, np.int16)
    moves[index] = 0
    with pytest.raises(IllegalMove, match="a1 already has a red stone"):
        batch.play(moves)
    assert np.array_equal(batch.rows, before)


def test_moves_are_listed_anew_after_each_step_and_restart() -> None:
    batch = Batch(ropewalk.game("tether-3"), 2)
    assert batch.counts.tolist() == [9, 9]
    batch.play([0, 4])
    assert batch.moves[:, :8].tolist() == [[1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3, 5, 6, 7, 8]]
    while (batch.outcomes == -1).any():
        batch.play(batch.choose())
    assert batch.counts.tolist() == [0, 0]
    batch.restart()
    assert batch.counts.tolist() == [9, 9]


@pytest.mark.parametrize("spec", ["cube-lariat-2", "liger-4"])
def test_reading_the_lists_changes_no_choice(spec: str) -> None:
    read, unread = (Batch(ropewalk.game(spec), 600, seed=4) for _ in range(2))
    for _ in range(20):
        assert read.moves.shape == (600, read.game.max_legal_moves)
        chosen = read.choose()
        assert np.array_equal(chosen, unread.choose())
        for batch in (read, unread):
            batch.play(chosen)
            batch.restart()


def test_an_empty_batch_steps_too() -> None:
    batch = Batch(ropewalk.game("tether-3"), 0)
    batch.play(batch.choose())
    assert batch.restart() == 0


@pytest.mark.parametrize("spec", ["lariat-1x6", "laocoon-weave", "liger-4x2"])
def test_the_number_of_threads_changes_nothing(spec: str) -> None:
    game = ropewalk.game(spec)
    one, many = Batch(game, 2048, seed=5, threads=1), Batch(game, 2048, seed=5, threads=4)
    for _ in range(30):
        for batch in (one, many):
            batch.play(batch.choose())
            batch.restart()
        assert np.array_equal(one.rows, many.rows)
        assert np.array_equal(one.counts, many.counts)
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
    rng = random.Random(4)
    width = batch.rows.shape[1]
    while single.seat is not None:
        moves = [move for move in single.moves() if not move.endswith("off")] or single.moves()
        move = game.move_id(rng.choice(moves))
        batch.play([move])
        single = single.play_id(move)
        assert batch[0] == single
    assert batch.rows.shape[1] > width
