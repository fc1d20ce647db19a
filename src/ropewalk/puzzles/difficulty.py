"""Difficulty of a puzzle: the weakest level of bots that finds a winning move with each of several seeds."""

from __future__ import annotations

from ..bots.bot import Bot
from ..bots.levels import bot as bot_of
from ..games.game import Game
from ..games.position import Position

NUM_TRIALS = 3  # seeds with which each level tries a puzzle; it must solve it with all of them


class DifficultyRater:
    """Bots of one game that try its puzzles."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.num_levels = len(game.definition.bots)
        self.bots: dict[int, Bot] = {}

    def rate(self, position: Position, winning_moves: tuple[str, ...]) -> int:
        """Return the weakest level that solves a position; one more than the highest if none does."""
        for level in range(1, self.num_levels + 1):
            if self.solves(level, position, winning_moves):
                return level
        return self.num_levels + 1

    def solves(self, level: int, position: Position, winning_moves: tuple[str, ...]) -> bool:
        """Return whether a level plays a winning move with every seed."""
        if level not in self.bots:
            self.bots[level] = bot_of(self.game, level)
        player = self.bots[level]
        for trial in range(NUM_TRIALS):
            player.new_game(trial)
            if player.choose(position) not in winning_moves:
                return False
        return True

    def close(self) -> None:
        """Close all bots."""
        for player in self.bots.values():
            player.close()
        self.bots = {}
