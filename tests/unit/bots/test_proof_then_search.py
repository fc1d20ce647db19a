"""A prover goes first, and what it proves stands."""

from __future__ import annotations

from collections.abc import Iterator

import ropewalk
from ropewalk.bots.bot import Bot, Certainty, Limit, Line, Report
from ropewalk.bots.proof_bots import MAX_PROOF_SECONDS, PROOF_TIME_FRACTION, ProofThenSearchBot
from ropewalk.games.position import Position

GAME = ropewalk.game("liger-4")


class Says(Bot):
    """Says the same of every position, and remembers what it was given."""

    def __init__(self, kind: Certainty, visits: int = 1000, value: float = 1.0) -> None:
        self.visits, self.value = visits, value
        self.game, self.name, self.budget, self.kind = GAME, "says", f"{kind} a move", kind
        self.limits: list[Limit] = []

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report."""
        self.limits.append(limit or Limit())
        line = Line((position.moves()[0],), self.visits, self.value, self.kind)
        yield Report(position.seat or 0, self.value, self.kind, self.visits, 0.0, (line,))


def test_the_thinker_is_asked_only_where_the_scout_proves_nothing() -> None:
    kinds: tuple[Certainty, ...] = ("proven", "estimate")
    for kind in kinds:
        scout, thinker = Says(kind), Says("estimate")
        (report,) = ProofThenSearchBot(scout, 2000, thinker, 50).analyse(GAME.start())
        assert len(thinker.limits) == (kind == "estimate")
        assert (report.certainty, report.visits) == (kind, 25 if kind == "proven" else 1000)
        assert report.lines[0].visits == report.visits


def test_in_a_lost_position_the_thinker_chooses_and_its_moves_are_proven_to_lose() -> None:
    thinker = Says("estimate", value=0.4)
    both = ProofThenSearchBot(Says("proven", value=0.0), 2000, thinker, 50)
    (report,) = both.analyse(GAME.start())
    assert (report.certainty, report.value, report.visits) == ("proven", 0.0, 1000)
    assert [(line.certainty, line.value) for line in report.lines] == [("proven", 0.0)]
    assert both.choose(GAME.start()) == both.decide(GAME.start(), report) == GAME.start().moves()[0]
    assert len(thinker.limits) == 2


def test_a_quick_proof_counts_a_visit() -> None:
    scout = Says("proven", visits=1)
    (report,) = ProofThenSearchBot(scout, 2000, Says("estimate"), 50).analyse(GAME.start())
    assert report.visits == report.lines[0].visits == 1


def test_time_and_visits_are_shared() -> None:
    scout, thinker = Says("estimate"), Says("estimate")
    both = ProofThenSearchBot(scout, 2000, thinker, 50)
    for limit in (Limit(seconds=2.0), Limit(visits=1), Limit(visits=10**9), Limit()):
        both.choose(GAME.start(), limit)
    assert scout.limits == [Limit(2.0 * PROOF_TIME_FRACTION, 2000), Limit(None, 40), Limit(None, 2000), Limit(None, 2000)]
    assert thinker.limits[1:] == [Limit(visits=1), Limit(visits=10**9), Limit()]
    left = thinker.limits[0].seconds
    assert left is not None
    assert 1.5 < left <= 2.0
    assert both.budget == "estimate, then estimate a move"
    both.choose(GAME.start(), Limit(seconds=60.0))
    assert scout.limits[-1].seconds == MAX_PROOF_SECONDS
