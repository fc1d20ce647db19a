"""Colours of user interfaces: text that can be read in both themes, and a style sheet with all of them."""

from __future__ import annotations

import re

import pytest

from ropewalk.diagrams.interface_colours import INTERFACE_COLOURS, format_style_sheet, format_translucent, list_colours
from ropewalk.diagrams.themes import DARK, LIGHT, Theme
from tests.support.contrast import contrast

every_theme = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def test_both_themes_have_the_same_roles() -> None:
    assert list(INTERFACE_COLOURS["light"]) == list(INTERFACE_COLOURS["dark"])
    assert list(list_colours(LIGHT)) == list(list_colours(DARK))
    assert not set(LIGHT.colours) & set(INTERFACE_COLOURS["light"]), "each role is defined once"


@every_theme
def test_text_of_the_page_can_be_read(theme: Theme) -> None:
    colours = list_colours(theme)
    for ground in ("paper", "raised", "sunk"):
        for text in ("ink", "soft", "faint", "accent"):
            assert contrast(colours[ground], colours[text]) > 4.5, (ground, text)
    assert contrast(colours["accent"], colours["on accent"]) > 4.5


@every_theme
def test_the_cursor_and_choices_stand_out(theme: Theme) -> None:
    colours = list_colours(theme)
    assert contrast(colours["paper"], colours["cursor"]) > 3
    assert contrast(colours["paper"], colours["choice"]) > 3


def test_the_style_sheet_has_a_variable_for_every_role_and_paint() -> None:
    text = format_style_sheet()
    assert "  --paper: light-dark(#fdfbf7, #15171b);" in text
    variables = re.findall(r"^  --([a-z-]+): ", text.split("}")[0], re.MULTILINE)
    assert variables == [*(role.replace(" ", "-") for role in list_colours(LIGHT)), "cell-line", "shadow"]
    assert re.findall(r"^\.([a-z-]+) \{", text, re.MULTILINE) == [name.replace(" ", "-") for name in LIGHT.paints]
    assert ".blue-disc {\n  --body: light-dark(#4f86b8, #4a83b8);" in text


def test_a_translucent_colour_is_written_as_css() -> None:
    assert format_translucent("#6b5836", 0.5) == "rgb(107 88 54 / 0.5)"
