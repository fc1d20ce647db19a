"""Many kills: a server is killed as soon as some moves were acknowledged since its start, on both databases."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.chaos.environment import run_environment
from tests.support.chaos import PlayedMatch, play_and_kill

MATCHES = 10
ROW = "{database:<11} {servers:>7} {kills:>6} {matches:>8} {acknowledged:>13} {unanswered:>11} {seconds:>8}"
HEADER = ROW.format(**{name: name for name in re.findall(r"{(\w+)", ROW)})
PARTS = (("sqlite", 1), ("postgresql", 1), ("postgresql", 3))  # databases and numbers of servers


@dataclass(frozen=True)
class KillCount:
    """What the kills of one database and number of servers have shown; nothing was lost, otherwise there is none."""

    database: str
    servers: int
    kills: int
    seconds: float
    games: list[PlayedMatch]

    def collect_figures(self) -> dict[str, Any]:
        """Return the figures of these kills."""
        return {
            "database": self.database,
            "servers": self.servers,
            "kills": self.kills,
            "matches": len(self.games),
            "acknowledged": sum(len(game.acknowledged) for game in self.games),
            "unanswered": sum(game.repeats for game in self.games),
            "seconds": round(self.seconds),
        }

    def __str__(self) -> str:
        return ROW.format(**self.collect_figures())


def run_kills(kills: int, seed: int, report: Callable[[str], None]) -> list[KillCount]:
    """Kill servers so many times in all, in equal parts, and report each part. Raises AssertionError if a move is lost."""
    report(HEADER)
    counts = []
    for index, (database, servers) in enumerate(PARTS):
        part = kills // len(PARTS) + (index < kills % len(PARTS))
        began = time.monotonic()
        with run_environment(database, servers, rate_limit_scale=0, with_nginx=False) as environment:
            games = asyncio.run(play_and_kill(environment.group.servers, MATCHES, part, seed + index))
        counts.append(KillCount(database, servers, part, time.monotonic() - began, games))
        report(str(counts[-1]))
    return counts
