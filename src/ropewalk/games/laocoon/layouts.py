"""How laoCoon's discs lie at the start: 64 letters of b p o y from a1, b1 to h8, sixteen of each."""

from __future__ import annotations

from ...jit.interpreted import interpreted
from ...jit.prng import make_rng, rand_below
from ...text import did_you_mean, ellipsis
from ..spec_parser import SpecReader

DISC_LETTERS = ".bpoy"  # no disc, then blue, purple, orange, yellow
COLOUR_LETTERS = DISC_LETTERS[1:]

LAYOUTS = {
    "weave": "".join(COLOUR_LETTERS[(file + 2 * rank) % 4] for rank in range(8) for file in range(8)),
    "blocks": "".join(COLOUR_LETTERS[2 * (rank % 2) + file % 2] for rank in range(8) for file in range(8)),
}


def random_layout(seed: int) -> str:
    """The layout of a seed, the same for ever: the sorted discs, shuffled from the last space down."""
    discs = list("".join(colour * 16 for colour in COLOUR_LETTERS))
    rng = make_rng(seed)
    for index in range(len(discs) - 1, 0, -1):
        other = int(interpreted(rand_below)(rng, index + 1))
        discs[index], discs[other] = discs[other], discs[index]
    return "".join(discs)


def require_layout(reader: SpecReader, text: str, expected: str) -> str:
    """The layout itself, if it has 64 letters, 16 of each colour."""
    if len(text) < 16:
        raise reader.error(f"{ellipsis(text)} is not {expected}{did_you_mean(text, [*LAYOUTS, 'random', 'quick'])}")
    for index, letter in enumerate(text):
        if letter not in COLOUR_LETTERS:
            raise reader.error(f"letter {index + 1} of the layout is {letter!r}, not one of b p o y")
    if len(text) != 64:
        raise reader.error(f"a layout has 64 letters, this one {len(text)}")
    for colour in COLOUR_LETTERS:
        if text.count(colour) != 16:
            raise reader.error(f"a layout has 16 of each colour, this one {text.count(colour)} of {colour!r}")
    return text
