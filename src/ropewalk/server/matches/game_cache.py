"""The games' rules, ready to be asked: in plain Python until their kernels are compiled, so that nobody waits for that."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...games.registry import game as game_of
from ..background import TaskSupervisor

if TYPE_CHECKING:
    from ...games.game import Game

MAX_GAMES = 256


class GameCache:
    """Games by their specs."""

    def __init__(self, is_warm: Callable[[str], bool], background: TaskSupervisor) -> None:
        self.is_warm = is_warm
        self.background = background
        self.games: dict[str, Game] = {}
        self.loading: set[Game] = set()  # those whose kernels a thread gets

    async def get(self, spec: str) -> Game:
        """The game of a spec; a SpecError says what is wrong with it."""
        game = self.games.get(spec)
        if game is None:
            game = await asyncio.to_thread(load_interpreted_game, spec)
            if len(self.games) > MAX_GAMES:
                self.games.clear()
            self.games[spec] = self.games[game.spec] = game
        if not game._stepper.is_compiled and game not in self.loading and self.is_warm(game.spec):
            self.load_kernels(game)
        return game

    def load_kernels(self, game: Game) -> None:
        """Compile a game's kernels in a thread, or load them from the cache."""
        task = self.background.start(asyncio.to_thread(game._stepper.compile), interruptible=True)
        if task is not None:
            self.loading.add(game)
            task.add_done_callback(lambda _: self.loading.discard(game))


def load_interpreted_game(spec: str) -> Game:
    """A game that compiles nothing by itself."""
    game = game_of(spec)
    game.interpreter_budget_seconds = math.inf
    game.start()
    return game
