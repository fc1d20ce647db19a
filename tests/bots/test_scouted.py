"""A scout goes first, and what it sees of the end stands."""

from __future__ import annotations

from collections.abc import Iterator

import ropewalk
from ropewalk.bots.bot import Bot, Limit, Line, Report
from ropewalk.bots.scouted_bot import PER_VISIT, SHARE, ScoutedBot
from ropewalk.games.game import Position

GAME = ropewalk.game("liger-4")


class Says(Bot):
    """Says the same value of every position, and remembers what it was given."""

    def __init__(self, value: float) -> None:
        self.game, self.name, self.budget, self.value = GAME, "says", "nothing a move", value
        self.limits: list[Limit] = []

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report."""
        self.limits.append(limit or Limit())
        line = Line((position.moves()[0],), 1000, self.value, "estimate")
        yield Report(position.seat or 0, self.value, "estimate", 1000, 0.0, (line,))


def test_the_thinker_is_asked_only_where_the_scout_sees_no_end() -> None:
    for value, asked in ((1.0, 0), (0.0, 0), (0.9, 1)):
        scout, thinker = Says(value), Says(0.5)
        (report,) = ScoutedBot("both", scout, thinker, 50).analyse(GAME.start())
        assert len(thinker.limits) == asked
        assert (report.value, report.visits) == ((0.5, 1000) if asked else (value, 1000 // PER_VISIT))
        assert report.lines[0].visits == report.visits


def test_time_and_visits_are_shared() -> None:
    scout, thinker = Says(0.5), Says(0.5)
    both = ScoutedBot("both", scout, thinker, 50)
    for limit in (Limit(seconds=2.0), Limit(visits=30), Limit(visits=10**9), Limit()):
        both.choose(GAME.start(), limit)
    most = 50 * PER_VISIT
    assert scout.limits == [Limit(2.0 * SHARE, most), Limit(visits=30 * PER_VISIT), Limit(visits=most), Limit(visits=most)]
    assert thinker.limits[1:] == [Limit(visits=30), Limit(visits=10**9), Limit()]
    left = thinker.limits[0].seconds
    assert left is not None
    assert 1.5 < left <= 2.0
    assert both.budget == "10,000 positions, then nothing a move"
