"""Many kills: a server is killed as soon as some moves were acknowledged since its start, on both databases."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos.environment import run_environment
from tests.support.chaos import PlayedMatch, play_and_kill

MATCHES = 10
PARTS = (("sqlite", 1), ("postgresql", 1), ("postgresql", 3))  # databases and numbers of servers


@dataclass(frozen=True)
class KillCount:
    """What the kills of one database and number of servers have shown; nothing was lost, otherwise there is none."""

    database: str
    servers: int
    kills: int
    seconds: float
    games: list[PlayedMatch]

    def __str__(self) -> str:
        moves, repeats = (sum(len(game.acknowledged) for game in self.games), sum(game.repeats for game in self.games))
        return (
            f"{self.database:<11} {self.servers:>7} {self.kills:>6} {len(self.games):>8} {moves:>13} {repeats:>11} "
            f"{self.seconds:>8.0f}"
        )


HEADER = (
    f"{'database':<11} {'servers':>7} {'kills':>6} {'matches':>8} {'acknowledged':>13} {'unanswered':>11} {'seconds':>8}"
)


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
