"""Automatic saving: a game is written to the user's state directory after every step, and can be resumed."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from ..bots.bot import Bot
from ..bots.levels import bot as bot_of
from ..errors import RopewalkError
from ..paths import state_dir
from ..records import Record, RecordError, read
from .session import Session

MAX_SAVED_GAMES = 50  # games; the oldest make room


class NoSavedGameError(RopewalkError):
    """There is no unfinished game to resume."""


def saved_games_dir() -> Path:
    """Return the directory of the saved games, in the user's state directory."""
    return state_dir() / "games"


class Autosave:
    """Saves one game to one file. If the directory cannot be written, the game is silently not saved."""

    def __init__(self) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        self.path = saved_games_dir() / f"{stamp}-{os.getpid()}.sgf"
        self.replaces: Path | None = None  # the file that this game was read from
        self.is_saved = False

    def save(self, session: Session) -> None:
        """Write the game as it is now; finished games are kept too."""
        with suppress(OSError, RecordError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            session.to_record().save(self.path)
            self.is_saved = True
            if self.replaces is not None:
                self.replaces.unlink(missing_ok=True)
                self.replaces = None
            prune_old_games(self.path.parent)

    def resume_hint(self, session: Session) -> str:
        """Return how to resume a game that was left unfinished, else an empty text."""
        has_file = self.is_saved or self.replaces is not None  # a resumed game without new moves is still in its old file
        if session.seat is None or not has_file or len(session.positions) == 1:
            return ""
        return "The game was saved. To continue it, run ropewalk play --resume."


def list_saved_games() -> list[Path]:
    """Return the files of all saved games, the latest first."""
    try:
        return sorted(saved_games_dir().glob("*.sgf"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def prune_old_games(folder: Path) -> None:
    """Delete all but the latest MAX_SAVED_GAMES games of a directory."""
    for path in sorted(folder.glob("*.sgf"), key=lambda path: path.stat().st_mtime, reverse=True)[MAX_SAVED_GAMES:]:
        path.unlink(missing_ok=True)


def load_latest_unfinished() -> tuple[Path, Record]:
    """Return the latest unfinished game and its file. Raises NoSavedGameError."""
    for path in list_saved_games():
        with suppress(RopewalkError):
            record = read(path)
            if record.result is None and record.end.position.seat is not None:
                return path, record
    raise NoSavedGameError(f"no unfinished game found in {saved_games_dir()}")


def make_bots(record: Record) -> dict[int, Bot]:
    """Return new bots for the seats that bots have in a record."""
    levels = {seat: player.identity.level for seat, player in enumerate(record.players) if player.identity.kind == "bot"}
    return {seat: bot_of(record.game, int(level)) for seat, level in levels.items() if level.isdigit()}
