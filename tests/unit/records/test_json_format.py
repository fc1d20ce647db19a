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
        ("{", "line 1, column 2: this is not JSON"),
        ('{"a": \n oops}', "line 2, column 2: this is not JSON"),
        ("[" * 200_000, "nested too deeply"),
        ("{}", "this JSON is no record"),
        ("[]", "this JSON is no record"),
        ('{"format": "ropewalk-records", "version": 2}', "this JSON is no record"),
        (HEAD + "3}", "games: it should be a list"),
        (HEAD + "[]}", "games: there is none"),
        (HEAD + "[3]}", "games[0]: it should be an object"),
        (HEAD + '[{"nodes": []}]}', "games[0].nodes: a game has at least one node"),
        (HEAD + '[{"nodes": [3]}]}', "games[0].nodes[0]: it should be an object"),
        (HEAD + '[{"nodes": [{"parent": 0}]}]}', "games[0].nodes[0].parent: it should be null"),
        (HEAD + '[{"nodes": [{"parent": null}, {"parent": 1}]}]}', "games[0].nodes[1].parent: it should be the number"),
        (HEAD + '[{"nodes": [{"parent": null}, {}]}]}', "games[0].nodes[1].parent: it should be the number"),
        (HEAD + '[{"nodes": [{"parent": null}, {"parent": true}]}]}', "games[0].nodes[1].parent: it should be the number"),
        (HEAD + '[{"nodes": [{"comment": 3}]}]}', "games[0].nodes[0].comment: it should be a text"),
        (HEAD + '[{"nodes": [{"comment": "a", "comment": "b"}]}]}', "the key 'comment' is said twice"),
        (HEAD + '[{"nodes": [{"coment": "a"}]}]}', "did you mean comment"),
        (HEAD + '[{"nodes": [{"first": "c3"}]}]}', "games[0].nodes[0].first: it should be an object"),
        (HEAD + '[{"nodes": [{"first": {"trun": "c3"}}]}]}', "did you mean first.turn"),
        (HEAD + '[{"nodes": [{"first": {"seconds": NaN}}]}]}', "NaN is not a number"),
        (HEAD + '[{"nodes": [{"first": {"seconds": 1e400}}]}]}', "first.seconds: a number has at most 25 digits"),
        (HEAD + '[{"nodes": [{"first": {"seconds": 1' + "0" * 400 + "}}]}]}", "first.seconds: "),
        (HEAD + '[{"nodes": [{"first": {"seconds": ' + "1" * 5000 + "}}]}]}", "this JSON is no record"),
        (HEAD + '[{"nodes": [{"marks": {"cross": []}}]}]}', "marks.cross: it should have at least one entry"),
        (HEAD + '[{"nodes": [{"labels": [["a1"]]}]}]}', "labels: it should be two texts"),
        (HEAD + '[{"nodes": [{"result": {"winner": 0}}]}]}', "result: 'reason' is missing"),
        (HEAD + '[{"nodes": [{"result": {"winner": 7, "reason": ""}}]}]}', "result: the winner is seat 0 or 1"),
        (HEAD + '[{"nodes": [{"evaluation": {"seat": 0}}]}]}', "evaluation: 'value' is missing"),
        (HEAD + '[{"nodes": [{"comment": "\\ud800"}]}]}', "comment: "),
        (HEAD + '[{"nodes": [{"unknown": [["XY", []]]}]}]}', "unknown[0]: it should have at least one entry"),
        (HEAD + '[{"nodes": [{"unknown": [["X Y", ["1"]]]}]}]}', "unknown[0]: it should be a name and its values"),
        (HEAD + '[{"nodes": [{"unknown": [["XY", ["]"]]]}]}]}', "unknown[0]: in a raw value"),
        (HEAD + '[{"nodes": [{"unknown": [["XY", ["\\\\"]]]}]}]}', "unknown[0]: in a raw value"),
        (HEAD + '[{"nodes": [{"comment": "a", "property_order": ["C", "B"]}]}]}', "property_order: it should name every"),
    ],
)  # fmt: skip
def test_a_wrong_part_is_named(text: str, words: str) -> None:
    with pytest.raises(RecordError) as error:
        Record.from_json(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
