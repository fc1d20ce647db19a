"""Settings for all tests, and the databases of server tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ropewalk.games.game import Game
from tests.support.postgres import Cluster, find_program

# Kernels compile inside the first example, so no deadline; the same examples on every machine.
settings.register_profile(
    "ropewalk", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.load_profile("ropewalk")

Game.interpreter_budget_seconds = 0.0  # what is tested is what is compiled; tests/unit/test_interpreted.py has the rest


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    if find_program("initdb") is None:
        pytest.fail("PostgreSQL is not installed: `make test` installs it, or see docs/server.md")
    created = Cluster()
    try:
        created.start()
        yield created
    finally:
        created.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "matches.db")
    created: Cluster = request.getfixturevalue("cluster")
    return created.new_database()
