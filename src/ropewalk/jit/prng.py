"""Seeded chance as an argument: the same seed gives the same bytes, compiled or not, on every machine.

The generator is Marsaglia's multiply-with-carry on 32-bit words, whose products fit into 63 bits: no
overflow, so kernels and plain Python agree to the last bit. Its state is an array of two integers.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .intrinsics import bit_count, clear_lowest_bit, lowest_bit
from .kernel import kernel

Rng: TypeAlias = NDArray[np.int64]  # [2]: word and carry

MWC_MULTIPLIER = 1791398085  # 2**31 * multiplier * 2**32 - 1 is prime, as the method wants
MASK32 = 0xFFFFFFFF


def splitmix64(number: int) -> int:
    """SplitMix64's finaliser: neighbouring numbers come out far apart."""
    number = (number + 0x9E3779B97F4A7C15) % 2**64
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def make_rng(seed: int, stream: int = 0) -> Rng:
    """A generator for a seed; streams of one seed are independent."""
    state = splitmix64(splitmix64(seed % 2**64) ^ stream)
    return np.array([state & MASK32, (state >> 32) % (MWC_MULTIPLIER - 2) + 1], dtype=np.int64)


@kernel
def next_u32(rng: Rng) -> int:
    """The next 32 random bits."""
    product = MWC_MULTIPLIER * rng[0] + rng[1]
    rng[0] = product & MASK32
    rng[1] = product >> 32
    return rng[0]


@kernel
def rand_below(rng: Rng, bound: int) -> int:
    """A random number from 0 to count - 1 (unfair by less than count in four thousand million)."""
    return (next_u32(rng) * bound) >> 32


@kernel
def random_set_bit(rng: Rng, mask: int) -> int:
    """The index of a random set bit of a mask that has one."""
    for _ in range(rand_below(rng, bit_count(mask))):
        mask = clear_lowest_bit(mask)
    return lowest_bit(mask)


def zobrist_keys(seed: int, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Random 63-bit numbers for hashing positions, the same in every release."""
    values = [splitmix64(splitmix64(seed) + index) >> 1 for index in range(int(np.prod(shape)))]
    return np.array(values, dtype=np.int64).reshape(shape)
