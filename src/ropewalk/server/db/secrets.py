"""Names that nobody can guess: of matches, users, sessions and invitations."""

from __future__ import annotations

import hashlib
import secrets

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another
ID_LENGTH = 12
SECRET_BYTES = 32


def new_id() -> str:
    """A name for a match or a user: 59 bits, for links."""
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))


def new_secret() -> str:
    """256 bits, for a session or an invitation."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """What is stored of a secret: who reads the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
