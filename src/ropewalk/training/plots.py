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

from ..arena.elo_plot import PLOT_WIDTH, SIDE_MARGIN, SVG_STYLE, AxisScale, format_signed, svg_text, truncate_label
from ..atomic_file import atomic_write
from .evaluation import GATING_THRESHOLD, SELFPLAY_NET, MatchScore
from .learner import LOSS_NAMES

FIRST_PANEL_TOP, PANEL_HEIGHT, PANEL_GAP, FOOTER_HEIGHT = 96, 210, 76, 46  # points: above, of a panel, between two, below
PLOT_LEFT, LABEL_WIDTH = 60, 150  # for the numbers on the left and the names on the right
LABEL_HEIGHT = 16  # from one name to the next
MAX_CURVE_POINTS = 400  # on a line
CURVE_COLOURS = [  # of the lines, on light and on dark pages
    ("#0969da", "#58a6ff"),
    ("#bc4c00", "#ff9f57"),
    ("#1a7f37", "#4ac26b"),
    ("#8250df", "#c297ff"),
    ("#57606a", "#afb8c1"),
]


class CurvePoint(NamedTuple):
    """A figure at a time, with the ends of its 95 % interval where it was measured by games."""

    minutes: float
    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class ChartPanel:
    """One of the pictures: lines by name over the minutes."""

    title: str
    curves: dict[str, list[CurvePoint]]
    format_value: Callable[[float], str]  # a number of the scale in figures
    max_minutes: float  # the last
    top: float
    gating_events: tuple[tuple[float, bool], ...] = ()  # when, and whether new weights were accepted

    @property
    def x_scale(self) -> AxisScale:
        """Where each minute lies."""
        return AxisScale(0, self.max_minutes, PLOT_LEFT, PLOT_WIDTH - SIDE_MARGIN - LABEL_WIDTH)

    @property
    def y_scale(self) -> AxisScale:
        """Where each value lies; 0 is always on the scale."""
        bounds = [0.0, *(end for points in self.curves.values() for point in points for end in point[1:])]
        bounds = [end for end in bounds if math.isfinite(end)]
        low, high = min(bounds), max(bounds)
        padding = 0.06 * (high - low) or 1.0
        return AxisScale(low - (padding if low < 0 else 0), high + padding, self.top + PANEL_HEIGHT, self.top)

    def render(self) -> list[str]:
        """The panel as SVG."""
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
        """Fine lines at round numbers, that at 0 stronger, and minutes below."""
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
        """A line through all points, a dot where there is one alone."""
        coordinates = [
            f"{self.x_scale.position(point.minutes):.1f} {self.y_scale.position(point.value):.1f}"
            for point in downsample(points)
        ]
        return f'<path class="{css_class} curve" d="M{"L".join(coordinates)}{"h0" if len(coordinates) == 1 else ""}"/>'

    def render_intervals(self, points: Sequence[CurvePoint], css_class: str) -> list[str]:
        """The intervals, with a dot each."""
        elements = []
        for point in points:
            if math.isfinite(point.low):
                x, y = self.x_scale.position(point.minutes), self.y_scale.position(point.value)
                low, high = self.y_scale.position(point.low), self.y_scale.position(point.high)
                elements.append(f'<path class="{css_class} error" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
                elements.append(f'<circle class="{css_class} spot" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        return elements

    def render_gating_mark(self, minutes: float, accepted: bool) -> str:
        """A mark on the lower edge: full when new weights were accepted."""
        css_class = "accepted" if accepted else "refused"
        x, y = self.x_scale.position(minutes), self.top + PANEL_HEIGHT
        return f'<circle class="{css_class}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'


def write_training_chart(output_dir: Path, title: str) -> Path | None:
    """Draw what the run's files tell; None when they tell nothing yet."""
    curve_rows, strength_rows = read_complete_rows(output_dir / "curve.csv"), read_complete_rows(output_dir / "strength.csv")
    if not curve_rows:
        return None
    path = output_dir / "curve.svg"
    with atomic_write(path) as temporary_path:
        temporary_path.write_text(render_training_chart(curve_rows, strength_rows, title), encoding="utf-8")
    return path


def read_complete_rows(path: Path) -> list[dict[str, str]]:
    """The whole lines of a file; one that was cut short is left out."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if None not in row.values() and None not in row]


def render_training_chart(curve_rows: list[dict[str, str]], strength_rows: list[dict[str, str]], title: str) -> str:
    """The picture as SVG."""
    minutes = accumulate_minutes([float(line["minutes"]) for line in curve_rows])
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
    """Panels one below the other."""
    height = panels[-1].top + PANEL_HEIGHT + FOOTER_HEIGHT
    size_attributes = f'viewBox="0 0 {PLOT_WIDTH} {height}" width="{PLOT_WIDTH}" height="{height}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size_attributes} role="img">',
        f"<title>{escape(f'{title}. {subtitle}')}</title>",
        f"<style>{SVG_STYLE}{format_curve_styles()}</style>",
        svg_text(SIDE_MARGIN, 26, title, "title"),
        svg_text(SIDE_MARGIN, 45, subtitle, "quiet"),
        *(part for panel in panels for part in panel.render()),
        svg_text((PLOT_LEFT + PLOT_WIDTH - SIDE_MARGIN - LABEL_WIDTH) / 2, height - 10, "minutes", "quiet", "middle"),
        "</svg>",
        "",
    ])  # fmt: skip


def format_curve_styles() -> str:
    """A colour for each line, a lighter one on dark pages."""
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
    """One line's curve, dots and name."""
    selector = f".line{index}"
    stroke = f"  {selector}.curve, {selector}.error {{ stroke: {colour} }}\n"
    return f"{stroke}  {selector}.spot, {selector}.name {{ fill: {colour} }}\n"


def accumulate_minutes(minutes: Sequence[float]) -> list[float]:
    """Minutes over all runs in a folder: each run counts from 0, so a fall is the beginning of the next."""
    return list(accumulate([minutes[0], *(now - before if now >= before else now for before, now in pairwise(minutes))]))


def accumulate_score_minutes(
    strength_rows: list[dict[str, str]], curve_rows: list[dict[str, str]], minutes: list[float]
) -> list[float]:
    """Minutes over all runs for each score: the games that had been played tell in which run it was."""
    games = [int(line["games"]) for line in curve_rows]
    run_offsets = [total - float(line["minutes"]) for total, line in zip(minutes, curve_rows, strict=True)]
    return [
        float(line["minutes"]) + run_offsets[bisect_left(games, int(line["games"]), hi=len(games) - 1)]
        for line in strength_rows
    ]


def build_loss_curves(curve_rows: list[dict[str, str]], minutes: list[float]) -> dict[str, list[CurvePoint]]:
    """The loss and its parts, from where learning began; a part that is always 0 is not learnt."""
    learning_rows = [(at, line) for at, line in zip(minutes, curve_rows, strict=True) if float(line["loss"]) != 0]
    curves = {loss_name: [CurvePoint(at, float(line[loss_name])) for at, line in learning_rows] for loss_name in LOSS_NAMES}
    return {loss_name: points for loss_name, points in curves.items() if any(point.value for point in points)}


def parse_score(row: dict[str, str]) -> MatchScore:
    """As strength.csv has it."""
    return MatchScore(row["opponent"], row["spec"], int(row["pairs"]), float(row["share"]), float(row["error"]))


def build_elo_curves(scores: Sequence[tuple[float, MatchScore]]) -> dict[str, list[CurvePoint]]:
    """What was measured against each bot; where there was none, what new weights got at the gates."""
    curves: dict[str, list[CurvePoint]] = {}
    for at, score in scores:
        curves.setdefault(score.opponent, []).append(CurvePoint(at, score.elo, *score.elo_bounds))
    return {name: points for name, points in curves.items() if name != SELFPLAY_NET} or curves


def downsample(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    """Not more than can be seen; the last one stays."""
    step = math.ceil(len(points) / MAX_CURVE_POINTS)
    return points[::-1][::step][::-1]


def separate_labels(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """The heights of names, moved apart where they would overlap."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    positions, min_position = list(heights), top - LABEL_HEIGHT
    for index in order:
        min_position = positions[index] = max(positions[index], min_position + LABEL_HEIGHT)
    max_position = bottom + LABEL_HEIGHT
    for index in reversed(order):
        max_position = positions[index] = min(positions[index], max_position - LABEL_HEIGHT)
    return positions
