"""Sessions through the API: their end closes sockets and streams, and tokens are rotated."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import FastAPI

from ropewalk.server.api.dependencies import SESSION_COOKIE
from ropewalk.server.api.websocket import CLOSE_SESSION_ENDED
from tests.support.app_client import PASSWORD, AppSocket, SocketClosedError, create_account, create_guest, start_match

pytestmark = pytest.mark.anyio


async def receive_all(socket: AppSocket) -> None:
    """Receive messages until the socket is closed."""
    while True:
        await socket.receive()


async def expect_session_ended(socket: AppSocket) -> None:
    """Require that a socket is closed because its session has ended, after messages that were on their way."""
    with pytest.raises(SocketClosedError) as closed:
        await receive_all(socket)
    assert (closed.value.code, closed.value.reason) == (CLOSE_SESSION_ENDED, "no-session")


async def test_the_sockets_of_a_session_are_closed_at_logout(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-3")
    async with (
        first.follow(match) as mine,
        first.follow_lobby() as lobby,
        first.open_socket("/api/positions/analyse/stream") as analysis,
        second.follow(match) as theirs,
    ):
        await mine.receive("snapshot")
        await first.request("DELETE", "/api/sessions/current")
        for socket in (mine, lobby, analysis):
            await expect_session_ended(socket)
        await second.act(match, "chat", text="still here")
        assert (await theirs.receive("events"))["events"][0]["data"] == {"text": "still here"}
    assert app.state.services.session_watchers.scopes == {}


async def test_the_sockets_of_an_erased_user_are_closed_and_their_words_are_not_stored(app: FastAPI) -> None:
    leaving, other, match = await start_match(app, "tether-3")
    async with leaving.follow(match) as socket:
        await socket.receive("snapshot")
        await leaving.request("DELETE", "/api/me")
        await socket.send(type="chat", text="still talking")
        await expect_session_ended(socket)
    assert (await other.get_match(match))["chat"] == []


async def test_the_stream_of_a_bot_ends_with_its_session(app: FastAPI) -> None:
    owner = await create_account(app, "Owner of a stream")
    token = (await owner.request("POST", "/api/bots", 201, name="Streaming Bot"))["token"]
    services = app.state.services
    session = await services.sessions.find(token)
    stream = services.user_streams.subscribe(session.user.id, session.id)
    await anext(stream)
    await services.sessions.end(token)
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(stream), 5)


async def test_the_token_of_a_guest_who_registers_is_replaced(app: FastAPI) -> None:
    guest = await create_guest(app)
    before = guest.http.cookies[SESSION_COOKIE]
    async with guest.follow_lobby() as socket:
        await guest.request("POST", "/api/accounts", 201, name="Rotated", password=PASSWORD)
        await expect_session_ended(socket)
    assert guest.http.cookies[SESSION_COOKIE] != before
    assert (await guest.request("GET", "/api/me"))["user"]["name"] == "Rotated"
    guest.http.cookies.clear()
    guest.http.cookies.set(SESSION_COOKIE, before)
    assert (await guest.request("GET", "/api/me"))["user"] is None, "whoever knows the old token is nobody"


async def test_a_login_ends_the_session_before_it(app: FastAPI) -> None:
    await create_account(app, "Logs in again")
    guest = await create_guest(app)
    before = guest.http.cookies[SESSION_COOKIE]
    await guest.request("POST", "/api/sessions", 201, name="Logs in again", password=PASSWORD)
    assert guest.http.cookies[SESSION_COOKIE] != before
    assert await app.state.services.sessions.find(before) is None
