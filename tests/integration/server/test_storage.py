"""Storage: full disks, read-only files, backups, and databases of other versions."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from websockets.exceptions import ConnectionClosed

from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.tables import metadata
from tests.support.server_process import Client, Server, run_server, start_match

MAX_FILE_BYTES = 400_000  # bytes that a file may have


def run_command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ropewalk", *words], capture_output=True, text=True, check=False, timeout=100
    )


def test_a_full_disk_rejects_moves_with_an_error_and_loses_none(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "matches.db")) as server:
        first, second, match = start_match(server, "liger-8")
        server.stop()
        server.max_file_bytes = MAX_FILE_BYTES
        server.restart()
        acknowledged = play_until_error(first, second, match)
        assert [step["move"] for step in first.get_match(match)["moves"]] == acknowledged, (
            "nothing that was refused is there"
        )
        server.stop()
        server.max_file_bytes = None
        server.restart()
        assert [step["move"] for step in first.get_match(match)["moves"]] == acknowledged
        (first if len(acknowledged) % 2 == 0 else second).play(match)


def play_until_error(first: Client, second: Client, match: str) -> list[str]:
    """Play until the disk is full, and return the moves that were acknowledged."""
    acknowledged: list[str] = []
    for _ in range(1000):
        state = first.get_match(match)["state"]
        move = {"type": "move", "move": state["position"]["moves"][0], "position_version": state["position_version"]}
        response = (first, second)[state["seat"]].http.post(f"/api/matches/{match}/actions", json=move)
        if response.status_code != 200:
            error = response.json()
            assert (response.status_code, error["code"]) == (503, "storage")
            assert "the request was not applied" in error["message"]
            return acknowledged
        acknowledged.append(move["move"])
    raise AssertionError("the disk was never full")


def test_a_read_only_database_can_be_read_and_rejects_moves_with_an_error(tmp_path: Path) -> None:
    file = tmp_path / "matches.db"
    with run_server(str(file)) as server:
        first, second, match = start_match(server, "tether-5")
        first.play(match, "c3")
        server.stop()
        before = file.read_bytes()
        server.database = f"sqlite:///file:{file}?mode=ro&uri=true"
        server.restart()
        error = second.act(match, "move", 503, move="b2", position_version=2)
        assert error["code"] == "storage"
        assert "attempt to write a readonly database" in error["message"]
        assert [step["move"] for step in second.get_match(match)["moves"]] == ["c3"]
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("mysql://host/name", "unsupported database 'mysql'"),
        ("/no/such/folder/matches.db", "the folder of the database does not exist: /no/such/folder"),
        ("postgresql://nobody:secret@127.0.0.1:1/none", "cannot use the database"),
        ("://", "invalid database URL '://'"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_in_one_line(database: str, words: str) -> None:
    result = run_command("serve", "--port", "0", "--database", database)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "holiday.jpg"
    file.write_bytes(os.urandom(10_000))
    result = run_command("serve", "--port", "0", "--database", str(file))
    assert result.returncode == 2
    assert "file is not a database" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_second_server_on_one_file_is_refused_and_names_the_first(tmp_path: Path) -> None:
    file = tmp_path / "matches.db"
    (tmp_path / "link.db").symlink_to(file)
    with run_server(str(file)) as server:
        for path in (file, tmp_path / "link.db"):
            result = run_command("serve", "--port", "0", "--database", str(path))
            assert result.returncode == 2
            assert f"in use by another server, process {server.pid}; stop it first" in result.stderr
            assert result.stderr.count("\n") == 1
        server.kill()
        server.restart()
        assert (tmp_path / "matches.db-lock").read_text() == f"{server.pid}\n"


def test_a_backup_is_made_and_restored_while_the_server_runs(backup_server: tuple[Server, str], tmp_path: Path) -> None:
    server, database = backup_server
    first, second, match = start_match(server, "tether-5")
    first.play(match, "c3")
    copy = str(tmp_path / "copy")
    assert run_command("backup", "--database", database, copy).returncode == 0
    second.play(match, "b2")
    first.request("POST", "/api/accounts", 201, name="After the backup", password="a long password")
    with first.follow(match) as socket:
        before = socket.receive("snapshot")["match"]
        assert (before["state"]["seq"], before["seats"][0]["user"]["name"]) == (3, "After the backup")
        result = run_command("restore", "--database", database, copy)
        assert (result.returncode, result.stderr) == (0, "")
        restored = socket.receive("snapshot")["match"]
        assert restored["state"]["seq"] == 2, "all who follow see what is there now"
        assert restored["seats"][0]["user"] == first.user
    second.play(match, "d4")
    assert [step["move"] for step in first.get_match(match)["moves"]] == ["c3", "d4"]


def test_only_the_owner_can_read_a_backup_and_a_failed_one_leaves_no_file(
    backup_server: tuple[Server, str], tmp_path: Path
) -> None:
    _, database = backup_server
    copy = tmp_path / "copy"
    copy.touch(0o644)
    assert run_command("backup", "--database", database, str(copy)).returncode == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    result = run_command("backup", "--database", database, str(tmp_path / "missing" / "copy"))
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert [path.name for path in tmp_path.iterdir() if "copy" in path.name] == ["copy"]


def test_a_socket_of_a_match_that_a_restore_removes_gets_an_error_and_is_closed(
    backup_server: tuple[Server, str], tmp_path: Path
) -> None:
    server, database = backup_server
    copy = str(tmp_path / "copy")
    assert run_command("backup", "--database", database, copy).returncode == 0
    first, _, match = start_match(server, "tether-5")
    with first.follow(match) as socket:
        socket.receive("snapshot")
        assert run_command("restore", "--database", database, copy).returncode == 0
        assert socket.receive("error", timeout_seconds=10)["code"] == "not-found"
        with pytest.raises(ConnectionClosed):
            socket.socket.recv(timeout=10)


def test_what_is_no_backup_is_not_restored(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE recipes (name)")
    for wrong in ("missing.db", "other.db"):
        result = run_command("restore", "--database", str(tmp_path / "matches.db"), str(tmp_path / wrong))
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1
    assert not (tmp_path / "matches.db").exists()


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "matches.db"
    with run_server(str(file)):
        pass
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    result = run_command("serve", "--port", "0", "--database", str(file))
    assert result.returncode == 2
    assert "newer version" in result.stderr


def test_migrations_make_exactly_the_tables_that_the_code_knows(database: str) -> None:
    assert asyncio.run(list_differences(database)) == []


async def list_differences(url: str) -> list[object]:
    """Return what Alembic would still change."""
    known = Database(parse_url(url))
    try:
        await migrate(known)
        async with known.write_transaction() as connection:
            return await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata))
    finally:
        await known.close()


@pytest.mark.parametrize("revision", ["0001", "0005"])
def test_a_database_from_before_the_first_release_is_refused(tmp_path: Path, revision: str) -> None:
    file = tmp_path / "matches.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
        database.commit()
    result = run_command("serve", "--port", "0", "--database", str(file))
    assert result.returncode == 2
    assert "before the first release" in result.stderr
    assert "/sgf" in result.stderr
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("alembic_version",)], "nothing was changed"
