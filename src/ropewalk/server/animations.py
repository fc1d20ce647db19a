"""Animated GIFs and pictures of games, rendered in separate processes, so that they do not delay other requests.

`python -m ropewalk.server.animations` reads a game as JSON from standard input and writes a GIF to standard output, or a
PNG of its last position if the JSON has `picture`, the width and height.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import ApiError

if TYPE_CHECKING:
    from ..games.position import Position

MAX_FRAMES = 300
MAX_PROCESSES = 2
MAX_JOBS = 8  # that run or wait
MAX_CLIENT_JOBS = 2
TIMEOUT_SECONDS = 60.0
PIXELS = 480
CACHE_BYTES = 64 * 1024 * 1024
NICENESS = 10


@dataclass(frozen=True)
class FrameRange:
    """The positions that an animation shows: every `step`-th one from `first` to `last`, and `last` itself."""

    first: int = 0
    last: int | None = None  # None: the end of the game
    step: int = 1

    def list_counts(self, num_moves: int) -> list[int]:
        """Return the numbers of moves after which there is a frame.

        Raises:
            ApiError: `bad-request`: the range is not part of the game. `too-large`: it has too many positions.
        """
        last = num_moves if self.last is None else self.last
        if not self.first <= last <= num_moves:
            message = f"invalid range of moves {self.first} to {last}; the game has {num_moves} moves"
            raise ApiError("bad-request", message, limit=num_moves)
        counts = list(range(self.first, last + 1, self.step))
        if counts[-1] != last:
            counts.append(last)
        if len(counts) > MAX_FRAMES:
            message = f"a GIF can show at most {MAX_FRAMES} positions, not {len(counts)}; set first, last or a larger step"
            raise ApiError("too-large", message, limit=MAX_FRAMES)
        return counts


class AnimationRenderer:
    """Renders animations and pictures of games in a bounded number of processes, and caches the most recently used ones."""

    def __init__(self) -> None:
        self.cache: OrderedDict[str, bytes] = OrderedDict()  # by request; the least recently used comes first
        self.processes = asyncio.Semaphore(MAX_PROCESSES)
        self.locks: dict[str, asyncio.Lock] = {}  # by request: each is rendered once
        self.job_count = 0
        self.client_jobs: Counter[str] = Counter()

    async def render_gif(self, client: str, spec: str, position: str | None, moves: list[str], frames: FrameRange) -> bytes:
        """Return the GIF of a game; rendering ends if the caller is cancelled.

        Raises:
            ApiError: `too-large` or `bad-request`: the frames are too many, or not in the game. `too-many`: the client has
                too many requests. `busy`: too many requests wait, or rendering takes too long.
        """
        shown = frames.list_counts(len(moves))
        return await self.render(
            client, json.dumps({"spec": spec, "position": position, "moves": moves[: shown[-1]], "shown": shown})
        )

    async def render(self, client: str, request: str) -> bytes:
        """Return what a request describes, from the cache or rendered; rendering ends if the caller is cancelled.

        Raises:
            ApiError: `too-many`: the client has too many requests. `busy`: too many requests wait, or rendering takes too
                long.
        """
        if request not in self.cache:
            self.add_to_cache(request, await self.run_queued(client, request))
        self.cache.move_to_end(request)
        return self.cache[request]

    def add_to_cache(self, request: str, picture: bytes) -> None:
        """Cache a picture, and drop the least recently used ones beyond CACHE_BYTES."""
        self.cache[request] = picture
        self.cache.move_to_end(request)
        while len(self.cache) > 1 and sum(map(len, self.cache.values())) > CACHE_BYTES:
            self.cache.popitem(last=False)

    async def run_queued(self, client: str, request: str) -> bytes:
        """Render a picture when a process is free; the same request of several clients is rendered once."""
        self.check_limits(client)
        self.job_count += 1
        self.client_jobs[client] += 1
        lock = self.locks.setdefault(request, asyncio.Lock())
        try:
            async with lock, self.processes:
                return self.cache.get(request) or await run_renderer(request)
        finally:
            self.job_count -= 1
            self.client_jobs[client] -= 1
            if not self.client_jobs[client]:
                del self.client_jobs[client]
            if not lock.locked():
                self.locks.pop(request, None)

    def check_limits(self, client: str) -> None:
        """Raise ApiError if too many pictures are rendered or wait."""
        if self.client_jobs[client] >= MAX_CLIENT_JOBS:
            message = f"at most {MAX_CLIENT_JOBS} pictures at a time are rendered for you; wait for one of them"
            raise ApiError("too-many", message, limit=MAX_CLIENT_JOBS)
        if self.job_count >= MAX_JOBS:
            raise ApiError("busy", f"too many pictures in progress ({MAX_JOBS}); try again later", limit=MAX_JOBS)


async def run_renderer(request: str) -> bytes:
    """Render a picture in a new process, which is killed after TIMEOUT_SECONDS or if the caller is cancelled."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "ropewalk.server.animations")
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)
    try:
        picture, _ = await asyncio.wait_for(process.communicate(request.encode()), TIMEOUT_SECONDS)
    except TimeoutError:
        message = f"the picture was not ready within {TIMEOUT_SECONDS:g} s; for a GIF set first, last or a larger step"
        raise ApiError("busy", message, limit=TIMEOUT_SECONDS) from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode:
        raise ApiError("engine-failed", "the picture could not be drawn")
    return picture


def format_picture_request(spec: str, position: str | None, moves: Sequence[str], size: tuple[int, int]) -> str:
    """Return the request for a picture of the position after some moves."""
    return json.dumps({"spec": spec, "position": position, "moves": list(moves), "picture": size})


def draw_picture(start: Position, moves: Sequence[str], width: int, height: int) -> bytes:
    """Return a PNG with the position after some moves in the middle."""
    from PIL import Image

    from ..diagrams import DiagramOptions, draw, render_png
    from ..diagrams.frame_renderer import open_png
    from ..diagrams.themes import THEMES
    from ..games.sequence import MoveSequence

    is_decided = MoveSequence.play(start, moves).position.outcome is not None
    options = DiagramOptions(size=min(width, height), last_move=bool(moves), witness=is_decided)
    board = open_png(render_png(draw(start, options, moves)))
    picture = Image.new("RGB", (width, height), THEMES[options.theme].colours["paper"])
    picture.paste(board, ((width - board.width) // 2, (height - board.height) // 2), board)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Render the game on standard input, with low priority."""
    from ..diagrams import AnimationTiming, DiagramOptions, animate_gif
    from ..games.registry import game
    from ..games.sequence import parse_position

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    request = json.load(sys.stdin)
    start = parse_position(game(request["spec"]), request["position"])
    if "picture" in request:
        sys.stdout.buffer.write(draw_picture(start, request["moves"], *request["picture"]))
        return
    timing = AnimationTiming(shown=request["shown"])
    sys.stdout.buffer.write(animate_gif(start, request["moves"], DiagramOptions(size=PIXELS), timing))


if __name__ == "__main__":
    main()
