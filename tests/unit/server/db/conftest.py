"""A migrated database of each kind."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.migrate import migrate
from tests.support.postgres import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
async def migrated(request: pytest.FixtureRequest, migrated_file: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """A database with all tables; the users of the built-in bots may exist."""
    if request.param == "sqlite":
        opened = Database(parse_url(str(shutil.copy(migrated_file, tmp_path / "matches.db"))))
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        opened = Database(parse_url(cluster.new_database()))
        await migrate(opened)
    yield opened
    await opened.close()
