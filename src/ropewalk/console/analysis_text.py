"""Analyses as text: values, lines, an evaluation bar."""

from __future__ import annotations

from ..bots.bot import Line, Report
from .formatting import wrap


def format_value(line: Line | Report) -> str:
    """Return a value as a result if it is proven, else as a percentage of the points."""
    if line.certainty == "proven":
        return {0.0: "loses", 1.0: "wins"}.get(line.value, "draws")
    return f"{line.value:.0%}"


def format_line(line: Line) -> str:
    """Return the first move of a line, its value and certainty, and all moves."""
    return f"{line.moves[0]}: {format_value(line)} ({line.certainty}), {' '.join(line.moves)}"


def format_best_lines(report: Report, count: int) -> str:
    """Return the first `count` lines of a report, wrapped."""
    return "\n".join(wrap(format_line(line), indent="  ") for line in report.lines[:count])


def first_seat_value(report: Report) -> float:
    """Return the value of a report for seat 0."""
    return report.value if report.seat == 0 else 1 - report.value


def format_bar(report: Report, width: int) -> str:
    """Return a bar of `width` characters, full if seat 0 wins and empty if seat 1 does."""
    full = round(first_seat_value(report) * width)
    return "#" * full + "-" * (width - full)


def format_evaluation(report: Report, colours: tuple[str, str]) -> str:
    """Return the values of both seats, or the proven result."""
    colour = colours[report.seat]
    if report.certainty == "proven":
        return f"{colour} {format_value(report)} (proven)"
    first = first_seat_value(report)
    return f"{colours[0]} {first:.0%}, {colours[1]} {1 - first:.0%} ({report.certainty})"


def format_search_effort(report: Report) -> str:
    """Return the visits and the seconds of a search."""
    return f"{report.visits:,} visits in {report.seconds:.1f} s"
