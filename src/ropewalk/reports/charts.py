"""Charts of a report as parts of its page: rows with a dot and a 95 % interval, narrow enough for a phone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from ..stats.svg_chart import AxisScale, svg_text

CHART_WIDTH = 380
ROW_HEIGHT, TOP_MARGIN, BOTTOM_MARGIN = 28, 8, 26
LABEL_WIDTH, NUMBER_WIDTH = 92, 52


class ChartRow(NamedTuple):
    """A row of a chart: its label, an estimate as JSON, and the estimate in figures."""

    label: str
    estimate: dict[str, Any]
    figures: str


def draw_interval_chart(title: str, rows: Sequence[ChartRow], bounds: tuple[float, float] | None, unit: str = "") -> str:
    """Return a chart as an SVG element.

    Args:
        title: What screen readers say.
        rows: The rows, the first on top.
        bounds: The ends of the axis; None: chosen by the rows.
        unit: `%` for shares, which are written as percentages.
    """
    scale = make_scale(rows, bounds)
    bottom = TOP_MARGIN + ROW_HEIGHT * len(rows)
    height = bottom + BOTTOM_MARGIN
    lines = [
        f'<svg class="chart" viewBox="0 0 {CHART_WIDTH} {height}" role="img" aria-label={quoteattr(title)}>',
        *draw_ticks(scale, bottom, unit),
        *(
            part
            for number, row in enumerate(rows)
            for part in draw_row(scale, TOP_MARGIN + ROW_HEIGHT * (number + 0.5), row)
        ),
        "</svg>",
    ]
    return "\n".join(lines)


def make_scale(rows: Sequence[ChartRow], bounds: tuple[float, float] | None) -> AxisScale:
    """Return the axis of a chart."""
    left, right = LABEL_WIDTH, CHART_WIDTH - NUMBER_WIDTH
    if bounds is not None:
        return AxisScale(*bounds, left, right)
    ends = [end for row in rows for end in row.estimate.values() if end is not None]
    low, high = min(ends), max(ends)
    padding = max(1.0, 0.05 * (high - low))
    return AxisScale(low - padding, high + padding, left, right)


def draw_ticks(scale: AxisScale, bottom: float, unit: str) -> list[str]:
    """Return grid lines with their numbers; every second number where they are many."""
    ticks = scale.tick_values()
    step = 2 if len(ticks) > 5 else 1
    lines = []
    for number, tick in enumerate(ticks):
        x = scale.position(tick)
        lines.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP_MARGIN}" y2="{bottom}"/>')
        if number % step == 0:
            text = f"{100 * tick:.0f} %" if unit == "%" else f"{tick:g}"
            lines.append(svg_text(x, bottom + 17, text, "quiet", "middle"))
    return lines


def draw_row(scale: AxisScale, y: float, row: ChartRow) -> list[str]:
    """Return label, interval, dot and figures of a row; an end without a bound reaches the end of the axis."""
    low, high = row.estimate["low"], row.estimate["high"]
    left = scale.left if low is None else scale.position(low)
    right = scale.right if high is None else scale.position(high)
    return [
        svg_text(scale.left - 8, y + 4.5, row.label, anchor="end"),
        f'<path class="bar" d="M{left:.1f} {y:.1f}H{right:.1f}"/>',
        f'<circle class="dot" cx="{scale.position(row.estimate["value"]):.1f}" cy="{y:.1f}" r="4.5"/>',
        svg_text(CHART_WIDTH - 2, y + 4.5, row.figures, anchor="end"),
    ]
