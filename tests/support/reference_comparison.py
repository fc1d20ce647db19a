"""Plays a game with the kernels and with the naive reference, and compares both."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import ropewalk
from ropewalk import Game, Position
from tests.reference import reference


@dataclass
class Side:
    """The reference implementation of a game, constructed from its spec."""

    game: Game

    def __post_init__(self) -> None:
        self.rules = reference(spelt_out(self.game))

    def require_same(self, position: Position, state: Any) -> None:
        """Require the same legal moves, contents, fields and outcome."""
        assert set(position.moves()) == set(self.rules.moves(state)), position
        assert position.seat == self.rules.seat(state), position
        assert position.contents == self.rules.contents(state), position
        assert extras(position) == self.rules.extras(state), position
        assert ending(position) == self.rules.outcome(state), position


def spelt_out(game: Game) -> str:
    """Return a canonical spec with the layout itself instead of a seed."""
    if game.options.get("variant"):
        tail = "" if game.options["repetition"] else "-norepetition"
        return f"laocoon-{game.options['variant']}-{game.options['layout']}{tail}"
    return game.spec


def ending(position: Position) -> tuple[int | None, str] | None:
    """Return the outcome in the form of the reference."""
    over = position.outcome
    return None if over is None else (over.winner, over.reason)


def extras(position: Position) -> dict[str, object]:
    """Return the fields of a position text in the form of the reference."""
    colour, *rest = str(position).split()[1:]
    found: dict[str, object] = {"to_move": colour}
    if "pie" in position.game.options:
        found["swapped"] = "swapped" in rest
    if "variant" in position.game.options:
        pairs = dict(field.split(":") for field in rest if ":" in field)
        found["phase"] = rest[0]
        found["hands"] = {player: pairs.get(player, "") for player in ("white", "black")}
        if "picked" in pairs:
            found["picked"] = pairs["picked"]
    return found


def compare_random_games(spec: str, seed: int, positions: int) -> int:
    """Play random games with both until the given number of positions was compared; return their number."""
    game = ropewalk.game(spec)
    side = Side(game)
    chance = random.Random(f"{spec} {seed}")
    compared = 0
    while compared < positions:
        position, state = game.start(), side.rules.start()
        side.require_same(position, state)
        while position.outcome is None:
            move = chance.choice(position.moves())
            position, state = position.play(move), side.rules.play(state, move)
            side.require_same(position, state)
            compared += 1
    return compared
