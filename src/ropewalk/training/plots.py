"""Training chart (SVG): losses and Elo against each opponent over minutes, from curve.csv and strength.csv."""

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

from ..atomic_file import atomic_write
from ..stats.svg_chart import PLOT_WIDTH, SIDE_MARGIN, SVG_STYLE, AxisScale, format_signed, svg_text, truncate_label
from .evaluation import GATING_THRESHOLD, SELFPLAY_NET, MatchScore
from .learner import LOSS_NAMES

FIRST_PANEL_TOP, PANEL_HEIGHT, PANEL_GAP, FOOTER_HEIGHT = 96, 210, 76, 46  # SVG units
PLOT_LEFT, LABEL_WIDTH = 60, 150  # space for tick labels on the left, for curve names on the right
LABEL_HEIGHT = 16  # minimum distance of curve names
MAX_CURVE_POINTS = 400
CURVE_COLOURS = [  # (light theme, dark theme)
    ("#0969da", "#58a6ff"),
    ("#bc4c00", "#ff9f57"),
    ("#1a7f37", "#4ac26b"),
    ("#8250df", "#c297ff"),
    ("#57606a", "#afb8c1"),
]


class CurvePoint(NamedTuple):
    """A value at a time; `low` and `high` are its 95 % interval, NaN for losses."""

    minutes: float
    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class ChartPanel:
    """One panel of the chart: named curves over minutes."""

    title: str
    curves: dict[str, list[CurvePoint]]
    format_value: Callable[[float], str]  # for tick and curve labels
    max_minutes: float
    top: float  # y of the upper edge
    gating_events: tuple[tuple[float, bool], ...] = ()  # (minutes, accepted)

    @property
    def x_scale(self) -> AxisScale:
        """Scale from minutes to x."""
        return AxisScale(0, self.max_minutes, PLOT_LEFT, PLOT_WIDTH - SIDE_MARGIN - LABEL_WIDTH)

    @property
    def y_scale(self) -> AxisScale:
        """Scale from values to y; 0 is always included."""
        bounds = [0.0, *(end for points in self.curves.values() for point in points for end in point[1:])]
        bounds = [end for end in bounds if math.isfinite(end)]
        low, high = min(bounds), max(bounds)
        padding = 0.06 * (high - low) or 1.0
        return AxisScale(low - (padding if low < 0 else 0), high + padding, self.top + PANEL_HEIGHT, self.top)

    def render(self) -> list[str]:
        """Return the panel as SVG elements."""
        elements = [svg_text(SIDE_MARGIN, self.top - 14, self.title), *self.render_grid()]
        label_heights = separate_labels(
            [self.y_scale.position(points[-1].value) for points in self.curves.values()], self.top, self.top + PANEL_HEIGHT
        )
        for index, ((name, points), label_height) in enumerate(zip(self.curves.items(), label_heights, strict=True)):
            css_class = f"line{index % len(CURVE_COLOURS)}"
            elements += [self.render_curve(points, css_class), *self.render_intervals(points, css_class)]
            label = f"{self.format_value(points[-1].value)}  {truncate_label(name)}"
            elements.append(
                svg_text(PLOT_WIDTH - SIDE_MARGIN - LABEL_WIDTH + 12, label_height + 4.5, label, f"{css_class} name number")
            )
        return elements + [self.render_gating_mark(*event) for event in self.gating_events]

    def render_grid(self) -> list[str]:
        """Return horizontal grid lines with their labels, and the labels of the x axis."""
        x_scale, y_scale = self.x_scale, self.y_scale
        elements = []
        for tick in y_scale.tick_values():
            css_class, y = "zero" if tick == 0 else "grid", y_scale.position(tick)
            elements.append(f'<path class="{css_class}" d="M{x_scale.left:.1f} {y:.1f}H{x_scale.right:.1f}"/>')
            elements.append(svg_text(x_scale.left - 8, y + 4, self.format_value(tick), "quiet number", "end"))
        for tick in x_scale.tick_values():
            elements.append(
                svg_text(x_scale.position(tick), self.top + PANEL_HEIGHT + 18, f"{tick:g}", "quiet number", "middle")
            )
        return elements

    def render_curve(self, points: Sequence[CurvePoint], css_class: str) -> str:
        """Return the curve as a path; a single point becomes a dot."""
        coordinates = [
            f"{self.x_scale.position(point.minutes):.1f} {self.y_scale.position(point.value):.1f}"
            for point in downsample(points)
        ]
        return f'<path class="{css_class} curve" d="M{"L".join(coordinates)}{"h0" if len(coordinates) == 1 else ""}"/>'

    def render_intervals(self, points: Sequence[CurvePoint], css_class: str) -> list[str]:
        """Return a bar and a dot for each point with an interval."""
        elements = []
        for point in points:
            if math.isfinite(point.low):
                x, y = self.x_scale.position(point.minutes), self.y_scale.position(point.value)
                low, high = self.y_scale.position(point.low), self.y_scale.position(point.high)
                elements.append(f'<path class="{css_class} error" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
                elements.append(f'<circle class="{css_class} spot" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        return elements

    def render_gating_mark(self, minutes: float, accepted: bool) -> str:
        """Return a dot on the lower edge, filled if the candidate was accepted."""
        css_class = "accepted" if accepted else "refused"
        x, y = self.x_scale.position(minutes), self.top + PANEL_HEIGHT
        return f'<circle class="{css_class}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def write_training_chart(output_dir: Path, title: str) -> Path | None:
    """Write curve.svg and return its path; None if curve.csv has no complete row."""
    curve_rows, strength_rows = read_complete_rows(output_dir / "curve.csv"), read_complete_rows(output_dir / "strength.csv")
    if not curve_rows:
        return None
    path = output_dir / "curve.svg"
    with atomic_write(path) as temporary_path:
        temporary_path.write_text(render_training_chart(curve_rows, strength_rows, title), encoding="utf-8")
    return path


def read_complete_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file without incomplete ones; none if the file does not exist."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if None not in row.values() and None not in row]


def render_training_chart(curve_rows: list[dict[str, str]], strength_rows: list[dict[str, str]], title: str) -> str:
    """Return the chart as an SVG document."""
    minutes = accumulate_minutes([float(row["minutes"]) for row in curve_rows])
    score_minutes = accumulate_score_minutes(strength_rows, curve_rows, minutes)
    max_minutes = max(minutes[-1], *score_minutes, 1e-3)
    panels = [
        ChartPanel(
            "loss and its parts", build_loss_curves(curve_rows, minutes), "{:.3g}".format, max_minutes, FIRST_PANEL_TOP
        )
    ]
    scores = list(zip(score_minutes, map(parse_score, strength_rows), strict=True))
    if scores:
        gating_events = tuple(
            (at, score.share >= GATING_THRESHOLD) for at, score in scores if score.opponent == SELFPLAY_NET
        )
        panel_title = "Elo above each opponent, with 95 % intervals" + (
            "; dots below: gates, full when accepted" if gating_events else ""
        )
        panels.append(
            ChartPanel(
                panel_title,
                build_elo_curves(scores),
                format_signed,
                max_minutes,
                FIRST_PANEL_TOP + PANEL_HEIGHT + PANEL_GAP,
                gating_events,
            )
        )
    return render_page(
        panels,
        title,
        f"{max_minutes:,.1f} minutes, {int(curve_rows[-1]['games']):,} games, {int(curve_rows[-1]['steps']):,} steps",
    )


def render_page(panels: list[ChartPanel], title: str, subtitle: str) -> str:
    """Return an SVG document with the panels one below the other."""
    height = panels[-1].top + PANEL_HEIGHT + FOOTER_HEIGHT
    size_attributes = f'viewBox="0 0 {PLOT_WIDTH} {height}" width="{PLOT_WIDTH}" height="{height}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size_attributes} role="img">',
        f"<title>{escape(f'{title}. {subtitle}')}</title>",
        f"<style>{SVG_STYLE}{format_curve_styles()}</style>",
        svg_text(SIDE_MARGIN, 26, title, "title"),
        svg_text(SIDE_MARGIN, 45, subtitle, "quiet"),
        *(element for panel in panels for element in panel.render()),
        svg_text((PLOT_LEFT + PLOT_WIDTH - SIDE_MARGIN - LABEL_WIDTH) / 2, height - 10, "minutes", "quiet", "middle"),
        "</svg>",
        "",
    ])  # fmt: skip


def format_curve_styles() -> str:
    """Return the CSS rules of the curves for the light and the dark theme."""
    common_styles = """
  .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
  .error { stroke-width: 1.5; stroke-opacity: .6 }
  .accepted { fill: #1a7f37; stroke: #1a7f37; stroke-width: 1.5 }
  .refused { fill: #ffffff; stroke: #bc4c00; stroke-width: 1.5 }
"""
    light, dark = (
        "".join(format_curve_style(index, pair[theme]) for index, pair in enumerate(CURVE_COLOURS)) for theme in (0, 1)
    )
    return f"{common_styles}{light}  @media (prefers-color-scheme: dark) {{\n{dark}  }}\n"


def format_curve_style(index: int, colour: str) -> str:
    """Return the CSS rules of one curve, its intervals, dots and name."""
    selector = f".line{index}"
    stroke = f"  {selector}.curve, {selector}.error {{ stroke: {colour} }}\n"
    return f"{stroke}  {selector}.spot, {selector}.name {{ fill: {colour} }}\n"


def accumulate_minutes(minutes: Sequence[float]) -> list[float]:
    """Return minutes summed over all runs in a folder; each run counts from 0, so a decrease starts the next run."""
    increments = (current - previous if current >= previous else current for previous, current in pairwise(minutes))
    return list(accumulate([minutes[0], *increments]))


def accumulate_score_minutes(
    strength_rows: list[dict[str, str]], curve_rows: list[dict[str, str]], minutes: list[float]
) -> list[float]:
    """Return the summed minutes of each score; its number of games identifies the run."""
    games = [int(row["games"]) for row in curve_rows]
    run_offsets = [total - float(row["minutes"]) for total, row in zip(minutes, curve_rows, strict=True)]
    return [
        float(row["minutes"]) + run_offsets[bisect_left(games, int(row["games"]), hi=len(games) - 1)]
        for row in strength_rows
    ]


def build_loss_curves(curve_rows: list[dict[str, str]], minutes: list[float]) -> dict[str, list[CurvePoint]]:
    """Return the loss curves by name from the first training step on; losses that are always 0 are left out."""
    learning_rows = [(at, row) for at, row in zip(minutes, curve_rows, strict=True) if float(row["loss"]) != 0]
    curves = {loss_name: [CurvePoint(at, float(row[loss_name])) for at, row in learning_rows] for loss_name in LOSS_NAMES}
    return {loss_name: points for loss_name, points in curves.items() if any(point.value for point in points)}


def parse_score(row: dict[str, str]) -> MatchScore:
    """Return the score in a row of strength.csv."""
    return MatchScore(row["opponent"], row["spec"], int(row["pairs"]), float(row["share"]), float(row["error"]))


def build_elo_curves(scores: Sequence[tuple[float, MatchScore]]) -> dict[str, list[CurvePoint]]:
    """Return the Elo curve against each bot; the gating scores if there was no match against a bot."""
    curves: dict[str, list[CurvePoint]] = {}
    for at, score in scores:
        curves.setdefault(score.opponent, []).append(CurvePoint(at, score.elo, *score.elo_bounds))
    return {name: points for name, points in curves.items() if name != SELFPLAY_NET} or curves


def downsample(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    """Return at most MAX_CURVE_POINTS evenly spaced points, the last one included."""
    step = math.ceil(len(points) / MAX_CURVE_POINTS)
    return points[::-1][::step][::-1]


def separate_labels(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return label heights at least LABEL_HEIGHT apart, moved as little as needed within `top` and `bottom`."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    positions, min_position = list(heights), top - LABEL_HEIGHT
    for index in order:
        min_position = positions[index] = max(positions[index], min_position + LABEL_HEIGHT)
    max_position = bottom + LABEL_HEIGHT
    for index in reversed(order):
        max_position = positions[index] = min(positions[index], max_position - LABEL_HEIGHT)
    return positions
