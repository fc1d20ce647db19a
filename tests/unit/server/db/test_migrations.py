"""Migrations keep the data of a database that an earlier version has made."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.migrate import alembic_config, migrate
from ropewalk.server.db.session_repository import SessionRepository
from ropewalk.server.db.tables import matches, users
from ropewalk.server.db.user_repository import UserRepository, now_ms
from ropewalk.server.domain.usernames import normalise_name

pytestmark = pytest.mark.anyio

USER = "INSERT INTO users (id, name, name_normalised, kind, created_at) VALUES "
MATCH = "INSERT INTO matches (id, spec, clock, is_rated, origin, created_by, created_at, is_open, status) VALUES "
OLD_ROWS = (
    "INSERT INTO metadata VALUES ('epoch', 'old')",
    USER + "('a', 'Bill', 'bill', 'account', 1)",
    USER + "('b', 'Bi1l', 'bi1l', 'account', 2)",
    USER + "('c', 'deleted user', 'deleted 7', 'deleted', 0)",
    f"INSERT INTO sessions VALUES ('hash', 'a', 5, {now_ms() + 100_000_000})",
    MATCH + "('m1', 'tether-5', '{}', false, 'open', 'a', 1, false, 'over')",
    MATCH + "('m2', 'tether-5', '{}', false, 'invitation', 'a', 1, false, 'over')",
)


def create_first_release(connection: Connection) -> None:
    """Create the tables of the first release, with some rows."""
    command.upgrade(alembic_config(connection), "baseline")
    for statement in OLD_ROWS:
        connection.execute(text(statement))


async def test_old_matches_names_and_sessions_are_kept(tmp_path: Path) -> None:
    database = Database(parse_url(str(tmp_path / "matches.db")))
    async with database.writer.begin() as connection:
        await connection.run_sync(create_first_release)
    await migrate(database)
    async with database.read_connection() as connection:
        visibility = {row.id: row.is_public for row in await connection.execute(select(matches))}
        keys = {row.id: row.name_normalised for row in await connection.execute(select(users))}
    assert visibility == {"m1": True, "m2": False}
    assert keys == {"a": normalise_name("Bill"), "b": f"{normalise_name('Bill')} b", "c": "deleted 7"}
    repository = UserRepository(database)
    assert (await repository.find_by_name("bill"))[0].id == "a"
    (session,) = await SessionRepository(database, repository).list_by_user("a")
    assert (session.id, session.last_used_at) == ("hash", 5)
    await database.close()
