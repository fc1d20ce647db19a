"""Games that nobody saved: each is kept in the user's state folder after every step, so that nothing is lost."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from ...bots.bot import Bot
from ...bots.levels import bot as bot_of
from ...errors import RopewalkError
from ...paths import state_dir
from ...records import Record, RecordError, read
from .session import Session

MOST_KEPT = 50  # games; the oldest make room


class NothingKept(RopewalkError):
    """There is no game to go on with."""


def saved_games_dir() -> Path:
    """Return the directory of the saved games, in the user's state directory."""
    return state_dir() / "games"


class Keeper:
    """Keeps one game in one file; where the folder cannot be written, the game goes on without."""

    def __init__(self) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        self.path = saved_games_dir() / f"{stamp}-{os.getpid()}.sgf"
        self.replaces: Path | None = None  # the file that this game was read from
        self.is_kept = False

    def keep(self, session: Session) -> None:
        """Write the game as it stands; one that has ended needs no keeping on with, but stays."""
        with suppress(OSError, RecordError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            session.to_record().save(self.path)
            self.is_kept = True
            if self.replaces is not None:
                self.replaces.unlink(missing_ok=True)
                self.replaces = None
            prune(self.path.parent)

    def farewell(self, session: Session) -> str:
        """How to go on with a game that was left unfinished."""
        is_kept = self.is_kept or self.replaces is not None  # one that was resumed and not gone on with lies where it was
        if session.seat is None or not is_kept or len(session.line) == 1:
            return ""
        return "The game is kept: ropewalk play --resume goes on with it."


def kept_games() -> list[Path]:
    """All kept games, the latest first."""
    try:
        return sorted(saved_games_dir().glob("*.sgf"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def prune(folder: Path) -> None:
    """Let the oldest go."""
    for path in sorted(folder.glob("*.sgf"), key=lambda path: path.stat().st_mtime, reverse=True)[MOST_KEPT:]:
        path.unlink(missing_ok=True)


def latest_unfinished() -> tuple[Path, Record]:
    """The game that was left last, unless it had ended."""
    for path in kept_games():
        with suppress(RopewalkError):
            record = read(path)
            if record.result is None and record.end.position.seat is not None:
                return path, record
    raise NothingKept(f"no unfinished game is kept in {saved_games_dir()}")


def bots_of(record: Record) -> dict[int, Bot]:
    """The bots that hold seats in a record, made anew."""
    levels = {seat: player.identity.level for seat, player in enumerate(record.players) if player.identity.kind == "bot"}
    return {seat: bot_of(record.game, int(level)) for seat, level in levels.items() if level.isdigit()}
