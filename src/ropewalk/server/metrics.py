"""Figures for operators, in the text form of Prometheus."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .services import AppServices


class Metrics:
    """What is counted while the server runs."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()
        self.sockets = 0
        self.began = time.monotonic()

    def count_response(self, status: int) -> None:
        """An answer was given."""
        self.answers[status // 100] += 1

    def render(self, services: AppServices) -> str:
        """All figures."""
        lines = [f'ropewalk_http_answers_total{{status="{kind}xx"}} {count}' for kind, count in sorted(self.answers.items())]
        figures = {
            "ropewalk_events_written_total": services.event_store.appended_count,
            "ropewalk_commits_total": services.event_store.batch_count,
            "ropewalk_events_waiting": len(services.event_store.pending),
            "ropewalk_tables_open": len(services.registry.loaded),
            "ropewalk_sockets": self.sockets,
            "ropewalk_engines": len(services.engine_pool.workers),
            "ropewalk_engine_jobs_waiting": services.engine_pool.queue_length,
            "ropewalk_engine_answers_total": services.engine_pool.completed_count,
            "ropewalk_engines_lost_total": services.engine_pool.restart_count,
            "ropewalk_games_warm": len(services.engine_pool.warm),
            "ropewalk_uptime_seconds": round(time.monotonic() - self.began),
        }
        return "\n".join([*lines, *(f"{name} {value}" for name, value in figures.items()), ""])
