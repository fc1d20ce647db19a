"""A thousand damaged files: an error with line and column, or a record that says what was dropped; nothing else ever."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from ropewalk.records import Record, RecordError, find_first_mismatch, read, read_all
from tests.support.record_trees import EVERY_GAME, build_annotated_game

TIMES = 250  # for each of the four ways


def truncated(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def flipped(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 5)):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def with_a_hole(content: bytes, chance: random.Random) -> bytes:
    start, length = chance.randrange(len(content)), chance.choice([1, 1, 2, 10, 100])
    return content[:start] + content[start + length :]


def stuttering(content: bytes, chance: random.Random) -> bytes:
    start, length, place = chance.randrange(len(content)), chance.choice([1, 1, 2, 10, 100]), chance.randrange(len(content))
    return content[:place] + content[start : start + length] + content[place:]


ways = pytest.mark.parametrize("way", [truncated, flipped, with_a_hole, stuttering])
Way = Callable[[bytes, random.Random], bytes]


def damaged_files(way: Way, written: Callable[[Record], str]) -> list[bytes]:
    sound = [written(build_annotated_game(spec, 5)).encode() for spec in EVERY_GAME]
    rng = random.Random(way.__name__)
    return [way(rng.choice(sound), rng) for _ in range(TIMES)]


def strictly(content: bytes) -> list[Record] | RecordError:
    try:
        return read_all(content)
    except RecordError as error:
        return error


@ways
def test_damaged_sgf(way: Way) -> None:
    error = 0
    for content in damaged_files(way, Record.to_sgf):
        found = strictly(content)
        if isinstance(found, RecordError):
            error += 1
            assert found.line is not None, content
            require_recovered(content)
        else:
            assert all(read(record.to_sgf()) == Record.from_json(record.to_json()) == record for record in found)
    assert error > TIMES / 20


def require_recovered(content: bytes) -> None:
    """What is left is a sound record, and what was wrong is named; a refusal has its place."""
    try:
        records = read_all(content, recover=True)
    except RecordError as error:
        assert error.line is not None, content
        return
    for record in records:
        assert record.parse_faults
        assert all(fault.line >= 1 and fault.column >= 1 and fault.message for fault in record.parse_faults)
        assert read(record.to_sgf()) == Record.from_json(record.to_json()) == record


@ways
def test_damaged_json(way: Way) -> None:
    error = 0
    for content in damaged_files(way, Record.to_json)[: TIMES // 2]:
        found = strictly(content)
        if isinstance(found, RecordError):
            error += 1
            assert found.line is not None or "games" in str(found) or "JSON" in str(found), content
        else:
            whole = [record for record in found if record.root.get("CA") == "UTF-8"]  # another is not kept by SGF
            assert all(read(record.to_sgf()) == record for record in whole)
    assert error > TIMES / 40


@ways
def test_what_is_left_can_be_replayed_or_says_why_not(way: Way) -> None:
    different = 0
    for content in damaged_files(way, Record.to_sgf)[:40]:
        try:
            records = read_all(content, recover=True)
        except RecordError:
            continue
        found = [find_first_mismatch(record) for record in records]
        different += sum(difference is not None and "\n" not in str(difference) for difference in found)
    assert different > 2


@pytest.mark.parametrize("way", [truncated, with_a_hole])
def test_recovery_loses_no_more_than_it_names(way: Way) -> None:
    """Every value of what is left of a file is in the record, or in what was dropped."""
    for content in damaged_files(way, Record.to_sgf)[:60]:
        if isinstance(strictly(content), RecordError):
            try:
                record = read_all(content, recover=True)[0]
            except RecordError:
                continue
            text = content.decode(errors="surrogateescape")
            kept = "".join(record.to_sgf() for record in read_all(content, recover=True))
            dropped = "".join(fault.dropped_text for fault in record.parse_faults)
            for word in ("why not?", "estimate", "triangle"):
                assert (kept + dropped).count(word) == text.count(word)
            assert len(kept + dropped) + 2 * len(record.parse_faults) + 100 >= len(text) - text.count("\n") - text.count(
                "\r"
            )


def test_what_is_left_of_a_truncated_game_is_its_beginning() -> None:
    sound = build_annotated_game("tether-5", 5)
    text = sound.to_sgf()
    record = read(text[: text.index(";W[", 300)] + ";W[b", recover=True)
    assert record.parse_faults[0].message == "unterminated value: missing ]"
    for ours, theirs in zip(record.main_line()[:-1], sound.main_line(), strict=False):
        assert ours.turn == theirs.turn
    assert record.parse_faults[0].dropped_text == "[b"
