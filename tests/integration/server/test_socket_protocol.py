"""The WebSocket protocol: messages arrive in any division into frames, and responses come in order."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Frame, Opcode

from ropewalk.server.run import MAX_MESSAGE_BYTES
from tests.support.server_process import Client, Server, start_match


def frame(said: str | bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame as clients send it."""
    payload = said.encode() if isinstance(said, str) else said
    return Frame(opcode, payload, fin).serialize(mask=True)


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
    "1009": lambda: frame(b"x" * (MAX_MESSAGE_BYTES + 1)),
    "1002": lambda: b"\x81\x01a",  # not masked
}


@pytest.mark.parametrize("way", WAYS)
def test_messages_are_heard_however_they_come(server: Server, way: str) -> None:
    first, _, match = start_match(server, "tether-5")
    with first.follow(match) as socket:
        for piece in WAYS[way]():
            socket.socket.socket.sendall(piece)
            time.sleep(0.02)
        assert [socket.receive("ack", "error")["request_id"] for _ in range(2)] == ["0", "1"]


@pytest.mark.parametrize("code", WRONG)
def test_what_is_against_the_protocol_closes_the_socket(server: Server, code: str) -> None:
    first, _, match = start_match(server, "tether-5")
    with first.follow(match) as socket:
        socket.receive("snapshot")
        socket.socket.socket.sendall(WRONG[code]())
        with pytest.raises(ConnectionClosedError, match=code):
            socket.receive("ack")
    first.play(match, "c3")


def test_a_flood_is_answered_in_order_and_read_no_faster_than_it_is_answered(server: Server) -> None:
    first, _, match = start_match(server, "tether-5")
    count = 300
    with first.follow(match) as socket:
        for number in range(count):
            socket.socket.send(json.dumps({"type": "chat", "text": os.urandom(4).hex(), "request_id": f"{number}"}))
        assert [socket.receive("ack", "error")["request_id"] for _ in range(count)] == [
            f"{number}" for number in range(count)
        ]


def test_moves_and_what_comes_between_them_are_answered_in_order(server: Server) -> None:
    alone = Client(server)
    match = alone.create_match("tether-5", "self")["match"]["id"]
    said: list[dict[str, object]] = []
    for turn, cell in enumerate(("c3", "b2", "d4", "b4", "a1", "e5")):
        said += [
            {"type": "move", "move": cell, "position_version": turn + 1},
            {"type": "move", "move": "c3", "position_version": turn + 1},
            {"type": "dance"},
            {"type": "request-takeback", "event_seq": 99},
        ]
    with alone.follow(match) as socket:
        for number, message in enumerate(said):
            socket.socket.send(json.dumps(message | {"request_id": f"{number}"}))
        answers = [socket.receive("ack", "error") for _ in said]
    assert [answer["request_id"] for answer in answers] == [f"{number}" for number in range(len(said))]
    assert [answer["type"] for answer in answers] == ["ack", "error", "error", "error"] * 6
