"""Game records: SGF and JSON, read and written without loss; trees of turns with comments, marks, clocks, evaluations.

>>> from ropewalk import records
>>> record = records.Record.new("tether-5")
>>> record.play(["c3", "b2"]).comment = "close by"
>>> print(record.sgf().splitlines()[-1])
;W[b2]C[close by])
"""

from __future__ import annotations

from .errors import Dropped, RecordError
from .evaluation import Evaluation, EvaluationLine
from .files import read, read_all, save
from .metadata import Identity, Player, Result
from .node import Clock, Node, Property
from .record import Record
from .verification import Difference, first_difference

__all__ = [
    "Clock",
    "Difference",
    "Dropped",
    "Evaluation",
    "EvaluationLine",
    "Identity",
    "Node",
    "Player",
    "Property",
    "Record",
    "RecordError",
    "Result",
    "first_difference",
    "read",
    "read_all",
    "save",
]
