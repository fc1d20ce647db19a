"""The tokens of remote engine workers: a file with a name and the hash of a token in each line.

The operator adds and revokes tokens with `ropewalk engine-token`. A server reads the file again when it has changed.
"""

from __future__ import annotations

import hmac
import re
from pathlib import Path

from ...atomic_file import atomic_write
from ...errors import RopewalkError
from ..db.identifiers import generate_token, hash_token

NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"
HASH_PATTERN = r"[0-9a-f]{64}"
FILE_MODE = 0o600


class EngineTokenError(RopewalkError):
    """The file of the tokens cannot be used, or a name is invalid, taken or unknown."""


class EngineTokenFile:
    """The tokens in a file, which need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int] | None = None  # of the file as it was read
        self._hashes: dict[str, str] = {}  # by name

    def load(self) -> dict[str, str]:
        """Return the hashes by name, read anew if the file has changed. Raises EngineTokenError."""
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            if stamp != self._stamp:
                self._hashes = parse_tokens(self.path.read_text(encoding="utf-8"), self.path)
                self._stamp = stamp
        except FileNotFoundError:
            self._hashes, self._stamp = {}, None
        except (OSError, UnicodeDecodeError) as error:
            raise EngineTokenError(f"cannot read the engine tokens in {self.path}: {error}") from None
        return self._hashes

    def find_name(self, token: str) -> str | None:
        """Return the name of a token, None if it is not valid."""
        hashed = hash_token(token)
        return next((name for name, known in self.load().items() if hmac.compare_digest(known, hashed)), None)

    def add(self, name: str) -> str:
        """Create and return a token with a new name. Raises EngineTokenError."""
        if not re.fullmatch(NAME_PATTERN, name):
            raise EngineTokenError(f"invalid name {name!r}: use 1 to 40 letters, digits, dots, hyphens and underscores")
        if name in self.load():
            raise EngineTokenError(f"there is a token named {name} already; revoke it first, or use another name")
        token = generate_token()
        self.write(self.load() | {name: hash_token(token)})
        return token

    def revoke(self, name: str) -> None:
        """Remove the token of a name. Raises EngineTokenError."""
        hashes = dict(self.load())
        if hashes.pop(name, None) is None:
            raise EngineTokenError(f"there is no token named {name}; the names are: {', '.join(hashes) or 'none'}")
        self.write(hashes)

    def write(self, hashes: dict[str, str]) -> None:
        """Replace the file. Raises EngineTokenError."""
        try:
            with atomic_write(self.path) as temporary_path:
                temporary_path.touch(FILE_MODE)
                temporary_path.write_text("".join(f"{name} {hashed}\n" for name, hashed in hashes.items()), encoding="utf-8")
        except OSError as error:
            raise EngineTokenError(f"cannot write the engine tokens to {self.path}: {error}") from None


def parse_tokens(text: str, path: Path) -> dict[str, str]:
    """Return the hashes by name in the text of a file. Raises EngineTokenError."""
    hashes = {}
    for number, line in enumerate(text.splitlines(), start=1):
        match = re.fullmatch(f"({NAME_PATTERN}) ({HASH_PATTERN})", line.strip())
        if match is None and line.strip():
            raise EngineTokenError(f"{path}, line {number}: expected a name and a hash; use ropewalk engine-token")
        if match is not None:
            hashes[match[1]] = match[2]
    return hashes
