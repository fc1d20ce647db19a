"""The file of results: one line a game, on disk before the next begins; one writer; a crash costs one line at most."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .errors import ArenaError
from .openings import JUDGE
from .record import Identity, Record, identity, line_of, record_of
from .schedule import Key

VERSION = 1
FIRST_WORDS = b'{"arena": '  # of every file of results
FAR = 1 << 40  # Windows locks bytes, even ones that no file has


@dataclass(frozen=True)
class Settings:
    """What must be the same for games to be counted together."""

    spec: str
    form: str
    opening_plies: int
    seed: int
    bots: tuple[str, ...]  # by name
    even_openings: str = ""  # the bot that judged them

    def differences(self, other: Settings) -> list[str]:
        """What other settings have otherwise, in words."""
        ours, theirs = asdict(self), asdict(other)
        return [f"{key.replace('_', ' ')} {shown(theirs[key])} rather than {shown(ours[key])}" for key in ours
                if ours[key] != theirs[key]]  # fmt: skip


def shown(value: Any) -> str:
    """A setting as people write it."""
    return " ".join(value) if isinstance(value, tuple) else str(value)


class Results:
    """The games played so far, in memory and in a file if there is one."""

    def __init__(self, settings: Settings, path: Path | None = None, descriptor: int = -1) -> None:
        self.settings = settings
        self.path = path
        self.descriptor = descriptor
        self.identities: list[Identity] | None = None  # None until the first game
        self.records: dict[Key, Record] = {}
        self.dropped = ""  # what was cut off at the end of the file

    def identify(self, identities: list[Identity]) -> None:
        """Note who plays: the first line."""
        if self.identities is None:
            self.identities = identities
            header = {"arena": VERSION, **asdict(self.settings), "bots": [asdict(bot) for bot in identities]}
            self.write(json.dumps(header))

    def add(self, record: Record) -> None:
        """Keep a game, on disk if there is a file."""
        self.write(line_of(record))
        self.records[record.key] = record

    def write(self, line: str) -> None:
        """Append a line in one piece and see it onto the disk."""
        if self.path is None:
            return
        try:
            rest = f"{line}\n".encode()
            while rest:
                rest = rest[os.write(self.descriptor, rest) :]
            os.fsync(self.descriptor)
        except OSError as error:
            raise ArenaError(f"cannot write to {self.path}: {error.strerror}") from None

    def read(self) -> None:
        """Read what the file holds, and cut off a last line that was never finished."""
        content = all_of(self.descriptor)
        if not content.startswith(FIRST_WORDS[: len(content)]):
            raise ArenaError(f"{self.path} holds something else than results of the arena: choose another file")
        lines = list(io.BytesIO(content))
        for number, line in enumerate(lines, start=1):
            try:
                self.take(line, number)
            except ValueError as error:
                if number < len(lines) or isinstance(error, ArenaError):
                    raise self.unreadable(number, error) from None
                self.drop(len(content) - len(line))

    def drop(self, kept: int) -> None:
        """Cut off what a crash has left behind a whole line."""
        os.ftruncate(self.descriptor, kept)
        os.lseek(self.descriptor, kept, os.SEEK_SET)
        self.dropped = f"{self.path}: the last line was cut off; it is dropped, and its game played again"

    def take(self, line: bytes, number: int) -> None:
        """Read one line; ValueError when it cannot be read."""
        if not line.endswith(b"\n"):
            raise ValueError("it has no end")
        said = json.loads(line)
        if number == 1:
            self.take_header(said)
            return
        record = record_of(said)
        if record.key in self.records:
            raise ArenaError(f"{self.path}, line {number}: this game is there already")
        self.records[record.key] = record

    def take_header(self, said: Any) -> None:
        """Compare the first line with what is asked for now."""
        if not isinstance(said, dict) or said.get("arena") != VERSION:
            raise ArenaError(f"{self.path} is in another format than {VERSION}, which this version of Ropewalk writes")
        try:
            bots = [identity(bot) for bot in said["bots"]]
            kept = {key: said[key] for key in ("spec", "form", "opening_plies", "seed", "even_openings")}
        except (KeyError, TypeError) as error:
            raise ValueError("its settings make no sense") from error
        if isinstance(kept["even_openings"], bool):  # as files had it when there was one judge
            kept["even_openings"] = JUDGE if kept["even_openings"] else ""
        there = Settings(**kept, bots=tuple(bot.text for bot in bots))
        if differences := self.settings.differences(there):
            raise ArenaError(f"{self.path} has {', '.join(differences)}: choose another file, or the same settings")
        self.identities = bots

    def unreadable(self, number: int, error: ValueError) -> ArenaError:
        """A line that no crash can have left behind."""
        if isinstance(error, ArenaError):
            return error
        return ArenaError(f"{self.path}, line {number} cannot be read: {error}")


@contextmanager
def results(settings: Settings, path: Path | None) -> Iterator[Results]:
    """The results in a file, or in memory alone; nobody else writes there meanwhile."""
    if path is None:
        yield Results(settings)
        return
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise ArenaError(f"cannot write to {path}: {error.strerror}") from None
    try:
        lock(descriptor, path)
        found = Results(settings, path, descriptor)
        found.read()
        yield found
    finally:
        os.close(descriptor)  # which unlocks it, as does any end of this process


def all_of(descriptor: int) -> bytes:
    """What a file holds."""
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def lock(descriptor: int, path: Path) -> None:
    """Keep other writers out."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise ArenaError(f"cannot lock {path}: {error.strerror}") from None
        raise ArenaError(f"another arena writes to {path} at this moment: wait for it, or choose another file") from None
