"""Names that nobody can guess: of matches, users, sessions and invitations."""

from __future__ import annotations

import hashlib
import secrets

ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another
ID_LENGTH = 12
TOKEN_BYTES = 32


def generate_id() -> str:
    """A name for a match or a user: 59 bits, for links."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def generate_token() -> str:
    """256 bits, for a session or an invitation."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(secret: str) -> str:
    """What is stored of a secret: who reads the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
