"""The Elo plot of a tournament as SVG: one row per bot with a dot and a 95 % interval, the strongest bot on top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from ..stats.elo import Estimate
from ..stats.svg_chart import PLOT_WIDTH, SIDE_MARGIN, SVG_STYLE, AxisScale, format_signed, svg_text, truncate_label
from .standings import Standings

ROW_HEIGHT = 30
TOP_MARGIN, BOTTOM_MARGIN = 66, 50
NUMBERS_WIDTH = 110  # of the column of ratings on the right
LETTER_WIDTH = 8.2  # an upper bound of the mean width of a label's characters


def render_elo_plot(standings: Standings, title: str, subtitle: str) -> str:
    """Return the plot as an SVG document. Elo is relative to the first bot of the standings."""
    order = sorted(range(len(standings.bots)), key=lambda bot: -standings.ratings[bot].value)
    labels = [truncate_label(standings.bots[bot]) for bot in order]
    ratings = [standings.ratings[bot] for bot in order]
    scale = make_scale(ratings, max(map(len, labels)))
    height = TOP_MARGIN + ROW_HEIGHT * len(order) + BOTTOM_MARGIN
    size = f'viewBox="0 0 {PLOT_WIDTH} {height}" width="{PLOT_WIDTH}" height="{height}"'
    caption = f"Elo above {truncate_label(standings.bots[0])}; bars are 95 % intervals"
    caption += "; an arrow: who wins or loses all has no bound" if not all(rating.is_bounded for rating in ratings) else ""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(f'{title}. {subtitle}')}</title>",
        f"<style>{SVG_STYLE}</style>",
        svg_text(SIDE_MARGIN, 26, title, "title"),
        svg_text(SIDE_MARGIN, 45, subtitle, "quiet"),
        *render_scale(scale, height - BOTTOM_MARGIN),
        *(part for row, (label, rating) in enumerate(zip(labels, ratings, strict=True))
          for part in render_row(scale, TOP_MARGIN + ROW_HEIGHT * (row + 0.5), label, rating)),
        svg_text(SIDE_MARGIN, height - 10, caption, "quiet"),
        "</svg>",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def make_scale(ratings: Sequence[Estimate], label_length: int) -> AxisScale:
    """Return the x axis: it covers all finite ends of intervals, between the labels and the column of ratings."""
    ends = [end for rating in ratings for end in vars(rating).values() if math.isfinite(end)]
    low, high = min(ends), max(ends)
    padding = max(10.0, 0.05 * (high - low))
    return AxisScale(
        low - padding,
        high + padding,
        SIDE_MARGIN + LETTER_WIDTH * label_length + 14,
        PLOT_WIDTH - SIDE_MARGIN - NUMBERS_WIDTH,
    )


def render_scale(scale: AxisScale, bottom: float) -> list[str]:
    """Return a vertical grid line and a number for every tick; the line at 0 has a class of its own."""
    lines = []
    for tick in scale.tick_values():
        x = scale.position(tick)
        css_class = "zero" if tick == 0 else "grid"
        lines.append(f'<line class="{css_class}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP_MARGIN}" y2="{bottom}"/>')
        lines.append(svg_text(x, bottom + 17, format_signed(tick), "quiet number", "middle"))
    return lines


def render_row(scale: AxisScale, y: float, label: str, rating: Estimate) -> list[str]:
    """Return the elements of one bot: label, interval, dot (if both ends are finite) and rating in figures."""
    parts = [svg_text(scale.left - 14, y + 4.5, label, anchor="end")]
    if rating.high > rating.low:
        parts.append(f'<path class="bar" d="{render_bar_path(scale, y, rating)}"/>')
    if rating.is_bounded:
        parts.append(f'<circle class="dot" cx="{scale.position(rating.value):.1f}" cy="{y:.1f}" r="4.5"/>')
    return [*parts, svg_text(PLOT_WIDTH - SIDE_MARGIN, y + 4.5, format_rating(rating), "number", "end")]


def render_bar_path(scale: AxisScale, y: float, rating: Estimate) -> str:
    """Return the path of an interval, with a tick at a finite end and an arrowhead at an infinite one."""
    left = scale.position(rating.low) if math.isfinite(rating.low) else scale.left
    right = scale.position(rating.high) if math.isfinite(rating.high) else scale.right
    path = f"M{left:.1f} {y:.1f}H{right:.1f}"
    for end, bound, inwards in ((left, rating.low, 6), (right, rating.high, -6)):
        if math.isfinite(bound):
            path += f"M{end:.1f} {y - 4:.1f}v8"
        else:
            path += f"M{end + inwards:.1f} {y - 4:.1f}L{end:.1f} {y:.1f}l{inwards} 4"
    return path


def format_rating(rating: Estimate) -> str:
    """Return "+12 ± 20", the bound on the finite side as "> +300", or "unknown" without a finite end."""
    if rating.high == rating.low:
        return format_signed(rating.value)
    if rating.is_bounded:
        return f"{format_signed(rating.value)} \N{PLUS-MINUS SIGN} {(rating.high - rating.low) / 2:.0f}"
    if math.isfinite(rating.low):
        return f"> {format_signed(rating.low)}"
    return f"< {format_signed(rating.high)}" if math.isfinite(rating.high) else "unknown"
