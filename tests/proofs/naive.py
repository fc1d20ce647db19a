"""Values from the reference implementations, by the plainest means."""

from __future__ import annotations

from typing import Any

from ropewalk import Position

from ..comparing import Side, extras

DRAW = 2


class Naive:
    """Minimax over a reference game, remembered by state."""

    def __init__(self, game: Any) -> None:
        self.rules = Side(game).rules
        self.known: dict[Any, int] = {}

    def state(self, position: Position) -> Any:
        return self.rules.state_of(position.contents, extras(position))

    def value(self, state: Any) -> int:
        """Who wins with best play, in a game that cannot go round."""
        if state not in self.known:
            self.known[state] = self.fresh_value(state)
        return self.known[state]

    def fresh_value(self, state: Any) -> int:
        over = self.rules.outcome(state)
        if over is not None:
            return DRAW if over[0] is None else over[0]
        seat = self.rules.seat(state)
        assert seat is not None
        after = (self.rules.play(state, move) for move in self.rules.moves(state))
        return seat if any(self.value(place) == seat for place in after) else 1 - seat

    def wins_within(self, state: Any, seat: int, turns: int) -> bool:
        """Whether a seat forces a win within so many turns of both, the one under way included."""
        over = self.rules.outcome(state)
        if over is not None:
            return over[0] == seat
        if turns == 0:
            return False
        mover = self.rules.seat(state)
        after = (self.rules.play(state, move) for move in self.rules.moves(state))
        wins = (self.wins_within(place, seat, turns - (self.rules.seat(place) != mover)) for place in after)
        return any(wins) if mover == seat else all(wins)

    def all_values(self, start: Any) -> dict[Any, int]:
        """Every position that can come, with its value: sweep until nothing changes; the rest is drawn."""
        after = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state not in after:
                after[state] = [self.rules.play(state, move) for move in self.rules.moves(state)]
                waiting += after[state]
        values: dict[Any, int] = {}
        for state in after:
            over = self.rules.outcome(state)
            if over is not None and over[0] is not None:
                values[state] = over[0]
        changed = True
        while changed:
            changed = False
            for state, places in after.items():
                if state not in values:
                    seat, found = self.rules.seat(state), {values.get(place, DRAW) for place in places}
                    if seat in found or found == {1 - (seat or 0)}:
                        values[state] = seat if seat in found else 1 - (seat or 0)
                        changed = True
        return {state: values.get(state, DRAW) for state in after}
