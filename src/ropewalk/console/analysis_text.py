"""What a bot thinks, in words and as a bar."""

from __future__ import annotations

from ..bots.bot import Line, Report
from .formatting import wrap


def format_value(line: Line | Report) -> str:
    """A value: a result where it is proven, a share of the points where it is not."""
    if line.certainty == "proven":
        return {0.0: "loses", 1.0: "wins"}.get(line.value, "draws")
    return f"{line.value:.0%}"


def format_line(line: Line) -> str:
    """A move, what it promises, and what may follow."""
    return f"{line.moves[0]}: {format_value(line)} ({line.certainty}), {' '.join(line.moves)}"


def format_best_lines(report: Report, count: int) -> str:
    """Return the first `count` lines of a report, wrapped."""
    return "\n".join(wrap(format_line(line), indent="  ") for line in report.lines[:count])


def first_seat_value(report: Report) -> float:
    """What seat 0 can expect."""
    return report.value if report.seat == 0 else 1 - report.value


def format_bar(report: Report, width: int) -> str:
    """A bar that is full for seat 0 and empty for seat 1."""
    full = round(first_seat_value(report) * width)
    return "#" * full + "-" * (width - full)


def format_evaluation(report: Report, colours: tuple[str, str]) -> str:
    """Who is how well off, and how that is known."""
    colour = colours[report.seat]
    if report.certainty == "proven":
        return f"{colour} {format_value(report)} (proven)"
    first = first_seat_value(report)
    return f"{colours[0]} {first:.0%}, {colours[1]} {1 - first:.0%} ({report.certainty})"


def format_search_effort(report: Report) -> str:
    """How much thought went into it."""
    return f"{report.visits:,} visits in {report.seconds:.1f} s"
