"""`ropewalk report`: the same bytes from any number of processes, and nothing after an interruption."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from tests.support.command_runner import call_ropewalk, run_ropewalk, start_ropewalk


def test_a_report_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    command = ("report", "liger-4", "--quick", "--games", "2", "--seed", "3")
    alone = call_ropewalk(*command, "-o", str(tmp_path / "alone"), "--processes", "1")
    assert alone.out.splitlines() == [str(tmp_path / "alone" / f"report.{kind}") for kind in ("json", "html")]
    together = run_ropewalk(*command, "-o", str(tmp_path / "together"), "--processes", "2")
    assert (together.code, together.err) == (0, "")
    for name in ("report.json", "report.html"):
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "together" / name).read_bytes()


def test_an_interrupted_report_writes_nothing(tmp_path: Path) -> None:
    process = start_ropewalk("report", "tether-9", "-o", str(tmp_path / "report"), "--games", "5000", "--processes", "2")
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors.strip().endswith("ropewalk: interrupted")
    assert not (tmp_path / "report").exists()


def test_invalid_arguments_are_refused(tmp_path: Path) -> None:
    assert call_ropewalk("report", "chess", "-o", str(tmp_path)).code == 2
    assert call_ropewalk("report", "tether-5").code == 2
    assert "from 2 to" in call_ropewalk("report", "tether-5", "-o", str(tmp_path), "--games", "1").err
