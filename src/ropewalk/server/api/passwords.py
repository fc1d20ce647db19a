"""Hashing and verification of passwords with Argon2id, in the same time whether or not an account exists."""

from __future__ import annotations

from ..domain.usernames import normalise_name
from ..errors import ApiError

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 10, 200
MIN_PASSWORD_SCORE = 3  # of zxcvbn, from 0 to 4: at least 10^8 guesses
MAX_SCORED_LENGTH = 40  # characters that are scored: longer ones take long, and add nothing to a good beginning
MIN_NAME_KEY_LENGTH = 3  # shorter names may be part of a password
DUMMY_HASH = "$argon2id$v=19$m=65536,t=3,p=4$" + "c29tZXNhbHRzb21lc2FsdA$" + "A" * 43  # of no password


def hash_password(password: str, name: str) -> str:
    """Return the Argon2id hash of a new password of a user.

    Raises:
        ApiError: `weak-password`.
    """
    from argon2 import PasswordHasher

    require_strong_password(password, name)
    return PasswordHasher().hash(password)


def require_strong_password(password: str, name: str) -> None:
    """Raise ApiError `weak-password` if a password is too short, contains the user's name or is easy to guess."""
    from zxcvbn import zxcvbn

    if len(password) < MIN_PASSWORD_LENGTH:
        message = f"a password has at least {MIN_PASSWORD_LENGTH} characters, this one {len(password)}"
        raise ApiError("weak-password", message, limit=MIN_PASSWORD_LENGTH)
    name_key = normalise_name(name)
    if len(name_key) >= MIN_NAME_KEY_LENGTH and name_key in normalise_name(password):
        raise ApiError("weak-password", "the password contains your name; choose another one")
    result = zxcvbn(password[:MAX_SCORED_LENGTH], user_inputs=[name, "ropewalk"])
    if result["score"] < MIN_PASSWORD_SCORE:
        reason = result["feedback"]["warning"].rstrip(".") or "this password is easy to guess"
        raise ApiError("weak-password", f"{reason}; choose another one, such as several unrelated words")


def verify_password(stored_hash: str | None, password: str) -> bool:
    """Return whether a password is the stored one; without a stored one, False after the same time."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return PasswordHasher().verify(stored_hash or DUMMY_HASH, password)
    except (Argon2Error, InvalidHashError):
        return False
