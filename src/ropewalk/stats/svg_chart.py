"""Parts shared by the SVG charts of the package: a linear axis, text elements, number labels, the style sheet.

Lengths are SVG user units, y points down. The style sheet has colours for light and for dark pages
(`prefers-color-scheme`), so a chart is legible on both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

PLOT_WIDTH = 720  # of the whole picture
SIDE_MARGIN = 20
MAX_TICKS = 8  # intervals between the ticks of an axis
MAX_LABEL_LENGTH = 34  # characters

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
    """Linear map from the values `low` to `high` to the coordinates `left` to `right` (bottom to top for a y axis)."""

    low: float
    high: float
    left: float
    right: float

    def position(self, value: float) -> float:
        """Return the coordinate of a value; values outside the range are extrapolated."""
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)

    def tick_values(self) -> list[float]:
        """Return the multiples of 1, 2 or 5 times a power of ten within the range, at most MAX_TICKS + 1 of them."""
        min_step = (self.high - self.low) / MAX_TICKS
        power = 10 ** math.floor(math.log10(min_step))
        step = next(power * multiple for multiple in (1, 2, 5, 10) if power * multiple >= min_step)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def svg_text(x: float, y: float, text: str, css_class: str = "", anchor: str = "start") -> str:
    """Return a text element with its baseline at `y`; the text is escaped.

    `css_class` names classes of SVG_STYLE, separated by spaces. `anchor` ("start", "middle" or "end") is the part of the
    text that lies at `x`.
    """
    attributes = (f' class="{css_class}"' if css_class else "") + (f' text-anchor="{anchor}"' if anchor != "start" else "")
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(text)}</text>'


def format_signed(value: float) -> str:
    """Return the value rounded to an integer, with a sign (U+2212 for minus) unless it is 0."""
    return "0" if round(value) == 0 else f"{value:+.0f}".replace("-", "\N{MINUS SIGN}")


def truncate_label(label: str) -> str:
    """Return the label, cut to MAX_LABEL_LENGTH characters with an ellipsis at the end."""
    return label if len(label) <= MAX_LABEL_LENGTH else label[: MAX_LABEL_LENGTH - 1] + "\N{HORIZONTAL ELLIPSIS}"
