"""The tree of a record: adding, replaying, views of what a node says."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.bots.bot import Limit
from ropewalk.bots.levels import bot
from ropewalk.errors import IllegalMove, MoveError
from ropewalk.records import (
    Clock,
    Evaluation,
    EvaluationLine,
    Player,
    PlayerIdentity,
    Record,
    RecordedResult,
    RecordError,
    find_first_mismatch,
    read,
)
from ropewalk.records.replay import MAX_CACHED_POSITIONS
from tests.support.record_trees import play_random_game


def test_a_played_game_becomes_a_record_with_its_result() -> None:
    played = play_random_game("tether-5", 1)
    record = Record.from_position(played)
    assert record.spec == "tether-5"
    assert record.game == played.game
    assert [node.turn for node in record.main_line()[1:]] == played.steps()
    assert played.outcome is not None
    assert record.result == RecordedResult.from_outcome(played.outcome)
    assert str(record.result).endswith("+majority")
    assert record.end.position == played


def test_a_turn_of_several_steps_is_one_node() -> None:
    position = ropewalk.game("laocoon-weave").start()
    for step in ["d4", "e6", "g2", "b8", "d4-e5", "e6-f6", "/a1", "e5-d6"]:
        position = position.play(step)
    record = Record.from_position(position)
    assert [node.turn for node in record.main_line()[1:]] == ["d4", "e6", "g2", "b8", "d4-e5", "e6-f6/a1", "e5-d6"]
    assert [node.seat for node in record.main_line()[1:]] == [0, 1, 0, 1, 0, 1, 0]
    assert record.end.position == position
    assert find_first_mismatch(record) is None, "the last turn may be half done"
    with pytest.raises(RecordError, match="continues a turn that began in an earlier node"):
        record.end.add("/b1")


def test_steps_that_could_not_be_distinguished_are_written_with_blanks() -> None:
    position = ropewalk.game("laocoon-random-7").start()
    for step in ["d4", "e6", "g2", "b8"]:
        position = position.play(step if step in position.moves() else position.moves()[0])
    position = position.play("keep")
    record = Record.from_position(position)
    turn = record.end.turn
    assert turn is not None
    assert turn.endswith(" keep")
    assert read(record.to_sgf()).end.position == position
    assert record.end.parent is not None
    assert record.end.parent.add(turn) is record.end


def test_seats_are_b_and_w_whatever_their_colours() -> None:
    record = Record.create("laocoon-weave")  # white moves first
    record.play(["d4", "e6"])
    assert record.to_sgf().endswith(";B[d4]\n;W[e6])\n")
    pie = Record.create("cube-lariat-2")
    pie.play(["Ua1", "swap", "Ub1"])  # the first seat is white now, and still B
    assert pie.to_sgf().endswith(";B[Ua1]\n;W[swap]\n;B[Ub1])\n")


def test_a_game_from_another_position() -> None:
    start = ropewalk.game("liger-4").position("2/b,rbr/2/2 red")
    position = start.play("c3=b4").play("a3-b4")
    record = Record.from_position(position, start)
    assert record.root.get("POS") == str(start)
    assert read(record.to_sgf()).end.position == position
    assert Record.from_position(start).root.position == start
    with pytest.raises((RecordError, IllegalMove)):
        Record.from_position(position)


def test_variations_hang_where_they_are_added() -> None:
    record = Record.create("tether-5")
    record.play(["c3", "b2", "d4"])
    after = record.root.children[0]
    other = after.add("d2")
    other.add("a1")
    assert after.add("b2") is after.children[0], "a turn that is there is not added again"
    assert [child.turn for child in after.children] == ["b2", "d2"]
    assert record.to_sgf().endswith(";B[c3]\n(;W[b2]\n;B[d4])\n(;W[d2]\n;B[a1]))\n")
    assert other.path == (0, 1)
    assert (other.number, other.children[0].number) == (2, 3)
    assert [node.turn for node in record.main_line()] == [None, "c3", "b2", "d4"]
    other.promote()
    assert [node.turn for node in record.main_line()] == [None, "c3", "d2", "a1"]
    assert [node.turn for node in other.children[0].line] == [None, "c3", "d2", "a1"]
    other.remove()
    assert [node.turn for node in record.main_line()] == [None, "c3", "b2", "d4"]
    with pytest.raises(RecordError, match="the root node cannot be removed"):
        record.root.remove()


def test_an_illegal_turn_is_not_added() -> None:
    record = Record.create("tether-5")
    record.play(["c3"])
    with pytest.raises(IllegalMove, match="c3 already has a red stone"):
        record.end.add("c3")
    with pytest.raises(MoveError, match="is not a move of Tether"):
        record.end.add("z9")
    with pytest.raises(RecordError, match="a node must contain only one turn"):
        record.end.add("b2 a1")
    assert record.end.children == []


def test_positions_follow_what_is_changed_above_them() -> None:
    record = Record.create("tether-5")
    end = record.play(["c3", "b2"])
    assert end.position.contents == {"c3": "r", "b2": "b"}
    record.root.children[0].set("B", "d4")
    assert end.position.contents == {"d4": "r", "b2": "b"}
    record.root.set("SPEC", "tether-7")
    assert end.position.game.spec == "tether-7"


def test_a_turn_that_cannot_be_played_is_named_with_its_number() -> None:
    record = read("(;GM[Tether]SPEC[tether-5];B[c3];C[a word];W[c3];B[a1])")
    with pytest.raises(RecordError, match=r"turn 2 \('c3'\) cannot be played: c3 already has a red stone"):
        _ = record.end.position
    with pytest.raises(RecordError, match="the root node has no SPEC property"):
        _ = read("(;GM[1])").root.position


def test_only_the_latest_positions_are_kept() -> None:
    record = Record.create("laocoon-weave-norepetition")
    there = ["d4", "e6", "g2", "b8", "d4-e5", "e6-f6/a1"]
    record.play(there)
    node = record.end
    for _ in range(MAX_CACHED_POSITIONS):
        seat = node.position.seat
        assert seat is not None
        steps, position = [], node.position
        while position.seat == seat:
            steps.append(position.moves()[0])
            position = position.play(steps[-1])
        if position.seat is None:
            break
        node = node.add(" ".join(steps))
    again = read(record.to_sgf())
    ends = [again.end.position, again.root.position, again.end.position]
    assert ends[0] == ends[2] == record.end.position
    assert len(again.root.replay.cache) <= MAX_CACHED_POSITIONS


def test_the_views_of_a_node() -> None:
    record = Record.create("tether-5")
    node = record.play(["c3"])
    node.comment = "centre"
    node.marks = {"triangle": ["a1", "b2"], "cross": ["c3"]}
    node.labels = {"d4": "x:y"}
    node.set_clock(0, Clock(12.5, 3))
    node.evaluation = Evaluation(1, 0.25, "estimate", 40, (EvaluationLine(("b2", "d4"), 30, 0.25, "estimate"),))
    assert str(node.properties[0]) == "B[c3]"
    assert record.to_sgf().splitlines()[-1] == (
        ";B[c3]BL[12.5]OB[3]C[centre]MA[c3]TR[a1][b2]LB[d4:x\\:y]EVAL[1 0.25 estimate 40][0.25 estimate 30 b2 d4])"
    )
    assert node.get_clock(0) == Clock(12.5, 3)
    assert node.get_clock(1) == Clock()
    node.comment = ""
    node.marks = {}
    node.labels = {}
    node.set_clock(0, Clock())
    node.evaluation = None
    assert record.to_sgf().splitlines()[-1] == ";B[c3])"


def test_any_property_can_be_seen_as_it_is_written() -> None:
    node = read("(;XY[a\\:b][c]C[d\\]])").root
    assert node.get_raw("XY") == ["a\\:b", "c"]
    assert (node.get_raw("C"), node.get("C"), node.get_raw("N"), node.get("N")) == (["d\\]"], "d]", None, None)
    with pytest.raises(RecordError, match="unknown property 'XY'"):
        node.get("XY")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("XY", "x", "unknown property 'XY'"),
        ("BL", float("nan"), "at most 25 before and 25 after"),
        ("BL", 1e300, "at most 25 before and 25 after"),
        ("BL", 10**400, "too large"),
        ("OB", 10**30, "at most 18 are allowed"),
        ("RE", RecordedResult(2), "the winner must be seat 0 or 1"),
        ("EVAL", Evaluation(2, 0.5, "estimate"), "the seat must be 0 or 1, not 2"),
        ("EVAL", Evaluation(0, 1.5, "estimate"), "the value must be from 0 to 1"),
        ("EVAL", Evaluation(0, 0.5, "guess"), "the certainty must be proven, table or estimate"),
        ("EVAL", Evaluation(0, 0.5, "table", -1), "visits must be from 0 to"),
        ("EVAL", Evaluation(0, 0.5, "table", 1, (EvaluationLine((), 1, 0.5, "table"),)), "at least one move"),
        ("BID", PlayerIdentity("cat"), "the kind of a player must be user or bot"),
    ],
)
def test_what_makes_no_sense_is_not_written(name: str, value: object, words: str) -> None:
    record = Record.create("tether-5")
    before = record.to_sgf()
    with pytest.raises(RecordError, match=words):
        record.root.set(name, value)
    assert record.to_sgf() == before


def test_players_are_users_or_bots() -> None:
    record = Record.create("tether-5")
    machine = Player("level 5", PlayerIdentity("bot", "0.1.0", "5", "sha256:ab12", "1000 visits"))
    record.players = (Player("Ann", PlayerIdentity("user")), machine)
    assert "PB[Ann]PW[level 5]BID[kind:user]WID[kind:bot][version:0.1.0][level:5][net:sha256\\:ab12]" in record.to_sgf()
    assert read(record.to_sgf()).players == record.players
    record.players = (Player(), Player())
    assert "PB" not in record.to_sgf()


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("B+R", RecordedResult(0, "resign")),
        ("W+Time", RecordedResult(1, "time")),
        ("B+F", RecordedResult(0, "forfeit")),
        ("W+", RecordedResult(1)),
        ("W+3.5", RecordedResult(1, "3.5")),
        ("0", RecordedResult(None)),
        ("Draw", RecordedResult(None)),
        ("Draw+repetition", RecordedResult(None, "repetition")),
        ("B+ropes-off-centre", RecordedResult(0, "ropes-off-centre")),
        ("Void", None),
        ("?", None),
        ("X+3", None),
    ],
)
def test_results(text: str, result: RecordedResult | None) -> None:
    record = read(f"(;RE[{text}])")
    assert record.result == result
    assert read(record.to_sgf()).result == Record.from_json(record.to_json()).result == result


def test_a_bots_report_becomes_an_evaluation() -> None:
    record = Record.create("tether-3")
    record.play(["b2"])
    *_, report = bot(record.game, 1).analyse(record.end.position, Limit(visits=30))
    record.end.evaluation = Evaluation.from_report(report)
    found = read(record.to_sgf()).end.evaluation
    assert found == record.end.evaluation
    assert found is not None
    assert found.seat == 1
    assert found.lines[0].moves == report.lines[0].moves
    assert find_first_mismatch(record) is None
