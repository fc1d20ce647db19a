"""`ropewalk solve` and `ropewalk verify-proof`."""

from __future__ import annotations

import gzip
import json
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from ropewalk.cli.commands import solve
from ropewalk.proofs.solver import SOLVERS, open_proof
from tests.support.command_runner import call_ropewalk, start_ropewalk

LONG_SOLVE = "solve tether-5 c3 e3 b1 e2 a5 e4 b4 b3 --hash-mb 64"  # seconds for each of 17 moves


def test_the_examples_of_the_help_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line, _ in [*solve.SOLVE_EXAMPLES[:3], *solve.VERIFY_PROOF_EXAMPLES]:
        result = call_ropewalk(*shlex.split(line)[1:])
        assert (result.code, result.err) == (0, ""), line
        assert result.out


def test_the_moves_of_a_solved_position_are_printed_by_value(tmp_path: Path) -> None:
    path = tmp_path / "liger.proof"
    result = call_ropewalk("solve", "liger-4", "-o", str(path))
    lines = result.out.splitlines()
    assert lines[:4] == [
        "liger-4  b,b/2/2/r,r red",
        "value: red (seat 0) wins",
        "winning moves (2): a1-b2 c1-b2",
        "losing moves (1): c1-d2",
    ]
    assert "2249 positions searched" in lines[4]
    checked = call_ropewalk("verify-proof", str(path))
    assert checked.out.splitlines()[:4] == lines[:4]
    assert "verified: 141 replies" in checked.out


def test_both_commands_print_json(tmp_path: Path) -> None:
    path = tmp_path / "lariat.proof"
    solved = json.loads(call_ropewalk("solve", "lariat-1x1", "--proof", str(path), "--json", "--method", "strategy").out)
    checked = json.loads(call_ropewalk("verify-proof", str(path), "--json").out)
    assert solved["value"] == checked["value"] == 0
    assert solved["moves"] == checked["moves"]
    assert solved["proof_bytes"] == path.stat().st_size
    assert checked["verified"] is True


@pytest.mark.parametrize(
    ("options", "kind"), [("", "carrier"), ("--method auto", "carrier"), ("--method strategy", "strategy")]
)
def test_the_method_decides_the_kind_of_proof(options: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "lariat.proof"
    assert call_ropewalk("solve", "lariat-1x1", "-o", str(path), *options.split()).code == 0
    with open_proof(path) as file:
        assert json.loads(file.readline())["kind"] == kind


def test_every_solver_can_be_named_as_a_method() -> None:
    assert set(solve.METHODS) == {solve.AUTO_METHOD, *SOLVERS}


def test_a_time_limit_leaves_the_value_unknown() -> None:
    result = call_ropewalk("solve", "tether-5", "--time-limit", "0.1", "--hash-mb", "1")
    assert result.code == 1
    assert "value: unknown" in result.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve tether-3 --hash-mb 0", "is not an integer from 1 to"),
        ("solve tether-3 --time-limit -1", "is not a number of seconds from 0"),
        ("solve tether-3 --method fast", "invalid choice: 'fast'"),
        ("solve tether-3 --method carrier", "Tether has no carrier proofs"),
        ("solve tether-3 --generic", "unrecognized arguments: --generic"),
        ("solve tether-3 a1 a1", "move 2 (a1): a1 already has a red stone"),
        ("solve liger-4 --position '2/1,r/2/2 red'", "the game is over, so there is nothing to solve: "),
        ("verify-proof missing.proof", "cannot read the proof missing.proof: No such file"),
        ("verify-proof .", "cannot read the proof"),
    ],
)
def test_refusals_take_one_line(line: str, message: str) -> None:
    result = call_ropewalk(*shlex.split(line))
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_file_that_is_no_proof_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.proof"
    for content in (b"[]\n", b"{}\n", b'{"kind": 7}\n', b'{"kind": "strategy"}\n', b"\xff"):
        path.write_bytes(gzip.compress(content))
        result = call_ropewalk("verify-proof", str(path))
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "line 1" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_keeps_what_is_proven_and_the_same_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "tether.proof"
    call_ropewalk(*shlex.split(LONG_SOLVE), "--time-limit", "0.1")  # compiles the kernels
    with start_ropewalk(*shlex.split(LONG_SOLVE), "-o", str(path)) as process:
        time.sleep(5)
        process.send_signal(signal.SIGINT)
        interrupted_at = time.monotonic()
        _, err = process.communicate(timeout=120)
    assert time.monotonic() - interrupted_at < 20  # long enough for a busy machine
    assert process.returncode == 130
    assert "ropewalk: interrupted; " in err
    before = list_proven_values(path)
    assert len(before) < 17
    for _ in range(20):  # a busy machine may need several runs for one more value
        assert call_ropewalk(*shlex.split(LONG_SOLVE), "-o", str(path), "--time-limit", "6").code in (0, 1)
        after = list_proven_values(path)
        if len(after) > len(before):
            break
    assert len(after) > len(before)
    assert before.items() <= after.items()


def list_proven_values(path: Path) -> dict[str, int]:
    """Return the moves whose values a file proves, with the values."""
    if not path.exists():
        return {}
    moves = json.loads(call_ropewalk("verify-proof", str(path), "--json").out)["moves"]
    return {move: value for move, value in moves.items() if value is not None}
