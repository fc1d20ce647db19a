"""Text for terminals of any width: wrapped lists, pairs side by side, small tables, JSON, refusals."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from ..text import one_line

Pairs: TypeAlias = Sequence[tuple[str, str]]

WIDEST = 100  # longer lines of words are hard to read
NARROWEST = 30


COLUMNS: ContextVar[int | None] = ContextVar("COLUMNS", default=None)  # None: those of the terminal


@contextmanager
def within(columns: int) -> Iterator[None]:
    """Have words fill so many columns only, as in a part of the screen."""
    before = COLUMNS.set(columns)
    try:
        yield
    finally:
        COLUMNS.reset(before)


def text_width() -> int:
    """How many columns words may fill."""
    given = COLUMNS.get()
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns)) if given is None else given


def wrapped(words: str, first: str = "", rest: str | None = None) -> str:
    """Words broken into lines, with what each line begins with; names and numbers stay whole."""
    after = " " * len(first) if rest is None else rest
    return textwrap.fill(
        words, text_width(), initial_indent=first, subsequent_indent=after, break_on_hyphens=False, break_long_words=False
    )


def side_by_side(pairs: Pairs) -> str:
    """Each first thing with its explanation beside it, or beneath where a line would be too long."""
    column = 4 + max(len(first) for first, _ in pairs)
    if column + max(len(words) for _, words in pairs) <= text_width():
        return "\n".join(f"  {first.ljust(column - 2)}{words}".rstrip() for first, words in pairs)
    return "\n".join(f"  {first}\n{wrapped(words, ' ' * 6)}" for first, words in pairs)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lines of columns: the first for words, which wrap; the others for numbers, flush right."""
    widths = [max(len(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    numbers = sum(widths[1:]) + 2 * (len(widths) - 1)
    widths[0] = min(widths[0], max(16, text_width() - numbers))
    return "\n".join(table_line(row, widths) for row in [header, *rows])


def table_line(row: Sequence[str], widths: Sequence[int]) -> str:
    """One row of a table, its numbers beside the first line of its words."""
    words, *numbers = row
    first, *more = textwrap.wrap(words, widths[0], subsequent_indent="  ") or [""]
    cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True))]
    return "\n".join(["  ".join(cells).rstrip(), *more])


def rounded(number: float) -> str:
    """A measured number with three digits that mean something: 1,230,000 or 4.56."""
    if number < 100:
        return f"{number:.3g}"
    digits = len(f"{number:.0f}")
    return f"{round(number, 3 - digits):,.0f}"


def json_object(mapping: Mapping[str, Any]) -> str:
    """JSON with a line a key."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in mapping.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def json_list(mappings: Iterable[Mapping[str, Any]]) -> str:
    """JSON with a line an object."""
    return "[\n" + ",\n".join(f"  {json.dumps(mapping)}" for mapping in mappings) + "\n]"


def error_lines(error: Exception) -> str:
    """Return the message of an error in one line, and in a second one the cells that show why a move is illegal."""
    witness = getattr(error, "witness", ())
    return f"ropewalk: {one_line(str(error))}" + (f"\n  shown by {' '.join(witness)}" if witness else "")
