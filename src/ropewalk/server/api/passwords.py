"""Hashing and verification of passwords with Argon2id, in the same time whether or not an account exists."""

from __future__ import annotations

from ..errors import ApiError

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 8, 200
DUMMY_HASH = "$argon2id$v=19$m=65536,t=3,p=4$" + "c29tZXNhbHRzb21lc2FsdA$" + "A" * 43  # of no password


def hash_password(password: str) -> str:
    """Return the Argon2id hash of a password.

    Raises:
        ApiError: `weak-password`.
    """
    from argon2 import PasswordHasher

    if len(password) < MIN_PASSWORD_LENGTH:
        message = f"a password has at least {MIN_PASSWORD_LENGTH} characters, this one {len(password)}"
        raise ApiError("weak-password", message, limit=MIN_PASSWORD_LENGTH)
    return PasswordHasher().hash(password)


def verify_password(stored_hash: str | None, password: str) -> bool:
    """Return whether a password is the stored one; without a stored one, False after the same time."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return PasswordHasher().verify(stored_hash or DUMMY_HASH, password)
    except (Argon2Error, InvalidHashError):
        return False
