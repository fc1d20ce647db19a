"""What is known about each game: claims of its rule sheet, of rulings and of ours with their state, and solved boards.

`known.json` has the data in English and German. Every claim that is proven, checked or refuted names its evidence: a test,
or a page of the documentation. `known_proofs` has proof files, which `ropewalk verify-proof` checks.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

KNOWN_FILE = Path(__file__).with_name("known.json")
PROOF_FOLDER = Path(__file__).with_name("known_proofs")
STATES = ("proven", "checked", "refuted", "open")
SOURCES = ("rule sheet", "ruling", "ours")


@cache
def load_known() -> dict[str, Any]:
    """Return what is known by the key of a game, as in `known.json`."""
    known: dict[str, Any] = json.loads(KNOWN_FILE.read_text(encoding="utf-8"))
    return known


def find_proof_file(name: str) -> Path | None:
    """Return the file of a proof that a solved board names, None if there is none of this name."""
    names = {board["proof"] for entry in load_known().values() for board in entry["solved"]}
    return PROOF_FOLDER / name if name in names - {None} else None
