"""Limits of login attempts for each account: after some failures every further one doubles the time to wait.

A stranger who guesses passwords must not keep the owner out: a browser that has logged in to an account before has a signed
cookie for that account (a device cookie, as OWASP describes it), and its attempts are counted apart from those of others.
"""

from __future__ import annotations

import hmac
import math
import secrets
import time
from collections import OrderedDict

from ..errors import ApiError

MAX_FAILURES = 5  # without waiting, times the scale of all limits; a scale of 0 disables the limit
MAX_WAIT_SECONDS = 300.0
FORGET_SECONDS = 3600.0  # after which failures do not count any more
MAX_ENTRIES = 50_000


class LoginBackoff:
    """Counts the failed attempts of each key: an account with or without a known device."""

    def __init__(self, scale: float) -> None:
        self.max_failures = max(1, round(MAX_FAILURES * scale)) if scale else math.inf
        self.failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # number and time of the last; the oldest first

    def begin(self, key: str) -> None:
        """Count an attempt, which is a failure until `succeed` is called. Raises ApiError `too-many` if it is too early."""
        now = time.monotonic()
        count, last = self.failures.get(key, (0, now))
        if now - last >= FORGET_SECONDS:
            count = 0
        wait = last + compute_wait(count - self.max_failures) - now if count >= self.max_failures else 0.0
        if wait > 0:
            seconds = math.ceil(10 * wait) / 10
            message = f"too many failed logins: {self.max_failures} are allowed without waiting; wait {seconds:.1f} s"
            raise ApiError("too-many", message, limit=self.max_failures, retry_after=seconds)
        self.failures[key] = (count + 1, now)
        self.failures.move_to_end(key)
        if len(self.failures) > MAX_ENTRIES:
            self.failures.popitem(last=False)

    def succeed(self, key: str) -> None:
        """Forget the failures of a key, after a login with the right password."""
        self.failures.pop(key, None)


def compute_wait(extra_failures: float) -> float:
    """Return the seconds to wait after a number of failures beyond those without waiting."""
    return min(MAX_WAIT_SECONDS, 2.0 ** min(extra_failures, 20))


def sign_device(secret: str, user_id: str) -> str:
    """Return the value of a new cookie that makes a browser a known device of a user."""
    nonce = secrets.token_hex(8)
    return f"{nonce}.{compute_signature(secret, user_id, nonce)}"


def find_attempt_key(secret: str, account: str, user_id: str | None, cookie: str | None) -> str:
    """Return the key under which an attempt is counted: the device if it is known to the user, else the account's name."""
    nonce, _, signature = (cookie or "").partition(".")
    if user_id is not None and signature:
        expected = compute_signature(secret, user_id, nonce)
        if hmac.compare_digest(signature.encode(), expected.encode()):
            return f"device {user_id} {nonce}"
    return f"account {account}"


def compute_signature(secret: str, user_id: str, nonce: str) -> str:
    """Return the signature of a device cookie."""
    return hmac.digest(secret.encode(), f"{user_id} {nonce}".encode(), "sha256").hex()
