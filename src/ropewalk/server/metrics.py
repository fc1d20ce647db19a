"""Figures for operators, in the text form of Prometheus."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .services import House


class Metrics:
    """What is counted while the server runs."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()
        self.sockets = 0
        self.began = time.monotonic()

    def count_answer(self, status: int) -> None:
        """An answer was given."""
        self.answers[status // 100] += 1

    def text(self, house: House) -> str:
        """All figures."""
        lines = [f'ropewalk_http_answers_total{{status="{kind}xx"}} {count}' for kind, count in sorted(self.answers.items())]
        figures = {
            "ropewalk_events_written_total": house.ledger.appended_count,
            "ropewalk_commits_total": house.ledger.batch_count,
            "ropewalk_events_waiting": len(house.ledger.pending),
            "ropewalk_tables_open": len(house.tables.open),
            "ropewalk_sockets": self.sockets,
            "ropewalk_engines": len(house.pool.engines),
            "ropewalk_engine_jobs_waiting": house.pool.waiting,
            "ropewalk_engine_answers_total": house.pool.answered,
            "ropewalk_engines_lost_total": house.pool.lost,
            "ropewalk_games_warm": len(house.pool.warm),
            "ropewalk_uptime_seconds": round(time.monotonic() - self.began),
        }
        return "\n".join([*lines, *(f"{name} {value}" for name, value in figures.items()), ""])
