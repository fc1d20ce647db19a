"""Which positions are the same for a search: 126 bits a position, the same for its turned and mirrored images.

A position is a list of codes, one a cell and a few for all else. Two independent sums of random keys stand for it;
of all images of the position the smallest counts. A search may trust them, for a proof is checked with keys of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel

Codes: TypeAlias = NDArray[np.int64]

EXTRA_CODES = 2  # codes after those of the cells: what the game has to say beside them, and what the search has
MAX_HASH = 2**63 - 1
CODE_BYTES = 6  # of a code; more than the tallest stack needs
MAX_IMAGE_ENTRIES = 1500  # times images: on large boards, turned positions hardly ever meet


class CanonicalHash(NamedTuple):
    """What it takes to tell positions of one game apart."""

    images: NDArray[np.int16]  # [symmetries, places]: where each place goes
    keys: NDArray[np.int64]  # [places, BYTES, 256, 2]: a byte of a code at a place; nothing for a zero


@kernel
def canonical_hash(hasher: CanonicalHash, codes: Codes) -> tuple[int, int]:
    """The smallest pair of hashes over all images of a position."""
    best_lo, best_hi = MAX_HASH, MAX_HASH
    for image in range(len(hasher.images)):
        hash_lo, hash_hi = hash_image(hasher, hasher.images[image], codes)
        if hash_lo < best_lo:
            best_lo, best_hi = hash_lo, hash_hi
    return best_lo, best_hi


@kernel
def hash_image(hasher: CanonicalHash, image: Any, codes: Codes) -> tuple[int, int]:
    """Two independent hashes of a position as it lies after turning."""
    hash_lo, hash_hi = 0, 0
    for index in range(len(codes)):
        code = codes[index]
        byte = 0
        while code != 0:
            hash_lo ^= hasher.keys[image[index], byte, code & 255, 0]
            hash_hi ^= hasher.keys[image[index], byte, code & 255, 1]
            code >>= 8
            byte += 1
    return hash_lo, hash_hi


def make_search_hash(game: Game) -> CanonicalHash:
    """The images that keep the colours, and keys that are the same on every machine."""
    hasher = make_canonical_hash(game, np.random.Generator(np.random.PCG64(1)))
    return hasher if hasher.images.size <= MAX_IMAGE_ENTRIES else hasher._replace(images=hasher.images[:1])


def make_canonical_hash(game: Game, rng: np.random.Generator) -> CanonicalHash:
    """All images that keep the colours, and keys by chance."""
    num_codes = len(game.board) + EXTRA_CODES
    extra_codes = range(len(game.board), num_codes)
    images = [[*symmetry.cells, *extra_codes] for symmetry in game.symmetries if not symmetry.swaps_colours]
    keys = rng.integers(0, 2**63, (num_codes, CODE_BYTES, 256, 2), np.int64)
    keys[:, :, 0] = 0
    return CanonicalHash(np.array(images, np.int16), keys)
