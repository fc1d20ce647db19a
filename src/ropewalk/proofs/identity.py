"""Which positions are the same for a search: 126 bits a position, the same for its turned and mirrored images.

A position is a list of codes, one a cell and a few for all else. Two independent sums of random keys stand for it;
of all images of the position the smallest counts. A search may trust them, for a proof is checked with keys of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..kernels import kernel

Codes: TypeAlias = NDArray[np.int64]

EXTRA = 2  # codes after those of the cells: what the game has to say beside them, and what the search has
LARGEST = 2**63 - 1
BYTES = 6  # of a code; more than the tallest stack needs
MOST_PLACES = 1500  # times images: on large boards, turned positions hardly ever meet


class Identity(NamedTuple):
    """What it takes to tell positions of one game apart."""

    images: NDArray[np.int16]  # [symmetries, places]: where each place goes
    keys: NDArray[np.int64]  # [places, BYTES, 256, 2]: a byte of a code at a place; nothing for a zero


@kernel
def identify(identity: Identity, codes: Codes) -> tuple[int, int]:
    """The smallest pair of hashes over all images of a position."""
    smallest, beside = LARGEST, LARGEST
    for image in range(len(identity.images)):
        one, two = hash_of_image(identity, identity.images[image], codes)
        if one < smallest:
            smallest, beside = one, two
    return smallest, beside


@kernel
def hash_of_image(identity: Identity, image: Any, codes: Codes) -> tuple[int, int]:
    """Two independent hashes of a position as it lies after turning."""
    one, two = 0, 0
    for place in range(len(codes)):
        code = codes[place]
        part = 0
        while code != 0:
            one ^= identity.keys[image[place], part, code & 255, 0]
            two ^= identity.keys[image[place], part, code & 255, 1]
            code >>= 8
            part += 1
    return one, two


def identity_of(game: Game) -> Identity:
    """The images that keep the colours, and keys that are the same on every machine."""
    whole = whole_identity(game, np.random.Generator(np.random.PCG64(1)))
    return whole if whole.images.size <= MOST_PLACES else whole._replace(images=whole.images[:1])


def whole_identity(game: Game, chance: np.random.Generator) -> Identity:
    """All images that keep the colours, and keys by chance."""
    places = len(game.board) + EXTRA
    rest = range(len(game.board), places)
    images = [[*symmetry.cells, *rest] for symmetry in game.symmetries if not symmetry.swaps_colours]
    keys = chance.integers(0, 2**63, (places, BYTES, 256, 2), np.int64)
    keys[:, :, 0] = 0
    return Identity(np.array(images, np.int16), keys)
