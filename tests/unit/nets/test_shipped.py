"""The bundled nets: their files match their model cards, are small, and evaluate every board size of their game."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ropewalk
from ropewalk.bots.bot import Limit
from ropewalk.bots.tree_bots import NetBot, make_net_bot
from ropewalk.games.registry import GAMES
from ropewalk.nets.config import file_sha256, model_card_path
from ropewalk.nets.onnx_evaluator import BUNDLED_NETS_DIR, NetError, OnnxEvaluator

KEYS = [spec.key for spec in GAMES]  # not those of plugins
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
MAX_TOTAL_BYTES = 40 << 20


def net_path(spec: str) -> Path:
    return BUNDLED_NETS_DIR / f"{next(key for key in sorted(KEYS, key=len, reverse=True) if spec.startswith(key))}.onnx"


@pytest.mark.parametrize("key", KEYS)
def test_every_game_has_a_net_with_a_matching_model_card(key: str) -> None:
    net = BUNDLED_NETS_DIR / f"{key}.onnx"
    card = json.loads(model_card_path(net).read_text())
    assert card["game"] == key
    assert card["sha256"] == file_sha256(net)
    assert card["strength"]


def test_the_total_size_of_the_nets_is_limited() -> None:
    assert sum(path.stat().st_size for path in BUNDLED_NETS_DIR.iterdir()) < MAX_TOTAL_BYTES


@pytest.mark.parametrize("spec", BOARDS)
def test_a_net_evaluates_every_board_size(spec: str) -> None:
    game = ropewalk.game(spec)
    planes = np.zeros((3, len(game.board), game.encoding.num_planes), np.int8)
    logits, values = OnnxEvaluator(game, net_path(spec)).evaluate(planes)
    assert logits.shape == (3, game.encoding.policy_size)
    assert np.isfinite(logits).all()
    assert np.abs(values).max() <= 1


def test_a_net_of_another_game_is_refused() -> None:
    with pytest.raises(NetError, match="is not a net for Tether"):
        OnnxEvaluator(ropewalk.game("tether-5"), BUNDLED_NETS_DIR / "liger.onnx")


def test_an_invalid_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"not a net")
    with pytest.raises(NetError, match="cannot load the net"):
        OnnxEvaluator(ropewalk.game("tether-5"), tmp_path / "x.onnx")


@pytest.mark.parametrize("spec", ["lariat-1x2", "cube-lariat-2"])
def test_a_net_bot_searches_with_the_value_scale_of_its_game(spec: str) -> None:
    game = ropewalk.game(spec)
    bot: NetBot = make_net_bot(game)
    assert bot.search.params.value_scale == game.definition.value_scale
    bot.close()


@pytest.mark.parametrize("spec", ["lariat-1x2", "liger-4x1"])
def test_a_net_plays_a_whole_game_and_takes_a_win_in_one(spec: str) -> None:
    game = ropewalk.game(spec)
    bot: NetBot = make_net_bot(game)
    position = game.start()
    while position.seat is not None:
        winning_moves = [
            move for move in position.moves() if (outcome := position.play(move).outcome) and outcome.winner == position.seat
        ]
        move = bot.choose(position, Limit(visits=60))
        assert move in (winning_moves or position.moves())
        position = position.play(move)
    bot.close()
