"""The Elo of bots as a picture: a dot and a 95 % bar each, the strongest on top; legible on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from .elo import Estimate
from .standings import Standings

ROW = 30  # points from one bot to the next
TOP, BOTTOM, MARGIN = 66, 50, 20
WIDTH, NUMBERS = 720, 110  # of the picture; of the column of numbers
LETTER = 8.2  # an ample width for a letter of the labels
LONGEST_LABEL = 34  # letters
MOST_MARKS = 8  # on the scale

STYLE = """
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
class Scale:
    """Where each Elo lies on the picture."""

    low: float
    high: float
    left: float
    right: float

    def at(self, elo: float) -> float:
        """Points from the left."""
        return self.left + (elo - self.low) / (self.high - self.low) * (self.right - self.left)

    def marks(self) -> list[float]:
        """Round numbers along the scale, not too many."""
        rough = (self.high - self.low) / MOST_MARKS
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def plot(standings: Standings, title: str, subtitle: str) -> str:
    """The picture as SVG."""
    order = sorted(range(len(standings.bots)), key=lambda bot: -standings.ratings[bot].value)
    labels = [shortened(standings.bots[bot]) for bot in order]
    rated = [standings.ratings[bot] for bot in order]
    scale = scale_for(rated, max(map(len, labels)))
    height = TOP + ROW * len(order) + BOTTOM
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    foot = f"Elo above {shortened(standings.bots[0])}; bars are 95 % intervals"
    foot += "; an arrow: who wins or loses all has no bound" if not all(rating.is_bounded for rating in rated) else ""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(f'{title}. {subtitle}')}</title>",
        f"<style>{STYLE}</style>",
        written(MARGIN, 26, title, "title"),
        written(MARGIN, 45, subtitle, "quiet"),
        *drawn_scale(scale, height - BOTTOM),
        *(part for row, (label, rating) in enumerate(zip(labels, rated, strict=True))
          for part in drawn_row(scale, TOP + ROW * (row + 0.5), label, rating)),
        written(MARGIN, height - 10, foot, "quiet"),
        "</svg>",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def scale_for(rated: Sequence[Estimate], longest: int) -> Scale:
    """A scale with room for all bars, beside the labels."""
    ends = [end for rating in rated for end in vars(rating).values() if math.isfinite(end)]
    low, high = min(ends), max(ends)
    air = max(10.0, 0.05 * (high - low))
    return Scale(low - air, high + air, MARGIN + LETTER * longest + 14, WIDTH - MARGIN - NUMBERS)


def drawn_scale(scale: Scale, bottom: float) -> list[str]:
    """Fine lines at round numbers, the one at 0 stronger."""
    lines = []
    for mark in scale.marks():
        across = scale.at(mark)
        style = "zero" if mark == 0 else "grid"
        lines.append(f'<line class="{style}" x1="{across:.1f}" x2="{across:.1f}" y1="{TOP}" y2="{bottom}"/>')
        lines.append(written(across, bottom + 17, signed(mark), "quiet number", "middle"))
    return lines


def drawn_row(scale: Scale, down: float, label: str, rating: Estimate) -> list[str]:
    """A bot: its name, its bar and dot, its number."""
    parts = [written(scale.left - 14, down + 4.5, label, anchor="end")]
    if rating.high > rating.low:
        parts.append(f'<path class="bar" d="{bar(scale, down, rating)}"/>')
    if rating.is_bounded:
        parts.append(f'<circle class="dot" cx="{scale.at(rating.value):.1f}" cy="{down:.1f}" r="4.5"/>')
    return [*parts, written(WIDTH - MARGIN, down + 4.5, number(rating), "number", "end")]


def bar(scale: Scale, down: float, rating: Estimate) -> str:
    """A line from end to end, with a tick at a known end and the head of an arrow at an open one."""
    left = scale.at(rating.low) if math.isfinite(rating.low) else scale.left
    right = scale.at(rating.high) if math.isfinite(rating.high) else scale.right
    path = f"M{left:.1f} {down:.1f}H{right:.1f}"
    for end, bound, inwards in ((left, rating.low, 6), (right, rating.high, -6)):
        if math.isfinite(bound):
            path += f"M{end:.1f} {down - 4:.1f}v8"
        else:
            path += f"M{end + inwards:.1f} {down - 4:.1f}L{end:.1f} {down:.1f}l{inwards} 4"
    return path


def number(rating: Estimate) -> str:
    """A rating in figures."""
    if rating.high == rating.low:
        return signed(rating.value)
    if rating.is_bounded:
        return f"{signed(rating.value)} \N{PLUS-MINUS SIGN} {(rating.high - rating.low) / 2:.0f}"
    if math.isfinite(rating.low):
        return f"> {signed(rating.low)}"
    return f"< {signed(rating.high)}" if math.isfinite(rating.high) else "unknown"


def signed(elo: float) -> str:
    """A whole number with its sign, a proper minus, and none for 0."""
    return "0" if round(elo) == 0 else f"{elo:+.0f}".replace("-", "\N{MINUS SIGN}")


def written(across: float, down: float, words: str, style: str = "", anchor: str = "start") -> str:
    """A text."""
    look = (f' class="{style}"' if style else "") + (f' text-anchor="{anchor}"' if anchor != "start" else "")
    return f'<text x="{across:.1f}" y="{down:.1f}"{look}>{escape(words)}</text>'


def shortened(label: str) -> str:
    """A name that leaves room for the picture."""
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "\N{HORIZONTAL ELLIPSIS}"
