"""The games' rules, ready to be asked: kernels are compiled or loaded in a thread, so that nobody else waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...games.registry import game as game_of

if TYPE_CHECKING:
    from ...games.game import Game


class Rules:
    """Games by their specs; the first who asks for one waits, and so does everybody who asks meanwhile."""

    def __init__(self) -> None:
        self.ready: dict[str, Game] = {}
        self.turn = asyncio.Lock()

    async def of(self, spec: str) -> Game:
        """The game of a spec, with its kernels; a SpecError says what is wrong with it."""
        found = self.ready.get(spec)
        if found is not None:
            return found
        async with self.turn:
            made = await asyncio.to_thread(warmed, spec)
        if len(self.ready) > 256:
            self.ready.clear()
        self.ready[spec] = self.ready[made.spec] = made
        return made


def warmed(spec: str) -> Game:
    """A game that has been played once, so that its kernels are there."""
    game = game_of(spec)
    start = game.start()
    start.play(start.moves()[0])
    return game
