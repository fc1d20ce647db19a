"""A drawn board with more room between its cells, where the screen has it."""

from __future__ import annotations

from ..games.notation import LABEL_SEPARATOR, DrawnCell, TextDiagram

BROAD = 1.9  # a drawing that is so much wider than high wants height only


def roomy(drawing: TextDiagram, columns: int, lines: int) -> TextDiagram:
    """The drawing twice as large, or twice as high where it is broad, if that fits."""
    width = max(map(len, drawing.lines))
    across = 1 if width / (2 * len(drawing.lines)) > BROAD else 2
    larger = spread(drawing, across, 2)
    return larger if max(map(len, larger.lines)) <= columns and len(larger.lines) <= lines else drawing


def spread(drawing: TextDiagram, across: int, down: int) -> TextDiagram:
    """Cells so many times as far apart; spots keep their order."""
    margin = min(spot.column for spot in drawing.cells)
    spots = tuple(spot._replace(line=down * spot.line, column=wider(spot.column, margin, across)) for spot in drawing.cells)
    header = min(spot.line for spot in spots)
    texts = [
        LABEL_SEPARATOR.rjust(margin) if number > header else "" for number in range(down * (len(drawing.lines) - 1) + 1)
    ]
    for number, line in enumerate(drawing.lines):
        placed = [spot for spot in spots if spot.line == down * number]
        texts[down * number] = line[:margin] + body(placed or letters(line, margin, across), margin)
    return TextDiagram(tuple(texts), spots, drawing.header_note, drawing.status_line)


def wider(column: int, margin: int, across: int) -> int:
    """Where a column goes; the labels stay."""
    return margin + across * (column - margin)


def letters(line: str, margin: int, across: int) -> list[DrawnCell]:
    """The letters of a header as if they were cells."""
    return [
        DrawnCell(0, wider(column, margin, across), -1, letter)
        for column, letter in enumerate(line)
        if column >= margin and letter != " "
    ]


def body(spots: list[DrawnCell], margin: int) -> str:
    """Symbols at their columns, right of the margin."""
    text = ""
    for spot in spots:
        text = text.ljust(spot.column - margin) + spot.symbol
    return text
