"""Pseudo-random numbers as an explicit argument: the same seed gives the same numbers, compiled or not, on every machine.

The generator is multiply-with-carry on 32-bit words (Marsaglia 1994), seeded by SplitMix64 (Steele, Lea, Flood 2014).
Its products fit into 63 bits, so that nothing overflows and kernels agree with plain Python bit for bit.
Outputs must never change: positions, records and Zobrist keys depend on them.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .intrinsics import bit_count, clear_lowest_bit, lowest_bit
from .kernel import kernel

Rng: TypeAlias = NDArray[np.int64]  # [2]: last word and carry; the functions below update it

MWC_MULTIPLIER = 1791398085  # multiplier * 2**32 - 1 and multiplier * 2**31 - 1 are prime: full period
MASK32 = 0xFFFFFFFF


def splitmix64(number: int) -> int:
    """Return the SplitMix64 output for state `number`: a bijective mix of 64-bit integers."""
    number = (number + 0x9E3779B97F4A7C15) % 2**64
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def make_rng(seed: int, stream: int = 0) -> Rng:
    """Return a generator seeded by `seed` (any integer, taken modulo 2**64) and `stream` (0 to 2**64 - 1)."""
    state = splitmix64(splitmix64(seed % 2**64) ^ stream)
    return np.array([state & MASK32, (state >> 32) % (MWC_MULTIPLIER - 2) + 1], dtype=np.int64)


def make_rngs(seeds: NDArray[np.uint64], streams: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return generators [len(seeds), 2]: row i is `make_rng(seeds[i], streams[i])`."""
    states = splitmix64_array(splitmix64_array(seeds) ^ streams)
    carries = (states >> np.uint64(32)) % np.uint64(MWC_MULTIPLIER - 2) + np.uint64(1)
    return np.stack([states & np.uint64(MASK32), carries], axis=1).astype(np.int64)


def splitmix64_array(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return `splitmix64` of each number; the arithmetic of uint64 arrays is modulo 2**64."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)


@kernel
def next_u32(rng: Rng) -> int:
    """Return the next 32 random bits, 0 to 2**32 - 1. Updates `rng`."""
    product = MWC_MULTIPLIER * rng[0] + rng[1]
    rng[0] = product & MASK32
    rng[1] = product >> 32
    return rng[0]


@kernel
def rand_below(rng: Rng, bound: int) -> int:
    """Return a random number from 0 to bound - 1, with a relative bias of at most bound / 2**32. Updates `rng`."""
    return (next_u32(rng) * bound) >> 32


@kernel
def random_set_bit(rng: Rng, mask: int) -> int:
    """Return the index of a uniformly random set bit of a mask other than 0. Updates `rng`."""
    for _ in range(rand_below(rng, bit_count(mask))):
        mask = clear_lowest_bit(mask)
    return lowest_bit(mask)


def zobrist_keys(seed: int, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return an int64 array of random numbers from 0 to 2**63 - 1 for Zobrist hashing, the same in every release."""
    values = [splitmix64(splitmix64(seed) + index) >> 1 for index in range(int(np.prod(shape)))]
    return np.array(values, dtype=np.int64).reshape(shape)
