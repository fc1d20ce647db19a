"""The Elo plot: well-formed SVG, elements inside the picture, ticks and numbers."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from ropewalk.arena.elo_plot import format_rating, render_elo_plot
from ropewalk.arena.standings import Standings
from ropewalk.stats.elo import Estimate
from ropewalk.stats.svg_chart import AxisScale

SVG = "{http://www.w3.org/2000/svg}"


def make_standings(**ratings: Estimate) -> Standings:
    count = len(ratings)
    return Standings(tuple(ratings), (), tuple(ratings.values()), (Counter(),) * count, (0.0,) * count)


def test_the_strongest_is_on_top_and_dots_lie_where_their_elo_is() -> None:
    svg = render_elo_plot(
        make_standings(a=Estimate(0, 0, 0), b=Estimate(100, 60, 150), c=Estimate(-40, -90, 10)), "Tether", "x & <y>"
    )
    root = ElementTree.fromstring(svg)
    names = [text.text for text in root.iter(f"{SVG}text") if text.text in ("a", "b", "c")]
    assert names == ["b", "a", "c"]
    coordinates = [float(circle.attrib["cx"]) for circle in root.iter(f"{SVG}circle")]
    assert (coordinates[0] - coordinates[1]) / (coordinates[1] - coordinates[2]) == pytest.approx(2.5, abs=0.01)
    assert "prefers-color-scheme: dark" in svg
    assert "x & <y>" in [text.text for text in root.iter(f"{SVG}text")]


def test_all_lies_within_the_picture() -> None:
    ratings = {"x" * 80: Estimate(0, 0, 0), "b": Estimate(3000, 2000, math.inf), "c": Estimate(-3000, -math.inf, -2500)}
    root = ElementTree.fromstring(render_elo_plot(make_standings(**ratings), "t", "s"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter():
        coordinates = [float(element.attrib[key]) for key in ("x", "x1", "x2", "cx") if key in element.attrib]
        assert all(0 <= coordinate <= width for coordinate in coordinates)
        coordinates = [float(element.attrib[key]) for key in ("y", "y1", "y2", "cy") if key in element.attrib]
        assert all(0 <= coordinate <= height for coordinate in coordinates)
    assert max(len(text.text or "") for text in root.iter(f"{SVG}text") if text.attrib.get("text-anchor") == "end") == 34


@pytest.mark.parametrize(("low", "high"), [(-10, 10), (-3, 2000), (-123.4, 5.6), (0, 1e5)])
def test_a_scale_has_a_few_round_marks(low: float, high: float) -> None:
    ticks = AxisScale(low, high, 0, 100).tick_values()
    assert 3 <= len(ticks) <= 9
    assert low <= ticks[0] < ticks[-1] <= high
    assert {float(f"{later - tick:.6g}") for tick, later in pairwise(ticks)} == {ticks[1] - ticks[0]}


def test_numbers_say_what_is_known() -> None:
    assert format_rating(Estimate(0, 0, 0)) == "0"
    assert format_rating(Estimate(12.4, -7.6, 32.4)) == "+12 ± 20"
    assert format_rating(Estimate(-12.4, -32.4, 7.6)) == "\N{MINUS SIGN}12 ± 20"
    assert format_rating(Estimate(500, 300, math.inf)) == "> +300"
    assert format_rating(Estimate(-500, -math.inf, -300)) == "< \N{MINUS SIGN}300"
    assert format_rating(Estimate(0, -math.inf, math.inf)) == "unknown"
