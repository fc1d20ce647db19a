"""Line-based standard input and output: a reader thread, so that input is handled during a search, and a locked writer."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

MAX_LINE_BYTES = 1 << 20
CHUNK_BYTES = 1 << 16


class InputLine(NamedTuple):
    """A line of input, decoded and stripped."""

    text: str
    is_complete: bool  # False if it was longer than MAX_LINE_BYTES


def start_reading(on_line: Callable[[InputLine], None], on_end: Callable[[], None]) -> None:
    """Start a thread that calls `on_line` with every line of stdin, then `on_end`."""
    threading.Thread(target=read_stdin, args=(on_line, on_end), daemon=True).start()


def read_stdin(on_line: Callable[[InputLine], None], on_end: Callable[[], None]) -> None:
    """Read stdin to its end; the body of the reader thread."""
    try:
        # Read from the descriptor: a thread blocked in sys.stdin holds a lock that the interpreter needs to exit.
        for line in iter_lines(sys.stdin.fileno()) if sys.stdin is not None else ():
            on_line(line)
    finally:
        on_end()


def iter_lines(descriptor: int) -> Iterator[InputLine]:
    """Yield all lines of a descriptor, with or without a final line break; long lines are truncated."""
    pending = b""
    while chunk := os.read(descriptor, CHUNK_BYTES):
        *complete, pending = (pending + chunk).split(b"\n")
        yield from map(decode_line, complete)
        pending = pending[: MAX_LINE_BYTES + 1]
    if pending:
        yield decode_line(pending)


def decode_line(line: bytes) -> InputLine:
    """Decode a line; invalid bytes become U+FFFD, and what exceeds MAX_LINE_BYTES is cut off."""
    return InputLine(line[:MAX_LINE_BYTES].decode(errors="replace").strip(), len(line) <= MAX_LINE_BYTES)


class LineWriter:
    """Thread-safe writer to stdout, flushed after each call. `on_broken_pipe` is called once the output is closed."""

    def __init__(self) -> None:
        self.is_broken = False
        self.on_broken_pipe: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    def write_lines(self, *lines: str) -> None:
        """Write lines without interleaving lines of other threads; do nothing once the output is closed."""
        try:
            with self._lock:
                if not self.is_broken:
                    sys.stdout.write("".join(f"{line}\n" for line in lines))
                    sys.stdout.flush()
        except OSError:
            self.is_broken = True
            self.on_broken_pipe()

    def raise_if_broken(self) -> None:
        """Raise BrokenPipeError if the output was closed before the end."""
        if self.is_broken:
            raise BrokenPipeError
