"""Passwords: weak ones are refused, and a stored one is verified."""

from __future__ import annotations

import pytest

from ropewalk.server.api.passwords import hash_password, require_strong_password, verify_password
from tests.support.match_log import expect_error


@pytest.mark.parametrize(
    "password",
    [
        "password", "passwordpassword", "password123", "1234567890", "qwertyuiop", "aaaaaaaaaaaa", "letmein123456",
        "Ropewalk", "ropewalk123", "Wanda Otter", "wandaotter2026", "I am W\u0430nda-Otter", "short",
    ],
)  # fmt: skip
def test_a_password_that_is_common_or_contains_the_name_is_refused(password: str) -> None:
    with expect_error("weak-password"):
        require_strong_password(password, "Wanda Otter")


@pytest.mark.parametrize(
    "password", ["a long password", "entirely different words", "xk4-plover-quiz", "e" + "ä" * 3 + "plover-quiz"]
)
def test_a_password_that_is_hard_to_guess_is_hashed_and_verified(password: str) -> None:
    stored = hash_password(password, "Wanda Otter")
    assert verify_password(stored, password)
    assert not verify_password(stored, f"{password} ")
    assert not verify_password(None, password)


def test_the_name_of_two_letters_may_be_part_of_a_password() -> None:
    require_strong_password("along with the plover quiz", "Al")


def test_a_long_password_is_judged_in_time() -> None:
    require_strong_password("plover quiz " * 16, "Wanda")
