"""A net says the same from its file, where it multiplies bytes, as where it learnt."""

from pathlib import Path

import numpy as np
import pytest

import ropewalk

torch = pytest.importorskip("torch")

from ropewalk.nets.around import around, design_for  # noqa: E402
from ropewalk.nets.net import Net, expectation  # noqa: E402
from ropewalk.nets.onnx_file import write_onnx  # noqa: E402
from ropewalk.nets.player import NetPlayer  # noqa: E402

SPECS = ["lariat-1x6", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-6"]


def telling(game: ropewalk.Game) -> Net:
    """A net whose answers differ from position to position, as those of one that has learnt."""
    torch.manual_seed(1)
    net = Net(design_for(game, blocks=3, channels=32))
    with torch.no_grad():
        for head in (net.policy, net.value, net.global_policy, net.owner):
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
        policy, value, _ = net(torch.from_numpy(planes).float(), torch.from_numpy(around(game)))
    player = NetPlayer(game, tmp_path / "net.onnx")
    answers = [player.answer(one[np.newaxis]) for one in planes]
    logits, values = (np.concatenate(parts) for parts in zip(*answers, strict=True))
    wanted = expectation(value).numpy()
    assert np.ptp(wanted) > 0.1, "else the rest says nothing"
    assert np.abs(values - wanted).max() < 0.03
    assert np.abs(logits - policy.numpy()).max() < 0.03 * np.ptp(policy.numpy())
