"""Animated GIFs of games, rendered one at a time in a separate process, so that they do not delay other requests.

`python -m ropewalk.server.animations` reads a game as JSON from standard input and writes a GIF to standard output.
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
CACHE_SIZE = 8  # animations, of a few megabytes each
NICENESS = 10


class AnimationRenderer:
    """Renders animations of games, and caches the most recently used ones."""

    def __init__(self) -> None:
        self.cache: OrderedDict[str, bytes] = OrderedDict()  # by request; the least recently used comes first
        self.render_lock = asyncio.Semaphore(1)
        self.queue_length = 0

    async def render_gif(self, spec: str, position: str | None, moves: list[str]) -> bytes:
        """Return the GIF of a game.

        Raises:
            ApiError: `too-large`: the game has too many moves. `busy`: too many requests wait, or rendering takes too long.
        """
        if len(moves) > MAX_MOVES:
            raise ApiError(
                "too-large", f"a GIF can show at most {MAX_MOVES} moves; this game has {len(moves)}", limit=MAX_MOVES
            )
        request = json.dumps({"spec": spec, "position": position, "moves": moves})
        if request not in self.cache:
            self.cache[request] = await self.run_queued(request)
        self.cache.move_to_end(request)
        while len(self.cache) > CACHE_SIZE:
            self.cache.popitem(last=False)
        return self.cache[request]

    async def run_queued(self, request: str) -> bytes:
        """Render an animation after those that were requested before."""
        if self.queue_length >= MAX_QUEUE_LENGTH:
            raise ApiError(
                "busy", f"too many animations in progress ({MAX_QUEUE_LENGTH}); try again later", limit=MAX_QUEUE_LENGTH
            )
        self.queue_length += 1
        try:
            async with self.render_lock:
                return self.cache.get(request) or await run_renderer(request)
        finally:
            self.queue_length -= 1


async def run_renderer(request: str) -> bytes:
    """Render an animation in a new process, which is killed after TIMEOUT_SECONDS or if the caller is cancelled."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "ropewalk.server.animations")
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)
    try:
        gif, _ = await asyncio.wait_for(process.communicate(request.encode()), TIMEOUT_SECONDS)
    except TimeoutError:
        raise ApiError("busy", f"the animation was not ready within {TIMEOUT_SECONDS:g} s; try again later") from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode:
        raise ApiError("engine-failed", "the animation could not be drawn")
    return gif


def main() -> None:
    """Render the game on standard input, with low priority."""
    from ..diagrams import DiagramOptions, animate_gif
    from ..games.registry import game
    from ..games.sequence import parse_position

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    request = json.load(sys.stdin)
    start = parse_position(game(request["spec"]), request["position"])
    sys.stdout.buffer.write(animate_gif(start, request["moves"], DiagramOptions(size=PIXELS)))


if __name__ == "__main__":
    main()
