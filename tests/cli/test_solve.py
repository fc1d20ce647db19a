"""`ropewalk solve` and `ropewalk verify-proof`."""

from __future__ import annotations

import gzip
import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ropewalk.cli import solve, verify_proof

from .commands import ropewalk

LONG = "solve tether-5 c3 e3 b1 e2 a5 e4 b4 b3 --memory 64"  # seconds for each of 17 moves


def test_the_examples_of_the_help_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line, _ in [*solve.EXAMPLES[:3], *verify_proof.EXAMPLES]:
        done = ropewalk(*shlex.split(line)[1:])
        assert (done.code, done.err) == (0, ""), line
        assert done.out


def test_a_solved_position_is_told_with_its_moves(tmp_path: Path) -> None:
    path = tmp_path / "liger.proof"
    done = ropewalk("solve", "liger-4", "-o", str(path))
    lines = done.out.splitlines()
    assert lines[:4] == [
        "liger-4  b,b/2/2/r,r red",
        "value: red (seat 0) wins",
        "winning moves (2): a1-b2 c1-b2",
        "losing moves (1): c1-d2",
    ]
    assert "2249 positions searched" in lines[4]
    checked = ropewalk("verify-proof", str(path))
    assert checked.out.splitlines()[:4] == lines[:4]
    assert "verified: 141 answers" in checked.out


def test_both_commands_speak_json(tmp_path: Path) -> None:
    path = tmp_path / "lariat.proof"
    found = json.loads(ropewalk("solve", "lariat-1x1", "-o", str(path), "--json", "--generic").out)
    checked = json.loads(ropewalk("verify-proof", str(path), "--json").out)
    assert found["value"] == checked["value"] == 0
    assert found["moves"] == checked["moves"]
    assert found["proof_bytes"] == path.stat().st_size
    assert checked["verified"] is True


def test_time_that_runs_out_leaves_the_value_open() -> None:
    done = ropewalk("solve", "tether-5", "--seconds", "0.1", "--memory", "1")
    assert done.code == 1
    assert "value: not known" in done.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve tether-3 --memory 0", "is not a whole number from 1 to"),
        ("solve tether-3 --seconds -1", "is not a number of seconds from 0"),
        ("solve tether-3 a1 a1", "move 2 (a1): a1 already has a red stone"),
        ("solve liger-4 --position '2/1,r/2/2 red'", "the position is over: "),
        ("verify-proof missing.proof", "missing.proof cannot be read as a proof: No such file"),
        ("verify-proof .", "cannot be read"),
    ],
)
def test_refusals_take_one_line(line: str, words: str) -> None:
    done = ropewalk(*shlex.split(line))
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_file_that_is_no_proof_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.proof"
    for content in (b"[]\n", b"{}\n", b'{"kind": 7}\n', b'{"kind": "strategy"}\n', b"\xff"):
        path.write_bytes(gzip.compress(content))
        done = ropewalk("verify-proof", str(path))
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert "line 1" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_keeps_what_is_proven_and_the_same_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "tether.proof"
    ropewalk(*shlex.split(LONG), "--seconds", "0.1")  # compiled by now
    listening = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from ropewalk.cli.main import run; run()"
    )
    command = [sys.executable, "-c", listening, *shlex.split(LONG), "-o", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as solving:
        time.sleep(5)
        solving.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, err = solving.communicate(timeout=120)
    assert time.monotonic() - began < 20  # patience for a busy machine
    assert solving.returncode == 130
    assert "ropewalk: interrupted; " in err
    before = claims(path)
    assert len(before) < 17
    for _ in range(20):  # as many as a busy machine needs for one more
        assert ropewalk(*shlex.split(LONG), "-o", str(path), "--seconds", "6").code in (0, 1)
        after = claims(path)
        if len(after) > len(before):
            break
    assert len(after) > len(before)
    assert before.items() <= after.items()


def claims(path: Path) -> dict[str, int]:
    """The moves that a file proves the value of."""
    if not path.exists():
        return {}
    moves = json.loads(ropewalk("verify-proof", str(path), "--json").out)["moves"]
    return {move: value for move, value in moves.items() if value is not None}
