"""Wires: the short way takes exactly what the protocol's own reader would, and all else goes the long way."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from ropewalk.server.api.wires import MASKED, TEXT, ends_whole, head, is_short_text, unmasked
from ropewalk.server.run import MAX_MESSAGE_BYTES

from .running import Client, Server, pair

TEXTS = st.text(max_size=300) | st.text("aß€😀", min_size=100, max_size=1200)


def frame(said: str | bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame as clients send it."""
    payload = said.encode() if isinstance(said, str) else said
    return Frame(opcode, payload, fin).serialize(mask=True)


@given(TEXTS)
def test_a_whole_text_is_read_as_the_library_wrote_it(said: str) -> None:
    data = frame(said)
    size = len(said.encode())
    assert is_short_text(data, MAX_MESSAGE_BYTES) == (size <= MAX_MESSAGE_BYTES)
    assert unmasked(data) == said.encode()


@given(TEXTS)
def test_a_text_is_sent_as_the_library_sends_it(said: str) -> None:
    payload = said.encode()
    assert head(len(payload)) + payload == Frame(Opcode.TEXT, payload).serialize(mask=False)


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536, 70000])
def test_lengths_are_written_as_the_protocol_wants(size: int) -> None:
    assert head(size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)[: -size or None]


@given(TEXTS, st.data())
def test_a_part_of_a_text_is_no_whole_text(said: str, data: st.DataObject) -> None:
    whole = frame(said)
    part = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert not is_short_text(part, MAX_MESSAGE_BYTES)
    assert not is_short_text(whole + part, MAX_MESSAGE_BYTES) or not part


@given(st.lists(st.tuples(st.sampled_from([Opcode.TEXT, Opcode.PING, Opcode.BINARY]), st.binary(max_size=125)), min_size=1))
def test_whole_frames_are_known_from_those_that_go_on(said: Sequence[tuple[Opcode, bytes]]) -> None:
    data = b"".join(frame(payload, opcode) for opcode, payload in said)
    assert ends_whole(data)
    assert not ends_whole(data[:-1])
    assert not ends_whole(data + frame("more to come", fin=False))


@given(st.binary(min_size=5, max_size=60), st.integers(-1, 1))
def test_what_is_taken_for_a_text_is_one_for_the_library(rest: bytes, wrong: int) -> None:
    data = bytes([TEXT, MASKED + len(rest) - 4 + wrong]) + rest  # a mask, and a payload perhaps not as long as it says
    assert is_short_text(data, MAX_MESSAGE_BYTES) == (wrong == 0)
    if wrong == 0:
        read = read_by_library(data)
        assert (read.opcode, read.fin, bytes(read.data)) == (Opcode.TEXT, True, unmasked(data))


def read_by_library(data: bytes) -> Frame:
    """The only frame in some data."""
    reader = StreamReader()
    reader.feed_data(data)
    reading = Frame.parse(reader.read_exact, mask=True, max_size=MAX_MESSAGE_BYTES)
    with pytest.raises(StopIteration) as done:
        next(reading)
    assert not reader.buffer
    found: Frame = done.value.value
    return found


def chat(number: int) -> str:
    """A message that gets an answer of its own."""
    return json.dumps({"type": "chat", "text": "hello", "request_id": f"{number}"})


def cut(data: bytes, *places: int) -> list[bytes]:
    """Data in pieces that come one by one."""
    edges = [0, *places, len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


WAYS: dict[str, Callable[[], list[bytes]]] = {
    "whole": lambda: [frame(chat(0)), frame(chat(1))],
    "together": lambda: [frame(chat(0)) + frame(chat(1))],
    "in pieces": lambda: cut(frame(chat(0)), 1, 7) + cut(frame(chat(1)), 1, 7),
    "one and a half": lambda: cut(frame(chat(0)) + frame(chat(1)), 70),
    "in fragments": lambda: [frame(chat(0)[:9], fin=False), frame(chat(0)[9:], Opcode.CONT), frame(chat(1))],
    "with a ping in a fragment": lambda: [
        frame(chat(0)[:9], fin=False),
        frame(b"are you there", Opcode.PING),
        frame(chat(0)[9:], Opcode.CONT),
        frame(chat(1)),
    ],
    "with pings between": lambda: [frame(chat(0)), frame(b"1", Opcode.PING), frame(chat(1))],
}
WRONG: dict[str, Callable[[], bytes]] = {  # by the code that the socket is closed with
    "1007": lambda: frame(b"\xff\xfe"),
    "1009": lambda: frame(b"x" * 5000),
    "1002": lambda: b"\x81\x01a",  # not masked
}


@pytest.mark.parametrize("way", WAYS)
def test_messages_are_heard_however_they_come(server: Server, way: str) -> None:
    first, _, match = pair(server, "tether-5")
    with first.following(match) as socket:
        for piece in WAYS[way]():
            socket.socket.socket.sendall(piece)
            time.sleep(0.02)
        assert [socket.hear("ack", "error")["request_id"] for _ in range(2)] == ["0", "1"]


@pytest.mark.parametrize("code", WRONG)
def test_what_is_against_the_protocol_closes_the_socket(server: Server, code: str) -> None:
    first, _, match = pair(server, "tether-5")
    with first.following(match) as socket:
        socket.hear("snapshot")
        socket.socket.socket.sendall(WRONG[code]())
        with pytest.raises(ConnectionClosedError, match=code):
            socket.hear("ack")
    first.move(match, "c3")


def test_a_flood_is_answered_in_order_and_read_no_faster_than_it_is_answered(server: Server) -> None:
    first, _, match = pair(server, "tether-5")
    count = 300
    with first.following(match) as socket:
        for number in range(count):
            socket.socket.send(json.dumps({"type": "chat", "text": os.urandom(4).hex(), "request_id": f"{number}"}))
        assert [socket.hear("ack", "error")["request_id"] for _ in range(count)] == [f"{number}" for number in range(count)]


def test_moves_and_what_comes_between_them_are_answered_in_order(server: Server) -> None:
    alone = Client(server)
    match = alone.create("tether-5", "self")["match"]["id"]
    said: list[dict[str, object]] = []
    for turn, cell in enumerate(("c3", "b2", "d4", "b4", "a1", "e5")):
        said += [
            {"type": "move", "move": cell, "position_version": turn + 1},
            {"type": "move", "move": "c3", "position_version": turn + 1},
            {"type": "dance"},
            {"type": "request-takeback", "event_seq": 99},
        ]
    with alone.following(match) as socket:
        for number, message in enumerate(said):
            socket.socket.send(json.dumps(message | {"request_id": f"{number}"}))
        answers = [socket.hear("ack", "error") for _ in said]
    assert [answer["request_id"] for answer in answers] == [f"{number}" for number in range(len(said))]
    assert [answer["type"] for answer in answers] == ["ack", "error", "error", "error"] * 6
