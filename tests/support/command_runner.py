"""Runs commands in this process or in a new one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from ropewalk.cli.main import main

WITH_CTRL_C = (  # a process that a shell started in the background ignores SIGINT, and so do its children
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from ropewalk.cli.main import run; run()"
)


@dataclass
class CommandResult:
    """The exit code and the output of a command, without messages about compilation."""

    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        lines = self.err.splitlines(keepends=True)
        self.err = "".join(line for line in lines if not line.startswith("ropewalk: compiling "))


def call_ropewalk(*argv: str, typed: str = "") -> CommandResult:
    """Run a command in this process, 80 columns wide."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", io.StringIO(typed)):
        code = main(argv)
    return CommandResult(code, out.getvalue(), err.getvalue())


def start_ropewalk(*argv: str) -> subprocess.Popen[str]:
    """Start a command in a new process that handles SIGINT."""
    command = [sys.executable, "-c", WITH_CTRL_C, *argv]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_ropewalk(*argv: str, typed: str | bytes = "", settings: Mapping[str, str] | None = None) -> CommandResult:
    """Run a command in a new process."""
    sent = typed if isinstance(typed, bytes) else typed.encode()
    environment = os.environ | {"COLUMNS": "80"} | dict(settings or {})
    completed = subprocess.run(
        [sys.executable, "-m", "ropewalk", *argv], input=sent, capture_output=True, env=environment, timeout=300, check=False
    )
    return CommandResult(
        completed.returncode, completed.stdout.decode(errors="replace"), completed.stderr.decode(errors="replace")
    )
