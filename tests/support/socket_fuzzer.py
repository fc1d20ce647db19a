"""A fuzzer of sockets: messages that are no text, no JSON, no action, or valid and hostile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

MAX_MESSAGE_BYTES = 16_384
TYPES = ("move", "request-takeback", "answer-takeback", "offer-draw", "answer-draw", "chat", "abort", "resign", "", "x")
SPECS = ("tether-3", "tether-5", "liger-4", "lariat-1x1", "tether-4", "x" * 500, "\0", "", "laocoon-weave")
CELLS = ("a1", "b2", "c3", "swap", "pass", "", "z99", "\u202e", "c3" * 30)
TEXTS = ("", "\0", "\ufffe", "\U0001f600", "a" * 300, "é" * 400, "<script>", "'; DROP TABLE matches; --", "%s%n", "\u202e")
INVALID_UTF_8 = (b"\xff", b"\xed\xa0\x80", b'{"type": "\xc3"}', b"\xf8\x88\x80\x80\x80", b"a\x80")
Part = str | bytes


@dataclass
class FuzzedSocket:
    """A socket that is opened again whenever the server closes it, and what it has sent and received."""

    url: str
    cookie: str
    random: Random
    make_message: Callable[[Random], Part | list[Part]]
    greets: bool  # whether the server sends the first message
    sent_count: int = 0
    received_count: int = 0
    close_codes: dict[int, int] = field(default_factory=dict)

    async def run(self, count: int) -> None:
        """Send a number of messages."""
        while self.sent_count < count:
            async with connect(self.url, additional_headers={"Cookie": self.cookie}, max_size=None) as socket:
                reader = asyncio.create_task(self.read(socket))
                while self.greets and not self.received_count:
                    await asyncio.sleep(0.01)
                try:
                    await self.send_some(socket, count)
                except ConnectionClosed as closed:
                    code = closed.rcvd.code if closed.rcvd is not None else 1006
                    self.close_codes[code] = self.close_codes.get(code, 0) + 1
            await reader

    async def send_some(self, socket: ClientConnection, count: int) -> None:
        """Send messages until there are enough, or the server closes the socket."""
        while self.sent_count < count:
            self.sent_count += 1
            message = self.make_message(self.random)
            if isinstance(message, bytes) and self.random.random() < 0.5:
                await socket.send(message, text=True)
            else:
                await socket.send(message)
            if self.random.random() < 0.02:  # a message cancels the analysis before it, so that only pauses see results
                await asyncio.wait_for(await socket.ping(), 60)
                await asyncio.sleep(0.1)

    async def read(self, socket: ClientConnection) -> None:
        """Read everything that the server sends; every message must be JSON with a type, and no internal error."""
        with suppress(ConnectionClosed):
            async for text in socket:
                message = json.loads(text)
                assert message["type"], message
                assert message.get("code") not in ("internal", "storage"), message
                self.received_count += 1


def make_json(random: Random, depth: int = 3) -> Any:
    """Return a random JSON value."""
    choice = random.randrange(10 if depth else 7)
    if choice >= 7:
        items = [make_json(random, depth - 1) for _ in range(random.randrange(4))]
        return items if choice == 7 else {random.choice(TEXTS): item for item in items}
    return (None, True, random.randrange(-5, 30), -(2**70), random.choice(TEXTS), 1e308, random.choice(CELLS))[choice]


def make_noise(random: Random) -> Part | list[Part]:
    """Return a message that is no JSON object, or a very large or deep one."""
    size = random.choice((0, 1, 100, 5000, MAX_MESSAGE_BYTES - 20))
    makers: tuple[Callable[[], Part | list[Part]], ...] = (
        lambda: random.randbytes(size),
        lambda: random.choice(INVALID_UTF_8),
        lambda: "[" * size,
        lambda: '{"type":' * (size // 8),
        lambda: json.dumps({"type": "move", "request_id": "x" * size})[:MAX_MESSAGE_BYTES],
        lambda: '{"type": "move", "position_version": ' + "9" * size + "}",
        lambda: '{"type": "chat", "text": "\\ud800", "request_id": "\\udfff"}',
        lambda: json.dumps(make_json(random)),
        lambda: "x" * (MAX_MESSAGE_BYTES + 1) if random.random() < 0.2 else "x",
        lambda: ["{", '"type"', ": ", '"resign"', "" if random.random() < 0.5 else "}"],  # fragments
    )
    return random.choice(makers)()


def make_action(random: Random) -> Part | list[Part]:
    """Return a message for the socket of a match: an action, often a valid one at the wrong time."""
    if random.random() < 0.3:
        return make_noise(random)
    values = {
        "move": random.choice(CELLS),
        "position_version": random.choice((0, 1, 2, 3, 2**31 - 1, 2**31, -1)),
        "event_seq": random.choice((0, 1, 2, 5, 10**9)),
        "accept": random.choice((True, False, "yes", None)),
        "text": random.choice(TEXTS),
        "request_id": random.choice(("a", "b", "", "\0", None, "x" * 65)),
    }
    fields = random.sample(sorted(values), random.randrange(len(values) + 1))
    message: dict[str, Any] = {"type": random.choice(TYPES[:7] if random.random() < 0.9 else TYPES)}
    message |= {name: values[name] if random.random() < 0.9 else make_json(random) for name in fields}
    return json.dumps(message)


def make_analysis(random: Random) -> Part | list[Part]:
    """Return a message for the socket of analyses: a position, which cancels the analysis before it."""
    if random.random() < 0.5:
        return make_noise(random)
    message: dict[str, Any] = {"spec": random.choice(SPECS), "moves": random.choices(CELLS[:3], k=random.randrange(4))}
    message |= {"seconds": random.choice((0.01, 0.05, -1, 1e9, "1")), "level": random.choice((1, 2, 9, None))}
    return json.dumps(message if random.random() < 0.8 else message | {random.choice(TEXTS): make_json(random)})


async def fuzz_sockets(sockets: Iterable[FuzzedSocket], count: int) -> None:
    """Send `count` messages on each of the sockets at the same time."""
    await asyncio.gather(*(socket.run(count) for socket in sockets))
