"""Three ways to know values: the chart of all positions, a search to the end, and a search within so many turns.

Each oracle says, as it finds out, what the positions after some moves are worth, and then answers for the winner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Protocol

from ...games.game import Position
from ...rules.interface import DRAW
from ..dfpn_solver import DfpnSolver
from ..retrograde import RetrogradeSolver
from ..solver import SolverClock

INITIAL_NODES_PER_MOVE = 100_000  # positions for each move before the next one has its turn
MAX_DFPN_NODES = 2_000_000
MAX_TURNS = 100


class StrategyOracle(Protocol):
    """What a proof is made from."""

    @property
    def nodes(self) -> int:
        """Positions searched."""

    @property
    def memory_bytes(self) -> int:
        """Bytes in use."""

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Moves with the value of the position after them, in whatever order they come to be known."""

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """A move that wins for the seat in a position that it wins, or that does not lose one that is drawn."""


class RetrogradeOracle:
    """Knows all that a finished chart says."""

    def __init__(self, solver: RetrogradeSolver) -> None:
        self.solver = solver
        self.nodes, self.memory_bytes = len(solver), solver.memory_bytes

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """All of them at once."""
        for move, after in children.items():
            yield move, self.solver.probe(after)[0]

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """The move nearest to the end for a win; any that keeps the draw otherwise."""
        best, best_distance = -1, None
        for move in position.move_ids().tolist():
            value, distance = self.solver.probe(position.play_id(move))
            if value == seat and (best_distance is None or distance < best_distance):
                best, best_distance = move, distance
            elif may_draw and value == DRAW and best < 0:
                best = move
        assert best >= 0
        return best


class DfpnOracleBase:
    """What the two searches share."""

    def __init__(self, position: Position, clock: SolverClock) -> None:
        self.clock = clock
        self.solver = DfpnSolver(position.game, clock.limits.memory_bytes)

    @property
    def nodes(self) -> int:
        """Positions searched."""
        return self.solver.nodes

    @property
    def memory_bytes(self) -> int:
        """Bytes of the table."""
        return self.solver.memory_bytes

    def find_proving_move(self, is_win: bool) -> int:
        """The move that settles the position which the search has set out from."""
        self.solver.research_root()
        result = self.solver.search(1)  # often the table knows
        while result is None:
            self.clock.check(self.nodes, self.memory_bytes)
            result = self.solver.search()
        return self.solver.proving_move(is_win)


class DfpnOracle(DfpnOracleBase):
    """Searches to the end of a game that cannot go round, for one seat: what that one does not win, the other does."""

    def __init__(self, position: Position, clock: SolverClock) -> None:
        super().__init__(position, clock)
        assert position.seat is not None
        self.seat = position.seat

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Search each for a while, then all others for longer, so that the easy ones do not wait for the hard ones."""
        pending = self.group_symmetric_moves(children)
        max_nodes = INITIAL_NODES_PER_MOVE
        while pending:
            for moves in list(pending):
                self.clock.status = f"{moves[0]}, {sum(map(len, pending))} to go"
                is_win = self.solve_position(children[moves[0]], max_nodes)
                if is_win is not None:
                    pending.remove(moves)
                    yield from ((move, self.seat if is_win else 1 - self.seat) for move in moves)
            max_nodes *= 4

    def group_symmetric_moves(self, children: Mapping[str, Position]) -> list[list[str]]:
        """The moves in groups that lead to the same position, turned or mirrored."""
        groups: dict[tuple[int, int], list[str]] = {}
        for move, after in children.items():
            groups.setdefault(self.solver.position_hash(after.row, self.seat), []).append(move)
        return list(groups.values())

    def solve_position(self, position: Position, max_nodes: int) -> bool | None:
        """Try both ways of searching; one that seeks what is near is soon lost where ends are far."""
        result = self.search_position(position, min(max_nodes, MAX_DFPN_NODES), depth_first=False)
        return self.search_position(position, max_nodes, depth_first=True) if result is None else result

    def search_position(self, position: Position, max_nodes: int, *, depth_first: bool) -> bool | None:
        """Whether the seat wins a position, unless patience ends."""
        solver, node_limit = self.solver, self.solver.nodes + max_nodes
        result = solver.set_root(position.row, self.seat, depth_first=depth_first)
        while result is None and solver.nodes < node_limit:
            self.clock.check(self.nodes, self.memory_bytes)
            result = solver.search()
        return result

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """A winning move; what the table has forgotten is searched again."""
        self.solver.set_root(position.row, self.seat, depth_first=True)
        return self.find_proving_move(seat == self.seat)


class BoundedDfpnOracle(DfpnOracleBase):
    """Searches for wins of either seat within more and more turns, where play could go round."""

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """All wins within one turn, then within two, and so on; draws are beyond this."""
        pending = dict(children)
        for max_turns in range(1, MAX_TURNS + 1):
            for move, after in list(pending.items()):
                for seat in (0, 1):
                    self.clock.status = f"{move}, {len(pending)} to go, within {max_turns} turns"
                    if move in pending and self.is_won_within(after, seat, max_turns):
                        del pending[move]
                        yield move, seat

    def is_won_within(self, position: Position, seat: int, max_turns: int) -> bool:
        """Whether a seat wins a position within so many turns."""
        result = self.solver.set_root(position.row, seat, max_turns)
        while result is None:
            self.clock.check(self.nodes, self.memory_bytes)
            result = self.solver.search()
        return result

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """A move that wins within as few turns as possible, so that it never comes back."""
        max_turns = next(max_turns for max_turns in count(1) if self.is_won_within(position, seat, max_turns))
        self.solver.set_root(position.row, seat, max_turns)
        return self.find_proving_move(is_win=True)


def make_oracle(position: Position, clock: SolverClock) -> StrategyOracle:
    """The oracle that fits a game: a chart where play can go round, if memory holds it, else a search."""
    if not position.game.can_repeat:
        return DfpnOracle(position, clock)
    clock.status = "drawing up all positions"
    solver = RetrogradeSolver(position, clock.limits.memory_bytes)
    if solver.solve(lambda: clock.should_continue(len(solver), solver.memory_bytes)):
        return RetrogradeOracle(solver)
    clock.check(len(solver), solver.memory_bytes)
    return BoundedDfpnOracle(position, clock)
