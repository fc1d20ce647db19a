"""An exported int8 net agrees with the torch net, and its weights can be read back."""

from pathlib import Path

import numpy as np
import pytest

import ropewalk
from tests.support.optional import import_optional

torch = import_optional("torch")

from ropewalk.nets.config import make_net_config
from ropewalk.nets.model import PolicyValueNet, expected_value
from ropewalk.nets.onnx_evaluator import NetError, OnnxEvaluator
from ropewalk.nets.onnx_export import read_weights, write_onnx
from ropewalk.training.config import TrainingConfig, TrainingError
from ropewalk.training.run import resume
from ropewalk.training.trainer import Trainer

SPECS = ["lariat-1x6", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-6"]


def make_varied_net(game: ropewalk.Game) -> PolicyValueNet:
    """A net whose outputs vary between positions as those of a trained one."""
    torch.manual_seed(1)
    net = PolicyValueNet(make_net_config(game, blocks=3, channels=32))
    with torch.no_grad():
        for head in (net.policy, net.value, net.global_policy, net.ownership):
            head.weight.mul_(30)
    return net.eval()


@pytest.mark.parametrize("spec", SPECS)
def test_the_exported_net_agrees_with_the_torch_net(spec: str, tmp_path: Path) -> None:
    game = ropewalk.game(spec)
    net = make_varied_net(game)
    write_onnx(net, tmp_path / "net.onnx")
    shape = (16, len(game.board), game.encoding.num_planes)
    planes = np.random.default_rng(1).integers(0, 2, shape).astype(np.int8)
    with torch.no_grad():
        policy, value, _ = net(torch.from_numpy(planes).float(), torch.from_numpy(game.encoding.neighbour_index))
    evaluator = OnnxEvaluator(game, tmp_path / "net.onnx")
    outputs = [evaluator.evaluate(position_planes[np.newaxis]) for position_planes in planes]
    logits, values = (np.concatenate(arrays) for arrays in zip(*outputs, strict=True))
    expected = expected_value(value).numpy()
    assert np.ptp(expected) > 0.1, "otherwise the comparison proves nothing"
    assert np.abs(values - expected).max() < 0.03
    assert np.abs(logits - policy.numpy()).max() < 0.03 * np.ptp(policy.numpy())


def make_small_trainer(spec: str) -> Trainer:
    return Trainer(
        TrainingConfig((spec,), parallel_games=4, blocks=3, channels=32, replay_size=100, min_replay=50, batch_size=8),
        "cpu",
        compile_net=False,
    )


@pytest.mark.parametrize("spec", SPECS)
def test_weights_that_are_loaded_from_a_net_and_exported_again_give_the_same_bytes(spec: str, tmp_path: Path) -> None:
    write_onnx(make_varied_net(ropewalk.game(spec)), tmp_path / "net.onnx")
    trainer = make_small_trainer(spec)
    resume(trainer, tmp_path, tmp_path / "net.onnx", print)
    for index, net in enumerate((trainer.learner.net, trainer.selfplay_net)):
        write_onnx(net, tmp_path / f"{index}.onnx")
        assert (tmp_path / f"{index}.onnx").read_bytes() == (tmp_path / "net.onnx").read_bytes()


def test_invalid_files_and_nets_of_other_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NetError, match="No such file"):
        read_weights(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("not a net")
    with pytest.raises(NetError, match=r"text\.onnx is not an ONNX file"):
        read_weights(tmp_path / "text.onnx")
    write_onnx(make_varied_net(ropewalk.game("liger-6")), tmp_path / "liger.onnx")
    trainer = make_small_trainer("tether-5")
    with pytest.raises(TrainingError, match="different shape"):
        resume(trainer, tmp_path, tmp_path / "liger.onnx", print)
    with pytest.raises(TrainingError, match="different shape"):
        trainer.load_net_weights({})
