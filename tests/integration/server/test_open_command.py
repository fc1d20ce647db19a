"""`ropewalk open` says where the page is, and for how many games bots are ready."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from ropewalk.cli.commands.server import count_compiled_games
from tests.support.server_process import Server


def test_open_reads_from_the_server_for_how_many_games_bots_are_ready(server: Server) -> None:
    assert count_compiled_games(f"{server.url}/") is not None
    assert count_compiled_games("http://127.0.0.1:9/") is None


def test_open_prints_its_address_and_how_many_bots_are_ready(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ropewalk", "open", "--no-browser", "--database", str(tmp_path / "matches.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        text = ""
        while "Bots ready: " not in text:
            character = process.stdout.read(1)
            assert character, text
            text += character
        process.send_signal(signal.SIGINT)
        text += process.stdout.read()
    assert "Ropewalk at http://127.0.0.1:" in text
    assert "Traceback" not in text
