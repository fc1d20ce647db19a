"""A proof-number search with its memory: asked whether a seat can force a win, and by which move."""

from __future__ import annotations

import numpy as np

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
    SEAT,
    STACK_FULL,
    UNKNOWN,
    DfpnStack,
    allocate_table,
    search,
    set_root,
)

NODES_PER_CALL = 30_000  # positions that one call into the kernel looks at: it cannot be interrupted
INITIAL_LEVELS, MAX_LEVELS = 64, 1 << 14  # where play can go on for ever, a line that is longer leads nowhere
RESULT_BY_NUMBERS = {PROVEN: True, DISPROVEN: False}


class DfpnSolver:
    """One game's table of what was proven, and the path of the search that is under way."""

    def __init__(self, game: Game, memory_bytes: int) -> None:
        self.game = game
        self.rules, row = game.without_history(game.start().row)
        self.hasher = make_search_hash(game)
        self.table = allocate_table(memory_bytes)
        self.stack = self.allocate_stack(row, INITIAL_LEVELS)
        self.max_turns = NO_TURN_LIMIT  # within which the win is sought
        example_args = (self.rules, self.hasher, self.stack, self.table, 0)
        self._set_root, self._search = compile_for(set_root, *example_args), compile_for(search, *example_args)

    def allocate_stack(self, row: Row, levels: int) -> DfpnStack:
        """An empty path of so many levels for rows like this."""
        max_moves, num_codes = self.game.max_legal_moves, len(self.game.board) + EXTRA_CODES
        moves, hash_lo, hash_hi, proof_numbers = (np.zeros((levels + 1, max_moves), np.int64) for _ in range(4))
        selected = np.zeros(levels + 1, np.int64)
        num_moves, movers, turns, thresholds, nodes_on_entry = (np.zeros(levels, np.int64) for _ in range(5))
        history = np.zeros((levels, self.game.move_count), np.int64)
        rows = np.zeros((levels + 1, len(row)), row.dtype)
        codes, scratch_moves, counters = (np.zeros(length, np.int64) for length in (num_codes, max_moves, 4))
        return DfpnStack(
            rows,
            moves,
            hash_lo,
            hash_hi,
            proof_numbers,
            selected,
            num_moves,
            movers,
            turns,
            thresholds,
            nodes_on_entry,
            codes,
            scratch_moves,
            history,
            counters,
        )

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.stack.counters[NODES])

    @property
    def memory_bytes(self) -> int:
        """Bytes of the table."""
        return self.table.nbytes

    def set_root(self, row: Row, seat: int, max_turns: int = NO_TURN_LIMIT, *, depth_first: bool = False) -> bool | None:
        """Set out to find whether a seat can force a win, and within so many turns; the answer if it is known."""
        self.stack.rows[0] = self.game.without_history(row)[1]
        self.stack.counters[SEAT], self.stack.counters[DEPTH_FIRST], self.max_turns = seat, depth_first, max_turns
        self._set_root(self.rules, self.hasher, self.stack, self.table, max_turns)
        return self.result()

    def position_hash(self, row: Row, seat: int) -> tuple[int, int]:
        """The hashes of a position with the seat that shall win it."""
        self.set_root(row, seat)
        return int(self.stack.hash_lo[0, 0]), int(self.stack.hash_hi[0, 0])

    def search(self, max_nodes: int = NODES_PER_CALL) -> bool | None:
        """Search for a while; the answer once it is found. A line that gets too long is left, and the search begins anew."""
        if self._search(self.rules, self.hasher, self.stack, self.table, max_nodes) == STACK_FULL:
            if len(self.stack.num_moves) < MAX_LEVELS:
                self.grow_stack()
            else:
                self._set_root(self.rules, self.hasher, self.stack, self.table, self.max_turns)
                self.research_root()  # who still searches may want its moves, not its value
        return self.result()

    def result(self) -> bool | None:
        """What is known of the position that the search set out from."""
        return RESULT_BY_NUMBERS.get(int(self.stack.proof_numbers[0, 0]))

    def solve(
        self, row: Row, seat: int, max_turns: int = NO_TURN_LIMIT, *, max_nodes: int, depth_first: bool = False
    ) -> bool | None:
        """Whether a seat can force a win (within so many turns); None when patience runs out before it is known."""
        node_limit = self.nodes + max_nodes
        result = self.set_root(row, seat, max_turns, depth_first=depth_first)
        while result is None and self.nodes < node_limit:
            result = self.search(min(NODES_PER_CALL, node_limit - self.nodes))
        return result

    def grow_stack(self) -> None:
        """Twice as many levels, and the path so far."""
        old_stack = self.stack
        self.stack = self.allocate_stack(old_stack.rows[0], 2 * len(old_stack.num_moves))
        for old, new in zip(old_stack, self.stack, strict=True):
            new[: len(old)] = old

    def research_root(self) -> None:
        """Look at the position that the search set out from even if it is known: its moves may not be."""
        self.stack.proof_numbers[0, 0] = UNKNOWN

    def clear(self) -> None:
        """As if nothing had been searched before."""
        self.table[:] = 0

    def proving_move(self, is_win: bool) -> int:
        """The move by which the search has found that the seat wins, or that it does not."""
        numbers = self.stack.proof_numbers[1, : self.stack.num_moves[0]].tolist()
        return int(self.stack.moves[1, numbers.index(PROVEN if is_win else DISPROVEN)])
