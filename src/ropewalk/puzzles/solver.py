"""Exact values around a puzzle: who wins, within how many turns, by which moves, and the strategy trees that prove it.

All values come from df-pn search (`proofs.dfpn_solver`). In games without repetition it searches to the end of the game.
In games with repetition it searches for wins of either seat within a limit of turns, so that draws stay unknown. A search
that needs more positions than its limit returns None: not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from ..games.game import Game
from ..games.position import Position
from ..proofs.dfpn_solver import DfpnSolver
from .puzzle import make_answer_tree
from .strategy_tree import PositionRules, StrategyTree, StrategyTreeError, TreeChecker, TreeTooLargeError

DEFAULT_MEMORY_BYTES = 1 << 25
DEFAULT_NODES = 1_000_000
MAX_WIN_TURNS = 24  # of the winning seat, up to which wins are searched in games with repetition, and distances in all games


DECISION_TURNS = (1, 3, 6, 12, MAX_WIN_TURNS)  # limits of turns in search of the winner of a game with repetition
MAX_REPEATED_CHECKS = 4  # positions visited while a tree is built, for each position that it may cover


class UndecidedError(Exception):
    """A value that the solver cannot decide within its limits."""


@dataclass(frozen=True)
class SolvedPosition:
    """Who wins a position by force, within how many turns, and the moves of the seat to move until its turn ends.

    The moves are those of a fastest win, or those that delay the loss longest. What is not known is None or left out.
    """

    winner: int | None
    turns: int | None = None
    moves: tuple[str, ...] = ()


class PuzzleSolver:
    """Solver of one game. Its table is kept between positions; `max_nodes` limits each search."""

    def __init__(self, game: Game, max_nodes: int = DEFAULT_NODES, memory_bytes: int = DEFAULT_MEMORY_BYTES) -> None:
        self.game = game
        self.max_nodes = max_nodes
        self.dfpn = DfpnSolver(game, memory_bytes)

    def clear(self) -> None:
        """Forget all results, so that the next ones do not depend on earlier positions."""
        self.dfpn.clear()

    def find_winner(self, position: Position) -> int | None:
        """Return the seat that wins by force, None if that is not known."""
        if position.seat is None:
            return position.result if position.result in (0, 1) else None
        if self.game.can_repeat:
            return self.find_winner_by_turns(position)
        seat = position.seat
        is_won = self.dfpn.solve(position.row, seat, max_nodes=self.max_nodes)
        return None if is_won is None else seat if is_won else 1 - seat

    def find_winner_by_turns(self, position: Position) -> int | None:
        """Return the winner by deepening over turns, None if neither seat wins within MAX_WIN_TURNS."""
        assert position.seat is not None
        for turns in DECISION_TURNS:
            for seat in (position.seat, 1 - position.seat):
                is_won = self.is_won_within(position, seat, turns)
                if is_won is None:
                    return None
                if is_won:
                    return seat
        return None

    def is_won_within(self, position: Position, seat: int, turns: int, max_nodes: int | None = None) -> bool | None:
        """Return whether a seat can win within this number of its own turns, the current one included; None if unknown.

        A turn of the other seat that follows the last of them and ends the game belongs to them. `max_nodes` replaces the
        limit of the solver.
        """
        if position.seat is None:
            return position.result == seat
        limit = self.max_nodes if max_nodes is None else max_nodes
        return self.dfpn.solve(position.row, seat, count_all_turns(position, seat, turns), max_nodes=limit)

    def count_turns(self, position: Position, seat: int, max_turns: int = MAX_WIN_TURNS) -> int:
        """Return the fewest turns within which a seat can force a win: 0 if it has won.

        Raises UndecidedError if that is not known, or more than `max_turns`.
        """
        if position.seat is None and position.result == seat:
            return 0
        for turns in range(1 if position.seat == seat else 0, max_turns + 1):
            is_won = self.is_won_within(position, seat, turns)
            if is_won is None:
                break
            if is_won:
                return turns
        raise UndecidedError

    def find_winning_moves(self, position: Position, max_moves: int | None = None) -> list[str]:
        """Return all moves of the seat to move that keep its win; none if they are more than `max_moves`.

        Raises UndecidedError if a move cannot be decided.
        """
        winning: list[str] = []
        for move in position.moves():
            winner = self.find_winner(position.play(move))
            if winner is None:
                raise UndecidedError
            winning += [move] if winner == position.seat else []
            if max_moves is not None and len(winning) > max_moves:
                return []
        return winning

    def is_winning_move(self, position: Position, move: str) -> bool:
        """Return whether a legal move of the seat to move wins by force. Raises UndecidedError if that is not known."""
        winner = self.find_winner(position.play(move))
        if winner is None:
            raise UndecidedError
        return winner == position.seat

    def find_fastest_move(self, position: Position) -> str:
        """Return a move of the seat to move that wins within the fewest turns. Raises UndecidedError."""
        assert position.seat is not None
        return self.find_move_within(position, self.count_turns(position, position.seat))

    def find_move_within(self, position: Position, turns: int) -> str:
        """Return a move of the seat to move, which wins within `turns` of its turns, that does so. Raises UndecidedError."""
        assert position.seat is not None
        self.dfpn.set_root(position.row, position.seat, count_all_turns(position, position.seat, turns))
        self.dfpn.research_root()  # the table may have its value but not its winning move
        node_limit = self.dfpn.nodes + self.max_nodes
        while self.dfpn.search() is None:
            if self.dfpn.nodes > node_limit:
                raise UndecidedError
        return self.game.move_texts[self.dfpn.proving_move(True)]

    def find_strongest_defence(self, position: Position) -> str:
        """Return the move of the losing seat, which is to move, that delays the loss longest; the first of equal ones.

        A move that delays it by more than MAX_WIN_TURNS turns, or by an unknown number, counts as the longest.
        """
        seat = position.seat
        assert seat is not None
        best, best_turns = "", -1
        for move in position.moves():
            try:
                turns = self.count_turns(position.play(move), 1 - seat)
            except UndecidedError:
                return move
            if turns > best_turns:
                best, best_turns = move, turns
        return best

    def play_main_line(self, position: Position, seat: int) -> Iterator[str]:
        """Yield the moves of a fastest win of a seat against the strongest defence. Raises UndecidedError."""
        while position.seat is not None:
            move = self.find_fastest_move(position) if position.seat == seat else self.find_strongest_defence(position)
            yield move
            position = position.play(move)

    def solve_position(self, position: Position) -> SolvedPosition:
        """Return what is known of a position in which a seat is to move."""
        winner, seat = self.find_winner(position), position.seat
        if winner is None:
            return SolvedPosition(None)
        turns, moves = None, []
        with suppress(UndecidedError):
            turns = self.count_turns(position, winner)
        with suppress(UndecidedError):
            while position.seat is not None and position.seat == seat:
                is_won = seat == winner
                moves.append(self.find_fastest_move(position) if is_won else self.find_strongest_defence(position))
                position = position.play(moves[-1])
        return SolvedPosition(winner, turns, tuple(moves))

    # Proofs

    def build_tree(self, position: Position, winner: int, max_positions: int) -> StrategyTree | None:
        """Return a strategy tree that wins a position, None if the game is over.

        Raises UndecidedError, or TreeTooLargeError if the tree covers more than about `max_positions` positions.
        """
        return TreeBuilder(self, winner, max_positions).build(position, self.count_turns(position, winner))

    def build_refutation(self, position: Position, moves: Iterable[str], max_positions: int) -> StrategyTree:
        """Return the answers of the other seat to losing moves of the seat to move. Raises like `build_tree`."""
        assert position.seat is not None
        return TreeBuilder(self, 1 - position.seat, max_positions).build_answers(position, moves, None)


class TreeBuilder:
    """Builds strategy trees for one seat; an answer that wins against several moves is reused."""

    def __init__(self, solver: PuzzleSolver, winner: int, max_positions: int) -> None:
        self.solver = solver
        self.winner = winner
        self.max_positions = max_positions
        self.num_positions = 0

    def build(self, position: Position, turns: int) -> StrategyTree | None:
        """Return a tree for a position that the seat wins within `turns` of its turns; None if the game is over."""
        if position.seat is None:
            return None
        if position.seat != self.winner:
            return self.build_answers(position, position.moves(), turns)
        turns = 1 if self.solver.is_won_within(position, self.winner, 1) else turns
        move = self.solver.find_move_within(position, turns)
        after = position.play(move)
        return StrategyTree(move, self.build(after, turns - 1 if after.seat != self.winner else turns))

    def build_answers(self, position: Position, moves: Iterable[str], turns: int | None) -> StrategyTree:
        """Return the answers to moves of the other seat; without `turns`, the turns after each move are counted."""
        answers: dict[str, StrategyTree] = {}
        candidates: list[StrategyTree] = []  # the last one that won is tried first
        for move in moves:
            after = position.play(move)
            if after.seat is None:
                continue
            answer = next((tree for tree in candidates if self.is_win(after, tree)), None)
            if answer is None:
                answer = self.build(after, self.solver.count_turns(after, self.winner) if turns is None else turns)
                assert answer is not None
            candidates = [answer, *(tree for tree in candidates if tree is not answer)]
            answers[move] = answer
        return make_answer_tree(answers)

    def is_win(self, position: Position, tree: StrategyTree) -> bool:
        """Return whether a tree wins a position. Raises TreeTooLargeError."""
        checker = TreeChecker(PositionRules(), self.max_positions)
        try:
            checker.require_win(position, self.winner, tree)
        except TreeTooLargeError:
            raise
        except StrategyTreeError:
            return False
        finally:
            self.num_positions += checker.num_positions
            if self.num_positions > MAX_REPEATED_CHECKS * self.max_positions:
                raise TreeTooLargeError(f"a strategy tree covers more than {self.max_positions} positions")
        return True


def count_all_turns(position: Position, seat: int, turns: int) -> int:
    """Return the turns of both seats in `turns` turns of one, with the turn of the other seat that may follow the last."""
    return 2 * turns + (0 if position.seat == seat else 1)
