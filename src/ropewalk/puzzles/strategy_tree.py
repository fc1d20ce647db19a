"""Strategy trees: a winning move of one seat at every position, and an answer to every move of the other seat.

The text of a tree is compact. `c3` is a move that ends the game; `c3(a1,b2:d4;*:e5)` a move with its answers: d4 after a1
or b2, e5 after every other move. A seat that moves twice in a turn has its moves joined by `+`. A move of the other seat
after which the game is won needs no answer. An answer that serves many moves is written once, which is why a tree of a few
hundred characters can cover thousands of positions.

The checker here knows the rules and no solver. It works on any implementation of the rules (`RulesView`): that of the
package, and the naive ones of the tests.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from ..errors import IllegalMove, MoveError, RopewalkError
from ..games.position import Position

State: TypeAlias = Any  # a position of the implementation that a RulesView describes

TOKEN_PATTERN = re.compile(r"[():;,*+]|[^():;,*+\s]+")
MAX_DEPTH = 200  # moves of the winning seat in a row of a tree


class StrategyTreeError(RopewalkError):
    """A strategy tree that cannot be parsed, or that does not win."""


class TreeTooLargeError(StrategyTreeError):
    """A strategy tree with more positions than the limit."""


@dataclass(frozen=True, eq=False)
class StrategyTree:
    """A move of the winning seat with what follows, or, without a move, the answers to the moves of the other seat."""

    move: str = ""  # of the winning seat; "" where the other seat is to move
    following: StrategyTree | None = None  # after `move`; None if it ends the game
    answers: Mapping[str, StrategyTree] = field(default_factory=dict)  # by moves of the other seat
    default: StrategyTree | None = None  # the answer to all moves that are not in `answers`

    def __str__(self) -> str:
        if self.move:
            joint = "+" if self.following is not None and self.following.move else ""
            return f"{self.move}{joint}{'' if self.following is None else self.following}"
        cases: dict[int, list[str]] = {}
        for move, answer in self.answers.items():
            cases.setdefault(id(answer), []).append(move)
        texts = [f"{','.join(moves)}:{self.answers[moves[0]]}" for moves in cases.values()]
        return f"({';'.join([*texts, *([] if self.default is None else [f'*:{self.default}'])])})"


def parse_strategy_tree(text: str) -> StrategyTree:
    """Return the tree of a text. Raises StrategyTreeError."""
    parser = TreeParser(text)
    tree = parser.parse_tree()
    if parser.index != len(parser.tokens):
        raise StrategyTreeError(f"unexpected {parser.tokens[parser.index]!r} after the end of a strategy tree")
    return tree


class TreeParser:
    """Recursive descent over the tokens of a tree."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKEN_PATTERN.findall(text)
        self.index = 0
        self.depth = 0

    def peek(self) -> str:
        """Return the next token, "" at the end."""
        return self.tokens[self.index] if self.index < len(self.tokens) else ""

    def take(self, allowed: str = "") -> str:
        """Return the next token and advance; with `allowed`, it must be one of these characters."""
        token = self.peek()
        if not token or (token not in allowed if allowed else token in "():;,*+"):
            raise StrategyTreeError(f"expected {allowed or 'a move'} in a strategy tree, not {token!r}")
        self.index += 1
        return token

    def parse_tree(self) -> StrategyTree:
        """Parse a move with what follows, or a group of answers."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise StrategyTreeError(f"a strategy tree is deeper than {MAX_DEPTH} moves")
        tree = self.parse_answers() if self.peek() == "(" else self.parse_move()
        self.depth -= 1
        return tree

    def parse_move(self) -> StrategyTree:
        """Parse a move of the winning seat and what follows it."""
        move = self.take()
        if self.peek() == "+":
            self.take("+")
            return StrategyTree(move, self.parse_move())
        return StrategyTree(move, self.parse_tree() if self.peek() == "(" else None)

    def parse_answers(self) -> StrategyTree:
        """Parse the answers in parentheses."""
        answers: dict[str, StrategyTree] = {}
        default = None
        self.take("(")
        while self.peek() != ")":
            moves = self.parse_case()
            answer = self.parse_tree()
            if moves == ["*"]:
                default = answer
            answers |= {} if moves == ["*"] else dict.fromkeys(moves, answer)
            if self.peek() != ")":
                self.take(";")
        self.take(")")
        return StrategyTree(answers=answers, default=default)

    def parse_case(self) -> list[str]:
        """Parse the moves before a colon, or the star."""
        if self.peek() == "*":
            moves = [self.take("*")]
        else:
            moves = [self.take()]
            while self.peek() == ",":
                self.take(",")
                moves.append(self.take())
        self.take(":")
        return moves


class RulesView(Protocol):
    """An implementation of the rules, as the checker of trees uses it."""

    def get_seat(self, state: State) -> int | None:
        """Return the seat to move, None when the game is over."""

    def get_winner(self, state: State) -> int | None:
        """Return the seat that has won, None while nobody has."""

    def list_moves(self, state: State) -> Sequence[str]:
        """Return the texts of the legal moves."""

    def play(self, state: State, move: str) -> State | None:
        """Return the position after a move, None if it is illegal."""

    def get_key(self, state: State) -> Hashable:
        """Return a value that is equal for equal positions only."""


class PositionRules:
    """The rules of the package."""

    def get_seat(self, state: Position) -> int | None:
        """Return the seat to move."""
        return state.seat

    def get_winner(self, state: Position) -> int | None:
        """Return the winner by the outcome code."""
        return state.result if state.result in (0, 1) else None

    def list_moves(self, state: Position) -> Sequence[str]:
        """Return the legal moves."""
        return state.moves()

    def play(self, state: Position, move: str) -> Position | None:
        """Return the position after a move, None if it is illegal or no move at all."""
        try:
            return state.play(move)
        except (IllegalMove, MoveError):
            return None

    def get_key(self, state: Position) -> Hashable:
        """Return the text of the position."""
        return str(state)


class TreeChecker:
    """Follows strategy trees through all moves of the other seat. `num_positions` counts the positions visited."""

    def __init__(self, rules: RulesView, max_positions: int | None = None) -> None:
        self.rules = rules
        self.max_positions = max_positions
        self.num_positions = 0
        self.checked: dict[tuple[Hashable, int, int], StrategyTree] = {}  # the trees are kept: their ids are keys

    def require_win(self, state: State, winner: int, tree: StrategyTree | None) -> None:
        """Raise StrategyTreeError unless the tree wins this position for a seat, against every defence."""
        self.num_positions += 1
        if self.max_positions is not None and self.num_positions > self.max_positions:
            raise TreeTooLargeError(f"a strategy tree covers more than {self.max_positions} positions")
        seat = self.rules.get_seat(state)
        if seat is None:
            if self.rules.get_winner(state) != winner:
                raise StrategyTreeError(f"the game ends without a win of seat {winner}")
        elif tree is None:
            raise StrategyTreeError(f"the strategy ends before the game, with seat {seat} to move")
        elif tree.move:
            self.require_win_by_move(state, winner, tree)
        else:
            self.require_answers(state, winner, tree, self.rules.list_moves(state))

    def require_win_by_move(self, state: State, winner: int, tree: StrategyTree) -> None:
        """Check the move of a tree and what follows it."""
        if self.rules.get_seat(state) != winner:
            raise StrategyTreeError(f"the strategy has the move {tree.move} where the other seat is to move")
        after = self.rules.play(state, tree.move)
        if after is None:
            raise StrategyTreeError(f"the strategy's move {tree.move} is illegal")
        self.require_win(after, winner, tree.following)

    def require_answers(self, state: State, winner: int, tree: StrategyTree, moves: Iterable[str]) -> None:
        """Check the answers to these moves of the other seat. Equal positions are checked once."""
        if self.rules.get_seat(state) == winner:
            raise StrategyTreeError("the strategy has answers where its own seat is to move")
        key = (self.rules.get_key(state), winner, id(tree))
        if key in self.checked:
            return
        for move in moves:
            after = self.rules.play(state, move)
            assert after is not None, "a legal move can be played"
            try:
                self.require_win(after, winner, tree.answers.get(move, tree.default))
            except TreeTooLargeError:
                raise
            except StrategyTreeError as error:
                raise StrategyTreeError(f"after {move}: {error}") from None
        self.checked[key] = tree
