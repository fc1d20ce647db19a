"""Training learns, goes on exactly where it was, and refuses damaged checkpoints."""

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from ropewalk.training import checkpoint  # noqa: E402
from ropewalk.training.checkpoint import CheckpointError  # noqa: E402
from ropewalk.training.run import Plan, Run, resume  # noqa: E402
from ropewalk.training.settings import Settings  # noqa: E402
from ropewalk.training.trainer import Trainer  # noqa: E402

TINY = Settings(
    specs=("lariat-1x1",),
    trees=16,
    simulations=4,
    considered=4,
    opening=2,
    blocks=1,
    channels=8,
    batch=32,
    buffer=500,
    least=64,
    rate=5e-3,
)


def trainer(settings: Settings = TINY) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(settings, "cpu", threads=1)


def weights(made: Trainer) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in made.learner.mean.state_dict().values())


def run(folder: Path, turns: int, settings: Settings = TINY) -> Trainer:
    made = trainer(settings)
    folder.mkdir(exist_ok=True)
    resume(made, folder, None, lambda line: None)
    plan = Plan(folder=folder, turns=turns, save_turns=40, report_seconds=1e9, tell=lambda line: None)
    training = Run(made, plan)
    while not plan.is_over(made.counts["turns"]):
        made.turn()
        training.look_around()
    return made


@pytest.mark.parametrize("playouts", [0, 2])
def test_a_run_that_was_killed_ends_with_the_same_weights(playouts: int, tmp_path: Path) -> None:
    settings = replace(TINY, playouts=playouts)
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
        later.turn()
    later.save(tmp_path, whole=False)
    resumed = trainer()
    resume(resumed, tmp_path, None, lambda line: None)
    assert resumed.counts["turns"] == 50
    later.save(tmp_path, whole=True)
    told: list[str] = []
    resume(trainer(), tmp_path, None, told.append)
    assert "whole.pt" in told[0]


def test_learning_makes_the_loss_smaller() -> None:
    made = trainer()
    while made.counts["steps"] < 20:
        made.turn()
    before = made.learner.losses()["loss"]
    while made.counts["steps"] < 150:
        made.turn()
    made.learner.losses()
    while made.counts["steps"] < 170:
        made.turn()
    assert made.learner.losses()["loss"] < before - 0.1


def test_a_checkpoint_that_was_cut_short_gives_way_to_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    checkpoint.write(path, {"turn": 1})
    checkpoint.write(path, {"turn": 2})
    assert checkpoint.latest(path) == ({"turn": 2}, "")
    path.write_bytes(path.read_bytes()[:-7])
    found = checkpoint.latest(path)
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
        checkpoint.latest(path)
    path.write_bytes(b"something else")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        checkpoint.latest(path)
