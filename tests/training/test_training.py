"""Training learns, goes on exactly where it was, and refuses damaged checkpoints."""

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from ropewalk.training import checkpoint
from ropewalk.training.checkpoint import CheckpointError
from ropewalk.training.config import (
    RunSchedule,
    TrainingConfig,
)
from ropewalk.training.run import Run, resume
from ropewalk.training.trainer import Trainer

TINY = TrainingConfig(
    specs=("lariat-1x1",),
    parallel_games=16,
    simulations=4,
    max_considered=4,
    opening_moves=2,
    blocks=1,
    channels=8,
    batch_size=32,
    replay_size=500,
    min_replay=64,
    learning_rate=5e-3,
)


def trainer(settings: TrainingConfig = TINY) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(settings, "cpu", num_threads=1)


def weights(made: Trainer) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in made.learner.ema.state_dict().values())


def run(folder: Path, turns: int, settings: TrainingConfig = TINY) -> Trainer:
    made = trainer(settings)
    folder.mkdir(exist_ok=True)
    resume(made, folder, None, lambda line: None)
    plan = RunSchedule(
        output_dir=folder, max_iterations=turns, checkpoint_iterations=40, log_seconds=1e9, log=lambda line: None
    )
    training = Run(made, plan)
    while not plan.is_finished(made.counts["turns"]):
        made.iterate()
        training.run_due_tasks()
    return made


@pytest.mark.parametrize("playouts", [0, 2])
def test_a_run_that_was_killed_ends_with_the_same_weights(playouts: int, tmp_path: Path) -> None:
    settings = replace(TINY, leaf_rollouts=playouts)
    whole = run(tmp_path / "whole", 200, settings)
    run(tmp_path / "killed", 93, settings)  # nothing is saved after turn 80
    resumed = run(tmp_path / "killed", 200, settings)
    assert whole.counts["steps"] > 5
    assert weights(resumed) == weights(whole)
    assert resumed.counts == whole.counts


def test_weights_that_were_saved_alone_are_newer_than_games_saved_before(tmp_path: Path) -> None:
    run(tmp_path, 40)
    later = trainer()
    resume(later, tmp_path, None, lambda line: None)
    while later.counts["turns"] < 50:
        later.iterate()
    later.save_checkpoints(tmp_path, full=False)
    resumed = trainer()
    resume(resumed, tmp_path, None, lambda line: None)
    assert resumed.counts["turns"] == 50
    later.save_checkpoints(tmp_path, full=True)
    told: list[str] = []
    resume(trainer(), tmp_path, None, told.append)
    assert "whole.pt" in told[0]


def test_learning_makes_the_loss_smaller() -> None:
    made = trainer()
    while made.counts["steps"] < 20:
        made.iterate()
    before = made.learner.pop_mean_losses()["loss"]
    while made.counts["steps"] < 150:
        made.iterate()
    made.learner.pop_mean_losses()
    while made.counts["steps"] < 170:
        made.iterate()
    assert made.learner.pop_mean_losses()["loss"] < before - 0.1


def test_a_checkpoint_that_was_cut_short_gives_way_to_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    checkpoint.write(path, {"turn": 1})
    checkpoint.write(path, {"turn": 2})
    assert checkpoint.read_latest(path) == ({"turn": 2}, "")
    path.write_bytes(path.read_bytes()[:-7])
    found = checkpoint.read_latest(path)
    assert found is not None
    state, words = found
    assert state == {"turn": 1}
    assert "damaged" in words
    assert "checkpoint.before.pt" in words


def test_a_damaged_checkpoint_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    checkpoint.write(path, {"turn": 1})
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoint.read_latest(path)
    path.write_bytes(b"something else")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        checkpoint.read_latest(path)
