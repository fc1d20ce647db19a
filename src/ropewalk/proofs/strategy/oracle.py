"""Oracles: sources of exact values and winning replies from which strategy proofs are written.

- RetrogradeOracle: retrograde analysis, for games with repetition whose reachable positions fit into memory.
- DfpnOracle: df-pn search to the end of the game, for games without repetition.
- BoundedDfpnOracle: df-pn search within a limit of turns, deepened iteratively, for all other games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Protocol

from ...games.position import Position
from ...rules.interface import DRAW
from ..dfpn_solver import DfpnSolver
from ..retrograde import RetrogradeSolver
from ..solver import SolverClock
from .table_replies import TableReplies
from .traversal import OracleReplies, ReplyFunction, ReplySource

INITIAL_NODES_PER_MOVE = 100_000  # in the first round
MAX_DFPN_NODES = 2_000_000  # per move and round, before the depth-first search
MAX_TURNS = 100


class StrategyOracle(Protocol):
    """Interface of an oracle for one position."""

    @property
    def nodes(self) -> int:
        """Return the positions searched so far."""

    @property
    def memory_bytes(self) -> int:
        """Return the bytes in use."""

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Yield moves with the value of the position after them, in the order in which they are solved."""

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """Return the id of a move that keeps the value of `position` for `seat`, which is to move.

        The position is won for `seat`, or, with `may_draw`, not lost.
        """

    def make_reply_source(self, select_reply: ReplyFunction, check: Callable[[], None]) -> ReplySource:
        """Return a source of replies for the proof of a value found before.

        `select_reply` is `StrategyOracle.select_reply` with limits; `check` raises SolverStopped at a limit.
        """


class RetrogradeOracle:
    """Oracle of a completed retrograde analysis."""

    def __init__(self, solver: RetrogradeSolver) -> None:
        self.solver = solver
        self.nodes, self.memory_bytes = len(solver), solver.memory_bytes

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Yield all values at once, without search."""
        for move, after in children.items():
            yield move, self.solver.probe(after)[0]

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """Return the winning move with the least distance, or else the first move that keeps the draw."""
        best, best_distance = -1, None
        for move in position.move_ids().tolist():
            value, distance = self.solver.probe(position.play_id(move))
            if value == seat and (best_distance is None or distance < best_distance):
                best, best_distance = move, distance
            elif may_draw and value == DRAW and best < 0:
                best = move
        assert best >= 0
        return best

    def make_reply_source(self, select_reply: ReplyFunction, check: Callable[[], None]) -> ReplySource:
        """Return a source that asks for each reply."""
        return OracleReplies(select_reply)


class DfpnOracleBase:
    """Base of the two oracles that search."""

    def __init__(self, position: Position, clock: SolverClock) -> None:
        self.clock = clock
        self.solver = DfpnSolver(position.game, clock.limits.memory_bytes)

    @property
    def nodes(self) -> int:
        """Return the positions searched so far."""
        return self.solver.nodes

    @property
    def memory_bytes(self) -> int:
        """Return the size of the transposition table in bytes."""
        return self.solver.memory_bytes

    def find_proving_move(self, is_win: bool) -> int:
        """Return the id of the root move that proves the current query, searching the root again."""
        self.solver.research_root()
        result = self.solver.search(1)  # the table often has the root's moves
        while result is None:
            self.clock.check(self.nodes, self.memory_bytes)
            result = self.solver.search()
        return self.solver.proving_move(is_win)

    def make_reply_source(self, select_reply: ReplyFunction, check: Callable[[], None]) -> ReplySource:
        """Return a source that asks for each reply."""
        return OracleReplies(select_reply)


class DfpnOracle(DfpnOracleBase):
    """Df-pn search to the end for one seat; the other seat wins every position that this one does not."""

    def __init__(self, position: Position, clock: SolverClock) -> None:
        super().__init__(position, clock)
        assert position.seat is not None
        self.seat = position.seat

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Yield values in rounds; each round allows four times the nodes per move of the one before."""
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
        """Return the moves in groups whose positions are equal up to symmetry."""
        groups: dict[tuple[int, int], list[str]] = {}
        for move, after in children.items():
            groups.setdefault(self.solver.position_hash(after.row, self.seat), []).append(move)
        return list(groups.values())

    def solve_position(self, position: Position, max_nodes: int) -> bool | None:
        """Search with proof numbers, then depth first where that is not enough; None at the node limit."""
        result = self.search_position(position, min(max_nodes, MAX_DFPN_NODES), depth_first=False)
        return self.search_position(position, max_nodes, depth_first=True) if result is None else result

    def search_position(self, position: Position, max_nodes: int, *, depth_first: bool) -> bool | None:
        """Return whether the seat wins a position, or None after `max_nodes` nodes."""
        solver, node_limit = self.solver, self.solver.nodes + max_nodes
        result = solver.set_root(position.row, self.seat, depth_first=depth_first)
        while result is None and solver.nodes < node_limit:
            self.clock.check(self.nodes, self.memory_bytes)
            result = solver.search()
        return result

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """Return a winning move; an entry that the table has lost is searched again."""
        self.solver.set_root(position.row, self.seat, depth_first=True)
        return self.find_proving_move(seat == self.seat)

    def make_reply_source(self, select_reply: ReplyFunction, check: Callable[[], None]) -> ReplySource:
        """Return a source that asks only for replies that the table has lost."""
        return TableReplies(select_reply, check, self.solver, self.seat)


class BoundedDfpnOracle(DfpnOracleBase):
    """Df-pn search for wins of either seat, with iterative deepening over turns."""

    def solve_moves(self, children: Mapping[str, Position]) -> Iterator[tuple[str, int]]:
        """Yield all wins within one turn, then within two, and so on; draws are not found."""
        pending = dict(children)
        for max_turns in range(1, MAX_TURNS + 1):
            for move, after in list(pending.items()):
                for seat in (0, 1):
                    self.clock.status = f"{move}, {len(pending)} to go, within {max_turns} turns"
                    if move in pending and self.is_won_within(after, seat, max_turns):
                        del pending[move]
                        yield move, seat

    def is_won_within(self, position: Position, seat: int, max_turns: int) -> bool:
        """Return whether a seat can force a win within `max_turns` turns."""
        result = self.solver.set_root(position.row, seat, max_turns)
        while result is None:
            self.clock.check(self.nodes, self.memory_bytes)
            result = self.solver.search()
        return result

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """Return a move that wins within the fewest turns, so that no position repeats."""
        max_turns = next(max_turns for max_turns in count(1) if self.is_won_within(position, seat, max_turns))
        self.solver.set_root(position.row, seat, max_turns)
        return self.find_proving_move(is_win=True)


def make_oracle(position: Position, clock: SolverClock) -> StrategyOracle:
    """Return the oracle that suits a game.

    Df-pn without repetition; with repetition retrograde analysis if memory holds it, else df-pn with a limit of turns.
    Raises SolverStopped if a limit ends the analysis.
    """
    if not position.game.can_repeat:
        return DfpnOracle(position, clock)
    clock.status = "drawing up all positions"
    solver = RetrogradeSolver(position, clock.limits.memory_bytes)
    if solver.solve(lambda: clock.should_continue(len(solver), solver.memory_bytes)):
        return RetrogradeOracle(solver)
    clock.check(len(solver), solver.memory_bytes)
    return BoundedDfpnOracle(position, clock)
