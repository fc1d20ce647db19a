"""The JSON of a record: its shape, and what is refused, where."""

from __future__ import annotations

import json

import pytest

from ropewalk.records import Record, RecordError, read

HEAD = '{"format": "ropewalk-records", "version": 1, "games": '


def test_the_shape() -> None:
    text = "(;GM[Tether]SPEC[tether-5]PB[Ann]RE[B+R];B[c3]BL[9.5](;W[b2]C[or]TR[a1])(;W[d4]XY[1\\:2]))"
    said = json.loads(read(text).to_json())
    assert said["format"] == "ropewalk-records"
    assert said["games"][0]["nodes"] == [
        {
            "parent": None,
            "game": "Tether",
            "spec": "tether-5",
            "first": {"name": "Ann"},
            "result": {"winner": 0, "reason": "resign"},
        },
        {"parent": 0, "first": {"turn": "c3", "seconds": 9.5}},
        {"parent": 1, "second": {"turn": "b2"}, "comment": "or", "marks": {"triangle": ["a1"]}},
        {"parent": 1, "second": {"turn": "d4"}, "unknown": [["XY", ["1\\:2"]]]},
    ]


def test_an_unusual_order_is_said() -> None:
    record = read("(;XY[1]C[a]B[c3]C[b])")
    text = json.loads(record.to_json())["games"][0]["nodes"][0]
    assert text["property_order"] == ["XY", "C", "B", "C"]
    assert text["unknown"] == [["XY", ["1"]], ["C", ["b"]]]
    assert Record.from_json(record.to_json()) == record


def test_json_written_by_hand() -> None:
    text = HEAD + '[{"nodes": [{"parent": null, "game": "Tether", "time": 300}, {"parent": 0, "comment": "a\\r\\nb"}]}]}'
    record = Record.from_json(text)
    assert record.to_sgf() == "(;GM[Tether]TM[300]\n;C[a\nb])\n"
    assert read(record.to_json()) == read(text) == record


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2: invalid JSON"),
        ('{"a": \n oops}', "line 2, column 2: invalid JSON"),
        ("[" * 200_000, "nested too deeply"),
        ("{}", "not a JSON record file"),
        ("[]", "not a JSON record file"),
        ('{"format": "ropewalk-records", "version": 2}', "not a JSON record file"),
        (HEAD + "3}", "games: expected a list"),
        (HEAD + "[]}", "games: the list must not be empty"),
        (HEAD + "[3]}", "games[0]: expected an object"),
        (HEAD + '[{"nodes": []}]}', "games[0].nodes: the list must not be empty"),
        (HEAD + '[{"nodes": [3]}]}', "games[0].nodes[0]: expected an object"),
        (HEAD + '[{"nodes": [{"parent": 0}]}]}', "games[0].nodes[0].parent: expected null"),
        (HEAD + '[{"nodes": [{"parent": null}, {"parent": 1}]}]}', "games[0].nodes[1].parent: expected the number"),
        (HEAD + '[{"nodes": [{"parent": null}, {}]}]}', "games[0].nodes[1].parent: expected the number"),
        (HEAD + '[{"nodes": [{"parent": null}, {"parent": true}]}]}', "games[0].nodes[1].parent: expected the number"),
        (HEAD + '[{"nodes": [{"comment": 3}]}]}', "games[0].nodes[0].comment: expected a string"),
        (HEAD + '[{"nodes": [{"comment": "a", "comment": "b"}]}]}', "duplicate key 'comment'"),
        (HEAD + '[{"nodes": [{"coment": "a"}]}]}', "did you mean comment"),
        (HEAD + '[{"nodes": [{"first": "c3"}]}]}', "games[0].nodes[0].first: expected an object"),
        (HEAD + '[{"nodes": [{"first": {"trun": "c3"}}]}]}', "did you mean first.turn"),
        (HEAD + '[{"nodes": [{"first": {"seconds": NaN}}]}]}', "NaN is not a number"),
        (HEAD + '[{"nodes": [{"first": {"seconds": 1e400}}]}]}', "first.seconds: number inf has too many"),
        (HEAD + '[{"nodes": [{"first": {"seconds": 1' + "0" * 400 + "}}]}]}", "first.seconds: "),
        (HEAD + '[{"nodes": [{"first": {"seconds": ' + "1" * 5000 + "}}]}]}", "not a JSON record file"),
        (HEAD + '[{"nodes": [{"marks": {"cross": []}}]}]}', "marks.cross: the list must not be empty"),
        (HEAD + '[{"nodes": [{"labels": [["a1"]]}]}]}', "labels: expected a list of two strings"),
        (HEAD + '[{"nodes": [{"result": {"winner": 0}}]}]}', "result: missing key 'reason'"),
        (HEAD + '[{"nodes": [{"result": {"winner": 7, "reason": ""}}]}]}', "result: the winner must be seat 0 or 1"),
        (HEAD + '[{"nodes": [{"evaluation": {"seat": 0}}]}]}', "evaluation: missing key 'value'"),
        (HEAD + '[{"nodes": [{"comment": "\\ud800"}]}]}', "comment: "),
        (HEAD + '[{"nodes": [{"unknown": [["XY", []]]}]}]}', "unknown[0]: the list must not be empty"),
        (HEAD + '[{"nodes": [{"unknown": [["X Y", ["1"]]]}]}]}', "unknown[0]: expected a property name"),
        (HEAD + '[{"nodes": [{"unknown": [["XY", ["]"]]]}]}]}', "unknown[0]: ] and \\ must be escaped"),
        (HEAD + '[{"nodes": [{"unknown": [["XY", ["\\\\"]]]}]}]}', "unknown[0]: ] and \\ must be escaped"),
        (HEAD + '[{"nodes": [{"comment": "a", "property_order": ["C", "B"]}]}]}', "property_order: must list"),
    ],
)  # fmt: skip
def test_a_wrong_part_is_named(text: str, words: str) -> None:
    with pytest.raises(RecordError) as error:
        Record.from_json(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
