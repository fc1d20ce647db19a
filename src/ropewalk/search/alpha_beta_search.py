"""Driver of alpha-beta search: iterative deepening with limits of time and nodes, MultiPV, and cancellation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from threading import Event
from typing import NamedTuple

from ..games.game import Game
from ..games.position import Position
from ..jit.interpreted import interpreted_impl
from ..jit.kernel import compile_for
from ..rules.interface import hash_key
from .alpha_beta import MATE_THRESHOLD, MAX_PLY, NO_MOVE, AlphaBetaTables, allocate_stack, allocate_tables, search
from .interfaces import SearchClock

TABLE_BYTES = 64 << 20  # of the transposition table
SLOT_BYTES = 14
POLL_SECONDS = 0.005  # between two looks at the clock
UNLIMITED_NODES = 1 << 62


class ScoredMove(NamedTuple):
    """A move at the root and its value at some depth."""

    move: int
    value: int  # for seat 0


class AlphaBetaSearch:
    """Searches one position after another; the transposition table is kept between moves."""

    def __init__(self, game: Game, *, table_bytes: int = TABLE_BYTES) -> None:
        self.game = game
        num_slots = 1 << max(10, (table_bytes // SLOT_BYTES).bit_length() - 1)
        self.tables: AlphaBetaTables = allocate_tables(num_slots, game.num_actions)
        self.stack = allocate_stack(game.start_row(), game.max_legal_moves)
        self._search_kernel = compile_for(search, game.rules, game.start_row(), 1, self.stack, self.tables)
        self._executor = ThreadPoolExecutor(1)

    def reset(self) -> None:
        """Clear the transposition table and the history table."""
        self.tables.key[:] = 0
        self.tables.history[:] = 0

    @property
    def num_nodes(self) -> int:
        """Nodes searched since `run` began."""
        return int(self.tables.node_counts[0])

    def run(
        self,
        position: Position,
        seconds: float | None,
        max_nodes: int | None,
        cancelled: Event,
        multipv: int = 1,
        root_moves: Sequence[int] | None = None,
    ) -> Iterator[list[ScoredMove]]:
        """Search deeper until a limit is reached or the best value is a proven win or loss; yields the best moves per depth.

        A list has at most `multipv` moves, the best first; a depth that was stopped is filled up from the one before. Only
        `root_moves` are searched in the position itself, all legal moves if it is None.
        """
        clock = SearchClock(seconds, cancelled)
        self.tables.node_counts[:] = 0, max_nodes or UNLIMITED_NODES
        if self.stack.rows.shape[1] != len(position.row):
            self.stack = allocate_stack(position.row, self.game.max_legal_moves)
        moves = [int(move) for move in (position.move_ids() if root_moves is None else root_moves)]
        previous: list[ScoredMove] = []
        for depth in range(1, MAX_PLY):
            scored_moves, is_complete = self._search_multipv(position, depth, min(multipv, len(moves)), moves, clock)
            scored_moves += [old for old in previous if old.move not in {new.move for new in scored_moves}][
                : multipv - len(scored_moves)
            ]
            previous = scored_moves
            if scored_moves:
                yield scored_moves
            if not is_complete or abs(scored_moves[0].value) > MATE_THRESHOLD:
                return

    def _search_multipv(
        self, position: Position, depth: int, multipv: int, root_moves: list[int], clock: SearchClock
    ) -> tuple[list[ScoredMove], bool]:
        """Return the best `multipv` moves at one depth, found with better ones excluded, and whether all are complete."""
        scored_moves: list[ScoredMove] = []
        self.tables.excluded[:] = 1
        self.tables.excluded[root_moves] = 0
        for _ in range(multipv):
            is_complete = self._search_in_thread(position, depth, clock)
            move, value = map(int, self.tables.best)
            if move != NO_MOVE:
                scored_moves.append(ScoredMove(move, value))
                self.tables.excluded[move] = 1
            if not is_complete:
                return scored_moves, False
        return scored_moves, True

    def _search_in_thread(self, position: Position, depth: int, clock: SearchClock) -> bool:
        """Run the kernel in another thread, so that this one can stop it; return whether it was complete."""
        self.tables.stop[0] = 0
        future = self._executor.submit(self._search_kernel, self.game.rules, position.row, depth, self.stack, self.tables)
        try:
            while not clock.must_stop():
                with suppress(FutureTimeoutError):
                    return future.result(min(POLL_SECONDS, clock.seconds_left))
        finally:
            self.tables.stop[0] = 1
        return future.result()

    def principal_variation(self, position: Position, move: int, max_length: int = 12) -> list[int]:
        """Return `move` and the best moves after it, as far as the transposition table has them."""
        compute_key = interpreted_impl(hash_key, self.game.rules)
        moves = [move]
        while len(moves) < max_length:
            position = position.play_id(moves[-1])
            key = int(compute_key(self.game.rules, position.state))
            slot = key & (len(self.tables.key) - 1)
            tt_move = int(self.tables.move[slot])
            if key == 0 or self.tables.key[slot] != key or tt_move not in position.move_ids():
                break
            moves.append(tt_move)
        return moves

    def close(self) -> None:
        """Stop the search and end its thread."""
        self.tables.stop[0] = 1
        self._executor.shutdown()
