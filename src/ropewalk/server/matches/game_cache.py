"""A cache of games by spec. Their rules run in plain Python until the kernels are compiled, so that no request waits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...games.registry import game as game_of
from ..background import TaskSupervisor
from ..executors import BoundedExecutor, run_in_daemon_thread

if TYPE_CHECKING:
    from ...games.game import Game

MAX_GAMES = 256
LOADER = "games"  # the client of the thread pool


class GameCache:
    """Games by their specs, whose kernels are loaded in the background."""

    def __init__(self, is_warm: Callable[[str], bool], background: TaskSupervisor, executor: BoundedExecutor) -> None:
        self.is_warm = is_warm
        self.background = background
        self.executor = executor
        self.games: dict[str, Game] = {}
        self.loading: set[Game] = set()  # games whose kernels are being loaded

    async def get(self, spec: str) -> Game:
        """Return the game of a spec. Raises SpecError if the spec is invalid."""
        game = self.games.get(spec)
        if game is None:
            game = await self.executor.run(LOADER, load_interpreted_game, spec)
            if len(self.games) > MAX_GAMES:
                self.games.clear()
            self.games[spec] = self.games[game.spec] = game
        if not game._stepper.is_compiled and game not in self.loading and self.is_warm(game.spec):
            self.load_kernels(game)
        return game

    def load_kernels(self, game: Game) -> None:
        """Compile the kernels of a game in a thread, or load them from the cache on disk."""
        task = self.background.start(run_in_daemon_thread(f"compile-{game.spec}", game._stepper.compile), interruptible=True)
        if task is not None:
            self.loading.add(game)
            task.add_done_callback(lambda _: self.loading.discard(game))


def load_interpreted_game(spec: str) -> Game:
    """Return a game that does not compile its kernels by itself."""
    game = game_of(spec)
    game.interpreter_budget_seconds = math.inf
    game.start()
    return game
