"""A report as a page of HTML without other files: readable on a phone, light or dark as the reader's system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .board_maps import draw_swap_map, draw_value_map
from .charts import ChartRow, draw_interval_chart

STYLE = """
:root { color-scheme: light dark; --text: #24292f; --quiet: #59636e; --line: #d1d9e0; --page: #ffffff; --mark: #0969da }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9198a1; --line: #3d444d; --page: #0d1117; --mark: #58a6ff }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
p, figure { margin: .5rem 0 } .quiet, figcaption { color: var(--quiet); font-size: .9rem }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left; white-space: normal } th { font-weight: 600 }
code { font: .85rem ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere }
svg.chart { display: block; width: 100%; max-width: 34rem; height: auto }
svg.chart text { font: 13px system-ui, -apple-system, "Segoe UI", Arial, sans-serif; fill: var(--text) }
svg.chart .quiet { font-size: 12px; fill: var(--quiet) }
.grid { stroke: var(--line) } .bar { stroke: var(--mark); stroke-width: 3; stroke-linecap: round } .dot { fill: var(--mark) }
.map svg { display: block; width: 100%; height: auto; max-height: 90vh } .map.dark { display: none }
@media (prefers-color-scheme: dark) { .map.light { display: none } .map.dark { display: block } }
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""

Rows = Sequence[Sequence[str]]


def format_page(report: Mapping[str, Any]) -> str:
    """Return the page of a report, which depends on its JSON alone."""
    title = f"{report['name']}: {report['spec']}"
    sections = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">By {escape(report["designer"])}. {report["cells"]} cells.</p>',
        *format_overview(report),
        *format_levels(report),
        *format_first_moves(report["first_moves"]),
        *format_budgets(report["budgets"]),
        *format_boards(report),
        *format_method(report),
    ]
    return PAGE.format(title=escape(title), style=STYLE, body="\n".join(sections))


def format_overview(report: Mapping[str, Any]) -> list[str]:
    """Return the section of length, choices and lead changes: random play beside the strongest level."""
    columns = [("random moves", report["random_play"]), (f"level {report['levels'][-1]['level']}", report["levels"][-1])]
    rows = [
        ["games", *(str(each["games"]) for _, each in columns)],
        ["moves in a game", *(format_number(each["length"]["mean"]) for _, each in columns)],
        ["nine in ten games have up to", *(str(each["length"]["quantiles"]["0.9"]) for _, each in columns)],
        ["choices of a move", *(format_number(each["branching_factor"]) for _, each in columns)],
        ["forced moves", *(format_share(each["forced_share"]) for _, each in columns)],
    ]
    last = report["levels"][-1]
    lead = (
        f"<p>In games of level {last['level']} against itself, the lead changes {format_number(last['lead_changes'])} "
        f"times. The winner is ahead to the end after {format_share(last['decided_at'])} of the game.</p>"
    )
    return ["<h2>Length and choices</h2>", format_table(["", *(name for name, _ in columns)], rows), lead]


def format_levels(report: Mapping[str, Any]) -> list[str]:
    """Return the sections of the first player's advantage and of draws, by level."""
    rows = [("random", report["random_play"]), *((f"level {each['level']}", each) for each in report["levels"])]
    scores = [ChartRow(name, each["first_seat_score"], format_percent(each["first_seat_score"])) for name, each in rows]
    draws = [[name, str(each["games"]), format_share(each["draw_share"])] for name, each in rows]
    return [
        "<h2>The first player's advantage</h2>",
        "<p>The score of the first player when bots of one level play against each other, with 95 % intervals.</p>",
        draw_interval_chart("score of the first player by level", scores, (0.0, 1.0), "%"),
        "<h2>Draws</h2>",
        format_table(["", "games", "draws"], draws),
    ]


def format_first_moves(first_moves: Mapping[str, Any]) -> list[str]:
    """Return the sections of the first moves and of the pie rule."""
    checks = [
        [each["move"], f"{100 * each['value']:.0f} %", str(each["games"]), format_share(each["score"])]
        for each in first_moves["checks"]
    ]
    parts = [
        "<h2>First moves</h2>",
        f"<p>The value of every first move for its player in per cent, from {escape(first_moves['source'])}. Where several "
        "moves go to a cell, it is that of the best.</p>",
        f"<figure>{draw_value_map(first_moves)}</figure>",
        f"<p>The best and the worst of them, checked by matches of level {first_moves['checks'][0]['level']}:</p>",
        format_table(["move", "value", "games", "score in matches"], checks),
    ]
    pie = first_moves["pie"]
    if pie is None:
        return parts
    swapped = {move for row in first_moves["moves"] if row["moves"][0] in set(pie["swapped"]) for move in row["moves"]}
    total = sum(len(row["moves"]) for row in first_moves["moves"])
    when = "The pie rule is part of this board" if pie["is_default"] else "This board has no pie rule unless it is chosen"
    return [
        *parts,
        "<h2>What to swap</h2>",
        f"<p>{when}. {format_swaps(len(swapped), total)}</p>",
        f"<figure>{draw_swap_map(first_moves)}</figure>",
    ]


def format_swaps(count: int, total: int) -> str:
    """Return the sentence that says how many first moves the second player takes over."""
    if count == 0:
        return f"No first move of {total} has a value above 50 %, so the second player should not swap."
    moves, whose = ("first move", "its") if count == 1 else ("first moves", "their")
    return f"The second player should take over the {count} marked {moves} of {total}: {whose} value is above 50 %."


def format_budgets(budgets: Mapping[str, Any]) -> list[str]:
    """Return the section of strength by thinking."""
    rows = [ChartRow(f"{each['visits']} visits", each["elo"], f"{each['elo']['value']:+.0f}") for each in budgets["ladder"]]
    return [
        "<h2>Strength by thinking</h2>",
        f"<p>Elo of tree search by its visits for each move, relative to the first, from {budgets['pairs']} pairs of games "
        f"between neighbours after {budgets['opening_plies']} random moves. Where more thinking "
        "keeps paying, a game is deep.</p>",
        draw_interval_chart("Elo by visits", rows, None),
    ]


def format_boards(report: Mapping[str, Any]) -> list[str]:
    """Return the section that compares boards."""
    rows = [
        [
            each["spec"] + (" (this board)" if each["spec"] == report["spec"] else ""),
            str(each["cells"]),
            format_number(each["length"]["mean"]),
            format_number(each["branching_factor"]),
            format_share(each["first_seat_score"]),
            format_share(each["draw_share"]),
        ]
        for each in report["boards"]
    ]
    note = (
        f"<p>Bots of level {report['boards'][0]['level']} against themselves, {report['boards'][0]['games']} games each.</p>"
    )
    return ["<h2>Boards</h2>", note, format_table(["board", "cells", "moves", "choices", "first player", "draws"], rows)]


def format_method(report: Mapping[str, Any]) -> list[str]:
    """Return the section of the method."""
    random_plies = max(each["random_plies"] for each in report["levels"])
    extra = f" Levels without randomness begin after {random_plies} random moves." if random_plies else ""
    return [
        "<h2>Method</h2>",
        "<p>All figures come from this command, which writes the same bytes again:</p>",
        f"<p><code>{escape(report['command'])}</code></p>",
        '<p class="quiet">Means and shares have 95 % intervals: \u00b1 from the variance of games, shares and scores after '
        "Wilson. A step of a turn counts as a move. A seat leads if its search gives it at least 60 %. Budgets are visits, "
        f"not seconds.{extra}</p>",
    ]


def format_table(headings: Sequence[str], rows: Rows) -> str:
    """Return a table; a wide one scrolls by itself."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def format_number(estimate: Mapping[str, Any]) -> str:
    """Return a mean with half the width of its interval."""
    return f"{estimate['value']:.1f} \u00b1 {(estimate['high'] - estimate['low']) / 2:.1f}"


def format_percent(estimate: Mapping[str, Any]) -> str:
    """Return a share in per cent, without its interval."""
    return f"{100 * estimate['value']:.0f} %"


def format_share(estimate: Mapping[str, Any]) -> str:
    """Return a share in per cent with the ends of its interval."""
    value, low, high = (f"{100 * estimate[name]:z.0f}" for name in ("value", "low", "high"))
    return f"{value} % ({low}\u2013{high})"
