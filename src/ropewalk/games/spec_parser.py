"""Game specs as text: `parse_spec` and `format_spec`, both derived from a `GameSpec`.

A spec is the game's key, the board, and the words of flags that are not as by default, joined by hyphens:
"lariat-2x10-pie". The canonical spec has no leading zeros, no aliases, no parameters that equal their default by
`default_from`, and flags in alphabetical order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import SpecError
from ..text import did_you_mean, ellipsis
from .definition import BoardOption, GameSpec, IntOption, import_attribute

MAX_WORD_LENGTH = 64
MAX_SEED = 2**63 - 1


class SpecReader:
    """The words of a spec after the game's key, read one by one. Errors quote the whole spec and an example."""

    def __init__(self, text: str, words: Sequence[str], example: str) -> None:
        self.text = text
        self.words = list(words)
        self.example = example

    def error(self, message: str) -> SpecError:
        """Return an error that quotes the spec and ends with an example."""
        return SpecError(f"{ellipsis(self.text)}: {message}; example: {self.example}")

    def next_word(self, pattern: str, expected: str) -> str:
        """Remove and return the next word; raise a SpecError unless it matches `pattern`."""
        if not self.words:
            raise self.error(f"missing {expected}")
        word = self.words.pop(0)
        if not re.fullmatch(pattern, word, re.ASCII) or len(word) > MAX_WORD_LENGTH:
            raise self.error(f"expected {expected}, not {ellipsis(word)}")
        return word

    def require_known_flags(self, allowed: Sequence[str]) -> None:
        """Raise a SpecError if one of the remaining words is not an allowed flag or occurs twice."""
        for index, word in enumerate(self.words):
            if word not in allowed:
                allowed_text = f"the options are {', '.join(allowed)}" if allowed else "this game has no options"
                raise self.error(f"unknown option {ellipsis(word)}; {allowed_text}{did_you_mean(word, allowed)}")
            if word in self.words[:index]:
                raise self.error(f"duplicate option {word}")


def parse_spec(definition: GameSpec, text: str, other_flags: Iterable[str] = ()) -> dict[str, Any]:
    """Return the options that a spec names, as keywords of the implementation.

    `text` is the spec in lower case; it begins with the game's key. `other_flags` are flags of other games, which after
    the bare key are reported as unknown flags and not as boards. Raises a SpecError if the board or a flag is invalid.
    """
    flag_words = [flag.spec_word for flag in definition.spec_flags]
    words = text[len(definition.key) + 1 :].split("-") if text != definition.key else []
    if not words or words[0] in ("", *flag_words, *other_flags):
        words = [definition.standard, *filter(None, words)]
    words[0] = definition.presets.get(words[0], words[0])
    reader = SpecReader(text, words, definition.standard_spec)
    options: dict[str, Any] = parse_board(definition.board, reader)
    reader.require_known_flags(flag_words)
    return options | {flag.name: flag.default != (flag.spec_word in reader.words) for flag in definition.spec_flags}


def format_spec(definition: GameSpec, options: Mapping[str, Any]) -> str:
    """Return the canonical spec of a game with these options."""
    board = definition.board
    if board.formatter:
        return f"{definition.key}-{import_attribute(board.formatter)(options)}"
    flag_words = (flag.spec_word for flag in definition.spec_flags if options[flag.name] != flag.default)
    return "-".join([definition.key, format_board(board, options), *flag_words])


def parse_board(board: BoardOption, reader: SpecReader) -> dict[str, Any]:
    """Read the board from the first words of a spec; return its options."""
    if board.parser:
        options: dict[str, Any] = import_attribute(board.parser)(reader)
        return options
    pattern = board_pattern(board)
    match = re.fullmatch(pattern, reader.next_word(pattern, board.expected_text), re.ASCII)
    assert match is not None
    values: dict[str, int] = {}
    for option in board.parameters:
        digits = match[option.name]
        values[option.name] = int(digits) if digits else default_value(option, values)
        if error := option.find_error(values[option.name], values):
            raise reader.error(error)
    return dict(values)


def default_value(option: IntOption, values: Mapping[str, int]) -> int:
    """Return the value of a parameter that a spec leaves out."""
    assert option.default_from is not None
    return option.default_from(values)


def board_pattern(board: BoardOption) -> str:
    """Return the regular expression of custom boards, with one named group for each parameter."""
    literals, parameters = split_template(board)
    pattern = re.escape(literals[-1])
    for literal, option in reversed(list(zip(literals, parameters, strict=False))):
        pattern = rf"{re.escape(literal)}(?P<{option.name}>\d+){pattern}"
        pattern = f"(?:{pattern})?" if option.default_from else pattern
    return pattern


def split_template(board: BoardOption) -> tuple[list[str], list[IntOption]]:
    """Return the literal texts around the parameters of a template, one more than parameters, and the parameters."""
    by_name = {option.name: option for option in board.parameters}
    parts = re.split(r"\{(\w+)\}", board.template)
    return parts[::2], [by_name[name] for name in parts[1::2]]


def format_board(board: BoardOption, values: Mapping[str, Any]) -> str:
    """Return the canonical text of a board: trailing parameters that equal their `default_from` are left out."""
    literals, parameters = split_template(board)
    while (option := parameters[-1]).default_from and values[option.name] == option.default_from(values):
        parameters.pop()
        literals = [*literals[:-2], literals[-1]]
    texts = [f"{literal}{values[option.name]}" for literal, option in zip(literals, parameters, strict=False)]
    return "".join([*texts, literals[-1]])
