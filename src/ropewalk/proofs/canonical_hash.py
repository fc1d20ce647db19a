"""Symmetry-canonical Zobrist hashes of 126 bits.

A position is a list of codes, one per cell and EXTRA_CODES more. The hash of an image is the XOR of random keys, one for
every non-zero byte of every code, in two independent words of 63 bits. The canonical hash is the smallest over the images
under all symmetries that keep the colours, ordered by the first word. Searches use fixed keys and treat equal hashes as
equal positions; checkers draw random keys of their own.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel

Codes: TypeAlias = NDArray[np.int64]

EXTRA_CODES = 2  # codes after those of the cells: one of the game's state, one for the search's own use
MAX_HASH = 2**63 - 1
CODE_BYTES = 6  # bytes of a code; more than the tallest stack needs
MAX_IMAGE_ENTRIES = 1500  # of `images`; above that, a search hashes without symmetries


class CanonicalHash(NamedTuple):
    """Symmetries and random keys of one game."""

    images: NDArray[np.int16]  # [symmetries, codes]: index to which a symmetry moves each code
    keys: NDArray[np.int64]  # [codes, CODE_BYTES, 256, 2]: keys of each byte value; 0 for a zero byte


@kernel
def canonical_hash(hasher: CanonicalHash, codes: Codes) -> tuple[int, int]:
    """Return the smallest pair of hashes over all images of a position."""
    best_lo, best_hi = MAX_HASH, MAX_HASH
    for image in range(len(hasher.images)):
        hash_lo, hash_hi = hash_image(hasher, hasher.images[image], codes)
        if hash_lo < best_lo:
            best_lo, best_hi = hash_lo, hash_hi
    return best_lo, best_hi


@kernel
def hash_image(hasher: CanonicalHash, image: Any, codes: Codes) -> tuple[int, int]:
    """Return both hashes of a position's image under one symmetry."""
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
    """Return a hasher with fixed keys; on large boards it uses the identity as its only symmetry."""
    hasher = make_canonical_hash(game, np.random.Generator(np.random.PCG64(1)))
    return hasher if hasher.images.size <= MAX_IMAGE_ENTRIES else hasher._replace(images=hasher.images[:1])


def make_canonical_hash(game: Game, rng: np.random.Generator) -> CanonicalHash:
    """Return a hasher with all symmetries that keep the colours, and keys drawn from `rng`."""
    num_codes = len(game.board) + EXTRA_CODES
    extra_codes = range(len(game.board), num_codes)
    images = [[*symmetry.cells, *extra_codes] for symmetry in game.symmetries if not symmetry.swaps_colours]
    keys = rng.integers(0, 2**63, (num_codes, CODE_BYTES, 256, 2), np.int64)
    keys[:, :, 0] = 0
    return CanonicalHash(np.array(images, np.int16), keys)
