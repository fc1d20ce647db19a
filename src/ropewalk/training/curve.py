"""How a run went, as a picture: losses over minutes, and Elo against each opponent; from curve.csv and strength.csv."""

from __future__ import annotations

import csv
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from ..arena.plot import PLOT_WIDTH, SIDE_MARGIN, SVG_STYLE, AxisScale, format_signed, svg_text, truncate_label
from ..files import atomic_write
from .learner import PARTS
from .matches import ENOUGH, PLAYER, Score

TOP, PANEL, BETWEEN, FOOT = 96, 210, 76, 46  # points: above, of a panel, between two, below
LEFT, LABELS = 60, 150  # for the numbers on the left and the names on the right
LINE = 16  # from one name to the next
MOST_POINTS = 400  # on a line
COLOURS = [  # of the lines, on light and on dark pages
    ("#0969da", "#58a6ff"),
    ("#bc4c00", "#ff9f57"),
    ("#1a7f37", "#4ac26b"),
    ("#8250df", "#c297ff"),
    ("#57606a", "#afb8c1"),
]


class Point(NamedTuple):
    """A figure at a time, with the ends of its 95 % interval where it was measured by games."""

    minutes: float
    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class Panel:
    """One of the pictures: lines by name over the minutes."""

    title: str
    lines: dict[str, list[Point]]
    mark: Callable[[float], str]  # a number of the scale in figures
    minutes: float  # the last
    top: float
    gates: tuple[tuple[float, bool], ...] = ()  # when, and whether new weights were accepted

    @property
    def across(self) -> AxisScale:
        """Where each minute lies."""
        return AxisScale(0, self.minutes, LEFT, PLOT_WIDTH - SIDE_MARGIN - LABELS)

    @property
    def upwards(self) -> AxisScale:
        """Where each value lies; 0 is always on the scale."""
        ends = [0.0, *(end for points in self.lines.values() for point in points for end in point[1:])]
        ends = [end for end in ends if math.isfinite(end)]
        low, high = min(ends), max(ends)
        air = 0.06 * (high - low) or 1.0
        return AxisScale(low - (air if low < 0 else 0), high + air, self.top + PANEL, self.top)

    def drawn(self) -> list[str]:
        """The panel as SVG."""
        parts = [svg_text(SIDE_MARGIN, self.top - 14, self.title), *self.grid()]
        heights = spread(
            [self.upwards.position(points[-1].value) for points in self.lines.values()], self.top, self.top + PANEL
        )
        for number, ((name, points), height) in enumerate(zip(self.lines.items(), heights, strict=True)):
            style = f"line{number % len(COLOURS)}"
            parts += [self.curve(points, style), *self.bars(points, style)]
            label = f"{self.mark(points[-1].value)}  {truncate_label(name)}"
            parts.append(svg_text(PLOT_WIDTH - SIDE_MARGIN - LABELS + 12, height + 4.5, label, f"{style} name number"))
        return parts + [self.gate(*gate) for gate in self.gates]

    def grid(self) -> list[str]:
        """Fine lines at round numbers, that at 0 stronger, and minutes below."""
        across, upwards = self.across, self.upwards
        parts = []
        for mark in upwards.tick_values():
            style, down = "zero" if mark == 0 else "grid", upwards.position(mark)
            parts.append(f'<path class="{style}" d="M{across.left:.1f} {down:.1f}H{across.right:.1f}"/>')
            parts.append(svg_text(across.left - 8, down + 4, self.mark(mark), "quiet number", "end"))
        for mark in across.tick_values():
            parts.append(svg_text(across.position(mark), self.top + PANEL + 18, f"{mark:g}", "quiet number", "middle"))
        return parts

    def curve(self, points: Sequence[Point], style: str) -> str:
        """A line through all points, a dot where there is one alone."""
        places = [
            f"{self.across.position(point.minutes):.1f} {self.upwards.position(point.value):.1f}"
            for point in thinned(points)
        ]
        return f'<path class="{style} curve" d="M{"L".join(places)}{"h0" if len(places) == 1 else ""}"/>'

    def bars(self, points: Sequence[Point], style: str) -> list[str]:
        """The intervals, with a dot each."""
        bars = []
        for point in points:
            if math.isfinite(point.low):
                x, y = self.across.position(point.minutes), self.upwards.position(point.value)
                low, high = self.upwards.position(point.low), self.upwards.position(point.high)
                bars.append(f'<path class="{style} error" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
                bars.append(f'<circle class="{style} spot" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        return bars

    def gate(self, minutes: float, accepted: bool) -> str:
        """A mark on the lower edge: full when new weights were accepted."""
        look = "accepted" if accepted else "refused"
        return f'<circle class="{look}" cx="{self.across.position(minutes):.1f}" cy="{self.top + PANEL:.1f}" r="4"/>'


def write_curve(folder: Path, title: str) -> Path | None:
    """Draw what the run's files tell; None when they tell nothing yet."""
    curve, strength = read_csv(folder / "curve.csv"), read_csv(folder / "strength.csv")
    if not curve:
        return None
    path = folder / "curve.svg"
    with atomic_write(path) as beside:
        beside.write_text(picture(curve, strength, title), encoding="utf-8")
    return path


def read_csv(path: Path) -> list[dict[str, str]]:
    """The whole lines of a file; one that was cut short is left out."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [line for line in csv.DictReader(file) if None not in line.values() and None not in line]


def picture(curve: list[dict[str, str]], strength: list[dict[str, str]], title: str) -> str:
    """The picture as SVG."""
    minutes = running_minutes([float(line["minutes"]) for line in curve])
    times = times_of(strength, curve, minutes)
    last = max(minutes[-1], *times, 1e-3)
    panels = [Panel("loss and its parts", losses(curve, minutes), "{:.3g}".format, last, TOP)]
    scores = list(zip(times, map(score_of, strength), strict=True))
    if scores:
        gates = tuple((at, score.share >= ENOUGH) for at, score in scores if score.opponent == PLAYER)
        words = "Elo above each opponent, with 95 % intervals" + ("; dots below: gates, full when accepted" if gates else "")
        panels.append(Panel(words, elo_lines(scores), format_signed, last, TOP + PANEL + BETWEEN, gates))
    return page(panels, title, f"{last:,.1f} minutes, {int(curve[-1]['games']):,} games, {int(curve[-1]['steps']):,} steps")


def page(panels: list[Panel], title: str, subtitle: str) -> str:
    """Panels one below the other."""
    height = panels[-1].top + PANEL + FOOT
    size = f'viewBox="0 0 {PLOT_WIDTH} {height}" width="{PLOT_WIDTH}" height="{height}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(f'{title}. {subtitle}')}</title>",
        f"<style>{SVG_STYLE}{line_styles()}</style>",
        svg_text(SIDE_MARGIN, 26, title, "title"),
        svg_text(SIDE_MARGIN, 45, subtitle, "quiet"),
        *(part for panel in panels for part in panel.drawn()),
        svg_text((LEFT + PLOT_WIDTH - SIDE_MARGIN - LABELS) / 2, height - 10, "minutes", "quiet", "middle"),
        "</svg>",
        "",
    ])  # fmt: skip


def line_styles() -> str:
    """A colour for each line, a lighter one on dark pages."""
    shape = """
  .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
  .error { stroke-width: 1.5; stroke-opacity: .6 }
  .accepted { fill: #1a7f37; stroke: #1a7f37; stroke-width: 1.5 }
  .refused { fill: #ffffff; stroke: #bc4c00; stroke-width: 1.5 }
"""
    light, dark = ("".join(coloured(number, pair[shade]) for number, pair in enumerate(COLOURS)) for shade in (0, 1))
    return f"{shape}{light}  @media (prefers-color-scheme: dark) {{\n{dark}  }}\n"


def coloured(number: int, colour: str) -> str:
    """One line's curve, dots and name."""
    line = f".line{number}"
    return f"  {line}.curve, {line}.error {{ stroke: {colour} }}\n  {line}.spot, {line}.name {{ fill: {colour} }}\n"


def running_minutes(minutes: Sequence[float]) -> list[float]:
    """Minutes over all runs in a folder: each run counts from 0, so a fall is the beginning of the next."""
    return list(accumulate([minutes[0], *(now - before if now >= before else now for before, now in pairwise(minutes))]))


def times_of(strength: list[dict[str, str]], curve: list[dict[str, str]], minutes: list[float]) -> list[float]:
    """Minutes over all runs for each score: the games that had been played tell in which run it was."""
    games = [int(line["games"]) for line in curve]
    before = [over_all - float(line["minutes"]) for over_all, line in zip(minutes, curve, strict=True)]
    return [float(line["minutes"]) + before[bisect_left(games, int(line["games"]), hi=len(games) - 1)] for line in strength]


def losses(curve: list[dict[str, str]], minutes: list[float]) -> dict[str, list[Point]]:
    """The loss and its parts, from where learning began; a part that is always 0 is not learnt."""
    learnt = [(at, line) for at, line in zip(minutes, curve, strict=True) if float(line["loss"]) != 0]
    lines = {part: [Point(at, float(line[part])) for at, line in learnt] for part in PARTS}
    return {part: points for part, points in lines.items() if any(point.value for point in points)}


def score_of(line: dict[str, str]) -> Score:
    """As strength.csv has it."""
    return Score(line["opponent"], line["spec"], int(line["pairs"]), float(line["share"]), float(line["error"]))


def elo_lines(scores: Sequence[tuple[float, Score]]) -> dict[str, list[Point]]:
    """What was measured against each bot; where there was none, what new weights got at the gates."""
    lines: dict[str, list[Point]] = {}
    for at, score in scores:
        lines.setdefault(score.opponent, []).append(Point(at, score.elo, *score.elo_bounds))
    return {name: points for name, points in lines.items() if name != PLAYER} or lines


def thinned(points: Sequence[Point]) -> Sequence[Point]:
    """Not more than can be seen; the last one stays."""
    step = math.ceil(len(points) / MOST_POINTS)
    return points[::-1][::step][::-1]


def spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """The heights of names, moved apart where they would overlap."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    places, lowest = list(heights), top - LINE
    for index in order:
        lowest = places[index] = max(places[index], lowest + LINE)
    highest = bottom + LINE
    for index in reversed(order):
        highest = places[index] = min(places[index], highest - LINE)
    return places
