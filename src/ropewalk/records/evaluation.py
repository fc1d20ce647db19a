"""What somebody thought of a position: one block a node, the value of the position first, then the best lines.

`EVAL[0 0.625 estimate 1200][0.625 estimate 800 c3 d4][0.5 estimate 300 b2]`: seat 0 can expect 0.625; 1200 visits; the
best step is c3, which got 800 of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .texts import read_line, read_number, read_whole, write_line, write_number

KINDS = ("proven", "table", "estimate")
MOST_VISITS = 10**18 - 1


@dataclass(frozen=True)
class EvaluationLine:
    """A step and how the game may go on from it."""

    moves: tuple[str, ...]  # steps, not turns
    visits: int
    value: float  # for the seat of the evaluation: 0 loses, 1 wins
    kind: str  # proven, table or estimate


@dataclass(frozen=True)
class Evaluation:
    """The value of a position for one seat, how it is known, and the best lines, the best first."""

    seat: int
    value: float
    kind: str
    visits: int = 0
    lines: tuple[EvaluationLine, ...] = ()

    @classmethod
    def of(cls, report: Any) -> Evaluation:
        """What a bot reports (it has the same names); values keep six decimals, which is more than any bot knows."""
        lines = tuple(
            EvaluationLine(tuple(line.moves), line.visits, round(line.value, 6), line.certainty) for line in report.lines
        )
        return cls(report.seat, round(report.value, 6), report.certainty, report.visits, lines)


def read_evaluation(values: Sequence[str]) -> Evaluation:
    """The position's value, then a line a value; ValueError says what is wrong."""
    first, *rest = [read_line(value).split() for value in values]
    if len(first) != 4:
        raise ValueError("an evaluation begins with seat, value, kind and visits, such as 0 0.625 estimate 1200")
    seat, value, kind, visits = first
    lines = tuple(map(read_one_line, rest))
    return require_evaluation(Evaluation(read_whole(seat), read_number(value), kind, read_whole(visits), lines))


def read_one_line(words: Sequence[str]) -> EvaluationLine:
    """Value, kind, visits, and steps."""
    if len(words) < 4:
        raise ValueError("a line is value, kind, visits and steps, such as 0.625 estimate 800 c3 d4")
    value, kind, visits, *moves = words
    return EvaluationLine(tuple(moves), read_whole(visits), read_number(value), kind)


def require_evaluation(evaluation: Evaluation) -> Evaluation:
    """Refuse what cannot be written so that it reads the same."""
    if evaluation.seat not in (0, 1):
        raise ValueError(f"the seat is 0 or 1, not {evaluation.seat}")
    parts: list[Evaluation | EvaluationLine] = [evaluation, *evaluation.lines]
    for part in parts:
        if part.kind not in KINDS:
            raise ValueError(f"the kind is {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {part.kind!r}")
        if not 0 <= part.value <= 1:
            raise ValueError(f"the value is 0 to 1, not {part.value}")
        if not 0 <= part.visits <= MOST_VISITS:
            raise ValueError(f"the visits are 0 to {MOST_VISITS}, not {part.visits}")
    for line in evaluation.lines:
        if not line.moves or any(not move or move.split() != [move] for move in line.moves):
            raise ValueError("a line has at least one step, and steps have no blanks")
    return evaluation


def write_evaluation(evaluation: Evaluation) -> list[str]:
    """One value for the position, one for each line."""
    require_evaluation(evaluation)
    first = [str(evaluation.seat), *written(evaluation)]
    return [write_line(" ".join(words)) for words in [first, *([*written(line), *line.moves] for line in evaluation.lines)]]


def written(part: Evaluation | EvaluationLine) -> list[str]:
    """What the position and a line have in common."""
    return [write_number(part.value), part.kind, str(part.visits)]
