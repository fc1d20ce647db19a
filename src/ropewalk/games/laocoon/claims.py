"""Claims of laoCoon: every ring has a space, discs are conserved, and play can be cyclic."""

from __future__ import annotations

from ...jit.intrinsics import bit_count
from ...rules.laocoon import MOVE_PHASE, NO_DISC, LaocoonState
from ..claims import RuleClaim, make_cycle_claim, step_invariant, termination_claims
from ..position import Position
from .game import Laocoon

CYCLE = (  # rings step to and fro, every disc goes back where it came from
    "(o),y,1,p,[o],y,b,p/b,p,o,y,b,p,o,y/o,y,b,p,[py],1,b,p/b,p,o,y,b,p,o,y/"
    "o,y,b,p,o,y,b,p/b,op,o,y,b,1,o,y/o,(pb),b,p,o,y,b,p/b,1,o,y,b,p,o,y white move white:y",
    "b2-b3/e5 e6-e5/b2 b3-b2/e6 e5-e6/b3",
)


def claims(game: Laocoon) -> list[RuleClaim]:
    """Return the claims about every game; without the quick variant also that no position repeats, which is false."""
    statement = "each turn of quick removes one disc" if game.rules.quick else "discs are never added"
    rule_claims = [
        *termination_claims(game, "a player who has not lost always has a legal move"),
        step_invariant(count_disc_violations, statement, game),
    ]
    if game.rules.quick:
        return rule_claims
    note = "the sheet mentions no draw; covered by the ruling on repetition: the third occurrence is a draw"
    return [*rule_claims, make_cycle_claim("positions never repeat", game, *CYCLE, note)]


def count_disc_violations(transition: tuple[Position, Position]) -> int:
    """Return 1 if a step adds discs, or removes discs that the rules keep; else 0."""
    before, after = (position.state for position in transition)
    num_lost = count_discs(before) - count_discs(after)
    if transition[0].game.rules.quick:
        return int(num_lost != (1 if before.phase == MOVE_PHASE else 0))
    return int(num_lost not in (0, 1))


def count_discs(state: LaocoonState) -> int:
    """Return the number of discs on the board and in hand."""
    on_board = sum(bit_count(layer[disc]) for layer in (state.lower, state.upper) for disc in range(1, 5))
    return on_board + int((state.hands != NO_DISC).sum())
