"""Training reduces the loss, resumes exactly, and refuses unusable checkpoints."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.optional import import_optional

torch = import_optional("torch")

from ropewalk.training import checkpoint
from ropewalk.training.checkpoint import CheckpointError
from ropewalk.training.config import RunSchedule, TrainingConfig
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


def make_trainer(config: TrainingConfig = TINY) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(config, "cpu", num_threads=1)


def ema_bytes(trainer: Trainer) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in trainer.learner.ema.state_dict().values())


def run_training(folder: Path, iterations: int, config: TrainingConfig = TINY) -> Trainer:
    """Resume a run in a folder and continue it to a number of iterations, saving after every 40th and not at the end."""
    trainer = make_trainer(config)
    folder.mkdir(exist_ok=True)
    resume(trainer, folder, None, lambda line: None)
    schedule = RunSchedule(
        output_dir=folder, max_iterations=iterations, checkpoint_iterations=40, log_seconds=1e9, log=lambda line: None
    )
    run = Run(trainer, schedule)
    while not schedule.is_finished(trainer.counts["turns"]):
        trainer.iterate()
        run.run_due_tasks()
    return trainer


@pytest.mark.parametrize("leaf_rollouts", [0, 2])
def test_a_killed_and_resumed_run_ends_with_the_same_weights(leaf_rollouts: int, tmp_path: Path) -> None:
    config = replace(TINY, leaf_rollouts=leaf_rollouts)
    uninterrupted = run_training(tmp_path / "uninterrupted", 200, config)
    run_training(tmp_path / "killed", 93, config)  # the last checkpoint is that of iteration 80
    resumed = run_training(tmp_path / "killed", 200, config)
    assert uninterrupted.counts["steps"] > 5
    assert ema_bytes(resumed) == ema_bytes(uninterrupted)
    assert resumed.counts == uninterrupted.counts


def test_resume_prefers_newer_weights_to_an_older_full_checkpoint(tmp_path: Path) -> None:
    run_training(tmp_path, 40)
    later = make_trainer()
    resume(later, tmp_path, None, lambda line: None)
    while later.counts["turns"] < 50:
        later.iterate()
    later.save_checkpoints(tmp_path, full=False)
    resumed = make_trainer()
    resume(resumed, tmp_path, None, lambda line: None)
    assert resumed.counts["turns"] == 50
    later.save_checkpoints(tmp_path, full=True)
    log: list[str] = []
    resume(make_trainer(), tmp_path, None, log.append)
    assert "full_checkpoint.pt" in log[0]


def test_training_reduces_the_loss() -> None:
    trainer = make_trainer()
    while trainer.counts["steps"] < 20:
        trainer.iterate()
    early_loss = trainer.learner.pop_mean_losses()["loss"]
    while trainer.counts["steps"] < 150:
        trainer.iterate()
    trainer.learner.pop_mean_losses()
    while trainer.counts["steps"] < 170:
        trainer.iterate()
    assert trainer.learner.pop_mean_losses()["loss"] < early_loss - 0.1


def test_a_truncated_checkpoint_falls_back_to_the_previous_one(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    checkpoint.write(path, {"turn": 1})
    checkpoint.write(path, {"turn": 2})
    assert checkpoint.read_latest(path) == ({"turn": 2}, "")
    path.write_bytes(path.read_bytes()[:-7])
    latest = checkpoint.read_latest(path)
    assert latest is not None
    state, warning = latest
    assert state == {"turn": 1}
    assert "damaged" in warning
    assert "checkpoint.before.pt" in warning


def write_version_1(path: Path) -> None:
    """Write a checkpoint and give it the header of version 1."""
    checkpoint.write(path, {"turn": 1})
    path.write_bytes(path.read_bytes().replace(b"ropewalk checkpoint 2\n", b"ropewalk checkpoint 1\n", 1))


@pytest.mark.parametrize("file_names", [["checkpoint.pt"], ["checkpoint.pt", "checkpoint.before.pt"]])
def test_a_run_folder_with_checkpoints_of_version_1_is_refused_with_a_way_to_go_on(
    file_names: list[str], tmp_path: Path
) -> None:
    for name in file_names:
        write_version_1(tmp_path / name)
    with pytest.raises(CheckpointError, match=r"written by an earlier version.*another folder with --init-from NET\.onnx"):
        resume(make_trainer(), tmp_path, None, lambda line: None)


def test_a_checkpoint_of_version_1_is_refused_as_initial_weights(tmp_path: Path) -> None:
    write_version_1(tmp_path / "old.pt")
    with pytest.raises(CheckpointError, match=r"old\.pt was written by an earlier version.*--init-from NET\.onnx"):
        resume(make_trainer(), tmp_path, tmp_path / "old.pt", lambda line: None)


def test_a_checkpoint_starts_with_the_format_version(tmp_path: Path) -> None:
    checkpoint.write(tmp_path / "checkpoint.pt", {})
    assert (tmp_path / "checkpoint.pt").read_bytes().startswith(b"ropewalk checkpoint 2\n")


def test_a_damaged_checkpoint_without_a_previous_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    checkpoint.write(path, {"turn": 1})
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoint.read_latest(path)
    path.write_bytes(b"something else")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        checkpoint.read_latest(path)
