"""The summary of a fault test as a table, and the evidence of a broken invariant."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.support.player_pair import PlayerPair
from tests.support.server_process import Server

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def read_memory_bytes(server: Server) -> int:
    """Return the resident memory of a server, 0 if it does not run."""
    try:
        return int(Path(f"/proc/{server.pid}/statm").read_text(encoding="utf-8").split()[1]) * PAGE_BYTES
    except OSError:
        return 0


def to_megabytes(sizes: Iterable[int]) -> list[int]:
    """Return sizes of memory in megabytes."""
    return [round(size / 1e6) for size in sizes]


def list_rows(figures: Mapping[str, Any], evidence: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the rows of the summary of a run."""
    yield "database, servers, seed", f"{figures['database']}, {figures['servers']}, {figures['seed']}"
    yield "seconds", f"{figures['seconds']}"
    for kind, count in figures["faults"].items():
        failed = figures["failed_faults"].get(kind)
        yield f"faults: {kind}", f"{count}" + (f", of which {failed} failed" if failed else "")
    yield "faults", f"{sum(figures['faults'].values())}"
    yield "matches", f"{figures['matches']}"
    yield "actions acknowledged", f"{figures['acknowledged']}"
    yield "actions repeated", f"{figures['repeated']}"
    yield "errors by code", ", ".join(f"{code} {count}" for code, count in figures["errors"].items()) or "none"
    yield "largest pause until an acknowledgement", f"{figures['largest_pause_s']:.1f} s"
    yield "largest time without a connection", f"{figures['largest_disconnection_s']:.1f} s"
    yield "reconnections", f"{figures['reconnections']}"
    yield "memory of servers at the start", format_megabytes(figures["memory_before_mb"])
    yield "memory of servers at the end", format_megabytes(figures["memory_after_mb"])
    yield "checks of all logs", f"{figures['checks']}"
    yield "violations", f"{figures['violations']}"
    if evidence is not None:
        yield "evidence", str(evidence)


def format_megabytes(sizes: Iterable[int]) -> str:
    """Return megabytes of several servers for a table."""
    return ", ".join(map(str, sizes)) + " MB"


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
