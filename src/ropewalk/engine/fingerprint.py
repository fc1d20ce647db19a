"""A fingerprint of everything that decides which move an engine plays: rules, searches, bots and bundled nets.

Two machines with the same fingerprint play by the same rules with the same bots, so that a server can give its searches to
the other one.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ..plugins import plugin_dirs

PACKAGE_DIR = Path(__file__).parent.parent
PACKAGES = ("boards", "bots", "engine", "games", "jit", "nets", "proofs", "rules", "search")
SUFFIXES = (".py", ".onnx", ".json")
FINGERPRINT_LENGTH = 16


@cache
def compute_fingerprint() -> str:
    """Return 16 hex digits that identify the sources of the engine, its nets and installed game plugins."""
    digest = hashlib.sha256()
    for folder in (*(PACKAGE_DIR / name for name in PACKAGES), *plugin_dirs()):
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES:
                digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:FINGERPRINT_LENGTH]
