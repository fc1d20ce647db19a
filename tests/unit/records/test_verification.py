"""Replaying records: identical, or the first difference with its place and its reason."""

from __future__ import annotations

import pytest

from ropewalk.records import Mismatch, Record, find_first_mismatch, read
from tests.support.record_trees import play_random_game

HEAD = "GM[Tether]SPEC[tether-5]"


DIFFERENCES = [
    ("(;GM[1];B[c3])", "start", "turn 0: GM must be the name of a game"),
    ("(;C[nothing])", "start", "turn 0: GM must be the name of a game"),
    ("(;GM[Tether])", "start", "SPEC[tether-13]"),
    ("(;GM[Tether]SPEC[tether-4])", "start", "size 4 is even"),
    ("(;GM[Lariat]SPEC[tether-5])", "start", "GM[Lariat] does not match SPEC[tether-5], a spec of Tether"),
    (f"(;{HEAD}POS[nonsense])", "start", "rows"),
    (f"(;{HEAD};B[c3];W[c3])", "taken", "turn 2 (c3): c3 already has a red stone"),
    (f"(;{HEAD};B[z9])", "not-a-move", "turn 1 (z9): 'z9' is not a move of Tether"),
    (f"(;{HEAD};B[])", "not-a-move", "turn 1 (): '' is not a move of Tether"),
    (f"(;{HEAD};W[c3])", "wrong-seat", "turn 1 (c3): the first seat is to move, so the turn must be in property B"),
    (f"(;{HEAD};B[c3];B[b2])", "wrong-seat", "turn 2 (b2): the second seat is to move"),
    (f"(;{HEAD};B[c3]W[b2])", "two-turns", "the node has both B and W"),
    (f"(;{HEAD};B[c3 b2])", "not-a-turn", "a node must contain only one turn"),
    (f"(;{HEAD};Black[b2])", "property-name", "the name of property 'Black' has lower-case letters; it must be written B"),
    (f"(;{HEAD};B[c3]B[b2])", "duplicate-property", "property B occurs more than once"),
    (f"(;{HEAD}AB[c3];W[b2])", "setup-property", "use POS in the root node"),
    (f"(;{HEAD};B[c3]TR[z9])", "unknown-cell", "marked cell 'z9' is not on the board"),
    (f"(;{HEAD};B[c3]LB[z9:A])", "unknown-cell", "marked cell 'z9'"),
    (f"(;{HEAD};B[c3]BL[soon])", "invalid-value", "'BL[soon]' (seconds left on the clock, first seat): expected"),
    (f"(;{HEAD};B[c3]EVAL[0 2 estimate 1])", "invalid-value", "the value must be from 0 to 1, not 2"),
    (f"(;{HEAD};B[c3]EVAL[1 0.5 estimate 9][0.5 estimate 9 c3])", "evaluation", "evaluation line 'c3' cannot be played"),
    (f"(;{HEAD}RE[B+majority];B[c3])", "result", "the recorded result is RE[B+majority], but the game is not over"),
    (f"(;{HEAD}RE[whatever];B[c3])", "invalid-value", "(result and its reason): expected a result such as B+Resign"),
    ("(;GM[laoCoon]SPEC[laocoon];B[d4];W[e6];B[g2];W[b8];B[d4-e5];W[e6-f6];W[/a1])", "split-turn", "complete turn"),
]


def found_in(text: str) -> Mismatch:
    found = find_first_mismatch(read(text))
    assert found is not None
    return found


@pytest.mark.parametrize(("text", "reason", "words"), DIFFERENCES)
def test_the_first_difference_is_named(text: str, reason: str, words: str) -> None:
    found = found_in(text)
    assert found.reason == reason
    assert words in str(found)


def test_a_difference_in_a_variation_has_its_path() -> None:
    found = found_in(f"(;{HEAD};B[c3](;W[b2])(;W[d2](;B[a1])(;B[a2])(;B[d2])))")
    assert (found.path, found.number, found.turn, found.reason) == ((0, 1, 2), 3, "d2", "taken")
    assert str(found).startswith("variation 1 below node 1, variation 2 below node 2, turn 3 (d2): ")
    assert found.clause == "Placing stones"


def test_the_main_line_comes_first() -> None:
    assert found_in(f"(;{HEAD};B[c3](;W[b2];B[b2])(;W[c3]))").path == (0, 0, 0)


@pytest.mark.parametrize("spec", ["tether-5", "liger-4", "lariat-1x6"])
def test_another_result_than_the_replayed_one_is_found(spec: str) -> None:
    record = Record.from_position(play_random_game(spec, 2))
    assert record.result is not None
    assert find_first_mismatch(record) is None
    right = str(record.result)
    wrong = ("W" if right[0] == "B" else "B") + right[1:]
    found = found_in(record.to_sgf().replace(f"RE[{right}]", f"RE[{wrong}]"))
    assert (found.reason, found.path) == ("result", record.end.path)
    assert f"the recorded result is RE[{wrong}], but the replay gives RE[{right}]" in found.message
    assert found_in(record.to_sgf().replace(f"RE[{right}]", f"RE[{right[0]}+Resign]")).reason == "result"
    assert find_first_mismatch(read(record.to_sgf().replace(f"RE[{right}]", f"RE[{right[0]}+]"))) is None


@pytest.mark.parametrize("result", ["B+R", "W+Time", "W+F", "Draw", "Draw+agreement", "B+crash", "Void", "?", "W+"])
def test_endings_that_no_replay_can_show_are_believed(result: str) -> None:
    assert find_first_mismatch(read(f"(;{HEAD}RE[{result}];B[c3];W[b2])")) is None


def test_properties_that_nobody_knows_are_no_difference() -> None:
    assert find_first_mismatch(read(f"(;{HEAD}XY[1];B[c3]KM[6.5]Lower[x];C[a node without a turn];W[b2])")) is None


def test_every_node_is_reported() -> None:
    message: list[int] = []
    find_first_mismatch(read(f"(;{HEAD};B[c3](;W[b2])(;W[d2]))"), message.append)
    assert message == [1, 2, 3, 4]
