"""At the gate new weights must hold their own before they play."""

import csv
import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from ropewalk.nets.model import PolicyValueNet
from ropewalk.training import checkpoint
from ropewalk.training.config import RunSchedule
from ropewalk.training.run import Run
from ropewalk.training.trainer import Trainer
from tests.training.test_training import TINY


def gated() -> Trainer:
    torch.set_num_threads(1)
    return Trainer(TINY, "cpu", num_threads=1, use_gating=True)


def bytes_of(net: PolicyValueNet) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in net.state_dict().values())


def run_of(made: Trainer, folder: Path) -> Run:
    plan = RunSchedule(
        output_dir=folder, max_iterations=0, eval_pairs=16, eval_simulations=4, gating_minutes=1e6, log=lambda line: None
    )
    return Run(made, plan)


def learn(made: Trainer, steps: int) -> None:
    while made.counts["steps"] < steps:
        made.iterate()


def spoil(net: PolicyValueNet) -> None:
    """Give a net the contrary opinion of every move and every position."""
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.neg_()


def test_a_better_net_is_accepted_and_a_worse_one_refused(tmp_path: Path) -> None:
    made = gated()
    first = bytes_of(made.selfplay_net)
    learn(made, 150)
    assert bytes_of(made.selfplay_net) == first  # learning alone changes nothing
    run = run_of(made, tmp_path)
    run.run_gating()
    accepted = bytes_of(made.selfplay_net)
    assert accepted == bytes_of(made.learner.ema) == bytes_of(made.evaluator.net) != first
    spoil(made.learner.ema)
    run.run_gating()
    assert bytes_of(made.selfplay_net) == bytes_of(made.evaluator.net) == accepted
    assert made.gating_counts == {"accepted": 1, "refused": 1}
    with open(tmp_path / "strength.csv", newline="", encoding="utf-8") as file:
        shares = [float(line["share"]) for line in csv.DictReader(file) if line["opponent"] == "the player"]
    assert shares[0] >= 0.5 > shares[1]
    card = json.loads(run.export().with_suffix(".json").read_text())
    assert card["gates"] == {"accepted": 1, "refused": 1}


def test_the_player_and_the_gates_survive_a_break(tmp_path: Path) -> None:
    made = gated()
    learn(made, 3)
    made.gating_counts["refused"] = 2
    made.save_checkpoints(tmp_path, full=False)
    resumed = gated()
    resumed.load_state_dict(checkpoint.read(tmp_path / "checkpoint.pt"))
    assert bytes_of(resumed.selfplay_net) == bytes_of(made.selfplay_net) != bytes_of(made.learner.ema)
    assert resumed.gating_counts == made.gating_counts


def test_equal_nets_share_the_points(tmp_path: Path) -> None:
    run = run_of(gated(), tmp_path)
    assert run.candidate_match.play_net(run.selfplay_match, seed=1).share == 0.5
