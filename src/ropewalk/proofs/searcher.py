"""A proof-number search with its memory: asked whether a seat can force a win, and by which move."""

from __future__ import annotations

import numpy as np

from ..games.game import Game
from ..kernels import compile_for
from ..rules.stepping import Row
from .forcing import NO_LIMIT, NODES, SEAT, STUBBORN, TOO_DEEP, Path, begin, search
from .identity import EXTRA, identity_of
from .numbers import DISPROVEN, PROVEN, UNKNOWN, table_of

CALL = 30_000  # positions that one call into the kernel looks at: it cannot be interrupted
FIRST_LEVELS, MOST_LEVELS = 64, 1 << 14  # where play can go on for ever, a line that is longer leads nowhere
ANSWERS = {PROVEN: True, DISPROVEN: False}


class Searcher:
    """One game's table of what was proven, and the path of the search that is under way."""

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.rules, row = game.without_history(game.start().row)
        self.identity = identity_of(game)
        self.table = table_of(memory)
        self.path = self.path_of(row, FIRST_LEVELS)
        self.turns = NO_LIMIT  # within which the win is sought
        example = (self.rules, self.identity, self.path, self.table, 0)
        self._begin, self._search = compile_for(begin, *example), compile_for(search, *example)

    def path_of(self, row: Row, levels: int) -> Path:
        """An empty path of so many levels for rows like this."""
        most, places = self.game.max_legal_moves, len(self.game.board) + EXTRA
        moves, ones, twos, numbers = (np.zeros((levels + 1, most), np.int64) for _ in range(4))
        chosen = np.zeros(levels + 1, np.int64)
        counts, movers, turns, limits, began = (np.zeros(levels, np.int64) for _ in range(5))
        scores = np.zeros((levels, self.game.move_count), np.int64)
        rows = np.zeros((levels + 1, len(row)), row.dtype)
        codes, scratch, counters = (np.zeros(length, np.int64) for length in (places, most, 4))
        return Path(
            rows, moves, ones, twos, numbers, chosen, counts, movers, turns, limits, began, codes, scratch, scores, counters
        )

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.path.counters[NODES])

    @property
    def memory(self) -> int:
        """Bytes of the table."""
        return self.table.nbytes

    def begin(self, row: Row, seat: int, turns: int = NO_LIMIT, *, stubborn: bool = False) -> bool | None:
        """Set out to find whether a seat can force a win, and within so many turns; the answer if it is known."""
        self.path.rows[0] = self.game.without_history(row)[1]
        self.path.counters[SEAT], self.path.counters[STUBBORN], self.turns = seat, stubborn, turns
        self._begin(self.rules, self.identity, self.path, self.table, turns)
        return self.answer()

    def identity_of(self, row: Row, seat: int) -> tuple[int, int]:
        """The hashes of a position with the seat that shall win it."""
        self.begin(row, seat)
        return int(self.path.ones[0, 0]), int(self.path.twos[0, 0])

    def go_on(self, patience: int = CALL) -> bool | None:
        """Search for a while; the answer once it is found. A line that gets too long is left, and the search begins anew."""
        if self._search(self.rules, self.identity, self.path, self.table, patience) == TOO_DEEP:
            if len(self.path.counts) < MOST_LEVELS:
                self.lengthen()
            else:
                self._begin(self.rules, self.identity, self.path, self.table, self.turns)
                self.forget_first()  # who still searches may want its moves, not its value
        return self.answer()

    def answer(self) -> bool | None:
        """What is known of the position that the search set out from."""
        return ANSWERS.get(int(self.path.numbers[0, 0]))

    def wins(self, row: Row, seat: int, turns: int = NO_LIMIT, *, patience: int, stubborn: bool = False) -> bool | None:
        """Whether a seat can force a win (within so many turns); None when patience runs out before it is known."""
        last = self.nodes + patience
        found = self.begin(row, seat, turns, stubborn=stubborn)
        while found is None and self.nodes < last:
            found = self.go_on(min(CALL, last - self.nodes))
        return found

    def lengthen(self) -> None:
        """Twice as many levels, and the path so far."""
        before = self.path
        self.path = self.path_of(before.rows[0], 2 * len(before.counts))
        for old, new in zip(before, self.path, strict=True):
            new[: len(old)] = old

    def forget_first(self) -> None:
        """Look at the position that the search set out from even if it is known: its moves may not be."""
        self.path.numbers[0, 0] = UNKNOWN

    def forget(self) -> None:
        """As if nothing had been searched before."""
        self.table[:] = 0

    def settling_move(self, wins: bool) -> int:
        """The move by which the search has found that the seat wins, or that it does not."""
        numbers = self.path.numbers[1, : self.path.counts[0]].tolist()
        return int(self.path.moves[1, numbers.index(PROVEN if wins else DISPROVEN)])
