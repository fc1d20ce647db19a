"""A server for the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.server_process import Server, run_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(str(tmp_path_factory.mktemp("server") / "matches.db")) as running:
        yield running
