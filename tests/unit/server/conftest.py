"""Services and applications in this process, each with a copy of a migrated SQLite file; no process is started."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from ropewalk.server.app import create_app
from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.user_repository import UserRepository
from ropewalk.server.services import AppServices
from ropewalk.server.settings import ServerSettings
from tests.support.app_client import FirstMoveWorker


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and the users of the built-in bots."""
    file = tmp_path_factory.mktemp("migrated") / "matches.db"

    async def create() -> None:
        database = Database(parse_url(str(file)))
        await migrate(database)
        await UserRepository(database).ensure_builtin_bots()
        await database.close()

    asyncio.run(create())
    return file


@pytest.fixture
def database_file(migrated_file: Path, tmp_path: Path) -> Path:
    """A copy of the migrated database."""
    return Path(shutil.copy(migrated_file, tmp_path / "matches.db"))


def build_settings(file: Path, rate_limit_scale: float = 0) -> ServerSettings:
    """Return the settings of a server that compiles nothing in advance and has no page."""
    return ServerSettings(
        database_url=str(file),
        engine_workers=1,
        warm_up=False,
        rate_limit_scale=rate_limit_scale,
        page_folder=file.parent / "no-page",
    )


def use_fake_engine(services: AppServices) -> None:
    """Replace the engine process of services that have not started; games stay interpreted, so nothing is compiled."""
    services.engine_pool.workers = [FirstMoveWorker()]
    services.games.is_warm = lambda spec: False


@pytest.fixture
async def services(database_file: Path) -> AsyncIterator[AppServices]:
    """The services of a server."""
    started = AppServices(build_settings(database_file))
    use_fake_engine(started)
    await started.start()
    yield started
    await started.stop()


@pytest.fixture
async def other_services(database_file: Path, services: AppServices) -> AsyncIterator[AppServices]:
    """The services of a second server with the same database, which gets no notifications."""
    started = AppServices(build_settings(database_file))
    use_fake_engine(started)
    await started.start()
    yield started
    await started.stop()


@pytest.fixture(scope="package")
async def app(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FastAPI]:
    """An application that the tests of a package share, without rate limits."""
    file = Path(shutil.copy(migrated_file, tmp_path_factory.mktemp("app") / "matches.db"))
    created = create_app(build_settings(file))
    use_fake_engine(created.state.services)
    async with created.router.lifespan_context(created):
        yield created


@pytest.fixture
async def limited_app(database_file: Path) -> AsyncIterator[FastAPI]:
    """An application of its own with a tenth of the usual rate limits."""
    created = create_app(build_settings(database_file, rate_limit_scale=0.1))
    use_fake_engine(created.state.services)
    async with created.router.lifespan_context(created):
        yield created
