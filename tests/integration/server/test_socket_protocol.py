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


def build_frame(said: str | bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """Return a frame as clients send it."""
    payload = said.encode() if isinstance(said, str) else said
    return Frame(opcode, payload, fin).serialize(mask=True)


def build_chat(number: int) -> str:
    """Return a message that gets a response of its own."""
    return json.dumps({"type": "chat", "text": "hello", "request_id": f"{number}"})


def split_at(data: bytes, *places: int) -> list[bytes]:
    """Return data in pieces, split at some places."""
    edges = [0, *places, len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


WAYS: dict[str, Callable[[], list[bytes]]] = {
    "whole": lambda: [build_frame(build_chat(0)), build_frame(build_chat(1))],
    "together": lambda: [build_frame(build_chat(0)) + build_frame(build_chat(1))],
    "in pieces": lambda: split_at(build_frame(build_chat(0)), 1, 7) + split_at(build_frame(build_chat(1)), 1, 7),
    "one and a half": lambda: split_at(build_frame(build_chat(0)) + build_frame(build_chat(1)), 70),
    "in fragments": lambda: [
        build_frame(build_chat(0)[:9], fin=False),
        build_frame(build_chat(0)[9:], Opcode.CONT),
        build_frame(build_chat(1)),
    ],
    "with a ping in a fragment": lambda: [
        build_frame(build_chat(0)[:9], fin=False),
        build_frame(b"are you there", Opcode.PING),
        build_frame(build_chat(0)[9:], Opcode.CONT),
        build_frame(build_chat(1)),
    ],
    "with pings between": lambda: [build_frame(build_chat(0)), build_frame(b"1", Opcode.PING), build_frame(build_chat(1))],
}
WRONG: dict[str, Callable[[], bytes]] = {  # by the code that the socket is closed with
    "1007": lambda: build_frame(b"\xff\xfe"),
    "1009": lambda: build_frame(b"x" * (MAX_MESSAGE_BYTES + 1)),
    "1002": lambda: b"\x81\x01a",  # not masked
}


@pytest.mark.parametrize("way", WAYS)
def test_messages_are_received_in_any_division_into_frames(server: Server, way: str) -> None:
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
    text: list[dict[str, object]] = []
    for turn, cell in enumerate(("c3", "b2", "d4", "b4", "a1", "e5")):
        text += [
            {"type": "move", "move": cell, "position_version": turn + 1},
            {"type": "move", "move": "c3", "position_version": turn + 1},
            {"type": "dance"},
            {"type": "request-takeback", "event_seq": 99},
        ]
    with alone.follow(match) as socket:
        for number, message in enumerate(text):
            socket.socket.send(json.dumps(message | {"request_id": f"{number}"}))
        responses = [socket.receive("ack", "error") for _ in text]
    assert [response["request_id"] for response in responses] == [f"{number}" for number in range(len(text))]
    assert [response["type"] for response in responses] == ["ack", "error", "error", "error"] * 6
