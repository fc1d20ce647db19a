"""Driver of the df-pn kernels: the transposition table and the search path of one game.

A query is a position, the seat that is to win and an optional limit of turns. Its result is True (the seat can force a
win), False (it cannot) or None (not known yet). Queries run in chunks, so that callers can check limits between them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import compile_for
from ..rules.generic import Row
from .canonical_hash import EXTRA_CODES, make_search_hash
from .dfpn import (
    DEPTH_FIRST,
    DISPROVEN,
    NO_TURN_LIMIT,
    NODES,
    PROVEN,
    SAW_DRAW,
    SEAT,
    STACK_FULL,
    UNKNOWN,
    DfpnStack,
    allocate_table,
    search,
    set_root,
)
from .solver import ProofView

NODES_PER_CALL = 30_000  # per kernel call, which cannot be interrupted
INITIAL_LEVELS, MAX_LEVELS = 64, 1 << 14  # levels of the stack; play without end would need more
RESULT_BY_NUMBERS = {PROVEN: True, DISPROVEN: False}


class DfpnSolver:
    """Df-pn search of one game. The table is kept between queries."""

    def __init__(self, game: Game, memory_bytes: int) -> None:
        self.game = game
        self.view = ProofView(game)
        self.rules = self.view.rules
        self.hasher = make_search_hash(game)
        self.table = allocate_table(memory_bytes)
        self.stack = self.allocate_stack(self.view.start_row, INITIAL_LEVELS)
        self.max_turns = NO_TURN_LIMIT  # of the current query
        example_args = (self.rules, self.hasher, self.stack, self.table, 0)
        self._set_root, self._search = compile_for(set_root, *example_args), compile_for(search, *example_args)

    def allocate_stack(self, row: Row, levels: int) -> DfpnStack:
        """Return an empty path of `levels` levels for rows with the type and length of `row`."""
        max_moves, num_codes = self.game.max_legal_moves, len(self.game.board) + EXTRA_CODES

        def zeros(*shape: int) -> NDArray[np.int64]:
            return np.zeros(shape, np.int64)

        return DfpnStack(
            rows=np.zeros((levels + 1, len(row)), row.dtype),
            moves=zeros(levels + 1, max_moves),
            hash_lo=zeros(levels + 1, max_moves),
            hash_hi=zeros(levels + 1, max_moves),
            proof_numbers=zeros(levels + 1, max_moves),
            selected=zeros(levels + 1),
            num_moves=zeros(levels),
            movers=zeros(levels),
            turns=zeros(levels),
            thresholds=zeros(levels),
            nodes_on_entry=zeros(levels),
            codes=zeros(num_codes),
            scratch_moves=zeros(max_moves),
            history=zeros(levels, self.game.num_actions),
            counters=zeros(5),
        )

    @property
    def nodes(self) -> int:
        """Return the positions searched since the solver was made."""
        return int(self.stack.counters[NODES])

    @property
    def memory_bytes(self) -> int:
        """Return the size of the table in bytes."""
        return self.table.nbytes

    def set_root(self, row: Row, seat: int, max_turns: int = NO_TURN_LIMIT, *, depth_first: bool = False) -> bool | None:
        """Start a query: can `seat` force a win within `max_turns`? Return the result if the table has it."""
        self.stack.rows[0] = self.view.row(row)
        self.stack.counters[SEAT], self.stack.counters[DEPTH_FIRST], self.max_turns = seat, depth_first, max_turns
        self._set_root(self.rules, self.hasher, self.stack, self.table, max_turns)
        return self.result()

    def position_hash(self, row: Row, seat: int) -> tuple[int, int]:
        """Return the canonical hashes of a position and the seat that is to win. Replaces the root."""
        self.set_root(row, seat)
        return int(self.stack.hash_lo[0, 0]), int(self.stack.hash_hi[0, 0])

    def search(self, max_nodes: int = NODES_PER_CALL) -> bool | None:
        """Search up to `max_nodes` more nodes; return the result of the query, or None.

        A full stack is grown; beyond MAX_LEVELS the path is abandoned and the search restarts from the root.
        """
        if self._search(self.rules, self.hasher, self.stack, self.table, max_nodes) == STACK_FULL:
            if len(self.stack.num_moves) < MAX_LEVELS:
                self.grow_stack()
            else:
                self.research_root()  # the caller may need its moves even if its value is known
        return self.result()

    @property
    def has_seen_draw(self) -> bool:
        """Whether a game ended in a draw in any search since the table was cleared; if not, False means a lost position."""
        return bool(self.stack.counters[SAW_DRAW])

    def result(self) -> bool | None:
        """Return the value of the root: True, False, or None if unknown."""
        return RESULT_BY_NUMBERS.get(int(self.stack.proof_numbers[0, 0]))

    def solve(
        self, row: Row, seat: int, max_turns: int = NO_TURN_LIMIT, *, max_nodes: int, depth_first: bool = False
    ) -> bool | None:
        """Run a query to its end; return None if `max_nodes` nodes do not decide it."""
        node_limit = self.nodes + max_nodes
        result = self.set_root(row, seat, max_turns, depth_first=depth_first)
        while result is None and self.nodes < node_limit:
            result = self.search(min(NODES_PER_CALL, node_limit - self.nodes))
        return result

    def grow_stack(self) -> None:
        """Double the number of levels and keep the path."""
        old_stack = self.stack
        self.stack = self.allocate_stack(old_stack.rows[0], 2 * len(old_stack.num_moves))
        for old, new in zip(old_stack, self.stack, strict=True):
            new[: len(old)] = old

    def research_root(self) -> None:
        """Restart the query with an unknown root, so that `search` expands it and `proving_move` has its moves."""
        self._set_root(self.rules, self.hasher, self.stack, self.table, self.max_turns)
        self.stack.proof_numbers[0, 0] = UNKNOWN

    def clear(self) -> None:
        """Forget all positions in the transposition table."""
        self.table[:] = 0
        self.stack.counters[SAW_DRAW] = 0

    def proving_move(self, is_win: bool) -> int:
        """Return the id of a root move that leads to a proven win, or to a disproven one if not `is_win`."""
        numbers = self.stack.proof_numbers[1, : self.stack.num_moves[0]].tolist()
        return int(self.stack.moves[1, numbers.index(PROVEN if is_win else DISPROVEN)])
