"""What can be wrong with a record, and where: refusals, and what recovery left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from ..errors import RopewalkError
from ..text import ellipsis

MOST_FAULTS = 10_000  # a file with more is not worth recovering
LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")  # the four that SGF knows


class RecordError(RopewalkError):
    """A record that cannot be read or written; `line` and `column`, from 1, where its text is at fault."""

    def __init__(self, words: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(words if line is None else f"line {line}, column {column}: {words}")
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Dropped:
    """What recovery found wrong, and the text that it left out of the record, whole; "" where it left out nothing."""

    line: int
    column: int
    words: str
    text: str

    def __str__(self) -> str:
        left_out = f"; dropped {ellipsis(self.text)}" if self.text else ""
        return f"line {self.line}, column {self.column}: {self.words}{left_out}"


class Places:
    """Lines and columns of a text, both counted from 1."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(found.end() for found in LINE_BREAK.finditer(self.text))]

    def of(self, offset: int) -> tuple[int, int]:
        """The line and the column of a character."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


class Complaints:
    """Faults as they are met: the first one is raised, or with `recover` each is noted."""

    def __init__(self, text: str, *, recover: bool) -> None:
        self.places = Places(text)
        self.recover = recover
        self.dropped: list[Dropped] = []

    def add(self, offset: int, words: str, dropped: str = "") -> None:
        """A fault at a character, and the text that is left out for it."""
        line, column = self.places.of(offset)
        if not self.recover:
            raise RecordError(words, line, column)
        if len(self.dropped) == MOST_FAULTS:
            raise RecordError(f"a file is recovered from at most {MOST_FAULTS:,} faults, and this is one more", line, column)
        self.dropped.append(Dropped(line, column, words, dropped))
