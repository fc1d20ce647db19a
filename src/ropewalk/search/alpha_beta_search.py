"""Alpha-beta that deepens until its time is over, and can be stopped at any moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillThinking
from contextlib import suppress
from threading import Event
from typing import NamedTuple

from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.questions import hash_key
from ..twins import interpreted_impl
from .alpha_beta import DEEPEST, NO_MOVE, SURE, Memory, empty_memory, empty_stack, search

MEMORY = 64 << 20  # bytes of the table
BYTES_A_PLACE = 14
GLANCE = 0.005  # seconds between two looks at the clock
UNLIMITED = 1 << 62


class Found(NamedTuple):
    """The best move at some depth."""

    move: int
    value: int  # seat 0's


class AlphaBetaSearch:
    """Thinks about one position after another; its table outlives the moves."""

    def __init__(self, game: Game, *, memory: int = MEMORY) -> None:
        self.game = game
        places = 1 << max(10, (memory // BYTES_A_PLACE).bit_length() - 1)
        self.memory: Memory = empty_memory(places, game.move_count)
        self.stack = empty_stack(game.start_row(), game.max_legal_moves)
        self._search = compile_for(search, game.rules, game.start_row(), 1, self.stack, self.memory)
        self._thinker = ThreadPoolExecutor(1)

    def forget(self) -> None:
        """As if nothing had been thought of before."""
        self.memory.key[:] = 0
        self.memory.good[:] = 0

    @property
    def searched(self) -> int:
        """Positions searched since `run` began."""
        return int(self.memory.counts[0])

    def run(
        self, position: Position, seconds: float | None, positions: int | None, cancelled: Event, lines: int = 1
    ) -> Iterator[list[Found]]:
        """Deepen until a limit is reached or the game is decided; yields the best moves found at each depth."""
        deadline = None if seconds is None else time.monotonic() + seconds
        self.memory.counts[:] = 0, positions or UNLIMITED
        if self.stack.rows.shape[1] != len(position.row):
            self.stack = empty_stack(position.row, self.game.max_legal_moves)
        before: list[Found] = []
        for depth in range(1, DEEPEST):
            found, is_done = self._best_moves(position, depth, min(lines, len(position.move_ids())), deadline, cancelled)
            found += [old for old in before if old.move not in {new.move for new in found}][: lines - len(found)]
            before = found
            if found:
                yield found
            if not is_done or abs(found[0].value) > SURE:
                return

    def _best_moves(
        self, position: Position, depth: int, lines: int, deadline: float | None, cancelled: Event
    ) -> tuple[list[Found], bool]:
        """The best few moves at one depth, each without those before; and whether there was time for all."""
        found: list[Found] = []
        self.memory.barred[:] = 0
        for _ in range(lines):
            is_done = self._think(position, depth, deadline, cancelled)
            move, value = map(int, self.memory.answer)
            if move != NO_MOVE:
                found.append(Found(move, value))
                self.memory.barred[move] = 1
            if not is_done:
                return found, False
        return found, True

    def _think(self, position: Position, depth: int, deadline: float | None, cancelled: Event) -> bool:
        """One search, in another thread so that this one can stop it."""
        self.memory.stop[0] = 0
        thought = self._thinker.submit(self._search, self.game.rules, position.row, depth, self.stack, self.memory)
        try:
            while not cancelled.is_set() and (deadline is None or time.monotonic() < deadline):
                with suppress(StillThinking):
                    return thought.result(GLANCE if deadline is None else min(GLANCE, deadline - time.monotonic()))
        finally:
            self.memory.stop[0] = 1
        return thought.result()

    def line(self, position: Position, move: int, longest: int = 12) -> list[int]:
        """How the game may go on from a move, as far as the table remembers."""
        key_of = interpreted_impl(hash_key, self.game.rules)
        line = [move]
        while len(line) < longest:
            position = position.play_id(line[-1])
            key = int(key_of(self.game.rules, position.state))
            place = key & (len(self.memory.key) - 1)
            known = int(self.memory.move[place])
            if key == 0 or self.memory.key[place] != key or known not in position.move_ids():
                break
            line.append(known)
        return line

    def close(self) -> None:
        """End the thread that thinks."""
        self.memory.stop[0] = 1
        self._thinker.shutdown()
