"""Games as moving pictures: drawn in a process of their own, one at a time, so that nobody at a table waits for it.

`python -m ropewalk.server.animations` reads a game as JSON and writes it as GIF.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import OrderedDict
from contextlib import suppress

from .errors import ApiError

MAX_MOVES = 300
MAX_QUEUE_LENGTH = 4
TIMEOUT_SECONDS = 240.0
PIXELS = 480
CACHE_SIZE = 8  # pictures, of a few megabytes each
NICENESS = 10


class AnimationRenderer:
    """Draws games; the last ones are kept."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, bytes] = OrderedDict()
        self.turn = asyncio.Semaphore(1)
        self.waiting = 0

    async def render_gif(self, spec: str, position: str | None, moves: list[str]) -> bytes:
        """A game as GIF."""
        if len(moves) > MAX_MOVES:
            raise ApiError(
                "too-large", f"a GIF shows at most {MAX_MOVES} moves, this game has {len(moves)}", limit=MAX_MOVES
            )
        asked = json.dumps({"spec": spec, "position": position, "moves": moves})
        if asked not in self.kept:
            self.kept[asked] = await self.run_queued(asked)
        self.kept.move_to_end(asked)
        while len(self.kept) > CACHE_SIZE:
            self.kept.popitem(last=False)
        return self.kept[asked]

    async def run_queued(self, asked: str) -> bytes:
        """Draw when those who came before have their pictures."""
        if self.waiting >= MAX_QUEUE_LENGTH:
            raise ApiError("busy", f"{MAX_QUEUE_LENGTH} games wait to be drawn already", limit=MAX_QUEUE_LENGTH)
        self.waiting += 1
        try:
            async with self.turn:
                return self.kept.get(asked) or await run_renderer(asked)
        finally:
            self.waiting -= 1


async def run_renderer(asked: str) -> bytes:
    """What a process draws; one that takes too long, or that nobody waits for any more, is ended."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "ropewalk.server.animations")
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)
    try:
        picture, _ = await asyncio.wait_for(process.communicate(asked.encode()), TIMEOUT_SECONDS)
    except TimeoutError:
        raise ApiError("busy", f"the game could not be drawn within {TIMEOUT_SECONDS:g} s") from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode:
        raise ApiError("engine-failed", "the game could not be drawn")
    return picture


def main() -> None:
    """Draw one game."""
    from ..diagrams import DiagramOptions, animate_gif
    from ..games.registry import game
    from ..games.sequence import parse_position

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked = json.load(sys.stdin)
    start = parse_position(game(asked["spec"]), asked["position"])
    sys.stdout.buffer.write(animate_gif(start, asked["moves"], DiagramOptions(size=PIXELS)))


if __name__ == "__main__":
    main()
