"""Options of the commands that serve or copy a database."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from ropewalk.cli.arguments import Parser, parse_arguments
from ropewalk.cli.commands.server import default_database
from ropewalk.cli.main import load_command


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
