"""Sessions through the API: their end closes sockets and streams, and tokens are rotated."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import FastAPI

from ropewalk.server.api.dependencies import SESSION_COOKIE
from ropewalk.server.api.websocket import CLOSE_SESSION_ENDED
from tests.support.app_client import (
    PASSWORD,
    AppClient,
    AppSocket,
    SocketClosedError,
    create_account,
    create_guest,
    start_match,
)

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


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"


async def log_in(app: FastAPI, name: str, password: str = PASSWORD) -> AppClient:
    """Return a client in another browser that has logged in."""
    client = AppClient(app)
    client.http.headers["User-Agent"] = FIREFOX
    await client.request("POST", "/api/sessions", 201, name=name, password=password)
    return client


async def test_a_new_password_ends_all_other_sessions(app: FastAPI) -> None:
    laptop = await create_account(app, "Changes Password")
    phone = await log_in(app, "Changes Password")
    before, new = laptop.http.cookies[SESSION_COOKIE], "entirely different words"
    change = {"current_password": "a wrong one", "new_password": new}
    await laptop.request_error("PUT", "/api/me/password", "wrong-password", **change)
    async with phone.follow_lobby() as socket:
        await laptop.request("PUT", "/api/me/password", current_password=PASSWORD, new_password=new)
        await expect_session_ended(socket)
    assert (await phone.request("GET", "/api/me"))["user"] is None
    assert (await laptop.request("GET", "/api/me"))["user"]["name"] == "Changes Password"
    assert laptop.http.cookies[SESSION_COOKIE] != before
    await phone.request_error("POST", "/api/sessions", "wrong-password", name="Changes Password", password=PASSWORD)
    await phone.request("POST", "/api/sessions", 201, name="Changes Password", password=new)


async def test_sessions_are_listed_and_ended_one_by_one_or_all_others(app: FastAPI) -> None:
    laptop = await create_account(app, "Many Devices")
    phones = [await log_in(app, "Many Devices") for _ in range(3)]
    listed = await laptop.request("GET", "/api/me/sessions")
    assert [entry["is_current"] for entry in listed].count(True) == 1
    assert [entry["client"] for entry in listed].count("Firefox, Linux") == 3
    assert not {"token", "token_hash"} & set(listed[0])
    mine = next(entry for entry in await phones[0].request("GET", "/api/me/sessions") if entry["is_current"])
    async with phones[0].follow_lobby() as socket:
        left = await laptop.request("DELETE", f"/api/me/sessions/{mine['id']}")
        await expect_session_ended(socket)
    assert len(left) == 3
    assert (await phones[0].request("GET", "/api/me"))["user"] is None
    stranger = await create_guest(app)
    await stranger.request_error("DELETE", f"/api/me/sessions/{left[0]['id']}", "not-found")
    (only,) = await laptop.request("DELETE", "/api/me/sessions")
    assert only["is_current"]
    assert [(await phone.request("GET", "/api/me"))["user"] for phone in phones] == [None] * 3


async def test_tokens_of_bots_are_listed_created_and_revoked(app: FastAPI) -> None:
    owner, other = await create_account(app, "Token Keeper"), await create_account(app, "Token Thief")
    created = await owner.request("POST", "/api/bots", 201, name="Keeper Bot")
    path = f"/api/me/bots/{created['bot']['id']}"
    second = (await owner.request("POST", f"{path}/tokens", 201))["token"]
    (view,) = await owner.request("GET", "/api/me/bots")
    assert len(view["tokens"]) == 2
    assert all(0 < entry["expires_at"] - entry["created_at"] <= 90 * 24 * 3600 * 1000 for entry in view["tokens"])
    session = await app.state.services.sessions.find(second)
    await other.request_error("DELETE", f"{path}/tokens/{session.id}", "not-found")
    assert await other.request("GET", "/api/me/bots") == []
    assert len((await owner.request("DELETE", f"{path}/tokens/{session.id}"))["tokens"]) == 1
    assert await app.state.services.sessions.find(second) is None
    assert await app.state.services.sessions.find(created["token"]) is not None
    for _ in range(4):
        await owner.request("POST", f"{path}/tokens", 201)
    assert (await owner.request_error("POST", f"{path}/tokens", "too-many"))["limit"] == 5
    assert await owner.request("DELETE", path) == []
    assert await app.state.services.sessions.find(created["token"]) is None
