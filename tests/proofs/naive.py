"""Values from the reference implementations, by the plainest means."""

from __future__ import annotations

from typing import Any

from ropewalk import Position

from ..comparing import Side, extras

DRAW = 2


class NaiveSolver:
    """Minimax over a reference game, remembered by state."""

    def __init__(self, game: Any) -> None:
        self.rules = Side(game).rules
        self.cache: dict[Any, int] = {}

    def state(self, position: Position) -> Any:
        return self.rules.state_of(position.contents, extras(position))

    def value(self, state: Any) -> int:
        """Who wins with best play, in a game that cannot go round."""
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
        return seat if any(self.value(place) == seat for place in children) else 1 - seat

    def wins_within(self, state: Any, seat: int, turns: int) -> bool:
        """Whether a seat forces a win within so many turns of both, the one under way included."""
        outcome = self.rules.outcome(state)
        if outcome is not None:
            return outcome[0] == seat
        if turns == 0:
            return False
        mover = self.rules.seat(state)
        children = (self.rules.play(state, move) for move in self.rules.moves(state))
        wins = (self.wins_within(place, seat, turns - (self.rules.seat(place) != mover)) for place in children)
        return any(wins) if mover == seat else all(wins)

    def all_values(self, start: Any) -> dict[Any, int]:
        """Every position that can come, with its value: sweep until nothing changes; the rest is drawn."""
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
                    seat, successor_values = self.rules.seat(state), {values.get(place, DRAW) for place in successors}
                    if seat in successor_values or successor_values == {1 - (seat or 0)}:
                        values[state] = seat if seat in successor_values else 1 - (seat or 0)
                        changed = True
        return {state: values.get(state, DRAW) for state in children}
