"""The nets that come with the package: whole, small, and able to play every size of their game."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ropewalk
from ropewalk.bots.bot import Limit
from ropewalk.bots.tree_bots import NetBot, make_net_bot
from ropewalk.nets.config import file_sha256, model_card_path
from ropewalk.nets.onnx_evaluator import BUNDLED_NETS_DIR, NetError, OnnxEvaluator
from ropewalk.search.gumbel_mcts import policy_size

KEYS = [entry.key for entry in ropewalk.games()]
BOARDS = [
    "lariat-2x10",
    "lariat-1x2",
    "cube-lariat-4",
    "cube-lariat-2",
    "tether-13",
    "tether-5",
    "laocoon-blocks",
    "liger-8",
    "liger-4",
]
MOST_BYTES = 40 << 20


def net_of(spec: str) -> Path:
    return BUNDLED_NETS_DIR / f"{next(key for key in sorted(KEYS, key=len, reverse=True) if spec.startswith(key))}.onnx"


@pytest.mark.parametrize("key", KEYS)
def test_every_game_has_a_net_with_a_card_of_its_own(key: str) -> None:
    net = BUNDLED_NETS_DIR / f"{key}.onnx"
    card = json.loads(model_card_path(net).read_text())
    assert card["game"] == key
    assert card["sha256"] == file_sha256(net)
    assert card["strength"]


def test_all_nets_together_are_small() -> None:
    assert sum(path.stat().st_size for path in BUNDLED_NETS_DIR.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("spec", BOARDS)
def test_a_net_answers_on_every_size(spec: str) -> None:
    game = ropewalk.game(spec)
    planes = np.zeros((3, len(game.board), len(game.planes)), np.int8)
    logits, values = OnnxEvaluator(game, net_of(spec)).evaluate(planes)
    assert logits.shape == (3, policy_size(game))
    assert np.isfinite(logits).all()
    assert np.abs(values).max() <= 1


def test_a_net_of_another_game_is_refused() -> None:
    with pytest.raises(NetError, match="a net of another game than Tether"):
        OnnxEvaluator(ropewalk.game("tether-5"), BUNDLED_NETS_DIR / "liger.onnx")


def test_a_file_that_is_no_net_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"not a net")
    with pytest.raises(NetError, match="not a net that can be opened"):
        OnnxEvaluator(ropewalk.game("tether-5"), tmp_path / "x.onnx")


@pytest.mark.parametrize("spec", ["lariat-1x2", "liger-4x1"])
def test_a_net_plays_a_whole_game_and_takes_a_win_at_hand(spec: str) -> None:
    game = ropewalk.game(spec)
    player: NetBot = make_net_bot(game)
    position = game.start()
    while position.seat is not None:
        winning = [
            move for move in position.moves() if (over := position.play(move).outcome) and over.winner == position.seat
        ]
        chosen = player.choose(position, Limit(visits=60))
        assert chosen in (winning or position.moves())
        position = position.play(chosen)
    player.close()
