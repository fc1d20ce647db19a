"""Random identifiers of matches and users, and secret tokens of sessions and invitations."""

from __future__ import annotations

import hashlib
import secrets

ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
ID_LENGTH = 12
TOKEN_BYTES = 32


def generate_id() -> str:
    """Return a random id of a match or a user, of 59 bits, which is used in links."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def generate_token() -> str:
    """Return a secret token of 256 bits, for a session or an invitation."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the hash of a token. Only the hash is stored, so that the database contains no valid tokens."""
    return hashlib.sha256(token.encode()).hexdigest()
