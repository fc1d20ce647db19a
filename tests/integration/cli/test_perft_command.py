from __future__ import annotations

import json
import signal
import sys
import time

import pytest

from ropewalk import Position
from ropewalk.games import perft
from tests.support.command_runner import call_ropewalk, start_ropewalk


def test_counts_are_json_by_depth() -> None:
    assert call_ropewalk("perft", "tether-5", "3").out == '{"1": 25, "2": 600, "3": 13800}\n'


def test_counts_from_a_position() -> None:
    result = call_ropewalk("perft", "liger-4", "3", "--position", "2/b,1/1,r/2 red")
    assert list(json.loads(result.out)) == ["1", "2", "3"]
    assert call_ropewalk("perft", "tether-5", "1", "--position", "-", typed="5/5/2r2/5/5 blue").out == '{"1": 24}\n'


@pytest.mark.parametrize("depth", ["0", "-1", "101", "9" * 50, "two", "1.5", "", "\u0661"])
def test_a_depth_out_of_range_says_the_limits(depth: str) -> None:
    result = call_ropewalk("perft", "tether-5", depth)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "is not an integer from 1 to 100" in result.err


def test_the_deepest_count_of_a_short_game_ends() -> None:
    counts = json.loads(call_ropewalk("perft", "tether-3", "100").out)
    assert (counts["9"], counts["10"], counts["100"]) == (351360, 0, 0)


def test_ctrl_c_prints_what_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = perft.count_sequences_from

    def interrupted(position: Position, depth: int) -> int:
        if depth == 3:
            raise KeyboardInterrupt
        return whole(position, depth)

    monkeypatch.setattr(perft, "count_sequences_from", interrupted)
    result = call_ropewalk("perft", "tether-5", "6")
    assert (result.code, result.out) == (130, '{"1": 25, "2": 600}\n')
    assert result.err == "ropewalk: interrupted at 0% of depth 3 (of 6)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_ctrl_c_works_within_a_second() -> None:
    assert call_ropewalk("perft", "liger-8", "6").code == 0  # compiled by now
    with start_ropewalk("perft", "liger-8", "12") as counting:
        time.sleep(4)
        counting.send_signal(signal.SIGINT)
        began = time.monotonic()
        out, err = counting.communicate(timeout=60)
    assert time.monotonic() - began < 3  # one, and patience for a busy machine
    assert counting.returncode == 130
    assert "ropewalk: interrupted " in err
    assert json.loads(out)["2"] == 441
