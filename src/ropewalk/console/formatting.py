"""Formatting of text for terminals of any width: wrapping, pairs in columns, tables, JSON, errors."""

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

MAX_WIDTH = 100  # longer lines are hard to read
MIN_WIDTH = 30


COLUMNS: ContextVar[int | None] = ContextVar("COLUMNS", default=None)  # None: those of the terminal


@contextmanager
def limit_width(columns: int) -> Iterator[None]:
    """Limit the width of formatted text inside the context, as in a part of the screen."""
    before = COLUMNS.set(columns)
    try:
        yield
    finally:
        COLUMNS.reset(before)


def get_text_width() -> int:
    """Return the width of formatted text in columns: that of the terminal, in [MIN_WIDTH, MAX_WIDTH], or the limit."""
    given = COLUMNS.get()
    return max(MIN_WIDTH, min(MAX_WIDTH, shutil.get_terminal_size().columns)) if given is None else given


def wrap(text: str, first_indent: str = "", indent: str | None = None) -> str:
    """Return a text wrapped to the width. `indent` starts all lines but the first; by default it is as wide, but blank."""
    later_indent = " " * len(first_indent) if indent is None else indent
    return textwrap.fill(
        text,
        get_text_width(),
        initial_indent=first_indent,
        subsequent_indent=later_indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def format_pairs(pairs: Pairs) -> str:
    """Return a list of terms with their explanations beside them, or beneath if a line would be too long."""
    column = 4 + max(len(term) for term, _ in pairs)
    if column + max(len(explanation) for _, explanation in pairs) <= get_text_width():
        return "\n".join(f"  {term.ljust(column - 2)}{explanation}".rstrip() for term, explanation in pairs)
    return "\n".join(f"  {term}\n{wrap(explanation, ' ' * 6)}" for term, explanation in pairs)


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table: the first column is text and is wrapped, the others are numbers and are right-aligned."""
    widths = [max(len(cell) for cell in column) for column in zip(header, *rows, strict=True)]
    numbers = sum(widths[1:]) + 2 * (len(widths) - 1)
    widths[0] = min(widths[0], max(16, get_text_width() - numbers))
    return "\n".join(format_row(row, widths) for row in [header, *rows])


def format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return one row of a table; its numbers are beside the first line of its text."""
    text, *numbers = row
    first, *more = textwrap.wrap(text, widths[0], subsequent_indent="  ") or [""]
    cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True))]
    return "\n".join(["  ".join(cells).rstrip(), *more])


def format_number(number: float) -> str:
    """Return a measured number with three significant digits, such as 1,230,000 or 4.56."""
    if number < 100:
        return f"{number:.3g}"
    digits = len(f"{number:.0f}")
    return f"{round(number, 3 - digits):,.0f}"


def format_json_object(mapping: Mapping[str, Any]) -> str:
    """Return an object as JSON text with a line for each key."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in mapping.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def format_json_list(mappings: Iterable[Mapping[str, Any]]) -> str:
    """Return a list of objects as JSON text with a line for each object."""
    return "[\n" + ",\n".join(f"  {json.dumps(mapping)}" for mapping in mappings) + "\n]"


def format_error(error: Exception) -> str:
    """Return the message of an error in one line, and in a second one the cells that show why a move is illegal."""
    witness = getattr(error, "witness", ())
    return f"ropewalk: {one_line(str(error))}" + (f"\n  shown by {' '.join(witness)}" if witness else "")
