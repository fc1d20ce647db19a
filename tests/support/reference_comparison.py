"""Compares the kernels of a game with its naive reference implementation."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import ropewalk
from ropewalk import Game, Position
from tests.reference import reference


@dataclass
class ReferenceGame:
    """The reference implementation of a game."""

    game: Game

    def __post_init__(self) -> None:
        self.rules = reference(format_full_spec(self.game))

    def require_same(self, position: Position, state: Any) -> None:
        """Require that legal moves, contents, other fields of the position, and the outcome are the same."""
        assert set(position.moves()) == set(self.rules.moves(state)), position
        assert position.seat == self.rules.seat(state), position
        assert position.contents == self.rules.contents(state), position
        assert list_extras(position) == self.rules.extras(state), position
        assert describe_outcome(position) == self.rules.outcome(state), position


def format_full_spec(game: Game) -> str:
    """Return the canonical spec, with the layout itself in place of a seed."""
    if game.options.get("variant"):
        tail = "" if game.options["repetition"] else "-norepetition"
        return f"laocoon-{game.options['variant']}-{game.options['layout']}{tail}"
    return game.spec


def describe_outcome(position: Position) -> tuple[int | None, str] | None:
    """Return the outcome in the form of the reference."""
    outcome = position.outcome
    return None if outcome is None else (outcome.winner, outcome.reason)


def list_extras(position: Position) -> dict[str, object]:
    """Return the fields of a position beside the cells, in the form of the reference."""
    colour, *rest = str(position).split()[1:]
    fields: dict[str, object] = {"to_move": colour}
    if "pie" in position.game.options:
        fields["swapped"] = "swapped" in rest
    if "variant" in position.game.options:
        pairs = dict(field.split(":") for field in rest if ":" in field)
        fields["phase"] = rest[0]
        fields["hands"] = {player: pairs.get(player, "") for player in ("white", "black")}
        if "picked" in pairs:
            fields["picked"] = pairs["picked"]
    return fields


def compare_random_games(spec: str, seed: int, positions: int) -> int:
    """Play random games in both until `positions` positions were compared; return their number."""
    game = ropewalk.game(spec)
    side = ReferenceGame(game)
    rng = random.Random(f"{spec} {seed}")
    compared = 0
    while compared < positions:
        position, state = game.start(), side.rules.start()
        side.require_same(position, state)
        while position.outcome is None:
            move = rng.choice(position.moves())
            position, state = position.play(move), side.rules.play(state, move)
            side.require_same(position, state)
            compared += 1
    return compared
