"""Net configuration and model cards.

A model card is the JSON file beside a net: its game, how it was trained, and its measured strength. Its keys are a stored
format, which `STORED_KEYS` maps from field names.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..atomic_file import atomic_write
from ..games.game import Game

STORED_KEYS = {"neighbourhood": "slots", "move_kinds": "kinds"}  # field -> key in model cards


@dataclass(frozen=True)
class NetConfig:
    """Shape of a net: the first four fields follow from the game, `blocks` and `channels` are its size."""

    planes: int  # input planes per cell
    neighbourhood: int  # 1 + maximum number of neighbours of a cell
    move_kinds: int  # policy outputs per cell
    global_moves: int  # moves that belong to no cell
    blocks: int = 6  # residual blocks
    channels: int = 64

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object stored in model cards; its keys are a file format and do not follow the field names."""
        return {STORED_KEYS.get(name, name): value for name, value in asdict(self).items()}


def make_net_config(game: Game, blocks: int, channels: int) -> NetConfig:
    """Return the net configuration for a game; it is the same for all its board sizes."""
    return NetConfig(
        planes=game.encoding.num_planes,
        neighbourhood=1 + game.board.neighbours.shape[1],
        move_kinds=game.encoding.move_kinds,
        global_moves=game.encoding.global_moves,
        blocks=blocks,
        channels=channels,
    )


@dataclass(frozen=True)
class ModelCard:
    """Contents of a model card; the field names are its JSON keys."""

    game: str  # key, such as lariat
    specs: tuple[str, ...]  # boards trained on
    design: dict[str, Any]  # NetConfig.as_json
    settings: dict[str, Any]  # TrainingConfig.as_json
    counts: dict[str, int]  # games, positions, evaluations, steps
    minutes: float  # of the last training run
    hardware: str
    strength: list[dict[str, Any]] = field(default_factory=list)  # match scores
    gates: dict[str, int] = field(default_factory=dict)  # accepted and refused candidates in gating
    sha256: str = ""  # of the ONNX file


def model_card_path(net_path: Path) -> Path:
    """Return the path of a net's model card."""
    return net_path.with_suffix(".json")


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal, which identifies a net in results."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_model_card(card: ModelCard, net_path: Path) -> None:
    """Write the model card of an existing net file, with the file's SHA-256."""
    with atomic_write(model_card_path(net_path)) as temporary_path:
        temporary_path.write_text(
            json.dumps(asdict(card) | {"sha256": file_sha256(net_path)}, indent=1) + "\n", encoding="utf-8"
        )
