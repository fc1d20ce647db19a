"""A net's card: what it plays, how it was made, and how strong it was measured to be."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..atomic_file import atomic_write


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
