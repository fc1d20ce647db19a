"""Tokens of engine workers: only hashes are stored, and a changed file is read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.server.engine_pool.engine_tokens import EngineTokenError, EngineTokenFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "engines.txt"


def test_a_token_is_valid_until_it_is_revoked_by_another_process(path: Path) -> None:
    server, operator = EngineTokenFile(path), EngineTokenFile(path)
    assert server.find_name("anything") is None
    token, other = operator.add("attic"), operator.add("cellar")
    assert (server.find_name(token), server.find_name(other), server.find_name("")) == ("attic", "cellar", None)
    operator.revoke("attic")
    assert (server.find_name(token), server.find_name(other)) == (None, "cellar")
    path.unlink()
    assert server.find_name(other) is None


def test_the_file_has_no_tokens_and_is_not_readable_for_others(path: Path) -> None:
    token = EngineTokenFile(path).add("attic")
    assert token not in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["", "two words", "-x", "x" * 41, "a\nb", "ä"])
def test_a_name_is_simple(path: Path, name: str) -> None:
    with pytest.raises(EngineTokenError, match="use 1 to 40 letters"):
        EngineTokenFile(path).add(name)


def test_a_name_is_used_once_and_an_unknown_one_is_reported(path: Path) -> None:
    tokens = EngineTokenFile(path)
    tokens.add("attic")
    with pytest.raises(EngineTokenError, match="there is a token named attic already"):
        tokens.add("attic")
    with pytest.raises(EngineTokenError, match="no token named cellar; the names are: attic"):
        tokens.revoke("cellar")


def test_a_damaged_file_is_reported_with_its_line(path: Path) -> None:
    EngineTokenFile(path).add("attic")
    path.write_text(path.read_text(encoding="utf-8") + "\ngarbage\n", encoding="utf-8")
    with pytest.raises(EngineTokenError, match="line 3: expected a name and a hash"):
        EngineTokenFile(path).load()


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(EngineTokenError, match="cannot write the engine tokens"):
        EngineTokenFile(tmp_path / "missing" / "engines.txt").add("attic")
