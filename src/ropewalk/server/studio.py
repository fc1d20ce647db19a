"""Games as moving pictures: drawn in a process of their own, one at a time, so that nobody at a table waits for it.

`python -m ropewalk.server.studio` reads a game as JSON and writes it as GIF.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import OrderedDict
from contextlib import suppress

from .refusals import Refusal

MOST_MOVES = 300
MOST_WAITING = 4
SECONDS = 240.0
PIXELS = 480
KEPT = 8  # pictures, of a few megabytes each
POLITENESS = 10


class Studio:
    """Draws games; the last ones are kept."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, bytes] = OrderedDict()
        self.turn = asyncio.Semaphore(1)
        self.waiting = 0

    async def gif(self, spec: str, position: str | None, moves: list[str]) -> bytes:
        """A game as GIF."""
        if len(moves) > MOST_MOVES:
            raise Refusal(
                "too-large", f"a GIF shows at most {MOST_MOVES} moves, this game has {len(moves)}", limit=MOST_MOVES
            )
        asked = json.dumps({"spec": spec, "position": position, "moves": moves})
        if asked not in self.kept:
            self.kept[asked] = await self.in_turn(asked)
        self.kept.move_to_end(asked)
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return self.kept[asked]

    async def in_turn(self, asked: str) -> bytes:
        """Draw when those who came before have their pictures."""
        if self.waiting >= MOST_WAITING:
            raise Refusal("busy", f"{MOST_WAITING} games wait to be drawn already", limit=MOST_WAITING)
        self.waiting += 1
        try:
            async with self.turn:
                return self.kept.get(asked) or await drawn(asked)
        finally:
            self.waiting -= 1


async def drawn(asked: str) -> bytes:
    """What a process draws; one that takes too long, or that nobody waits for any more, is ended."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "ropewalk.server.studio")
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)
    try:
        picture, _ = await asyncio.wait_for(process.communicate(asked.encode()), SECONDS)
    except TimeoutError:
        raise Refusal("busy", f"the game could not be drawn within {SECONDS:g} s") from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode:
        raise Refusal("engine-failed", "the game could not be drawn")
    return picture


def main() -> None:
    """Draw one game."""
    from ..diagrams import DiagramOptions, animate_gif
    from ..games.registry import game
    from ..games.sequence import parse_position

    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    asked = json.load(sys.stdin)
    start = parse_position(game(asked["spec"]), asked["position"])
    sys.stdout.buffer.write(animate_gif(start, asked["moves"], DiagramOptions(size=PIXELS)))


if __name__ == "__main__":
    main()
