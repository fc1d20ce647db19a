"""Claims of Liger: a showing checker can always move, and draws cannot occur, which is false as written."""

from __future__ import annotations

from ..claims import RuleClaim, make_cycle_claim, termination_claims
from .game import Liger

CYCLE = "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3"  # from a3 b, c3 rbr, red to move: back to the same position


def claims(game: Liger) -> list[RuleClaim]:
    """Return the claims of the rule sheet."""
    size = game.options["size"]
    ranks = [f"{size // 2}"] * (size - 3)
    text = "/".join([*ranks, f"b,rbr,{size // 2 - 2}".replace(",0", ""), *ranks[:1] * 2]) + " red"
    cycle_claim = make_cycle_claim(
        "draws cannot occur (statement of the sheet; by the rules as written, positions can repeat for ever)",
        game,
        text,
        CYCLE,
        "covered by the ruling on repetition: the third occurrence is a draw",
    )
    return [*termination_claims(game, "a player with a showing checker always has a move"), cycle_claim]
