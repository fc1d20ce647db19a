"""The summary of a fault test as a table, and the evidence of a broken invariant."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.support.player_pair import PlayerPair
from tests.support.server_process import Server

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def read_memory_bytes(server: Server) -> int:
    """Return the resident memory of a server, 0 if it does not run."""
    try:
        return int(Path(f"/proc/{server.pid}/statm").read_text(encoding="utf-8").split()[1]) * PAGE_BYTES
    except OSError:
        return 0


def format_megabytes(sizes: Iterable[int]) -> str:
    """Return sizes of memory for a table."""
    return ", ".join(f"{size / 1e6:.0f}" for size in sizes) + " MB"


def format_table(rows: Sequence[tuple[str, str]]) -> str:
    """Return a table of two columns."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"  {name:<{width}}  {value}" for name, value in rows)


def keep_evidence(target: Path, source: Path, problems: Sequence[str], pairs: Sequence[PlayerPair]) -> None:
    """Copy logs and backups, and write all violations and acknowledgements into a folder."""
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        shutil.copy(path, target / path.name)
    (target / "violations.txt").write_text("\n".join(problems) + "\n", encoding="utf-8")
    with (target / "acknowledged.jsonl").open("w", encoding="utf-8") as file:
        for pair in pairs:
            for acknowledged in pair.acknowledged:
                file.write(json.dumps({"match": pair.match_id, **asdict(acknowledged)}) + "\n")
