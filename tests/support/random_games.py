"""Positions of random games, the same on every run."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ropewalk import Game, Position


def random_positions(game: Game, games: int) -> Iterator[Position]:
    """Yield all ongoing positions of random games."""
    rng = random.Random(1)
    for _ in range(games):
        position = game.start()
        while position.seat is not None:
            yield position
            position = position.play(rng.choice(position.moves()))
