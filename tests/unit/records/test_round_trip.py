"""What goes out comes back: records as SGF, as JSON, and through both."""

from __future__ import annotations

import copy
import pickle
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from ropewalk.records import Property, Record, find_first_mismatch, read, read_all, save
from ropewalk.records.properties import PROPERTY_DEFS
from ropewalk.records.sgf import format_line, format_pair, format_text, parse_line, parse_pair, parse_text
from tests.support.record_trees import EVERY_GAME, build_annotated_game, play_random_game, properties, texts, trees


@given(record=trees())
@settings(max_examples=60)
def test_a_record_survives_sgf_and_json_and_both(record: Record) -> None:
    assert read(record.to_sgf()) == record
    assert Record.from_json(record.to_json()) == record
    assert Record.from_json(read(record.to_sgf()).to_json()).to_sgf() == record.to_sgf()
    assert read(record.to_sgf().encode()) == record


@given(nodes=st.lists(st.lists(properties, max_size=4), min_size=1, max_size=4))
def test_what_is_not_understood_survives_byte_for_byte_and_in_order(nodes: list[list[Property]]) -> None:
    record = read("(" + "".join(";" + "".join(map(str, node)) for node in nodes) + ")")
    for again in (record, read(record.to_sgf()), Record.from_json(record.to_json())):
        assert again == record
        for node, written in zip(again.nodes(), nodes, strict=True):
            assert [kept.name for kept in node.properties] == [kept.name for kept in written]
            for kept, before in zip(node.properties, written, strict=True):
                assert (
                    kept == before
                    or PROPERTY_DEFS[kept.name].canonicalise(before.values) == kept.values
                    or kept.name == "CA"
                )


@given(record=trees())
@settings(max_examples=25)
def test_views_are_the_same_on_the_other_side(record: Record) -> None:
    again = read(record.to_sgf())
    assert (again.players, again.result, again.date) == (record.players, record.result, record.date)
    for ours, theirs in zip(record.nodes(), again.nodes(), strict=True):
        assert (ours.comment, ours.marks, ours.labels) == (theirs.comment, theirs.marks, theirs.labels)
        assert (ours.evaluation, ours.get_clock(0), ours.get_clock(1)) == (
            theirs.evaluation,
            theirs.get_clock(0),
            theirs.get_clock(1),
        )
        assert (ours.turn, ours.seat, ours.path) == (theirs.turn, theirs.seat, theirs.path)


@given(record=trees())
@settings(max_examples=25)
def test_another_program_reads_the_same_values(record: Record) -> None:
    waiting = [sgf_grammar.parse_sgf_game(record.to_sgf().encode())]
    theirs = []
    while waiting:  # they keep a sequence of nodes together, join what is said twice and drop small letters
        tree = waiting.pop()
        theirs += tree.sequence
        waiting += reversed(tree.children)
    for node, found in zip(record.nodes(), theirs, strict=True):
        ours: dict[str, list[bytes]] = {}
        for written in node.properties:
            ours.setdefault(re.sub("[a-z]", "", written.name), []).extend(value.encode() for value in written.values)
        assert found == ours


@given(text=texts)
def test_texts_are_escaped_so_that_they_read_the_same(text: str) -> None:
    flat = text.replace("\n\r", "\n").replace("\r\n", "\n").replace("\r", "\n")
    assert parse_text(format_text(parse_text(format_text(text)))) == parse_text(format_text(text))
    assert parse_line(format_line(flat)) == flat.replace("\n", " ")
    if "\r" not in text:
        assert parse_text(format_text(text)) == text


@given(first=texts, second=texts)
def test_composed_values_may_have_colons_in_both_parts(first: str, second: str) -> None:
    flat = parse_line(format_line(first)), parse_line(format_line(second))
    assert parse_pair(format_pair(first, second)) == flat


@pytest.mark.parametrize("spec", EVERY_GAME)
@pytest.mark.parametrize("ending", [".sgf", ".json"])
def test_whole_games_survive_a_file_and_verify(spec: str, ending: str, tmp_path: Path) -> None:
    for seed in range(3):
        played = play_random_game(spec, seed)
        path = tmp_path / f"{seed}{ending}"
        Record.from_position(played).save(path)
        again = read(path)
        assert again == Record.from_position(played)
        assert again.end.position == played
        assert again.end.position.steps() == played.steps()
        assert find_first_mismatch(again) is None


@pytest.mark.parametrize("spec", EVERY_GAME)
def test_annotated_games_survive_and_verify(spec: str) -> None:
    for seed in range(2):
        record = build_annotated_game(spec, seed)
        assert read(record.to_sgf()) == Record.from_json(record.to_json()) == record
        assert find_first_mismatch(read(record.to_sgf())) is None


@pytest.mark.parametrize("ending", [".sgf", ".json"])
def test_a_collection_keeps_its_games_in_order(ending: str, tmp_path: Path) -> None:
    several = [build_annotated_game(spec, 1) for spec in EVERY_GAME]
    save(several, tmp_path / f"all{ending}")
    assert read_all(tmp_path / f"all{ending}") == several


def test_copies_and_pickles_of_a_long_game_are_equal() -> None:
    record = Record.create("tether-5")
    node = record.root
    for number in range(5000):
        node = node.add_unchecked(number % 2, "c3")
    assert copy.deepcopy(record) == record
    assert pickle.loads(pickle.dumps(record)) == record


def test_records_differ_when_anything_does() -> None:
    rng = random.Random(1)
    record = build_annotated_game("tether-5", 1)
    for node in rng.sample(list(record.nodes()), 10):
        other = copy.deepcopy(record)
        found = other.root
        for child in node.path:
            found = found.children[child]
        found.comment += "!"
        assert other != record
    assert record != Record.create("tether-5")
