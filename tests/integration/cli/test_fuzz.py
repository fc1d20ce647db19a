"""Whatever is typed: no traceback, exit code 0 or 2, refusals in one line."""

from __future__ import annotations

import functools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

import ropewalk as package
from tests.support.command_runner import CommandResult, call_ropewalk

SPECS = ["lariat-1x1", "lariat-1x2-pie", "cube-lariat-2", "cube-lariat-2-nocorners-nopie", "tether-3", "tether-5",
         "laocoon-weave", "laocoon-random-7", "laocoon-quick-7", "liger-4", "liger-4x2-norepetition"]  # fmt: skip
WORDS = ["lariat", "cube", "tether", "laocoon", "liger", "small", "large", "pie", "nopie", "nocorners", "weave",
         "random", "quick", "norepetition", "4", "5", "0", "-1", "99999999999999999999", "1x1", "4x2", "x", "1x",
         "", "bpoy" * 16, "b" * 64]  # fmt: skip

letters = st.text(max_size=20) | st.text("abcdefgh12345678-=/~+ |.\n()[]bprwy,", max_size=30) | st.just("\udcff")
specs = st.sampled_from(SPECS) | st.lists(st.sampled_from(WORDS), max_size=4).map("-".join) | letters
flags = st.lists(st.sampled_from(["--json", "--explain", "--", "-", "--position", "--nonsense"]), max_size=2)


def is_no_number(text: str) -> bool:
    """Deep counts take for ever."""
    return not text.isdigit()


def require_clean(done: CommandResult, codes: tuple[int, ...] = (0, 2)) -> None:
    """An answer, or a refusal of one line, with at most one more for the cells that show it."""
    assert done.code in codes
    if done.code == 2:
        first, *more = done.err.splitlines()
        assert first.startswith("ropewalk: ")
        assert first.isprintable()
        assert len(more) <= 1
        assert all(line.startswith("  shown by ") for line in more)
    else:
        assert done.err == ""


@functools.cache
def texts(spec: str) -> tuple[list[str], list[str]]:
    """Moves of a game, and positions of a random game of it."""
    game, rng = package.game(spec), random.Random(spec)
    position = game.start()
    positions: list[str] = []
    while position.seat is not None and len(positions) < 30:
        positions += [str(position), position.draw()]
        position = position.play(rng.choice(position.moves()))
    return list(game.move_texts), [*positions, str(position), position.draw()]


@st.composite
def damaged(draw: st.DrawFn, whole: str) -> str:
    """A text with a piece cut out or replaced."""
    start = draw(st.integers(0, len(whole)))
    length = draw(st.integers(0, 5))
    return whole[:start] + draw(letters) + whole[start + length :]


@st.composite
def lines_of_play(draw: st.DrawFn) -> list[str]:
    """A game, moves that make sense in it more or less, perhaps a position that does."""
    spec = draw(st.sampled_from(SPECS))
    moves, positions = texts(spec)
    known = st.sampled_from(moves)
    played = draw(
        st.lists(known | known.flatmap(damaged) | st.lists(known, min_size=2, max_size=2).map("".join), max_size=6)
    )
    text = draw(st.none() | st.sampled_from(positions).flatmap(lambda text: st.just(text) | damaged(text)))
    return [spec, *played, *draw(flags), *([] if text is None else [f"--position={text}"])]


@given(spec=specs, rest=st.lists(letters, max_size=3), flags=flags)
@settings(max_examples=150, deadline=None)
def test_any_spec(spec: str, rest: list[str], flags: list[str]) -> None:
    require_clean(call_ropewalk("show", spec, *flags, *rest))


@given(line=lines_of_play())
@settings(max_examples=400, deadline=None)
def test_any_moves_from_any_position(line: list[str]) -> None:
    require_clean(call_ropewalk("show", *line))


@given(spec=st.sampled_from(SPECS), depth=st.integers(-1, 2).map(str) | letters.filter(is_no_number), data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_depth(spec: str, depth: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(texts(spec)[1]).flatmap(damaged))
    require_clean(call_ropewalk("perft", spec, depth))
    require_clean(call_ropewalk("perft", spec, depth, "--position", text))


@given(spec=st.sampled_from(SPECS), data=st.data())
@settings(max_examples=100, deadline=None)
def test_anything_typed_in_a_game(spec: str, data: st.DataObject) -> None:
    word = st.sampled_from(["moves", "why", "explain", "undo", "text", "help", "board", *texts(spec)[0]]) | letters
    typed = data.draw(st.lists(st.lists(word, max_size=3).map(" ".join), max_size=8))
    require_clean(call_ropewalk("play", spec, typed="\n".join(typed)), codes=(0,))


@given(argv=st.lists(letters | st.sampled_from(["games", "show", "--json", "--help", "help", "tether-3"]), max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_words(argv: list[str]) -> None:
    if argv[:1] not in (["play"], ["perft"], ["check"], ["arena"], ["bench"]):
        require_clean(call_ropewalk(*argv))
