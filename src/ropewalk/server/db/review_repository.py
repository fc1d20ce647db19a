"""The repository of reviews: the values of all positions of a match, computed once for all viewers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from ..domain.review import PositionEvaluation
from .database import Database
from .tables import match_reviews

VALUE_DECIMALS = 4


@dataclass(frozen=True)
class StoredReview:
    """The evaluations of a match by ply, up to the event that last changed its board, and how they were computed."""

    position_version: int
    level: int
    seconds: float  # for each position
    created_at: int
    evaluations: Mapping[int, PositionEvaluation]


class ReviewRepository:
    """Finds and saves reviews, one for each match."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, match_id: str, position_version: int) -> StoredReview | None:
        """Return the review of a match as it is, None if there is none."""
        query = select(match_reviews).where(match_reviews.c.match_id == match_id)
        async with self.database.read_connection() as connection:
            row = (await connection.execute(query)).first()
        if row is None or row.position_version != position_version:
            return None
        evaluations = parse_evaluations(row.evaluations)
        return StoredReview(row.position_version, row.level, row.seconds, row.created_at, evaluations)

    async def save(self, match_id: str, review: StoredReview) -> None:
        """Store a review in place of an earlier one."""
        values = {
            "match_id": match_id,
            "position_version": review.position_version,
            "level": review.level,
            "seconds": review.seconds,
            "created_at": review.created_at,
            "evaluations": format_evaluations(review.evaluations),
        }
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(match_reviews).where(match_reviews.c.match_id == match_id))
            await connection.execute(insert(match_reviews).values(values))


def format_evaluations(evaluations: Mapping[int, PositionEvaluation]) -> str:
    """Return evaluations as JSON: value, whether it is proven, and the best moves, for each ply in order."""
    rows = [
        [round(each.value, VALUE_DECIMALS), int(each.is_proven), " ".join(each.best_moves)]
        for _, each in sorted(evaluations.items())
    ]
    return json.dumps(rows, separators=(",", ":"))


def parse_evaluations(text: str) -> dict[int, PositionEvaluation]:
    """Return the evaluations of a JSON text."""
    rows = json.loads(text)
    return {
        ply: PositionEvaluation(value, bool(proven), tuple(best.split())) for ply, (value, proven, best) in enumerate(rows)
    }
