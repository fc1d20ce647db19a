"""A net says the same from its file, where it multiplies bytes, as where it learnt."""

from pathlib import Path

import numpy as np
import pytest

import ropewalk

torch = pytest.importorskip("torch")

from ropewalk.nets.config import make_net_config, neighbour_index
from ropewalk.nets.model import PolicyValueNet, expected_value
from ropewalk.nets.onnx_evaluator import NetError, OnnxEvaluator
from ropewalk.nets.onnx_export import read_weights, write_onnx
from ropewalk.training.config import TrainingConfig
from ropewalk.training.run import resume
from ropewalk.training.trainer import Trainer, TrainingError

SPECS = ["lariat-1x6", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-6"]


def telling(game: ropewalk.Game) -> PolicyValueNet:
    """A net whose answers differ from position to position, as those of one that has learnt."""
    torch.manual_seed(1)
    net = PolicyValueNet(make_net_config(game, blocks=3, channels=32))
    with torch.no_grad():
        for head in (net.policy, net.value, net.global_policy, net.ownership):
            head.weight.mul_(30)
    return net.eval()


@pytest.mark.parametrize("spec", SPECS)
def test_a_file_answers_as_the_net_does(spec: str, tmp_path: Path) -> None:
    game = ropewalk.game(spec)
    net = telling(game)
    write_onnx(net, tmp_path / "net.onnx")
    shape = (16, len(game.board), len(game.planes))
    planes = np.random.default_rng(1).integers(0, 2, shape).astype(np.int8)
    with torch.no_grad():
        policy, value, _ = net(torch.from_numpy(planes).float(), torch.from_numpy(neighbour_index(game)))
    player = OnnxEvaluator(game, tmp_path / "net.onnx")
    answers = [player.evaluate(one[np.newaxis]) for one in planes]
    logits, values = (np.concatenate(parts) for parts in zip(*answers, strict=True))
    wanted = expected_value(value).numpy()
    assert np.ptp(wanted) > 0.1, "else the rest says nothing"
    assert np.abs(values - wanted).max() < 0.03
    assert np.abs(logits - policy.numpy()).max() < 0.03 * np.ptp(policy.numpy())


def small(spec: str) -> Trainer:
    """A run that could begin."""
    return Trainer(
        TrainingConfig((spec,), parallel_games=4, blocks=3, channels=32, replay_size=100, min_replay=50, batch_size=8),
        "cpu",
        compile_net=False,
    )


@pytest.mark.parametrize("spec", SPECS)
def test_a_run_begins_with_a_net_from_its_file_and_gives_it_back_as_it_was(spec: str, tmp_path: Path) -> None:
    write_onnx(telling(ropewalk.game(spec)), tmp_path / "net.onnx")
    trainer = small(spec)
    resume(trainer, tmp_path, tmp_path / "net.onnx", print)
    for number, net in enumerate((trainer.learner.net, trainer.selfplay_net)):
        write_onnx(net, tmp_path / f"{number}.onnx")
        assert (tmp_path / f"{number}.onnx").read_bytes() == (tmp_path / "net.onnx").read_bytes()


def test_a_file_that_is_no_net_and_a_net_of_another_game_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="No such file"):
        read_weights(tmp_path / "none.onnx")
    (tmp_path / "words.onnx").write_text("not a net")
    with pytest.raises(NetError, match=r"words\.onnx is not an ONNX file"):
        read_weights(tmp_path / "words.onnx")
    write_onnx(telling(ropewalk.game("liger-6")), tmp_path / "liger.onnx")
    trainer = small("tether-5")
    with pytest.raises(TrainingError, match="another shape"):
        resume(trainer, tmp_path, tmp_path / "liger.onnx", print)
    with pytest.raises(TrainingError, match="another shape"):
        trainer.load_net_weights({})
