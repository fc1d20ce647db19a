"""The public contract: stable from the first release."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ropewalk

PUBLIC = [
    "Batch", "Bot", "BotError", "Game", "IllegalMove", "Limit", "Line", "MoveError", "Outcome", "Position",
    "PositionError", "Report", "RopewalkError", "SpecError", "Symmetry", "bot", "game", "games",
]  # fmt: skip


def test_the_list_of_public_names() -> None:
    assert ropewalk.__all__ == PUBLIC
    assert all(hasattr(ropewalk, name) for name in PUBLIC)


def test_the_contract_in_one_page() -> None:
    game = ropewalk.game("tether-13")
    assert (game.spec, game.name, game.designer, game.year) == ("tether-13", "Tether", "Mark Steere", "2009")
    assert (game.colours, len(game.board), dict(game.options)) == (("red", "blue"), 169, {"size": 13})
    position = game.start()
    assert position.seat == 0
    assert position.moves()[:2] == ["a1", "b1"]
    after = position.play("f6")
    assert position.contents == {}, "a position never changes"
    assert after.contents == {"f6": "r"}
    assert after.outcome is None
    assert game.position(str(after)) == after
    assert game.position(after.draw()) == after
    assert game.move_text(game.move_id("f6")) == "f6"


@pytest.mark.parametrize("entry", ropewalk.games(), ids=lambda entry: entry.key)
def test_the_registry_says_of_a_game_what_the_game_says_itself(entry: ropewalk.games) -> None:  # type: ignore[valid-type]
    game = ropewalk.game(entry.key)  # type: ignore[attr-defined]
    assert (game.name, game.designer, game.year) == (entry.name, entry.designer, entry.year)  # type: ignore[attr-defined]
    assert game.spec == f"{entry.key}-{entry.standard}"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("alias", "spec"),
    [
        ("Lariat", "lariat-2x10"),
        ("lariat-small", "lariat-1x6"),
        ("lariat-large-pie", "lariat-3x12-pie"),
        ("lariat-pie", "lariat-2x10-pie"),
        ("lariat-02x010", "lariat-2x10"),
        ("cube-lariat-small", "cube-lariat-2"),
        ("cube-lariat-nopie-nocorners", "cube-lariat-4-nocorners-nopie"),
        ("cube-lariat-large", "cube-lariat-6"),
        ("tether-small", "tether-9"),
        ("tether-large", "tether-17"),
        ("laocoon-norepetition", "laocoon-weave-norepetition"),
        ("laocoon-random-007", "laocoon-random-7"),
        ("laocoon-quick-7-norepetition", "laocoon-quick-7"),
        ("liger-large", "liger-10"),
    ],
)
def test_a_spec_has_one_canonical_spelling(alias: str, spec: str) -> None:
    assert ropewalk.game(alias).spec == spec
    assert ropewalk.game(spec).spec == spec


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("", "unknown game ''"),
        ("laryat-2x10", "did you mean lariat"),
        ("lariat-7x10", "cap radius 7 is outside 1 to 6"),
        ("lariat-2x25", "wall height 25 is outside 1 to 24"),
        ("lariat-2", "expected a size RxH such as 2x10"),
        ("lariat-2x10-pi", "did you mean pie"),
        ("lariat-2x10-pie-pie", "duplicate option pie"),
        ("cube-lariat-3", "size 3 is odd"),
        ("cube-lariat-10", "outside 2 to 8"),
        ("cube-lariat-4-pie", "the options are nocorners, nopie"),
        ("tether-12", "size 12 is even"),
        ("x" * 300, "at most 200 are allowed"),
    ],
)
def test_a_wrong_spec_says_what_was_wrong_and_what_would_be_right(spec: str, wrong: str) -> None:
    with pytest.raises(ropewalk.SpecError, match=wrong):
        ropewalk.game(spec)


def test_importing_the_package_loads_neither_numba_nor_numpy() -> None:
    code = (
        "import sys, ropewalk; ropewalk.games(); print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_all_public_names_are_listed() -> None:
    assert set(PUBLIC) <= set(dir(ropewalk))
