"""One board, one table, one stack: the carrier search as Python calls it, in slices that can be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ..bits import bit_indices, to_signed64
from ..chance import make_rng
from ..games.claiming import LariatFamilyGame
from ..kernels import compile_for
from .carrier_field import field_of
from .carrier_pairs import FAILS, wins_by_pairs
from .carrier_search import (
    CARRIER,
    NODES,
    RESULT,
    SOURCE,
    SOURCES,
    UNDECIDED,
    begin,
    recall_refutations,
    search,
    stack_for,
)
from .carrier_table import table_of
from .solution import Effort, Watcher

SLICE = 2000  # nodes between two looks at the clock: a tenth of a second
WORD = 2**64 - 1


class Stopped(Exception):
    """The effort is spent, or somebody asked to stop."""


class Threat(NamedTuple):
    """A winner's carrier, and where it comes from: BY_SEARCH, BY_PAIRS or BY_MIRROR + number, and a cell."""

    carrier: int
    kind: int
    cell: int


class Engine:
    """Decides positions, given as masks of black and white stones and a mover (0 black, 1 white)."""

    def __init__(self, game: LariatFamilyGame, effort: Effort, watch: Watcher | None) -> None:
        self.field = field_of(game)
        self.table = table_of(effort.memory)
        self.stack = stack_for(self.field)
        self.rng = make_rng(1)
        self.effort, self.watch = effort, watch
        self.words = ""
        self.ends = None if effort.seconds is None else time.monotonic() + effort.seconds
        self.watched = time.monotonic()
        self.refutations = np.zeros(self.field.cells, np.int64)
        self.search: Callable[..., bool] = compile_for(search, self.field, self.stack, self.table, self.rng, SLICE)
        self.begin: Callable[..., None] = compile_for(begin, self.field, self.stack, 0, 0, 0)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.stack.numbers[NODES])

    def decide(self, black: int, white: int, mover: int, patience: float = inf) -> int:
        """Who wins, 0 for black or 1 for white; UNDECIDED after so many nodes, and the table remembers how far it got."""
        last = self.nodes + patience
        self.begin(self.field, self.stack, to_signed64(black), to_signed64(white), mover)
        while not self.search(self.field, self.stack, self.table, self.rng, SLICE):
            self.pause()
            if self.nodes > last:
                return UNDECIDED
        return int(self.stack.numbers[RESULT])

    def pause(self) -> None:
        """Report now and then, and stop when it is time."""
        now = time.monotonic()
        if self.effort.stop.is_set() or (self.ends is not None and now > self.ends):
            raise Stopped
        if self.watch is not None and now - self.watched > 0.2:
            self.watched = now
            self.watch(self.nodes, sum(column.nbytes for column in self.table), self.words)

    @property
    def verdict(self) -> Threat:
        """The winner's carrier at the root just decided."""
        numbers = self.stack.numbers
        return Threat(int(numbers[CARRIER]) & WORD, *divmod(int(numbers[SOURCE]), SOURCES))

    @property
    def threats(self) -> list[Threat]:
        """What was seen at a glance against the mover of the root just decided."""
        stack = self.stack
        found = zip(stack.threats[0, : stack.known[0]].tolist(), stack.sources[0, : stack.known[0]].tolist(), strict=True)
        return [Threat(carrier & WORD, *divmod(source, SOURCES)) for carrier, source in found]

    def known_refutations(self) -> dict[int, int]:
        """The moves at the root that the table refutes, with the carriers."""
        recall_refutations(self.field, self.stack, self.table, self.refutations)
        return {cell: carrier & WORD for cell, carrier in enumerate(self.refutations.tolist()) if carrier != FAILS}

    def pairs(self, mine: int, theirs: int) -> list[int]:
        """The pairs with which the owner of these stones wins though the opponent moves."""
        empty = self.field.live & WORD & ~(mine | theirs)
        needed = int(wins_by_pairs(self.field, self.stack.pairs, to_signed64(mine), to_signed64(empty)))
        assert needed != FAILS
        found: list[Any] = [int(one | other) & WORD for one, other in zip(*self.stack.pairs[1:3], strict=True)]
        wanted = set(bit_indices(needed))
        chosen = []
        for pair in found:
            if wanted and set(bit_indices(pair)) <= wanted:
                chosen.append(pair)
                wanted -= set(bit_indices(pair))
        return chosen
