"""Helpers for messages: spelling suggestions, quoting, plurals, lists."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def plural(count: int, noun: str) -> str:
    """Return `count` with the noun, in the plural unless count is 1: "1 stone", "2 stones"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def join_list(names: Iterable[str]) -> str:
    """Join names as in "a1, b2 and c3"; `names` must not be empty."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def did_you_mean(word: str, possibilities: Iterable[str]) -> str:
    """Return a hint such as "; did you mean f6?" with up to three candidates, or "" when none is similar."""
    matches = get_close_matches(word, list(possibilities), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(matches)}?" if matches else ""


def ellipsis(text: str, max_length: int = 60) -> str:
    """Return the text in quotes (repr), first cut to `max_length` characters ending in "..." if it is longer."""
    return repr(text if len(text) <= max_length else text[: max_length - 3] + "...")


def one_line(text: str) -> str:
    """Return the text with unprintable characters, line breaks included, escaped."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
