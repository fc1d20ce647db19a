"""One board, one table, one stack: the carrier search as Python calls it, in slices that can be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ..games.claiming import LariatFamilyGame
from ..jit.intrinsics import bit_indices, to_signed64
from ..jit.kernel import compile_for
from ..jit.prng import make_rng
from .carrier_field import make_bitboard
from .carrier_pairs import NO_CARRIER, pairing_win
from .carrier_search import (
    CARRIER,
    NODES,
    RESULT,
    SOURCE,
    SOURCE_BASE,
    UNSOLVED,
    allocate_stack,
    probe_refutations,
    search,
    set_root,
)
from .carrier_table import allocate_table
from .solution import ProgressCallback, SolverLimits

NODES_PER_CALL = 2000  # nodes between two looks at the clock: a tenth of a second
MASK64 = 2**64 - 1


class SolverStopped(Exception):
    """The effort is spent, or somebody asked to stop."""


class Threat(NamedTuple):
    """A winner's carrier, and where it comes from: BY_SEARCH, BY_PAIRS or BY_MIRROR + number, and a cell."""

    carrier: int
    kind: int
    cell: int


class CarrierSolver:
    """Decides positions, given as masks of black and white stones and a mover (0 black, 1 white)."""

    def __init__(self, game: LariatFamilyGame, limits: SolverLimits, on_progress: ProgressCallback | None) -> None:
        self.bitboard = make_bitboard(game)
        self.table = allocate_table(limits.memory_bytes)
        self.stack = allocate_stack(self.bitboard)
        self.rng = make_rng(1)
        self.limits, self.on_progress = limits, on_progress
        self.status = ""
        self.deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        self.last_report = time.monotonic()
        self.refutation_carriers = np.zeros(self.bitboard.num_cells, np.int64)
        self.search: Callable[..., bool] = compile_for(
            search, self.bitboard, self.stack, self.table, self.rng, NODES_PER_CALL
        )
        self.set_root: Callable[..., None] = compile_for(set_root, self.bitboard, self.stack, 0, 0, 0)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.stack.registers[NODES])

    def solve(self, black: int, white: int, mover: int, max_nodes: float = inf) -> int:
        """Who wins, 0 for black or 1 for white; UNDECIDED after so many nodes, and the table remembers how far it got."""
        node_limit = self.nodes + max_nodes
        self.set_root(self.bitboard, self.stack, to_signed64(black), to_signed64(white), mover)
        while not self.search(self.bitboard, self.stack, self.table, self.rng, NODES_PER_CALL):
            self.check_limits()
            if self.nodes > node_limit:
                return UNSOLVED
        return int(self.stack.registers[RESULT])

    def check_limits(self) -> None:
        """Report now and then, and stop when it is time."""
        now = time.monotonic()
        if self.limits.stop.is_set() or (self.deadline is not None and now > self.deadline):
            raise SolverStopped
        if self.on_progress is not None and now - self.last_report > 0.2:
            self.last_report = now
            self.on_progress(self.nodes, sum(column.nbytes for column in self.table), self.status)

    @property
    def root_win(self) -> Threat:
        """The winner's carrier at the root just decided."""
        registers = self.stack.registers
        return Threat(int(registers[CARRIER]) & MASK64, *divmod(int(registers[SOURCE]), SOURCE_BASE))

    @property
    def static_threats(self) -> list[Threat]:
        """What was seen at a glance against the mover of the root just decided."""
        stack = self.stack
        threats = zip(
            stack.threats[0, : stack.num_threats[0]].tolist(), stack.sources[0, : stack.num_threats[0]].tolist(), strict=True
        )
        return [Threat(carrier & MASK64, *divmod(source, SOURCE_BASE)) for carrier, source in threats]

    def cached_refutations(self) -> dict[int, int]:
        """The moves at the root that the table refutes, with the carriers."""
        probe_refutations(self.bitboard, self.stack, self.table, self.refutation_carriers)
        return {
            cell: carrier & MASK64 for cell, carrier in enumerate(self.refutation_carriers.tolist()) if carrier != NO_CARRIER
        }

    def find_pairing(self, mine: int, theirs: int) -> list[int]:
        """The pairs with which the owner of these stones wins though the opponent moves."""
        empty = self.bitboard.live & MASK64 & ~(mine | theirs)
        carrier = int(pairing_win(self.bitboard, self.stack.pairing, to_signed64(mine), to_signed64(empty)))
        assert carrier != NO_CARRIER
        pairs: list[Any] = [int(one | other) & MASK64 for one, other in zip(*self.stack.pairing[1:3], strict=True)]
        uncovered = set(bit_indices(carrier))
        selected = []
        for pair in pairs:
            if uncovered and set(bit_indices(pair)) <= uncovered:
                selected.append(pair)
                uncovered -= set(bit_indices(pair))
        return selected
