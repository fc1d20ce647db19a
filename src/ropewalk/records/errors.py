"""Errors of record files: RecordError with its place in the text, and the faults that recovery skipped."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from ..errors import RopewalkError
from ..text import ellipsis

MAX_FAULTS = 10_000  # a file with more is not worth recovering
LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")  # the four line breaks of SGF


class RecordError(RopewalkError):
    """A record that cannot be read or written; `line` and `column` count from 1, None where no text is at fault."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


@dataclass(frozen=True)
class ParseFault:
    """A fault that recovery found in a text, and the whole text dropped because of it ("" if none was)."""

    line: int
    column: int
    message: str
    dropped_text: str

    def __str__(self) -> str:
        left_out = f"; dropped {ellipsis(self.dropped_text)}" if self.dropped_text else ""
        return f"line {self.line}, column {self.column}: {self.message}{left_out}"


class SourceMap:
    """Converts offsets in a text to lines and columns, both counted from 1."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def line_starts(self) -> list[int]:
        """The offsets at which the lines begin."""
        return [0, *(found.end() for found in LINE_BREAK.finditer(self.text))]

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of the character at an offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1


class FaultCollector:
    """Receives the faults of a text: raises the first one or, with `recover`, collects them all."""

    def __init__(self, text: str, *, recover: bool) -> None:
        self.source_map = SourceMap(text)
        self.recover = recover
        self.faults: list[ParseFault] = []

    def add(self, offset: int, message: str, dropped: str = "") -> None:
        """Raise or collect a fault at an offset; `dropped` is the text left out because of it. Raises RecordError."""
        line, column = self.source_map.locate(offset)
        if not self.recover:
            raise RecordError(message, line, column)
        if len(self.faults) == MAX_FAULTS:
            raise RecordError(f"too many errors to recover: a file may have at most {MAX_FAULTS:,}", line, column)
        self.faults.append(ParseFault(line, column, message, dropped))
