"""Values from the reference implementations, by plain minimax."""

from __future__ import annotations

from typing import Any

from ropewalk import Position
from tests.support.reference_comparison import ReferenceGame, list_extras

DRAW = 2


class NaiveSolver:
    """Minimax over a reference game, memoised by state."""

    def __init__(self, game: Any) -> None:
        self.rules = ReferenceGame(game).rules
        self.cache: dict[Any, int] = {}

    def state(self, position: Position) -> Any:
        return self.rules.state_of(position.contents, list_extras(position))

    def value(self, state: Any) -> int:
        """Return the seat that wins with best play, or DRAW; the game must be without repetition."""
        if state not in self.cache:
            self.cache[state] = self.compute_value(state)
        return self.cache[state]

    def compute_value(self, state: Any) -> int:
        outcome = self.rules.outcome(state)
        if outcome is not None:
            return DRAW if outcome[0] is None else outcome[0]
        seat = self.rules.seat(state)
        assert seat is not None
        children = (self.rules.play(state, move) for move in self.rules.moves(state))
        return seat if any(self.value(child) == seat for child in children) else 1 - seat

    def wins_within(self, state: Any, seat: int, turns: int) -> bool:
        """Return whether a seat can force a win within `turns` turns of both seats, including the current one."""
        outcome = self.rules.outcome(state)
        if outcome is not None:
            return outcome[0] == seat
        if turns == 0:
            return False
        mover = self.rules.seat(state)
        children = (self.rules.play(state, move) for move in self.rules.moves(state))
        wins = (self.wins_within(child, seat, turns - (self.rules.seat(child) != mover)) for child in children)
        return any(wins) if mover == seat else all(wins)

    def all_values(self, start: Any) -> dict[Any, int]:
        """Return the value of every reachable position by value iteration; what is never resolved is a draw."""
        children = {}
        stack = [start]
        while stack:
            state = stack.pop()
            if state not in children:
                children[state] = [self.rules.play(state, move) for move in self.rules.moves(state)]
                stack += children[state]
        values: dict[Any, int] = {}
        for state in children:
            outcome = self.rules.outcome(state)
            if outcome is not None and outcome[0] is not None:
                values[state] = outcome[0]
        changed = True
        while changed:
            changed = False
            for state, successors in children.items():
                if state not in values:
                    seat, successor_values = self.rules.seat(state), {values.get(child, DRAW) for child in successors}
                    if seat in successor_values or successor_values == {1 - (seat or 0)}:
                        values[state] = seat if seat in successor_values else 1 - (seat or 0)
                        changed = True
        return {state: values.get(state, DRAW) for state in children}
