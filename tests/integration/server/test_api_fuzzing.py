"""schemathesis sends what the OpenAPI document allows, and what it does not, with all of its checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server_process import Client, Server, run_server

CONFIG = (Path(__file__).parents[2] / "support" / "schemathesis.toml").read_text(encoding="utf-8")
SHORT_SECONDS, LONG_SECONDS, ENDING_SECONDS = 15, 600, 5
UNLIMITED = ("--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0")
ENDING = "[[operations]]\n# They end the session"  # the start of the part that disables two operations


def run_schemathesis(server: Server, folder: Path, seconds: int, config: str, *arguments: str) -> str:
    """Run schemathesis for a time; returns its report, empty if it has found nothing."""
    client = Client(server)
    match = client.create_match("tether-5", "self")["match"]["id"]
    client.play(match, "c3")
    (folder / "schemathesis.toml").write_text(config, encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/openapi.json", *arguments]
    command += ["--max-time", str(seconds), "--continue-on-failure", "--no-color", "--no-shrink"]
    command += ["--generation-database", "none"]
    variables = {"ROPEWALK_TEST_SESSION": client.http.cookies["ropewalk_session"], "ROPEWALK_TEST_MATCH": match}
    done = subprocess.run(
        command, cwd=folder, env=os.environ | variables, capture_output=True, text=True, timeout=seconds + 500, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def require_success(report: str) -> None:
    """Fail with the whole report, unless it is empty."""
    if report:
        pytest.fail(report)


def fuzz_api(database: str, folder: Path, seconds: int) -> None:
    """Run schemathesis against a server of its own, which must log no traceback."""
    log_file = folder / "server.log"
    with run_server(database, *UNLIMITED, log_file=log_file) as server:
        require_success(run_schemathesis(server, folder, seconds, CONFIG))
        before, _, after = CONFIG.partition(ENDING)
        config = before + after.partition("\n\n")[2]
        names = [f"--include-name={name}" for name in ("DELETE /api/me", "DELETE /api/sessions/current")]
        require_success(run_schemathesis(server, folder, ENDING_SECONDS, config, *names))
    assert "Traceback" not in log_file.read_text(encoding="utf-8")


def test_requests_of_all_kinds_get_the_responses_that_the_document_states(tmp_path: Path) -> None:
    fuzz_api(str(tmp_path / "matches.db"), tmp_path, SHORT_SECONDS)


@pytest.mark.slow
def test_ten_minutes_of_requests_get_the_responses_that_the_document_states(database: str, tmp_path: Path) -> None:
    fuzz_api(database, tmp_path, LONG_SECONDS)
