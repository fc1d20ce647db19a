"""Colours of the terminal: those of the diagrams, and readable in terminals with few colours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.color import Color, ColorSystem
from rich.style import Style

from ropewalk.diagrams import themes
from ropewalk.games.registry import games
from ropewalk.terminal.theme import DARK, LIGHT, BoardColours
from ropewalk.terminal.xterm_colours import find_nearest, list_xterm_colours
from tests.support.contrast import contrast

every_theme = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def iter_styles(colours: BoardColours) -> Iterator[tuple[str, Style]]:
    """Yield all pairs of text and background, sides with the text of the board."""
    for name in ("board", "faint", "mark", "target", "cursor", "witness"):
        yield name, Style.parse(getattr(colours, name))
    for side, ground in colours.side.items():
        yield f"{side} side", Style.parse(colours.board) + Style.parse(ground)
    for piece, style in colours.pieces.items():
        yield piece, Style.parse(style)


def ratio(text: Color | None, ground: Color | None) -> float:
    assert text is not None
    assert ground is not None
    return contrast(text.get_truecolor().hex, ground.get_truecolor().hex)


@every_theme
def test_everything_can_be_read(colours: BoardColours) -> None:
    for name, style in iter_styles(colours):
        assert ratio(style.color, style.bgcolor) > 4.5, name


@every_theme
def test_all_colours_are_among_the_256_of_nearly_every_terminal(colours: BoardColours) -> None:
    for name, style in iter_styles(colours):
        assert all(
            part is not None and part.get_truecolor().hex in list_xterm_colours() for part in (style.color, style.bgcolor)
        ), name


@every_theme
def test_text_differs_from_its_background_in_16_colours(colours: BoardColours) -> None:
    for name, style in iter_styles(colours):
        parts = {part.downgrade(ColorSystem.STANDARD).number for part in (style.color, style.bgcolor) if part is not None}
        assert len(parts) == 2, name


@every_theme
def test_every_piece_of_every_game_has_a_style(colours: BoardColours) -> None:
    found = {colour for game in games() for colour in game.tokens.letters.values()}
    assert found <= colours.pieces.keys()


@every_theme
def test_nothing_that_is_highlighted_looks_like_a_piece(colours: BoardColours) -> None:
    pieces = {Style.parse(style).bgcolor for style in colours.pieces.values()}
    for name in ("target", "cursor", "witness"):
        assert Style.parse(getattr(colours, name)).bgcolor not in pieces, name


def test_the_two_players_of_a_game_look_different() -> None:
    for colours in (LIGHT, DARK):
        for first, second in (("black", "white"), ("red", "blue")):
            grounds = [Style.parse(colours.pieces[colour]).bgcolor for colour in (first, second)]
            assert ratio(*grounds) > 3


def test_pieces_have_the_paints_of_the_diagrams() -> None:
    for theme, colours in ((themes.LIGHT, LIGHT), (themes.DARK, DARK)):
        for colour, paint in (("red", "red"), ("blue", "blue"), ("purple", "purple disc")):
            assert colours.pieces[colour].endswith(find_nearest(theme.paints[paint].body))


def test_the_nearest_colour_keeps_its_hue() -> None:
    assert find_nearest("#af0000") == "#af0000"
    assert find_nearest("#a83a2d") == "#af0000"
    assert find_nearest("#15171b") == "#121212"
    assert len(list_xterm_colours()) == 240
