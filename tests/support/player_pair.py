"""Two players of a match on sockets: they reconnect as the page does and repeat what was not acknowledged.

Every action is sent under a request id, again and again with the same one until it is acknowledged or refused. All
acknowledgements are kept, so that they can be compared with the stored log.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.support.light_client import Endpoint, ReconnectingClient, Response, send_request

RETRY_SECONDS = 0.25
TEMPORARY_STATUSES = (429, 502, 503, 504)  # a limit, a proxy without a server, a server without its database
TEMPORARY_ERRORS = ("storage", "storage-timeout", "busy", "too-many")
LAGGING_ERRORS = ("stale", "not-your-turn", "no-such-offer")  # the board is another one: after a restore, or a takeback
FINAL_ERRORS = ("not-playing", "game-over", "too-late", "not-found", "no-session", "not-your-match")

ChooseAction = Callable[[dict[str, Any], random.Random], tuple[int, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """An acknowledged action: when it was first sent, when it was acknowledged, and its event."""

    request_id: str
    sent_at: float
    acknowledged_at: float
    event: dict[str, Any]


@dataclass(slots=True)
class PendingAction:
    """An action that is sent until it is answered."""

    seat: int
    message: dict[str, Any]
    sent_at: float
    attempts: int = 1


@dataclass
class Statistics:
    """What all players of a run have seen."""

    latencies: list[float] = field(default_factory=list)  # from the first attempt of an action to its acknowledgement
    arrivals: list[float] = field(default_factory=list)  # from the first attempt to the opponent's socket
    reconnections: list[float] = field(default_factory=list)  # seconds without a connection
    errors: Counter[str] = field(default_factory=Counter)  # by code
    unexpected: list[str] = field(default_factory=list)  # errors that no fault explains
    acknowledged: int = 0
    repeats: int = 0

    def clear_times(self) -> None:
        """Forget the times that were measured so far."""
        for times in (self.latencies, self.arrivals, self.reconnections):
            times.clear()


class PlayerPair:
    """Both players of one match. `think_seconds` returns the time between an acknowledgement and the next action."""

    def __init__(
        self,
        match_id: str,
        endpoints: Iterable[Endpoint],
        tokens: tuple[str, str],
        statistics: Statistics,
        choose: ChooseAction,
        think_seconds: Callable[[], float],
        rng: random.Random,
        positions: bool = True,
    ) -> None:
        self.match_id = match_id
        self.tokens = tokens
        self.statistics = statistics
        self.choose = choose
        self.think_seconds = think_seconds
        self.rng = rng
        self.created_at = time.monotonic()
        self.positions = "true" if positions else "false"
        self.state: dict[str, Any] | None = None
        self.pending: PendingAction | None = None
        self.last_sent: PendingAction | None = None
        self.last_seq = 0  # that the event of `last_sent` will have
        self.acknowledged: list[Acknowledgement] = []
        self.sent_ids: set[str] = set()
        self.numbers = itertools.count(1)
        self.has_begun = False
        self.is_due = False  # the next action waits until its player is connected
        self.is_stopping = False
        self.done = asyncio.Event()
        self.clients = [
            ReconnectingClient(endpoint, self.build_path, token, self.build_handler(seat), self.build_back_handler(seat))
            for seat, (endpoint, token) in enumerate(zip(endpoints, tokens, strict=True))
        ]

    def build_path(self) -> str:
        """Return the path of the stream, after the last event that is known."""
        after = "" if self.state is None else f"&after={self.state['seq']}"
        return f"/api/matches/{self.match_id}/stream?positions={self.positions}{after}"

    def build_handler(self, seat: int) -> Callable[[Any], None]:
        """Return the handler of the messages of a seat's socket."""
        return lambda message: self.handle_message(seat, message)

    def build_back_handler(self, seat: int) -> Callable[[float | None], None]:
        """Return the handler of a seat's socket that is connected."""
        return lambda away: self.handle_back(seat, away)

    async def open(self) -> None:
        """Connect both players."""
        for client in self.clients:
            await client.connect()

    def handle_back(self, seat: int, away: float | None) -> None:
        """Send again what this seat has not had acknowledged; begin to play when both are connected."""
        if away is not None:
            self.statistics.reconnections.append(away)
        if self.pending is not None and self.pending.seat == seat:
            self.repeat(self.pending)
        elif self.is_due:
            self.act()
        elif not self.has_begun and all(client.is_back for client in self.clients):
            self.has_begun = True
            self.act_later()

    def handle_message(self, seat: int, message: dict[str, Any]) -> None:
        """Handle a message of a seat's socket."""
        if message["type"] == "snapshot":
            self.state = None  # also if it is older: a backup was restored
            self.set_state(message["match"]["state"])
        elif message["type"] == "events":
            self.note_arrival(seat, message["events"])
            self.set_state(message["state"])
        elif message["type"] == "ack":
            self.handle_acknowledgement(message)
        elif message["type"] == "error":
            self.handle_error(message)

    def set_state(self, state: dict[str, Any]) -> None:
        """Take over a state, unless the other socket has brought a later one."""
        if self.state is None or state["seq"] > self.state["seq"]:
            self.state = state
        if self.state["status"] == "over" and self.pending is None:
            self.close()

    def note_arrival(self, seat: int, events: list[dict[str, Any]]) -> None:
        """Note the time until an action arrives at the opponent."""
        last = self.last_sent
        if last is not None and last.seat != seat and any(event["seq"] == self.last_seq for event in events):
            self.statistics.arrivals.append(time.monotonic() - last.sent_at)

    def act_later(self) -> None:
        """Act after some time of thinking."""
        asyncio.get_running_loop().call_later(self.think_seconds(), self.act)

    def act(self) -> None:
        """Send the next action, or wait until its player is connected."""
        if self.is_stopping or self.done.is_set():
            self.close()
            return
        if self.pending is not None or self.state is None:
            return
        if self.state["status"] != "playing":  # over, or restored to the time before both players had joined
            self.close()
            return
        seat, action = self.choose(self.state, self.rng)
        self.is_due = not self.clients[seat].is_back
        if self.is_due:
            return
        request_id = f"r{next(self.numbers)}"
        self.sent_ids.add(request_id)
        self.pending = self.last_sent = PendingAction(seat, action | {"request_id": request_id}, time.monotonic())
        self.last_seq = self.state["seq"] + 1
        self.clients[seat].send(self.pending.message)

    def repeat(self, pending: PendingAction) -> None:
        """Send an action again, unless it was answered meanwhile."""
        if pending is self.pending:
            pending.attempts += 1
            self.statistics.repeats += 1
            self.clients[pending.seat].send(pending.message)

    def handle_acknowledgement(self, message: dict[str, Any]) -> None:
        """Keep an acknowledgement, and go on."""
        pending = self.pending
        if pending is None or message["request_id"] != pending.message["request_id"]:
            return  # of an earlier attempt
        now = time.monotonic()
        self.pending = None
        self.acknowledged.append(Acknowledgement(message["request_id"], pending.sent_at, now, message["event"]))
        self.statistics.acknowledged += 1
        self.statistics.latencies.append(now - pending.sent_at)
        if message["state"] is not None:
            self.set_state(message["state"])
        if self.is_stopping:
            self.close()
        else:
            self.act_later()

    def handle_error(self, message: dict[str, Any]) -> None:
        """Repeat after a temporary error; otherwise continue from the current state, or give up."""
        code, pending = message["code"], self.pending
        self.statistics.errors[code] += 1
        if pending is not None and message["request_id"] != pending.message["request_id"] and message["request_id"]:
            return  # of an earlier attempt
        if code in TEMPORARY_ERRORS:
            if pending is not None:
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.repeat, pending)
            return
        self.pending = None
        if "match" in message.get("details", {}):
            self.state = message["details"]["match"]["state"]
        if code in FINAL_ERRORS:
            self.close()
            return
        if code not in LAGGING_ERRORS:
            self.statistics.unexpected.append(f"match {self.match_id}: {code}: {message['message']}, {pending}")
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self.act)

    def stop(self) -> None:
        """Stop when the action that is under way is acknowledged."""
        self.is_stopping = True
        if self.pending is None:
            self.close()

    def close(self) -> None:
        """Disconnect both players."""
        for client in self.clients:
            client.close()
        self.done.set()


async def request_until_answered(
    endpoint: Endpoint, method: str, path: str, token: str | None = None, body: Any = None
) -> Response:
    """Repeat a request until there is a response that is no temporary failure."""
    while True:
        try:
            response = await send_request(endpoint, method, path, token, body)
        except (OSError, TimeoutError):
            await asyncio.sleep(RETRY_SECONDS)
            continue
        if response.status not in TEMPORARY_STATUSES:
            return response
        await asyncio.sleep(float(response.headers.get("retry-after", RETRY_SECONDS)))


async def create_guest(endpoint: Endpoint) -> str:
    """Create a guest and return the session token."""
    return (await request_until_answered(endpoint, "POST", "/api/guests", body={})).session


async def create_account(endpoint: Endpoint, rng: random.Random) -> str:
    """Create an account with a random name and return the session token."""
    while True:
        body = {"name": f"player {rng.getrandbits(48):x}", "password": f"password {rng.getrandbits(64):x}"}
        response = await request_until_answered(endpoint, "POST", "/api/accounts", body=body)
        if response.status == 201:
            return response.session


async def arrange_match(
    endpoints: tuple[Endpoint, Endpoint], tokens: tuple[str, str], settings: dict[str, Any]
) -> str | None:
    """Create a match of two users, the first with seat 0. Returns its id, None if it is gone after a restore."""
    body = {"opponent": {"kind": "invitation"}, "seat": 0, "public": True, **settings}
    response = await request_until_answered(endpoints[0], "POST", "/api/matches", tokens[0], body)
    if response.status != 201:
        return None
    created = response.json()
    path = f"/api/invitations/{created['invitation']}/accept"
    accepted = await request_until_answered(endpoints[1], "POST", path, tokens[1])
    return created["match"]["id"] if accepted.status in (200, 201, 409) else None
