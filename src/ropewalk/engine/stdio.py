"""Lines in and out: input is heard in a thread of its own, so that a program that thinks still hears `stop`."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

MAX_LINE_BYTES = 1 << 20  # bytes
CHUNK_BYTES = 1 << 16


class InputLine(NamedTuple):
    """A line of input."""

    text: str
    is_complete: bool  # not so when it was longer than LONGEST_LINE


def start_reading(on_line: Callable[[InputLine], None], on_end: Callable[[], None]) -> None:
    """Hand over every line of standard input as it comes, then say that it has ended."""
    threading.Thread(target=read_stdin, args=(on_line, on_end), daemon=True).start()


def read_stdin(on_line: Callable[[InputLine], None], on_end: Callable[[], None]) -> None:
    """What the thread does."""
    try:
        # Read from the descriptor: a thread that waits inside sys.stdin holds a lock that Python needs in order to exit.
        for line in iter_lines(sys.stdin.fileno()) if sys.stdin is not None else ():
            on_line(line)
    finally:
        on_end()


def iter_lines(descriptor: int) -> Iterator[InputLine]:
    """All lines, with or without a line break after the last; of long ones only the beginning is kept."""
    pending = b""
    while chunk := os.read(descriptor, CHUNK_BYTES):
        *complete, pending = (pending + chunk).split(b"\n")
        yield from map(decode_line, complete)
        pending = pending[: MAX_LINE_BYTES + 1]
    if pending:
        yield decode_line(pending)


def decode_line(line: bytes) -> InputLine:
    """The text of a line; bytes that are none are replaced."""
    return InputLine(line[:MAX_LINE_BYTES].decode(errors="replace").strip(), len(line) <= MAX_LINE_BYTES)


class LineWriter:
    """Says whole lines, from any thread, at once; `cut` is called when nobody listens any more."""

    def __init__(self) -> None:
        self.is_broken = False
        self.on_broken_pipe: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    def write_lines(self, *lines: str) -> None:
        """Say some lines that belong together."""
        try:
            with self._lock:
                if not self.is_broken:
                    sys.stdout.write("".join(f"{line}\n" for line in lines))
                    sys.stdout.flush()
        except OSError:
            self.is_broken = True
            self.on_broken_pipe()

    def raise_if_broken(self) -> None:
        """Raise what the command line knows how to end with, should nobody have listened to the end."""
        if self.is_broken:
            raise BrokenPipeError
