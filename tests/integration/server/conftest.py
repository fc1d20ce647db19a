"""A server for the tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import Cluster, find_program
from tests.support.server_process import Server, run_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(str(tmp_path_factory.mktemp("server") / "matches.db")) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def backup_server(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Server, str]]:
    if request.param == "sqlite":
        database = str(tmp_path / "matches.db")
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        database = cluster.new_database()
        monkeypatch.setenv("PATH", f"{Path(find_program('pg_dump') or '').parent}{os.pathsep}{os.environ['PATH']}")
    with run_server(database) as server:
        yield server, database
