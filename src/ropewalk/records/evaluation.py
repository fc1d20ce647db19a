"""Evaluations of positions: at most one per node, the value of the position first, then the best lines.

`EVAL[0 0.625 estimate 1200][0.625 estimate 800 c3 d4][0.5 estimate 300 b2]`: the value for seat 0 is 0.625 after 1200
visits; the best step is c3, with 800 visits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .sgf import format_line, format_number, parse_integer, parse_line, parse_number

CERTAINTIES = ("proven", "table", "estimate")
MAX_VISITS = 10**18 - 1

MAX_RECORDED_LINES = 5  # of a report of a bot


@dataclass(frozen=True)
class EvaluationLine:
    """A step with the principal variation that follows it, its visits and its value."""

    moves: tuple[str, ...]  # steps, not turns
    visits: int
    value: float  # for the seat of the evaluation: 0 loses, 1 wins
    certainty: str  # proven, table or estimate


@dataclass(frozen=True)
class Evaluation:
    """The value of a position for one seat, its certainty, and the best lines, best first."""

    seat: int
    value: float
    certainty: str
    visits: int = 0
    lines: tuple[EvaluationLine, ...] = ()

    @classmethod
    def from_report(cls, report: Any) -> Evaluation:
        """Return the evaluation of a bot's report; values are rounded to six decimals."""
        lines = tuple(
            EvaluationLine(tuple(line.moves), line.visits, round(line.value, 6), line.certainty)
            for line in report.lines[:MAX_RECORDED_LINES]
        )
        return cls(report.seat, round(report.value, 6), report.certainty, report.visits, lines)


def parse_evaluation(values: Sequence[str]) -> Evaluation:
    """Return the evaluation of raw values: the position's first, then one per line. Raises ValueError."""
    first, *rest = [parse_line(value).split() for value in values]
    if len(first) != 4:
        raise ValueError("an evaluation must begin with seat, value, certainty and visits, such as 0 0.625 estimate 1200")
    seat, value, certainty, visits = first
    lines = tuple(map(parse_evaluation_line, rest))
    return check_evaluation(Evaluation(parse_integer(seat), parse_number(value), certainty, parse_integer(visits), lines))


def parse_evaluation_line(words: Sequence[str]) -> EvaluationLine:
    """Return the line of the words value, certainty, visits and steps. Raises ValueError."""
    if len(words) < 4:
        raise ValueError("a line must consist of value, certainty, visits and moves, such as 0.625 estimate 800 c3 d4")
    value, certainty, visits, *moves = words
    return EvaluationLine(tuple(moves), parse_integer(visits), parse_number(value), certainty)


def check_evaluation(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation. Raises ValueError if it could not be read back after writing."""
    if evaluation.seat not in (0, 1):
        raise ValueError(f"the seat must be 0 or 1, not {evaluation.seat}")
    parts: list[Evaluation | EvaluationLine] = [evaluation, *evaluation.lines]
    for part in parts:
        if part.certainty not in CERTAINTIES:
            raise ValueError(
                f"the certainty must be {', '.join(CERTAINTIES[:-1])} or {CERTAINTIES[-1]}, not {part.certainty!r}"
            )
        if not 0 <= part.value <= 1:
            raise ValueError(f"the value must be from 0 to 1, not {part.value}")
        if not 0 <= part.visits <= MAX_VISITS:
            raise ValueError(f"visits must be from 0 to {MAX_VISITS}, not {part.visits}")
    for line in evaluation.lines:
        if not line.moves or any(not move or move.split() != [move] for move in line.moves):
            raise ValueError("a line must have at least one move, and moves must not contain spaces")
    return evaluation


def format_evaluation(evaluation: Evaluation) -> list[str]:
    """Return one raw value for the position and one for each line. Raises ValueError."""
    check_evaluation(evaluation)
    first = [str(evaluation.seat), *format_value(evaluation)]
    return [
        format_line(" ".join(words)) for words in [first, *([*format_value(line), *line.moves] for line in evaluation.lines)]
    ]


def format_value(part: Evaluation | EvaluationLine) -> list[str]:
    """Return the words that the position and a line have in common."""
    return [format_number(part.value), part.certainty, str(part.visits)]
