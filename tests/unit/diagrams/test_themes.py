"""Colours that can be told apart: in grey, and by those who see few hues."""

from __future__ import annotations

from itertools import combinations

import pytest

from ropewalk.diagrams.themes import THEMES, mix, shade
from tests.support.contrast import contrast

SIDES = [("black", "white"), ("red", "blue")]
DISCS = ["blue disc", "purple disc", "orange disc", "yellow disc"]

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


@every_theme
@pytest.mark.parametrize("side", SIDES)
def test_the_two_sides_differ_in_brightness(theme, side) -> None:  # type: ignore[no-untyped-def]
    assert contrast(*(theme.paints[colour].body for colour in side)) > 3


@every_theme
def test_discs_differ_in_brightness_as_well(theme) -> None:  # type: ignore[no-untyped-def]
    for first, second in combinations(DISCS, 2):
        assert contrast(theme.paints[first].body, theme.paints[second].body) > 1.25


@every_theme
def test_what_is_written_on_pieces_can_be_read(theme) -> None:  # type: ignore[no-untyped-def]
    for name, paint in theme.paints.items():
        assert contrast(paint.body, paint.ink) > 3, name


@every_theme
def test_what_is_written_on_paper_and_cells_can_be_read(theme) -> None:  # type: ignore[no-untyped-def]
    assert contrast(theme.colours["paper"], theme.colours["faint"]) > 4.5
    assert contrast(theme.colours["paper"], theme.colours["ink"]) > 7
    for role in ("cell", "edge cell", "dark square"):
        assert contrast(theme.colours[role], theme.colours["name"]) > 3, role


@every_theme
def test_stones_stand_out_from_their_cells(theme) -> None:  # type: ignore[no-untyped-def]
    black_and_white, red_and_blue = SIDES
    for role, sides in {
        "cell": black_and_white + red_and_blue,
        "small cell": black_and_white,
        "edge cell": black_and_white,
        "dark square": red_and_blue,
    }.items():
        for colour in sides:
            paint, cell = theme.paints[colour], theme.colours[role]
            assert max(contrast(paint.body, cell), contrast(paint.outline, cell)) > 2, (role, colour)


def test_a_book_has_no_hues() -> None:
    theme = THEMES["print"]
    colours = [
        *theme.colours.values(),
        *(part for paint in theme.paints.values() for part in (paint.body, paint.outline, paint.ink)),
    ]
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)


def test_shades_and_mixtures() -> None:
    assert shade("#808080", 0.5) == "#404040"
    assert shade("#808080", 1.5) == "#c0c0c0"
    assert mix("#000000", "#ffffff", 0.2) == "#333333"
