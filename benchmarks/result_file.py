"""Result files of benchmarks, from which `make figures` writes the figures of the documentation.

A file has the date and the machine (`measured`), the command, and the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any


def add_output_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the result file."""
    parser.add_argument("--output", type=Path, metavar="FILE", help="also write the figures to FILE, as JSON")


def describe_machine() -> str:
    """Return date, processor, Python and load average in words."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return f"{time.strftime('%Y-%m-%d')}, {machine}, load average {os.getloadavg()[0]:.1f}"


def write_results(path: Path | None, measured: str, figures: dict[str, Any]) -> None:
    """Write a result file; do nothing without a path. `measured` is `describe_machine()` before the measurement."""
    if path is None:
        return
    command = " ".join(["python", *sys.orig_argv[1:]])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"measured": measured, "command": command} | figures, indent=1) + "\n", encoding="utf-8")
