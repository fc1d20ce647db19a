"""Games of a tournament as a file of game records (SGF or JSON).

The file is rewritten after every game. A game is identified by its round and its players and is written once.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .. import __version__
from ..errors import ArenaError
from ..games.game import Game
from ..games.position import Position
from ..records import Player, PlayerIdentity, RecordedResult, read_all, save
from ..records import Record as GameRecord
from .game_record import ArenaGame, BotIdentity
from .schedule import GameKey

ROUND_PROPERTY = "RO"  # SGF property that identifies the game within its tournament


class RecordFile:
    """A file of game records; existing records are kept. Raises ArenaError if one has another spec than `game`."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.game = game
        self.records = read_all(path) if path.exists() and path.stat().st_size else []
        for record in self.records:
            if record.spec != game.spec:
                raise ArenaError(f"{path} contains a game of {record.spec}, not of {game.spec}; use another file")
        self.written_games = {self.identify_game(record) for record in self.records}

    @staticmethod
    def identify_game(record: GameRecord) -> tuple[str, tuple[str, ...]]:
        """Return the key of a record within the file: its round and the names of its players."""
        return record.root.get(ROUND_PROPERTY) or "", tuple(player.name for player in record.players)

    def add(self, arena_game: ArenaGame) -> bool:
        """Append a game and save the file, unless the game is in it; return whether it was new."""
        record = make_game_record(self.game, arena_game)
        if self.identify_game(record) in self.written_games:
            return False
        self.written_games.add(self.identify_game(record))
        self.records.append(record)
        save(self.records, self.path)
        return True


def make_game_record(game: Game, arena_game: ArenaGame) -> GameRecord:
    """Return a game as a game record: players by seat, result with reason, round, opening."""
    record = GameRecord.from_position(replay_moves(game, [*arena_game.opening, *arena_game.moves]))
    first, second = map(make_player, arena_game.bots)
    record.players = (first, second)
    record.result = RecordedResult(arena_game.winner, arena_game.reason)
    record.root.set(ROUND_PROPERTY, format_round(arena_game.key, arena_game.seed))
    record.root.set("ON", " ".join(arena_game.opening) or None)
    return record


def format_round(key: GameKey, seed: int) -> str:
    """Return the round property: numbers of the bots, number of the opening, seats, seed of the game."""
    first, second, pair, seats_swapped = key
    seats = "exchanged" if seats_swapped else "as named"
    return f"{first + 1} - {second + 1}, opening {pair + 1}, seats {seats}, seed {seed}"


def make_player(bot: BotIdentity) -> Player:
    """Return the bot as a player of a game record."""
    level = bot.name.removeprefix("level ")
    return Player(bot.text, PlayerIdentity("bot", __version__, level if level.isdigit() else "", bot.net, bot.budget))


def replay_moves(game: Game, moves: Iterable[str]) -> Position:
    """Return the position after the moves from the start position."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position
