"""Game records: SGF and JSON, read and written without loss; trees of turns with comments, marks, clocks, evaluations.

>>> from ropewalk import records
>>> record = records.Record.create("tether-5")
>>> record.play(["c3", "b2"]).comment = "close by"
>>> print(record.to_sgf().splitlines()[-1])
;W[b2]C[close by])
"""

from __future__ import annotations

from .errors import ParseFault, RecordError
from .evaluation import Evaluation, EvaluationLine
from .files import read, read_all, save
from .metadata import Player, PlayerIdentity, RecordedResult
from .node import Clock, Node
from .record import Record
from .sgf import Property
from .verification import Mismatch, find_first_mismatch

__all__ = [
    "Clock",
    "Evaluation",
    "EvaluationLine",
    "Mismatch",
    "Node",
    "ParseFault",
    "Player",
    "PlayerIdentity",
    "Property",
    "Record",
    "RecordError",
    "RecordedResult",
    "find_first_mismatch",
    "read",
    "read_all",
    "save",
]
