"""The Elo of bots as a picture: a dot and a 95 % bar each, the strongest on top; legible on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from ..stats.elo import Estimate
from .standings import Standings

ROW_HEIGHT = 30  # points from one bot to the next
TOP_MARGIN, BOTTOM_MARGIN, SIDE_MARGIN = 66, 50, 20
PLOT_WIDTH, NUMBERS_WIDTH = 720, 110  # of the picture; of the column of numbers
LETTER_WIDTH = 8.2  # an ample width for a letter of the labels
MAX_LABEL_LENGTH = 34  # letters
MAX_TICKS = 8  # on the scale

SVG_STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .quiet { font-size: 12px; fill: #656d76 }
  .number { font-variant-numeric: tabular-nums }
  .grid { stroke: #8c959f; stroke-opacity: .3 }
  .zero { stroke: #8c959f; stroke-opacity: .9 }
  .bar { stroke: #0969da; stroke-width: 2; stroke-linecap: round; fill: none }
  .dot { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .bar { stroke: #58a6ff }
    .dot { fill: #58a6ff }
  }
"""


@dataclass(frozen=True)
class AxisScale:
    """Where each Elo lies on the picture."""

    low: float
    high: float
    left: float
    right: float

    def position(self, value: float) -> float:
        """Points from the left."""
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)

    def tick_values(self) -> list[float]:
        """Round numbers along the scale, not too many."""
        min_step = (self.high - self.low) / MAX_TICKS
        power = 10 ** math.floor(math.log10(min_step))
        step = next(power * multiple for multiple in (1, 2, 5, 10) if power * multiple >= min_step)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def render_elo_plot(standings: Standings, title: str, subtitle: str) -> str:
    """The picture as SVG."""
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
    """A scale with room for all bars, beside the labels."""
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
    """Fine lines at round numbers, the one at 0 stronger."""
    lines = []
    for tick in scale.tick_values():
        x = scale.position(tick)
        style = "zero" if tick == 0 else "grid"
        lines.append(f'<line class="{style}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP_MARGIN}" y2="{bottom}"/>')
        lines.append(svg_text(x, bottom + 17, format_signed(tick), "quiet number", "middle"))
    return lines


def render_row(scale: AxisScale, y: float, label: str, rating: Estimate) -> list[str]:
    """A bot: its name, its bar and dot, its number."""
    parts = [svg_text(scale.left - 14, y + 4.5, label, anchor="end")]
    if rating.high > rating.low:
        parts.append(f'<path class="bar" d="{render_bar_path(scale, y, rating)}"/>')
    if rating.is_bounded:
        parts.append(f'<circle class="dot" cx="{scale.position(rating.value):.1f}" cy="{y:.1f}" r="4.5"/>')
    return [*parts, svg_text(PLOT_WIDTH - SIDE_MARGIN, y + 4.5, format_rating(rating), "number", "end")]


def render_bar_path(scale: AxisScale, y: float, rating: Estimate) -> str:
    """A line from end to end, with a tick at a known end and the head of an arrow at an open one."""
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
    """A rating in figures."""
    if rating.high == rating.low:
        return format_signed(rating.value)
    if rating.is_bounded:
        return f"{format_signed(rating.value)} \N{PLUS-MINUS SIGN} {(rating.high - rating.low) / 2:.0f}"
    if math.isfinite(rating.low):
        return f"> {format_signed(rating.low)}"
    return f"< {format_signed(rating.high)}" if math.isfinite(rating.high) else "unknown"


def format_signed(elo: float) -> str:
    """A whole number with its sign, a proper minus, and none for 0."""
    return "0" if round(elo) == 0 else f"{elo:+.0f}".replace("-", "\N{MINUS SIGN}")


def svg_text(x: float, y: float, text: str, style: str = "", anchor: str = "start") -> str:
    """A text."""
    attributes = (f' class="{style}"' if style else "") + (f' text-anchor="{anchor}"' if anchor != "start" else "")
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(text)}</text>'


def truncate_label(label: str) -> str:
    """A name that leaves room for the picture."""
    return label if len(label) <= MAX_LABEL_LENGTH else label[: MAX_LABEL_LENGTH - 1] + "\N{HORIZONTAL ELLIPSIS}"
