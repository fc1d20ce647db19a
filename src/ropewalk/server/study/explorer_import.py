"""Games from files for the opening explorer: game records in SGF or JSON, and results files of the arena."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...arena.game_record import ArenaGame, parse_record
from ...arena.record_file import ROUND_PROPERTY
from ...arena.results_file import FILE_PREFIX
from ...errors import RopewalkError
from ...games.game import Game
from ...games.registry import game as game_of
from ...records import Record, read_all
from ..db.explorer_repository import OpeningGame
from .explorer_service import list_opening_steps


class ExplorerImportError(RopewalkError):
    """A file that the opening explorer cannot import."""


def read_games(path: Path) -> Iterator[OpeningGame]:
    """Yield the finished games of a file that begin at the start of their game, with up to MAX_OPENING_PLIES steps.

    The id of a game is a hash of its content, so that a file that is imported twice counts once.

    Raises:
        ExplorerImportError: The file cannot be read, or has an illegal move.
    """
    try:
        with path.open("rb") as file:
            is_arena = file.read(len(FILE_PREFIX)) == FILE_PREFIX
        yield from read_arena_games(path) if is_arena else read_record_games(path)
    except (OSError, RopewalkError, ValueError) as error:
        raise ExplorerImportError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def read_arena_games(path: Path) -> Iterator[OpeningGame]:
    """Yield the games of a results file of the arena; an incomplete last line is ignored."""
    with path.open(encoding="utf-8") as file:
        for line in list(file)[1:]:
            if line.endswith("\n"):
                yield build_arena_game(parse_record(json.loads(line)))


def build_arena_game(played: ArenaGame) -> OpeningGame:
    """Return a game of the arena as a game to count."""
    moves = [*played.opening, *played.moves]
    identity = [*(bot.text for bot in played.bots), str(played.seed), str(played.key)]
    return build_imported_game(game_of(played.spec), moves, played.winner, identity)


def read_record_games(path: Path) -> Iterator[OpeningGame]:
    """Yield the games of a file of game records that have a result."""
    for record in read_all(path):
        if record.result is not None and record.root.position == record.game.start():
            yield build_record_game(record)


def build_record_game(record: Record) -> OpeningGame:
    """Return a game record with a result as a game to count."""
    assert record.result is not None
    identity = [*(player.name for player in record.players), record.date, record.root.get(ROUND_PROPERTY) or ""]
    return build_imported_game(record.game, record.end.position.steps(), record.result.winner, identity)


def build_imported_game(game: Game, moves: Sequence[str], winner: int | None, identity: Sequence[str]) -> OpeningGame:
    """Return a game to count, whose id is a hash of its spec, moves, winner and identity."""
    content = json.dumps([game.spec, list(moves), winner, list(identity)])
    return OpeningGame(hashlib.sha256(content.encode()).hexdigest(), list_opening_steps(game, moves), winner)
