"""Checkpoints: written beside and renamed, the one before kept, and none believed whose checksum is wrong."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import Any

from ..atomic_file import atomic_write
from ..errors import RopewalkError

MAGIC = b"ropewalk checkpoint 1\n"
DIGEST_BYTES = 32  # bytes of the checksum that follow the mark


class CheckpointError(RopewalkError):
    """A checkpoint that cannot be used."""


def previous_checkpoint_path(path: Path) -> Path:
    """Where the checkpoint before this one is kept."""
    return path.with_name(f"{path.stem}.before{path.suffix}")


def write(path: Path, state: dict[str, Any]) -> None:
    """Replace a checkpoint whole; the one it replaces stays beside it."""
    import torch

    buffer = io.BytesIO()
    torch.save(state, buffer)
    content = buffer.getbuffer()
    with atomic_write(path) as temporary_path:
        with open(temporary_path, "wb") as file:
            file.write(MAGIC + hashlib.sha256(content).digest())
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.replace(path, previous_checkpoint_path(path))


def read(path: Path) -> dict[str, Any]:
    """The state that a file holds, or a CheckpointError."""
    import torch

    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from None
    header, content = data[: len(MAGIC) + DIGEST_BYTES], memoryview(data)[len(MAGIC) + DIGEST_BYTES :]
    if not header.startswith(MAGIC):
        raise CheckpointError(f"{path} is not a checkpoint of ropewalk train")
    if hashlib.sha256(content).digest() != header[len(MAGIC) :]:
        raise CheckpointError(f"{path} is damaged: its checksum does not fit, as when the file was cut short")
    state: dict[str, Any] = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    return state


def read_latest(path: Path) -> tuple[dict[str, Any], str] | None:
    """The newest state that can be read, with words on one that was refused; None when there never was one."""
    if not path.exists() and not previous_checkpoint_path(path).exists():
        return None
    try:
        return read(path), ""
    except CheckpointError as error:
        if not previous_checkpoint_path(path).exists():
            raise
        return read(previous_checkpoint_path(path)), f"{error}; going on from {previous_checkpoint_path(path).name}"
