"""How soon servers that share a database agree on streams, caches, presence and the lobby."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

from tests.support.light_client import Endpoint, ReconnectingClient, send_request
from tests.support.player_pair import arrange_match, create_guest, request_until_answered
from tests.support.server_group import ServerGroup, format_address

POLL_SECONDS = 0.02  # within the limit of requests of one address
MAX_WAIT_SECONDS = 30.0
AGREEMENT_CLIENT = 50_000  # the number of the first address, which no player has


async def measure_agreement(group: ServerGroup, spec: str, rng: random.Random) -> dict[str, float]:
    """Return the seconds until all servers agree after one of them has changed something, by what was changed.

    All servers must be running.
    """
    address = format_address(AGREEMENT_CLIENT + rng.randrange(1000))
    endpoints = [Endpoint(server.port, address) for server in group.servers]
    first, *_, last = endpoints
    tokens = (await create_guest(first), await create_guest(last))
    match_id = await arrange_match((first, last), tokens, {"spec": spec})
    assert match_id is not None
    with ExitStack() as stack:
        followers = [await follow(stack, endpoint, f"/api/matches/{match_id}/stream") for endpoint in endpoints]
        lobbies = [await follow(stack, endpoint, "/api/lobby/stream") for endpoint in endpoints]
        return {
            "stream": await measure_stream(first, match_id, tokens[0], followers),
            "cached match": await measure_cached_match(last, match_id, tokens[1], endpoints),
            "presence": await measure_presence(stack, first, match_id, tokens[0], endpoints),
            "cached user": await measure_cached_user(first, match_id, tokens[0], endpoints, rng),  # ends the session
            "lobby": await measure_lobby(first, spec, lobbies),
        }


async def follow(stack: ExitStack, endpoint: Endpoint, path: str, token: str | None = None) -> list[Any]:
    """Open a socket until the stack is closed. Returns the list of its messages after the first one has arrived."""
    messages: list[Any] = []
    client = ReconnectingClient(endpoint, lambda: path, token, messages.append)
    stack.callback(client.close)
    await client.connect()
    await measure_until(lambda: asyncio.sleep(0, bool(messages)))
    return messages


async def measure_until(holds: Callable[[], Awaitable[bool]]) -> float:
    """Return the seconds until a condition holds. Raises TimeoutError if it does not hold in MAX_WAIT_SECONDS."""
    began = time.monotonic()
    while not await holds():
        if time.monotonic() - began > MAX_WAIT_SECONDS:
            raise TimeoutError(f"the servers do not agree after {MAX_WAIT_SECONDS} s")
        await asyncio.sleep(POLL_SECONDS)
    return time.monotonic() - began


async def play_first_move(endpoint: Endpoint, match_id: str, token: str) -> int:
    """Play a legal move and return the seq of its event."""
    state = (await send_request(endpoint, "GET", f"/api/matches/{match_id}")).json()["state"]
    move = {"type": "move", "move": state["position"]["moves"][0], "position_version": state["position_version"]}
    response = await send_request(endpoint, "POST", f"/api/matches/{match_id}/actions", token, move)
    seq: int = response.json()["event"]["seq"]
    return seq


async def measure_stream(endpoint: Endpoint, match_id: str, token: str, followers: list[list[Any]]) -> float:
    """Measure the time from a move's acknowledgement until the sockets of all servers have it."""
    seq = await play_first_move(endpoint, match_id, token)

    async def have_all_received() -> bool:
        return all(any(message.get("state", {}).get("seq") == seq for message in messages) for messages in followers)

    return await measure_until(have_all_received)


async def measure_cached_match(endpoint: Endpoint, match_id: str, token: str, endpoints: list[Endpoint]) -> float:
    """Measure the time from a move's acknowledgement until all servers show it."""
    seq = await play_first_move(endpoint, match_id, token)
    return await measure_views(match_id, endpoints, lambda view: view["state"]["seq"] == seq)


async def measure_cached_user(
    endpoint: Endpoint, match_id: str, token: str, endpoints: list[Endpoint], rng: random.Random
) -> float:
    """Measure the time until all servers show the name of a guest who has become an account."""
    name = f"renamed {rng.getrandbits(40):x}"
    body = {"name": name, "password": f"{rng.getrandbits(80):x}"}
    response = await request_until_answered(endpoint, "POST", "/api/accounts", token, body)
    assert response.status == 201, response.json()
    return await measure_views(match_id, endpoints, lambda view: view["seats"][0]["user"]["name"] == name)


async def measure_presence(
    stack: ExitStack, endpoint: Endpoint, match_id: str, token: str, endpoints: list[Endpoint]
) -> float:
    """Measure the longer of the times until all servers show that a player has connected, and has left."""
    client = ReconnectingClient(endpoint, lambda: f"/api/matches/{match_id}/stream", token, lambda message: None)
    stack.callback(client.close)
    await client.connect()
    appeared = await measure_views(match_id, endpoints, lambda view: view["presence"]["seats"][0])
    client.close()
    left = await measure_views(match_id, endpoints, lambda view: not view["presence"]["seats"][0])
    return max(appeared, left)


async def measure_lobby(endpoint: Endpoint, spec: str, lobbies: list[list[Any]]) -> float:
    """Measure the time from the creation of a challenge until the lobby's sockets of all servers have it."""
    token = await create_guest(endpoint)
    body = {"spec": spec, "opponent": {"kind": "open"}}
    match_id = (await request_until_answered(endpoint, "POST", "/api/matches", token, body)).json()["match"]["id"]

    async def have_all_received() -> bool:
        return all(match_id in list_lobby_matches(messages) for messages in lobbies)

    seconds = await measure_until(have_all_received)
    await request_until_answered(endpoint, "POST", f"/api/matches/{match_id}/actions", token, {"type": "abort"})
    return seconds


def list_lobby_matches(messages: list[Any]) -> set[str]:
    """Return the ids of the matches of which a socket of the lobby was told."""
    events = {event["match_id"] for message in messages for event in message.get("events", ())}
    return events | {match["id"] for message in messages for match in message.get("lobby", {}).get("challenges", ())}


async def measure_views(match_id: str, endpoints: list[Endpoint], holds: Callable[[Any], bool]) -> float:
    """Measure the time until a condition holds for a match as every server shows it."""

    async def hold_all() -> bool:
        for endpoint in endpoints:
            response = await send_request(endpoint, "GET", f"/api/matches/{match_id}")
            if response.status != 200 or not holds(response.json()):
                return False
        return True

    return await measure_until(hold_all)
