from __future__ import annotations

import pytest

from ropewalk.console.formatting import format_error, format_number, format_pairs, format_table, wrap
from ropewalk.text import one_line


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.01234, "0.0123"), (4.567, "4.57"), (99.9, "99.9"), (123.4, "123"), (1234.5, "1,230"), (1_234_567, "1,230,000")],
)
def test_measured_numbers_have_three_digits(number: float, text: str) -> None:
    assert format_number(number) == text


def test_words_of_a_table_wrap_and_numbers_line_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    rows = [["a claim that needs two lines", "5"], ["short", "1,000"]]
    assert format_table(("claim", "cases"), rows).splitlines() == [
        "claim                    cases",
        "a claim that needs two       5",
        "  lines",
        "short                    1,000",
    ]


def test_pairs_stand_side_by_side_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("one", "the first of them"), ("three", "the third")]
    assert format_pairs(pairs) == "  one    the first of them\n  three  the third"
    monkeypatch.setenv("COLUMNS", "10")
    pairs = [("a long command line", "with an explanation")]
    assert format_pairs(pairs) == "  a long command line\n      with an explanation"


def test_names_are_never_broken() -> None:
    assert wrap("d4-e5 " * 40).replace("\n", " ").split() == ["d4-e5"] * 40


def test_an_error_is_one_line_whatever_it_quotes() -> None:
    assert one_line("a\nb\x1b[31m\t\x00") == r"a\nb\x1b[31m\t\x00"
    assert format_error(ValueError("one\ntwo")) == r"ropewalk: one\ntwo"
