"""Every kind of game passes the shared contract, and a wrong game does not."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk
from ropewalk import conformance
from ropewalk.games.liger.game import Liger
from ropewalk.games.position import Symmetry
from ropewalk.games.tether.game import Tether
from tests.support.reference_comparison import ReferenceGame

MANY_CELLS = 150
EXAMPLES = [spec for entry in ropewalk.games() for spec in entry.examples]


@pytest.mark.parametrize("spec", EXAMPLES)
def test_every_kind_of_game_passes_the_contract(spec: str) -> None:
    game = ropewalk.game(spec)
    games = 2 if len(game.board) < MANY_CELLS else 1  # the naive references take long on large boards
    findings = conformance.check(game, games=games, seed=3, reference=ReferenceGame(game).rules)
    wrong = [finding for finding in findings if finding.violations and not finding.expected]
    assert not wrong
    assert all(finding.cases for finding in findings)


def test_known_violations_are_answered_by_a_ruling() -> None:
    findings = conformance.check(ropewalk.game("liger-4"), games=1)
    known = [finding for finding in findings if finding.expected]
    assert [finding.violations for finding in known] == [1]
    assert "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3" in known[0].example
    assert "ruling" in known[0].note


class Lopsided(Tether):
    """A Tether that takes a shift of the cells for a symmetry."""

    def list_symmetries(self) -> list[Symmetry]:
        cells = np.roll(np.arange(len(self.board)), 1).astype(np.int16)
        return [Symmetry(cells=cells, moves=cells, swaps_colours=False)]


class Forgetful(Liger):
    """A Liger whose text forgets who is to move."""

    def fields(self, row: np.ndarray) -> list[str]:
        return ["red"]


def test_a_wrong_symmetry_is_found_out() -> None:
    found = {finding.claim: finding for finding in conformance.check(Lopsided(5), games=2)}
    finding = found["symmetries commute with moves, play and outcome"]
    assert finding.violations
    assert finding.example


def test_a_text_that_forgets_something_is_found_out() -> None:
    found = {finding.claim: finding.violations for finding in conformance.check(Forgetful(4, 2), games=3)}
    assert found["symmetries commute with moves, play and outcome"]


def test_a_reference_that_disagrees_is_found_out() -> None:
    findings = conformance.check(
        ropewalk.game("lariat-1x1"), games=2, reference=ReferenceGame(ropewalk.game("lariat-1x1")).rules
    )
    assert "the naive reference agrees on moves, contents and outcome" in {finding.claim for finding in findings}
    wrong = conformance.check(ropewalk.game("tether-3"), games=1, reference=AlwaysOver())
    assert next(finding.violations for finding in wrong if "reference" in finding.claim)


class AlwaysOver:
    """A reference that plays nothing."""

    def start(self) -> None:
        return None

    def moves(self, state: None) -> list[str]:
        return []

    def play(self, state: None, move: str) -> None:
        return None

    def contents(self, state: None) -> dict[str, str]:
        return {}

    def outcome(self, state: None) -> tuple[int | None, str] | None:
        return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("lariat-1x2", 1),
        ("tether-3", 100_000),
        ("lariat-2x10", 1_000_000),
        ("lariat-1x6", 1_000_000),
        ("cube-lariat-4", 1_000_000),
        ("cube-lariat-2", 1_000_000),
        ("tether-13", 100_000),
        ("tether-5", 100_000),
        ("liger-8", 100_000),
        ("liger-4x2", 100_000),
        ("laocoon-weave", 100_000),
        ("laocoon-random-1", 100_000),
        ("laocoon-quick-1", 100_000),
    ],
)
def test_the_claims_of_the_sheets_hold_over_very_many_cases(spec: str, games: int) -> None:
    findings = conformance.check(ropewalk.game(spec), games=games, seed=1)
    for finding in findings:
        print(f"\n{spec}: {finding.claim}: {finding.cases:,} cases, {finding.violations} violations", end="")
    assert not [finding for finding in findings if finding.violations and not finding.expected]
