"""Thousands of positions stepped in one call."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ropewalk
from ropewalk import Batch, IllegalMove, MoveError, PositionError
from ropewalk.games.batch import BatchError
from tests.support.optional import import_optional


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
    for step in range(30):
        for batch in (one, many):
            if step % 2:
                batch.play_random(restart=True)
            else:
                batch.play(batch.choose())
                batch.restart()
        assert np.array_equal(one.rows, many.rows)
        assert np.array_equal(one.rewards, many.rewards)
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


@pytest.mark.parametrize("spec", ["lariat-1x2-pie", "laocoon-weave", "liger-4"])
def test_a_random_step_is_a_choice_a_step_and_a_restart(spec: str) -> None:
    fused, divided = (Batch(ropewalk.game(spec), 64, seed=4) for _ in range(2))
    for _ in range(200):
        moves = divided.choose()
        divided.play(moves)
        divided.restart()
        assert np.array_equal(fused.play_random(restart=True), moves)
        for name in ("rows", "outcomes", "seats", "rewards", "finished"):
            assert np.array_equal(getattr(fused, name), getattr(divided, name)), name


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"])
def test_a_step_writes_the_observations_and_masks_after_it(spec: str, threads: int) -> None:
    batch = Batch(ropewalk.game(spec), 600, seed=4, threads=threads)
    planes, masks = np.empty_like(batch.observations()), np.empty_like(batch.action_masks())
    for restart in (True, True, False) * 20:
        batch.play_random(restart=restart, observations=planes, masks=masks)
        assert np.array_equal(planes, batch.observations())
        assert np.array_equal(masks, batch.action_masks())
    batch.restart()
    batch.play(batch.choose(), observations=planes)
    batch.play(batch.choose(), masks=masks)
    assert np.array_equal(masks, batch.action_masks())
    assert not np.array_equal(planes, batch.observations())
    for index in range(3):
        assert np.array_equal(masks[index], batch[index].action_mask())


def test_a_step_of_some_positions_writes_no_observations() -> None:
    batch = Batch(ropewalk.game("tether-3"), 4)
    with pytest.raises(BatchError, match="a step of some positions"):
        batch.play(batch.choose(), where=np.array([True, False, True, True]), observations=batch.observations())
    with pytest.raises(BatchError, match="`out` must be a writable"):
        batch.play_random(masks=np.zeros((3, 9), np.bool_))


def test_the_step_that_ends_a_game_is_rewarded_and_no_other() -> None:
    game = ropewalk.game("liger-4")
    batch, singles = Batch(game, 200, seed=1), [game.start()] * 200
    for _ in range(120):
        moves = batch.play_random()
        for index, single in enumerate(singles):
            if single.seat is None:
                assert not batch.finished[index]
                assert batch.rewards[index].tolist() == [0, 0]
                continue
            singles[index] = after = single.play_id(int(moves[index]))
            assert batch.finished[index] == (after.seat is None)
            rewards = {-1: [0, 0], 0: [1, -1], 1: [-1, 1], 2: [0, 0]}[after.result]
            assert batch.rewards[index].tolist() == rewards
    assert (batch.outcomes == [single.result for single in singles]).all()


def test_with_restart_a_finished_game_begins_again_in_the_same_step() -> None:
    batch = Batch(ropewalk.game("tether-3"), 64, seed=2)
    finished = 0
    for _ in range(30):
        batch.play(batch.choose(), restart=True)
        finished += int(batch.finished.sum())
        assert (batch.outcomes == -1).all()
        assert np.array_equal(batch.rewards.sum(axis=1), np.zeros(64))
        assert np.array_equal(np.abs(batch.rewards).max(axis=1) > 0, batch.finished)
        assert (batch.counts[batch.finished] == 9).all()
    assert finished > 64


def test_a_batch_starts_and_restarts_from_any_ongoing_position() -> None:
    game = ropewalk.game("tether-3")
    start = game.start().play("b2").play("a1")
    batch = Batch(game, 4, start=start)
    assert batch[3] == start
    while (batch.outcomes == -1).any():
        batch.play_random()
    over = batch[0]
    assert batch.restart() == 4
    assert batch[0] == start
    with pytest.raises(PositionError, match="the game is over"):
        Batch(game, 4, start=over)
    with pytest.raises(PositionError, match="expected a position of tether-3, not of tether-5"):
        Batch(game, 4, start=ropewalk.game("tether-5").start())


def test_one_position_is_replaced_and_read() -> None:
    game = ropewalk.game("liger-8")
    batch, rng, position = Batch(game, 3, seed=1), random.Random(4), game.start()
    while len(position.row) == batch.rows.shape[1]:  # until the past fills the row
        after = position.play(rng.choice([move for move in position.moves() if "off" not in move] or position.moves()))
        position = game.start() if after.seat is None else after
    batch[1] = position
    assert batch[1] == position
    assert batch[0] == batch[2] == game.start()
    move = int(position.move_ids()[0])
    batch.play([int(game.start().move_ids()[0]), move, int(game.start().move_ids()[1])])
    assert batch[1] == position.play_id(move)
    assert np.array_equal(batch[1].row, position.play_id(move).row)


def test_a_full_history_that_is_set_grows_before_the_next_step() -> None:
    game = ropewalk.game("liger-8")
    rng, position = random.Random(4), game.start()
    while True:
        state = position.state
        if state.history_length == len(state.history):
            break
        after = position.play(rng.choice([move for move in position.moves() if "off" not in move] or position.moves()))
        position = game.start() if after.seat is None else after
    move = int(position.move_ids()[0])
    after = position.play_id(move)
    for batch in (Batch(game, 1), Batch(game, 1, start=position)):
        batch[0] = position
        batch.play([move])
        assert batch[0].state.history_length == after.state.history_length


def test_every_position_has_a_stream_of_its_own() -> None:
    game = ropewalk.game("lariat-1x3")
    together, apart = Batch(game, 5), [Batch(game, 1, seed=seed) for seed in (3, 1, 4, 1, 5)]
    together.seed([3, 1, 4, 1, 5])
    for _ in range(20):
        moves = together.play_random(restart=True)
        assert moves.tolist() == [int(single.play_random(restart=True)[0]) for single in apart]
    few, many = Batch(game, 3, seed=9), Batch(game, 30, seed=9)
    assert np.array_equal(few.choose(), many.choose()[:3])
    assert len(set(Batch(game, 30, seed=9).choose().tolist())) > 5
    with pytest.raises(BatchError, match="expected an integer, or an array of 5 integers"):
        together.seed([1, 2])


def test_arrays_are_written_in_place_and_torch_reads_them_without_a_copy() -> None:
    torch = import_optional("torch")
    game = ropewalk.game("tether-5")
    batch = Batch(game, 600, seed=1, threads=2)
    planes, masks = np.full((600, *game.observation_shape), 99, np.int8), np.zeros((600, 25), np.bool_)
    tensors = [torch.from_numpy(array) for array in (planes, masks, batch.rewards, batch.outcomes, batch.play_random())]
    assert batch.observations(planes) is planes
    assert batch.action_masks(masks) is masks
    assert tensors[0].max() < 99
    assert tensors[1].sum() == batch.counts.sum()
    assert tensors[0].data_ptr() == planes.ctypes.data


@pytest.mark.parametrize("shape", [(3, 25, 10), (3, 25, 11, 1)])
def test_an_array_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    batch = Batch(ropewalk.game("tether-5"), 3)
    with pytest.raises(BatchError, match=r"`out` must be a writable C-contiguous int8 array of shape \(3, 25, 11\)"):
        batch.observations(np.zeros(shape, np.int8))
    with pytest.raises(BatchError, match="bool array"):
        batch.action_masks(np.zeros((3, 25), np.int8))
    with pytest.raises(BatchError, match="C-contiguous"):
        batch.action_masks(np.zeros((25, 3), np.bool_).T)


def test_positions_can_be_left_out_of_a_step() -> None:
    batch = Batch(ropewalk.game("tether-3"), 3)
    batch.play([0, 1, 2], where=np.array([True, False, True]))
    assert [batch[index].steps() for index in range(3)] == [[], [], []]
    assert batch.seats.tolist() == [1, 0, 1]
    with pytest.raises(IllegalMove, match="a1 already has a red stone"):
        batch.play([0, 0, 0], where=np.array([True, True, False]))
    assert batch.outcomes.tolist() == [-1, -1, -1]
    assert batch.counts.tolist() == [8, 9, 8]


def test_chosen_positions_restart_and_others_stay_finished() -> None:
    batch = Batch(ropewalk.game("tether-3"), 4, seed=1)
    while (batch.outcomes == -1).any():
        batch.play_random()
    outcomes = batch.outcomes.copy()
    assert batch.restart(np.array([False, True, False, False])) == 1
    assert batch.outcomes.tolist() == [outcomes[0], -1, outcomes[2], outcomes[3]]
    batch.play_random()
    assert batch.restart(np.array([True, True, False, False])) == 2
    assert batch.counts.tolist() == [9, 9, 0, 0]
