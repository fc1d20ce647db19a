"""Checkpoint files: atomic replacement, one previous generation, verified by a checksum.

Layout: MAGIC (format version 2), the SHA-256 digest of the rest, then the state as `torch.save` writes it.
A file is written under a temporary name and renamed; the file it replaces becomes `NAME.before.pt`.
"""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import Any

from ..atomic_file import atomic_write
from ..errors import RopewalkError

MAGIC = b"ropewalk checkpoint 2\n"
MAGIC_V1 = b"ropewalk checkpoint 1\n"  # its state has other keys: refused
DIGEST_BYTES = 32  # SHA-256, after the magic


class CheckpointError(RopewalkError):
    """A checkpoint is missing, damaged or of another format."""


def previous_checkpoint_path(path: Path) -> Path:
    """Return the path to which `write` moves the file that it replaces."""
    return path.with_name(f"{path.stem}.before{path.suffix}")


def write(path: Path, state: dict[str, Any]) -> None:
    """Write `state` to `path` atomically; an existing file is kept at `previous_checkpoint_path(path)`."""
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
    """Return the state stored in a checkpoint, its tensors on the CPU.

    Raises CheckpointError if the file cannot be read, is not a checkpoint, has version 1, or fails its checksum.
    """
    import torch

    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from None
    header, content = data[: len(MAGIC) + DIGEST_BYTES], memoryview(data)[len(MAGIC) + DIGEST_BYTES :]
    if header.startswith(MAGIC_V1):
        raise CheckpointError(
            f"{path} was written by an earlier version of ropewalk train and cannot be resumed; "
            "start a new run in another folder with --init-from NET.onnx, where NET.onnx is the net exported by that run"
        )
    if not header.startswith(MAGIC):
        raise CheckpointError(f"{path} is not a checkpoint of ropewalk train")
    if hashlib.sha256(content).digest() != header[len(MAGIC) :]:
        raise CheckpointError(f"{path} is damaged or incomplete: its checksum is wrong")
    state: dict[str, Any] = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    return state


def read_latest(path: Path) -> tuple[dict[str, Any], str] | None:
    """Return the newest readable state and a warning, empty unless the previous file had to be used.

    Returns None if neither `path` nor its previous generation exists; raises CheckpointError if none of them is usable.
    """
    previous = previous_checkpoint_path(path)
    if not path.exists() and not previous.exists():
        return None
    try:
        return read(path), ""
    except CheckpointError as error:
        if not previous.exists():
            raise
        return read(previous), f"{error}; resuming from {previous.name}"
