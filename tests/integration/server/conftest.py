"""Databases and servers for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import Cluster, program
from tests.support.server_process import Server, serving


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    if program("initdb") is None:
        pytest.fail("PostgreSQL is not installed: `make test` installs it, or see docs/server.md")
    made = Cluster()
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "matches.db")
    made: Cluster = request.getfixturevalue("cluster")
    return made.new_database()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(str(tmp_path_factory.mktemp("server") / "matches.db")) as running:
        yield running
