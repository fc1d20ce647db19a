"""What a net must know of a board: for each cell, itself and its neighbours in order."""
# MERGED DOCSTRING: """A net's card: what it plays, how it was made, and how strong it was measured to be."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..atomic_file import atomic_write
from ..boards import NO_CELL
from ..games.game import Game

STORED_KEYS = {"neighbourhood": "slots", "move_kinds": "kinds"}  # field -> key in model cards


@dataclass(frozen=True)
class NetConfig:
    """The shape of a net: what a game asks for, and how large it is."""

    planes: int
    neighbourhood: int  # a cell and its neighbours
    move_kinds: int  # of moves to a cell
    global_moves: int
    blocks: int = 6
    channels: int = 64

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object stored in model cards; its keys are a file format and do not follow the field names."""
        return {STORED_KEYS.get(name, name): value for name, value in asdict(self).items()}


def make_net_config(game: Game, blocks: int, channels: int) -> NetConfig:
    """The design that a game needs, the same for all its sizes."""
    return NetConfig(
        planes=len(game.planes),
        neighbourhood=1 + game.board.neighbours.shape[1],
        move_kinds=game.move_kinds,
        global_moves=game.global_moves,
        blocks=blocks,
        channels=channels,
    )


def neighbour_index(game: Game) -> NDArray[np.int64]:
    """[cells, slots]: each cell, then its neighbours; where there is none the number of cells, which stands for nothing."""
    neighbours = game.board.neighbours.astype(np.int64)
    num_cells = len(game.board)
    own_index = np.arange(num_cells, dtype=np.int64)[:, np.newaxis]
    return np.concatenate([own_index, np.where(neighbours == NO_CELL, num_cells, neighbours)], axis=1)


@dataclass(frozen=True)
class ModelCard:
    """What is written beside a net, as JSON."""

    game: str  # its key, such as lariat
    specs: tuple[str, ...]  # boards it learnt on
    design: dict[str, Any]
    settings: dict[str, Any]
    counts: dict[str, int]  # games, positions, evaluations, steps
    minutes: float  # of training, the last run's
    hardware: str
    strength: list[dict[str, Any]] = field(default_factory=list)
    gates: dict[str, int] = field(default_factory=dict)  # how often new weights were accepted and refused
    sha256: str = ""  # of the ONNX file


def model_card_path(net_path: Path) -> Path:
    """Where the card of a net lies."""
    return net_path.with_suffix(".json")


def file_sha256(path: Path) -> str:
    """The name that a net's bytes have in records."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_model_card(card: ModelCard, net_path: Path) -> None:
    """Write the card of a net that lies there already."""
    with atomic_write(model_card_path(net_path)) as temporary_path:
        temporary_path.write_text(
            json.dumps(asdict(card) | {"sha256": file_sha256(net_path)}, indent=1) + "\n", encoding="utf-8"
        )
