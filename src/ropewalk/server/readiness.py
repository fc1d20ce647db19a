"""The readiness of a server: whether the database can be written, and whether the background jobs run."""

from __future__ import annotations

import asyncio
import time

from .errors import ApiError
from .heartbeat import INTERVAL_SECONDS
from .services import AppServices

WRITE_SECONDS = 0.5  # for the heartbeat that tests writing
MAX_JOB_AGE_SECONDS = 30.0  # since all periodic jobs have run


async def find_problems(services: AppServices) -> list[str]:
    """Return why a server should get no requests, an empty list if it should; takes at most WRITE_SECONDS."""
    problems = ["the server is stopping"] if services.is_stopping else []
    problem = await check_writing(services)
    if problem is not None:
        problems.append(problem)
    age = time.monotonic() - services.periodic_jobs.completed_at
    if age > MAX_JOB_AGE_SECONDS:
        problems.append(f"the periodic jobs have not run for {age:.0f} s; at most {MAX_JOB_AGE_SECONDS:g} s are allowed")
    return problems


async def check_writing(services: AppServices) -> str | None:
    """Store a heartbeat, unless one was just stored. Returns why it cannot be stored, None if it can."""
    age = services.heartbeat.age_seconds
    if age is not None and age < INTERVAL_SECONDS:
        return None
    beat = asyncio.create_task(services.heartbeat.beat())
    done, _ = await asyncio.wait([beat], timeout=WRITE_SECONDS)
    if not done:
        beat.add_done_callback(lambda task: task.cancelled() or task.exception())
        return f"the database has not stored a heartbeat within {WRITE_SECONDS:g} s"
    error = beat.exception()
    if error is not None and not isinstance(error, ApiError):
        raise error
    return None if error is None else str(error)
