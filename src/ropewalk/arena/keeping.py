"""The games of a contest as a file of records, written whole after every game, each game once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .. import __version__
from ..games.game import Game, Position
from ..records import Identity, Player, Result, read_all, save
from ..records import Record as GameRecord
from .errors import ArenaError
from .record import Identity as BotIdentity
from .record import Record
from .schedule import Key

ROUND = "RO"  # where a record says which game of the contest it is


class RecordFile:
    """A file of game records; what it holds already stays, and a game that it has is not written again."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.game = game
        self.records = read_all(path) if path.exists() and path.stat().st_size else []
        for record in self.records:
            if record.spec != game.spec:
                raise ArenaError(f"{path} holds a game of {record.spec}, not of {game.spec}: choose another file")
        self.there = {self.name_of(record) for record in self.records}

    @staticmethod
    def name_of(record: GameRecord) -> tuple[str, tuple[str, ...]]:
        """What tells a game in the file from others: its round and who played."""
        return record.root.value(ROUND) or "", tuple(player.name for player in record.players)

    def add(self, played: Record) -> bool:
        """Append a game unless it is there; whether it was new."""
        record = game_record(self.game, played)
        if self.name_of(record) in self.there:
            return False
        self.there.add(self.name_of(record))
        self.records.append(record)
        save(self.records, self.path)
        return True


def game_record(game: Game, played: Record) -> GameRecord:
    """A game of the arena as a record: players by seat, result with its reason, which game it was."""
    record = GameRecord.of(position_of(game, [*played.opening, *played.moves]))
    first, second = map(player_of, played.bots)
    record.players = (first, second)
    record.result = Result(played.winner, played.reason)
    record.root.put(ROUND, round_of(played.key, played.seed))
    record.root.put("ON", " ".join(played.opening) or None)
    return record


def round_of(key: Key, seed: int) -> str:
    """Which game of which contest: bots by number, opening, seats, and the seed of the game."""
    first, second, pair, exchanged = key
    seats = "exchanged" if exchanged else "as named"
    return f"{first + 1} - {second + 1}, opening {pair + 1}, seats {seats}, seed {seed}"


def player_of(bot: BotIdentity) -> Player:
    """A bot of the arena as a record names it."""
    level = bot.name.removeprefix("level ")
    return Player(bot.text, Identity("bot", __version__, level if level.isdigit() else "", bot.net, bot.budget))


def position_of(game: Game, steps: Iterable[str]) -> Position:
    """Where steps lead from the start."""
    position = game.start()
    for step in steps:
        position = position.play(step)
    return position
