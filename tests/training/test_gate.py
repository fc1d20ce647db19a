"""At the gate new weights must hold their own before they play."""

import csv
import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from ropewalk.nets.net import PolicyValueNet  # noqa: E402
from ropewalk.training import checkpoint  # noqa: E402
from ropewalk.training.run import Plan, Run  # noqa: E402
from ropewalk.training.trainer import Trainer  # noqa: E402
from tests.training.test_training import TINY  # noqa: E402


def gated() -> Trainer:
    torch.set_num_threads(1)
    return Trainer(TINY, "cpu", threads=1, gated=True)


def bytes_of(net: PolicyValueNet) -> bytes:
    return b"".join(tensor.numpy().tobytes() for tensor in net.state_dict().values())


def run_of(made: Trainer, folder: Path) -> Run:
    plan = Plan(folder=folder, turns=0, pairs=16, simulations=4, gate_minutes=1e6, tell=lambda line: None)
    return Run(made, plan)


def learn(made: Trainer, steps: int) -> None:
    while made.counts["steps"] < steps:
        made.turn()


def spoil(net: PolicyValueNet) -> None:
    """Give a net the contrary opinion of every move and every position."""
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.neg_()


def test_a_better_net_is_accepted_and_a_worse_one_refused(tmp_path: Path) -> None:
    made = gated()
    first = bytes_of(made.player)
    learn(made, 150)
    assert bytes_of(made.player) == first  # learning alone changes nothing
    run = run_of(made, tmp_path)
    run.gate()
    accepted = bytes_of(made.player)
    assert accepted == bytes_of(made.learner.mean) == bytes_of(made.evaluator.net) != first
    spoil(made.learner.mean)
    run.gate()
    assert bytes_of(made.player) == bytes_of(made.evaluator.net) == accepted
    assert made.gates == {"accepted": 1, "refused": 1}
    with open(tmp_path / "strength.csv", newline="", encoding="utf-8") as file:
        shares = [float(line["share"]) for line in csv.DictReader(file) if line["opponent"] == "the player"]
    assert shares[0] >= 0.5 > shares[1]
    card = json.loads(run.export().with_suffix(".json").read_text())
    assert card["gates"] == {"accepted": 1, "refused": 1}


def test_the_player_and_the_gates_survive_a_break(tmp_path: Path) -> None:
    made = gated()
    learn(made, 3)
    made.gates["refused"] = 2
    made.save(tmp_path, whole=False)
    resumed = gated()
    resumed.restore(checkpoint.read(tmp_path / "checkpoint.pt"))
    assert bytes_of(resumed.player) == bytes_of(made.player) != bytes_of(made.learner.mean)
    assert resumed.gates == made.gates


def test_equal_nets_share_the_points(tmp_path: Path) -> None:
    run = run_of(gated(), tmp_path)
    assert run.challenger.challenge(run.examiner, seed=1).share == 0.5
