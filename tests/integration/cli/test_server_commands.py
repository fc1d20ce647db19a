"""Options of the commands that serve or copy a database."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from ropewalk.cli.arguments import Parser, parse_arguments
from ropewalk.cli.commands.engine_worker import read_token
from ropewalk.cli.commands.server import default_database
from ropewalk.cli.main import load_command
from ropewalk.server.engine_pool.engine_tokens import EngineTokenFile
from tests.support.command_runner import call_ropewalk
from tests.support.server_process import create_account, run_server


def parse(name: str, *argv: str) -> Namespace:
    command = load_command(name)
    parser = Parser(f"ropewalk {name}", command.description, {})
    command.add_arguments(parser)
    return parse_arguments(parser, argv)


@pytest.mark.parametrize("argv", [("serve",), ("backup", "copy.db"), ("restore", "copy.db")])
def test_the_database_is_an_option_else_a_variable_else_a_file_here(
    argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROPEWALK_DATABASE_URL", raising=False)
    assert parse(*argv).database == "ropewalk.db"
    monkeypatch.setenv("ROPEWALK_DATABASE_URL", "postgresql://somebody@db/games")
    assert parse(*argv).database == "postgresql://somebody@db/games"
    assert parse(*argv, "--database", "club.db").database == "club.db"


def test_the_options_of_serve() -> None:
    arguments = parse(
        "serve", "--engine-workers", "3", "--no-warm-up", "--rate-limit-scale", "0.5", "--trusted-proxy", "10.0.0.1"
    )
    assert (arguments.engine_workers, arguments.no_warm_up) == (3, True)
    assert (arguments.rate_limit_scale, arguments.trusted_proxy) == (0.5, "10.0.0.1")


def test_open_keeps_its_games_in_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_DATA_DIR", str(tmp_path / "data"))
    assert default_database() == tmp_path / "data" / "ropewalk.db"
    assert (tmp_path / "data").is_dir()


def test_the_operator_creates_lists_and_revokes_engine_tokens(tmp_path: Path) -> None:
    file = str(tmp_path / "engines.txt")
    token = call_ropewalk("engine-token", file, "add", "attic").out.strip()
    assert EngineTokenFile(Path(file)).find_name(token) == "attic"
    assert call_ropewalk("engine-token", file, "list").out == "attic\n"
    assert call_ropewalk("engine-token", file, "revoke", "attic").out == "attic was revoked\n"
    assert call_ropewalk("engine-token", file, "list").out == "there are no tokens\n"
    assert "need a NAME" in call_ropewalk("engine-token", file, "add").err
    assert "no token named attic" in call_ropewalk("engine-token", file, "revoke", "attic").err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--server", "http://127.0.0.1:9"), "the token is missing: use --token-file, --token or ROPEWALK_ENGINE_TOKEN"),
        (("--server", "http://127.0.0.1:9", "--token-file", "/nonexistent"), "cannot read the token in /nonexistent"),
        (("--server", "games.example.org", "--token", "x"), "invalid address 'games.example.org' of a server"),
        (("--server", "ftp://games.example.org", "--token", "x"), "expected http://HOST:PORT or https://HOST"),
        ((), "--server"),
    ],
)
def test_a_worker_needs_a_server_and_a_token(argv: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROPEWALK_ENGINE_TOKEN", raising=False)
    result = call_ropewalk("engine-worker", *argv)
    assert (result.code, message in result.err) == (2, True), result.err


def test_a_worker_reads_its_token_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n", encoding="utf-8")
    arguments = parse("engine-worker", "--server", "http://a", "--server", "http://b", "--token-file", str(file))
    assert (read_token(arguments), arguments.server) == ("secret", ["http://a", "http://b"])


def test_the_operator_moderates_a_running_server(tmp_path: Path) -> None:
    database = str(tmp_path / "matches.db")

    def moderate(*words: str) -> str:
        result = call_ropewalk("moderate", *words, "--database", database)
        assert (result.code, result.err) == (0, "")
        return result.out.strip()

    with run_server(database) as server:
        player, rude = create_account(server, "Polite"), create_account(server, "Rude")
        match = player.create_match("tether-3", "open")["match"]["id"]
        rude.request("POST", f"/api/matches/{match}/join")

        def may_write() -> bool:
            response = rude.http.post(f"/api/matches/{match}/actions", json={"type": "chat", "text": "x"})
            return {200: True, 403: False}[response.status_code]

        event = rude.act(match, "chat", text="bad\u202ewords")["event"]
        about = {"user_id": rude.user["id"], "reason": "insult", "match_id": match, "event_seq": event["seq"]}
        player.request("POST", "/api/reports", 201, **about)
        assert "Polite reports Rude: insult" in moderate("reports")
        assert moderate("mute", "rude") == "Rude can write no more"
        wait_for(lambda: may_write() is False)
        assert moderate("unmute", "Rude") == "Rude can write again"
        wait_for(lambda: may_write() is True)
        assert moderate("close", "Rude") == "the account of Rude is closed"
        wait_for(lambda: rude.request("GET", "/api/me")["user"] is None)
        assert moderate("reopen", "Rude") == "the account of Rude is open again"
        moderate("announce", "Back at ten")
        assert player.request("GET", "/api/notices")["announcement"] == "Back at ten"
        moderate("clear")
        assert player.request("GET", "/api/notices")["announcement"] is None
        assert moderate("done", "1") == "report 1 is closed"
        assert moderate("reports") == "there are no open reports"
    assert call_ropewalk("moderate", "done", "1", "--database", database).code == 1
    assert call_ropewalk("moderate", "mute", "nobody here", "--database", database).code == 1
    for words in (("mute",), ("reports", "1"), ("done", "x"), ("announce", " "), ("close", "Level 1")):
        assert call_ropewalk("moderate", *words, "--database", database).code == 2


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, which servers notice within two seconds."""
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_games_are_imported_into_the_explorer_once(tmp_path: Path) -> None:
    database, results, records = (str(tmp_path / name) for name in ("club.db", "games.jsonl", "games.sgf"))
    played = call_ropewalk("arena", "tether-3", "random", "random", "--games", "4", "-o", results, "--game-records", records)
    assert played.code == 0, played.err
    for file in (results, records):
        imports = [call_ropewalk("explorer", "import", file, "--database", database).out for _ in range(2)]
        assert imports == ["4 games imported, 0 counted before\n", "0 games imported, 4 counted before\n"]
    refused = call_ropewalk("explorer", "import", str(tmp_path / "club.db"), "--database", database)
    assert (refused.code, "club.db" in refused.err) == (2, True)
