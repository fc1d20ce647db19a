"""Three ways to know values: the chart of all positions, a search to the end, and a search within so many turns.

Each oracle says, as it finds out, what the positions after some moves are worth, and then answers for the winner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Protocol

from ..games.game import Position
from ..rules.questions import DRAW
from .chart import Chart
from .searcher import Searcher
from .work import Work

FIRST_PATIENCE = 100_000  # positions for each move before the next one has its turn
MOST_SEEKING = 2_000_000
MOST_TURNS = 100


class Oracle(Protocol):
    """What a proof is made from."""

    @property
    def nodes(self) -> int:
        """Positions searched."""

    @property
    def memory(self) -> int:
        """Bytes in use."""

    def values(self, open_moves: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Moves with the value of the position after them, in whatever order they come to be known."""

    def answer(self, position: Position, seat: int, draw: bool) -> int:
        """A move that wins for the seat in a position that it wins, or that does not lose one that is drawn."""


class ChartOracle:
    """Knows all that a finished chart says."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.nodes, self.memory = len(chart), chart.memory

    def values(self, open_moves: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """All of them at once."""
        for move, after in open_moves.items():
            yield move, self.chart.value(after)[0]

    def answer(self, position: Position, seat: int, draw: bool) -> int:
        """The move nearest to the end for a win; any that keeps the draw otherwise."""
        best, nearest = -1, None
        for move in position.move_ids().tolist():
            value, distance = self.chart.value(position.play_id(move))
            if value == seat and (nearest is None or distance < nearest):
                best, nearest = move, distance
            elif draw and value == DRAW and best < 0:
                best = move
        assert best >= 0
        return best


class SearchOracle:
    """What the two searches share."""

    def __init__(self, position: Position, work: Work) -> None:
        self.work = work
        self.searcher = Searcher(position.game, work.effort.memory)

    @property
    def nodes(self) -> int:
        """Positions searched."""
        return self.searcher.nodes

    @property
    def memory(self) -> int:
        """Bytes of the table."""
        return self.searcher.memory

    def move_found(self, wins: bool) -> int:
        """The move that settles the position which the search has set out from."""
        self.searcher.forget_first()
        found = self.searcher.go_on(1)  # often the table knows
        while found is None:
            self.work.require(self.nodes, self.memory)
            found = self.searcher.go_on()
        return self.searcher.settling_move(wins)


class EndOracle(SearchOracle):
    """Searches to the end of a game that cannot go round, for one seat: what that one does not win, the other does."""

    def __init__(self, position: Position, work: Work) -> None:
        super().__init__(position, work)
        assert position.seat is not None
        self.seat = position.seat

    def values(self, open_moves: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Search each for a while, then all others for longer, so that the easy ones do not wait for the hard ones."""
        waiting = self.alike(open_moves)
        patience = FIRST_PATIENCE
        while waiting:
            for moves in list(waiting):
                self.work.words = f"{moves[0]}, {sum(map(len, waiting))} to go"
                wins = self.settled(open_moves[moves[0]], patience)
                if wins is not None:
                    waiting.remove(moves)
                    yield from ((move, self.seat if wins else 1 - self.seat) for move in moves)
            patience *= 4

    def alike(self, open_moves: Mapping[str, Position]) -> list[list[str]]:
        """The moves in groups that lead to the same position, turned or mirrored."""
        groups: dict[tuple[int, int], list[str]] = {}
        for move, after in open_moves.items():
            groups.setdefault(self.searcher.identity_of(after.row, self.seat), []).append(move)
        return list(groups.values())

    def settled(self, position: Position, patience: int) -> bool | None:
        """Try both ways of searching; one that seeks what is near is soon lost where ends are far."""
        found = self.wins(position, min(patience, MOST_SEEKING), stubborn=False)
        return self.wins(position, patience, stubborn=True) if found is None else found

    def wins(self, position: Position, patience: int, *, stubborn: bool) -> bool | None:
        """Whether the seat wins a position, unless patience ends."""
        searcher, last = self.searcher, self.searcher.nodes + patience
        found = searcher.begin(position.row, self.seat, stubborn=stubborn)
        while found is None and searcher.nodes < last:
            self.work.require(self.nodes, self.memory)
            found = searcher.go_on()
        return found

    def answer(self, position: Position, seat: int, draw: bool) -> int:
        """A winning move; what the table has forgotten is searched again."""
        self.searcher.begin(position.row, self.seat, stubborn=True)
        return self.move_found(seat == self.seat)


class TurnsOracle(SearchOracle):
    """Searches for wins of either seat within more and more turns, where play could go round."""

    def values(self, open_moves: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """All wins within one turn, then within two, and so on; draws are beyond this."""
        waiting = dict(open_moves)
        for turns in range(1, MOST_TURNS + 1):
            for move, after in list(waiting.items()):
                for seat in (0, 1):
                    self.work.words = f"{move}, {len(waiting)} to go, within {turns} turns"
                    if move in waiting and self.wins(after, seat, turns):
                        del waiting[move]
                        yield move, seat

    def wins(self, position: Position, seat: int, turns: int) -> bool:
        """Whether a seat wins a position within so many turns."""
        found = self.searcher.begin(position.row, seat, turns)
        while found is None:
            self.work.require(self.nodes, self.memory)
            found = self.searcher.go_on()
        return found

    def answer(self, position: Position, seat: int, draw: bool) -> int:
        """A move that wins within as few turns as possible, so that it never comes back."""
        turns = next(turns for turns in count(1) if self.wins(position, seat, turns))
        self.searcher.begin(position.row, seat, turns)
        return self.move_found(wins=True)


def oracle_for(position: Position, work: Work) -> Oracle:
    """The oracle that fits a game: a chart where play can go round, if memory holds it, else a search."""
    if not position.game.can_repeat:
        return EndOracle(position, work)
    work.words = "drawing up all positions"
    chart = Chart(position, work.effort.memory)
    if chart.draw(lambda: work.keep_on(len(chart), chart.memory)):
        return ChartOracle(chart)
    work.require(len(chart), chart.memory)
    return TurnsOracle(position, work)
