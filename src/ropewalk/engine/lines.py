"""Lines in and out: input is heard in a thread of its own, so that a program that thinks still hears `stop`."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

LONGEST_LINE = 1 << 20  # bytes
CHUNK = 1 << 16


class Heard(NamedTuple):
    """A line of input."""

    text: str
    is_whole: bool  # not so when it was longer than LONGEST_LINE


def listen(hear: Callable[[Heard], None], end: Callable[[], None]) -> None:
    """Hand over every line of standard input as it comes, then say that it has ended."""
    threading.Thread(target=read, args=(hear, end), daemon=True).start()


def read(hear: Callable[[Heard], None], end: Callable[[], None]) -> None:
    """What the thread does."""
    try:
        # Read from the descriptor: a thread that waits inside sys.stdin holds a lock that Python needs in order to exit.
        for line in lines_of(sys.stdin.fileno()) if sys.stdin is not None else ():
            hear(line)
    finally:
        end()


def lines_of(descriptor: int) -> Iterator[Heard]:
    """All lines, with or without a line break after the last; of long ones only the beginning is kept."""
    held = b""
    while chunk := os.read(descriptor, CHUNK):
        *complete, held = (held + chunk).split(b"\n")
        yield from map(heard, complete)
        held = held[: LONGEST_LINE + 1]
    if held:
        yield heard(held)


def heard(line: bytes) -> Heard:
    """The text of a line; bytes that are none are replaced."""
    return Heard(line[:LONGEST_LINE].decode(errors="replace").strip(), len(line) <= LONGEST_LINE)


class Speaker:
    """Says whole lines, from any thread, at once; `cut` is called when nobody listens any more."""

    def __init__(self) -> None:
        self.is_cut = False
        self.cut: Callable[[], None] = lambda: None
        self._turn = threading.Lock()

    def say(self, *lines: str) -> None:
        """Say some lines that belong together."""
        try:
            with self._turn:
                if not self.is_cut:
                    sys.stdout.write("".join(f"{line}\n" for line in lines))
                    sys.stdout.flush()
        except OSError:
            self.is_cut = True
            self.cut()

    def refuse_cut(self) -> None:
        """Raise what the command line knows how to end with, should nobody have listened to the end."""
        if self.is_cut:
            raise BrokenPipeError
