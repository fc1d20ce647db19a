"""Setups of laoCoon: layouts of the discs, and their spelling in specs.

A layout is a text of 64 letters b p o y, sixteen of each, from a1, b1 to h8. In a spec a setup is the name of a layout,
a layout, or random or quick followed by a seed or a layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...jit.interpreted import interpret
from ...jit.prng import make_rng, rand_below
from ...text import did_you_mean, ellipsis
from ..spec_parser import MAX_SEED, SpecReader
from . import SPEC

COLOUR_LETTERS = "".join(SPEC.tokens.pieces)
DISC_LETTERS = "." + COLOUR_LETTERS  # no disc, then blue, purple, orange, yellow

LAYOUTS = {
    "weave": "".join(COLOUR_LETTERS[(file + 2 * rank) % 4] for rank in range(8) for file in range(8)),
    "blocks": "".join(COLOUR_LETTERS[2 * (rank % 2) + file % 2] for rank in range(8) for file in range(8)),
}
VARIANTS = ("random", "quick")


def random_layout(seed: int) -> str:
    """Return the layout of a seed: the sorted discs, shuffled (Fisher-Yates). Specs depend on it: it never changes."""
    discs = list("".join(colour * 16 for colour in COLOUR_LETTERS))
    rng = make_rng(seed)
    for index in range(len(discs) - 1, 0, -1):
        other = int(interpret(rand_below)(rng, index + 1))
        discs[index], discs[other] = discs[other], discs[index]
    return "".join(discs)


def parse_setup(reader: SpecReader) -> dict[str, Any]:
    """Read the setup from a spec; return the options setup (its canonical spelling), layout and variant."""
    expected = "weave, blocks, random, quick, or a layout of 64 letters b p o y"
    setup = reader.next_word(r"[a-z]+", expected)
    variant = setup if setup in VARIANTS else ""
    if variant:
        setup = reader.next_word(r"\d+|[a-z]+", f"a seed from 0 to {MAX_SEED} or a layout of 64 letters b p o y")
    if setup.isdigit():
        if int(setup) > MAX_SEED:
            raise reader.error(f"seed {int(setup)} must be from 0 to {MAX_SEED}")
        setup, layout = str(int(setup)), random_layout(int(setup))
    elif setup in LAYOUTS and not variant:
        layout = LAYOUTS[setup]
    else:
        layout = require_layout(reader, setup, expected)
        names_by_layout = {text: name for name, text in LAYOUTS.items()}
        setup = setup if variant else names_by_layout.get(layout, setup)
    return {"setup": setup, "layout": layout, "variant": variant}


def format_setup(options: Mapping[str, Any]) -> str:
    """Return the canonical spec without the key; quick games never repeat a position, so they have no flag."""
    words = [options["variant"], options["setup"]]
    if not options["repetition"] and options["variant"] != "quick":
        words.append("norepetition")
    return "-".join(filter(None, words))


def require_layout(reader: SpecReader, text: str, expected: str) -> str:
    """Return `text` if it is a layout; raise a SpecError otherwise."""
    if len(text) < 16:
        raise reader.error(f"expected {expected}, not {ellipsis(text)}{did_you_mean(text, [*LAYOUTS, *VARIANTS])}")
    for index, letter in enumerate(text):
        if letter not in COLOUR_LETTERS:
            raise reader.error(f"letter {index + 1} of the layout is {letter!r}; allowed are b p o y")
    if len(text) != 64:
        raise reader.error(f"a layout must have 64 letters, not {len(text)}")
    for colour in COLOUR_LETTERS:
        if text.count(colour) != 16:
            raise reader.error(f"a layout must have 16 letters of each colour, not {text.count(colour)} of {colour!r}")
    return text
