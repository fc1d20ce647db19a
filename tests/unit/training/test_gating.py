"""Gating: new weights are used for self-play only after a match against the current ones."""

import csv
import json
from pathlib import Path

from tests.support.optional import import_optional

torch = import_optional("torch")

from ropewalk.nets.model import PolicyValueNet
from ropewalk.training import checkpoint
from ropewalk.training.config import RunSchedule
from ropewalk.training.run import Run
from ropewalk.training.trainer import Trainer
from tests.unit.training.test_training import TINY


def make_gated_trainer() -> Trainer:
    torch.set_num_threads(1)
    return Trainer(TINY, "cpu", num_threads=1, use_gating=True)


def weight_bytes(net: PolicyValueNet) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in net.state_dict().values())


def make_run(trainer: Trainer, folder: Path) -> Run:
    schedule = RunSchedule(
        output_dir=folder, max_iterations=0, eval_pairs=16, eval_simulations=4, gating_minutes=1e6, log=lambda line: None
    )
    return Run(trainer, schedule)


def train_until(trainer: Trainer, steps: int) -> None:
    while trainer.counts["steps"] < steps:
        trainer.iterate()


def negate_weights(net: PolicyValueNet) -> None:
    """Make a net worse."""
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.neg_()


def test_a_better_net_is_accepted_and_a_worse_one_refused(tmp_path: Path) -> None:
    trainer = make_gated_trainer()
    initial = weight_bytes(trainer.selfplay_net)
    train_until(trainer, 150)
    assert weight_bytes(trainer.selfplay_net) == initial  # training alone does not change the self-play weights
    run = make_run(trainer, tmp_path)
    run.run_gating()
    accepted = weight_bytes(trainer.selfplay_net)
    assert accepted == weight_bytes(trainer.learner.ema) == weight_bytes(trainer.evaluator.net) != initial
    negate_weights(trainer.learner.ema)
    run.run_gating()
    assert weight_bytes(trainer.selfplay_net) == weight_bytes(trainer.evaluator.net) == accepted
    assert trainer.gating_counts == {"accepted": 1, "refused": 1}
    with open(tmp_path / "strength.csv", newline="", encoding="utf-8") as file:
        shares = [float(row["share"]) for row in csv.DictReader(file) if row["opponent"] == "the player"]
    assert shares[0] >= 0.5 > shares[1]
    card = json.loads(run.export().with_suffix(".json").read_text())
    assert card["gates"] == {"accepted": 1, "refused": 1}


def test_a_checkpoint_keeps_the_selfplay_weights_and_the_gating_counts(tmp_path: Path) -> None:
    trainer = make_gated_trainer()
    train_until(trainer, 3)
    trainer.gating_counts["refused"] = 2
    trainer.save_checkpoints(tmp_path, full=False)
    resumed = make_gated_trainer()
    resumed.load_state_dict(checkpoint.read(tmp_path / "checkpoint.pt"))
    assert weight_bytes(resumed.selfplay_net) == weight_bytes(trainer.selfplay_net) != weight_bytes(trainer.learner.ema)
    assert resumed.gating_counts == trainer.gating_counts


def test_equal_nets_score_half_of_the_points(tmp_path: Path) -> None:
    run = make_run(make_gated_trainer(), tmp_path)
    assert run.candidate_match.play_net(run.selfplay_match, seed=1).share == 0.5
