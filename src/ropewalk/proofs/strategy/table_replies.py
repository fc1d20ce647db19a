"""Replies for a proof from the transposition table of a df-pn search, within the traversal's kernel.

A proof has millions of replies, and the table has nearly all of them. Asking the oracle for each one would take many times
as long as the traversal itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.position import Position
from ...jit.kernel import compile_for, kernel
from ...rules.generic import copy_row
from ...rules.interface import load_state, seat_to_move
from ..canonical_hash import CanonicalHash
from ..dfpn import DISPROVEN, NO_TURN_LIMIT, PROVEN, SEAT, DfpnStack, ProofNumberTable, expand
from ..dfpn_solver import DfpnSolver
from .traversal import (
    LEVEL,
    NEEDS_REPLY,
    REPLIES_USED,
    STEPS_PER_CALL,
    OracleReplies,
    ReplyFunction,
    StrategyTraversal,
    TraversalStack,
    VisitedTable,
    traverse,
)

BLOCK_SIZE = 1 << 14  # replies between two returns from the kernel
NO_REPLY = -1


class TableReplies(OracleReplies):
    """Reply source that takes replies from a solver's table, and calls a function for those that the table has lost.

    `check` is called between two blocks and may raise an exception to stop.
    """

    def __init__(self, select_reply: ReplyFunction, check: Callable[[], None], solver: DfpnSolver, seat: int) -> None:
        super().__init__(select_reply)
        self.check = check
        self.solver, self.seat = solver, seat
        self.buffer = np.zeros(BLOCK_SIZE, np.int64)
        self._kernel: Any = None

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """Begin a new block with the reply of `select_reply`."""
        super().refill(position, seat, may_draw)
        self.buffer[: len(self.move_ids)] = self.move_ids
        self.move_ids = self.buffer[: len(self.move_ids)]

    def advance(self, traversal: StrategyTraversal, goal: tuple[int, bool]) -> int:
        """Run the traversal until the table lacks a reply or the block is full; return its status."""
        self.check()
        self.solver.stack.counters[SEAT] = self.seat
        traversal.stack.counters[REPLIES_USED] = self.num_used
        visited, counts = traversal.visited[goal], np.array([len(self.move_ids)])
        arguments = (traversal.rules, traversal.hasher, traversal.stack, visited, self.buffer, counts)
        search = (self.solver.hasher, self.solver.stack, self.solver.table)
        if self._kernel is None:
            self._kernel = compile_for(traverse_with_table, *arguments, *search, STEPS_PER_CALL)
        status = self._kernel(*arguments, *search, STEPS_PER_CALL)
        self.move_ids = self.buffer[: counts[0]]
        self.num_used = int(traversal.stack.counters[REPLIES_USED])
        return int(status)


@kernel
def traverse_with_table(
    rules: Any,
    hasher: CanonicalHash,
    stack: TraversalStack,
    visited: VisitedTable,
    replies: NDArray[np.int64],
    counts: NDArray[np.int64],
    search_hasher: CanonicalHash,
    search_stack: DfpnStack,
    table: ProofNumberTable,
    max_steps: int,
) -> int:
    """Run `traverse`, appending replies of the table to replies[:counts[0]] as they are needed; return its status."""
    status = NEEDS_REPLY
    while status == NEEDS_REPLY:
        status = traverse(rules, hasher, stack, visited, replies[: counts[0]], max_steps)
        if status == NEEDS_REPLY:
            if counts[0] == len(replies):
                return status
            reply = find_stored_reply(rules, search_hasher, search_stack, table, stack.rows[stack.counters[LEVEL]])
            if reply == NO_REPLY:
                return status
            replies[counts[0]] = reply
            counts[0] += 1
    return status


@kernel
def find_stored_reply(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, row: Any) -> int:
    """Return a move that proves the goal of the seat to move by one look at the table, or NO_REPLY. Writes into `stack`."""
    copy_row(row, stack.rows[0])
    stack.turns[0] = NO_TURN_LIMIT
    expand(rules, hasher, stack, table, 0)
    mover = seat_to_move(rules, load_state(rules, row))
    goal = PROVEN if mover == stack.counters[SEAT] else DISPROVEN
    return stack.moves[1, 0] if stack.num_moves[0] == 1 and stack.proof_numbers[1, 0] == goal else NO_REPLY
