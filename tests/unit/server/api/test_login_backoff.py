"""Login attempts of an account: they wait longer and longer, and a stranger cannot keep the owner out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from ropewalk.server.api import login_backoff
from ropewalk.server.api.login_backoff import (
    FORGET_SECONDS,
    MAX_FAILURES,
    MAX_WAIT_SECONDS,
    LoginBackoff,
    find_attempt_key,
    sign_device,
)
from ropewalk.server.app import create_app
from tests.support.app_client import PASSWORD, AppClient, create_account
from tests.support.match_log import expect_error
from tests.unit.server.conftest import build_settings, use_fake_engine

pytestmark = pytest.mark.anyio


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test changes."""
    current = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: current[0])
    return current


def test_every_further_failure_doubles_the_wait_up_to_a_limit(now: list[float]) -> None:
    backoff = LoginBackoff(1)
    for _ in range(MAX_FAILURES):
        backoff.begin("somebody")
    waits = []
    for _ in range(12):
        with expect_error("too-many") as error:
            backoff.begin("somebody")
        assert error.value.details["limit"] == MAX_FAILURES
        waits.append(error.value.details["retry_after"])
        assert error.value.headers() == {"Retry-After": str(int(waits[-1]))}
        now[0] += waits[-1]
        backoff.begin("somebody")
    assert waits[:9] == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert set(waits[9:]) == {MAX_WAIT_SECONDS}
    backoff.begin("another")


def test_a_success_and_an_hour_without_attempts_forget_the_failures(now: list[float]) -> None:
    backoff = LoginBackoff(1)
    for _ in range(MAX_FAILURES):
        backoff.begin("somebody")
    now[0] += FORGET_SECONDS
    for _ in range(MAX_FAILURES):
        backoff.begin("somebody")
    backoff.succeed("somebody")
    backoff.begin("somebody")
    assert backoff.failures["somebody"] == (1, now[0])


def test_attempts_at_the_same_time_are_all_counted(now: list[float]) -> None:
    backoff = LoginBackoff(1)
    for _ in range(MAX_FAILURES):
        backoff.begin("somebody")  # none of them has failed yet
    with expect_error("too-many"):
        backoff.begin("somebody")
    unlimited = LoginBackoff(0)
    for _ in range(100):
        unlimited.begin("somebody")


def test_only_the_device_of_a_user_is_known() -> None:
    cookie = sign_device("secret", "wanda")
    assert find_attempt_key("secret", "name", "wanda", cookie).startswith("device wanda")
    forged = cookie[:-1] + ("0" if cookie[-1] != "0" else "1")
    for user_id, value, secret in [
        ("otto", cookie, "secret"),
        ("wanda", forged, "secret"),
        ("wanda", cookie, "other"),
        ("wanda", None, "secret"),
        ("wanda", "", "secret"),
        (None, cookie, "secret"),
    ]:
        assert find_attempt_key(secret, "name", user_id, value) == "account name"


@pytest.fixture
async def strict_app(database_file: Path) -> AsyncIterator[FastAPI]:
    """An application of its own with the usual limits."""
    created = create_app(build_settings(database_file, rate_limit_scale=1))
    use_fake_engine(created.state.services)
    async with created.router.lifespan_context(created):
        yield created


async def test_a_stranger_who_guesses_passwords_does_not_keep_the_owner_out(
    strict_app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_backoff, "compute_wait", lambda failures: MAX_WAIT_SECONDS)  # a busy machine is slow
    owner = await create_account(strict_app, "Guessed At")
    await owner.request("DELETE", "/api/sessions/current")
    for number in range(MAX_FAILURES):
        stranger = AppClient(strict_app, f"10.0.0.{number}")
        await stranger.request_error("POST", "/api/sessions", "wrong-password", name="guessed-at", password="a guess")
    stranger = AppClient(strict_app, "10.0.1.1")
    details = await stranger.request_error("POST", "/api/sessions", "too-many", name="Guessed At", password=PASSWORD)
    assert (details["limit"], 0 < details["retry_after"] <= MAX_WAIT_SECONDS) == (MAX_FAILURES, True)
    await owner.request("POST", "/api/sessions", 201, name="Guessed At", password=PASSWORD)
