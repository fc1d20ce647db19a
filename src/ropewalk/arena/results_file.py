"""The results file of a tournament: JSON lines, append-only, one writer at a time.

The first line is a header with the configuration and the identities of the bots; every other line is one game
(`game_record.py`). A line is flushed to disk before the next game starts, so a crash loses at most the last line; an
incomplete last line is cut off on opening. The file is locked while it is open.
"""

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

from ..errors import ArenaError
from .game_record import ArenaGame, BotIdentity, format_record, parse_identity, parse_record
from .openings import DEFAULT_JUDGE
from .schedule import GameKey

FORMAT_VERSION = 1
FILE_PREFIX = b'{"arena": '  # first bytes of every results file
LOCK_OFFSET = 1 << 40  # Windows locks byte ranges; this one lies beyond the end of any file


@dataclass(frozen=True)
class TournamentConfig:
    """Settings that games must share to be counted together. Field names are keys of the header line."""

    spec: str
    form: str  # a TournamentFormat
    opening_plies: int
    seed: int
    bots: tuple[str, ...]  # specs
    even_openings: str = ""  # spec of the bot that judged the openings; "" for unjudged ones

    def differences(self, other: TournamentConfig) -> list[str]:
        """Return a description of every setting in which `other` differs."""
        ours, theirs = asdict(self), asdict(other)
        changed = [key for key in ours if ours[key] != theirs[key]]
        return [
            f"{key.replace('_', ' ')} {format_setting(theirs[key])} instead of {format_setting(ours[key])}"
            for key in changed
        ]


def format_setting(value: Any) -> str:
    """Return a setting as text; tuples are joined by spaces."""
    return " ".join(value) if isinstance(value, tuple) else str(value)


class ResultsFile:
    """The games played so far: in memory, and in an open, locked file if `path` is given."""

    def __init__(self, config: TournamentConfig, path: Path | None = None, descriptor: int = -1) -> None:
        self.config = config
        self.path = path
        self.descriptor = descriptor
        self.identities: list[BotIdentity] | None = None  # None before the header is written or read
        self.records: dict[GameKey, ArenaGame] = {}
        self.truncation_warning = ""  # set if the last line was cut off

    def write_header(self, identities: list[BotIdentity]) -> None:
        """Write the header line unless the file has one."""
        if self.identities is None:
            self.identities = identities
            header = {"arena": FORMAT_VERSION, **asdict(self.config), "bots": [asdict(bot) for bot in identities]}
            self.append_line(json.dumps(header))

    def add(self, record: ArenaGame) -> None:
        """Append a game. Raises ArenaError if it cannot be written."""
        self.append_line(format_record(record))
        self.records[record.key] = record

    def append_line(self, line: str) -> None:
        """Append a line and flush it to disk; without a file, do nothing. Raises ArenaError."""
        if self.path is None:
            return
        try:
            remaining = f"{line}\n".encode()
            while remaining:
                remaining = remaining[os.write(self.descriptor, remaining) :]
            os.fsync(self.descriptor)
        except OSError as error:
            raise ArenaError(f"cannot write to {self.path}: {error.strerror}") from None

    def load(self) -> None:
        """Read the file and cut off an incomplete last line. Raises ArenaError if any other line is invalid."""
        content = read_all_bytes(self.descriptor)
        if not content.startswith(FILE_PREFIX[: len(content)]):
            raise ArenaError(f"{self.path} is not an arena results file; use another file")
        lines = list(io.BytesIO(content))
        for line_number, line in enumerate(lines, start=1):
            try:
                self.parse_line(line, line_number)
            except ValueError as error:
                if line_number < len(lines) or isinstance(error, ArenaError):
                    raise self.line_error(line_number, error) from None
                self.truncate(len(content) - len(line))

    def truncate(self, size_bytes: int) -> None:
        """Cut the file to its first `size_bytes` bytes and set `truncation_warning`."""
        os.ftruncate(self.descriptor, size_bytes)
        os.lseek(self.descriptor, size_bytes, os.SEEK_SET)
        self.truncation_warning = f"{self.path}: the last line was incomplete; it was removed, and its game is played again"

    def parse_line(self, line: bytes, line_number: int) -> None:
        """Parse one line. Raises ValueError if it is malformed, ArenaError if its game is there already."""
        if not line.endswith(b"\n"):
            raise ValueError("incomplete line")
        data = json.loads(line)
        if line_number == 1:
            self.check_header(data)
            return
        record = parse_record(data)
        if record.key in self.records:
            raise ArenaError(f"{self.path}, line {line_number}: duplicate game")
        self.records[record.key] = record

    def check_header(self, header: Any) -> None:
        """Compare the header with the configuration and set `identities`.

        Raises ArenaError if the format or a setting differs, ValueError if the header is malformed.
        """
        if not isinstance(header, dict) or header.get("arena") != FORMAT_VERSION:
            raise ArenaError(f"{self.path} has an unsupported format; this version of Ropewalk uses format {FORMAT_VERSION}")
        try:
            bots = [parse_identity(bot) for bot in header["bots"]]
            stored = {key: header[key] for key in ("spec", "form", "opening_plies", "seed", "even_openings")}
        except (KeyError, TypeError) as error:
            raise ValueError("invalid settings") from error
        if isinstance(stored["even_openings"], bool):  # older files, from when level 5 was the only judge
            stored["even_openings"] = DEFAULT_JUDGE if stored["even_openings"] else ""
        file_config = TournamentConfig(**stored, bots=tuple(bot.text for bot in bots))
        if differences := self.config.differences(file_config):
            raise ArenaError(
                f"{self.path} was written with other settings: {', '.join(differences)}; "
                "use the same settings or another file"
            )
        self.identities = bots

    def line_error(self, line_number: int, error: ValueError) -> ArenaError:
        """Return the error of an invalid line as an ArenaError with its number."""
        if isinstance(error, ArenaError):
            return error
        return ArenaError(f"{self.path}, line {line_number} is invalid: {error}")


@contextmanager
def open_results(config: TournamentConfig, path: Path | None) -> Iterator[ResultsFile]:
    """Open and lock a results file, or results in memory if `path` is None. Raises ArenaError."""
    if path is None:
        yield ResultsFile(config)
        return
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise ArenaError(f"cannot write to {path}: {error.strerror}") from None
    try:
        lock_file(descriptor, path)
        results_file = ResultsFile(config, path, descriptor)
        results_file.load()
        yield results_file
    finally:
        os.close(descriptor)  # also releases the lock


def read_all_bytes(descriptor: int) -> bytes:
    """Return the bytes from the current offset of a file descriptor to its end."""
    chunks = []
    while chunk := os.read(descriptor, 1 << 20):
        chunks.append(chunk)
    return b"".join(chunks)


def lock_file(descriptor: int, path: Path) -> None:
    """Acquire an exclusive lock without waiting. Raises ArenaError if another process holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, LOCK_OFFSET, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise ArenaError(f"cannot lock {path}: {error.strerror}") from None
        raise ArenaError(f"{path} is in use by another arena; wait until it ends, or use another file") from None
