"""Reviews of matches in both databases."""

from __future__ import annotations

import pytest

from ropewalk.server.db.database import Database
from ropewalk.server.db.review_repository import ReviewRepository, StoredReview
from ropewalk.server.domain.review import PositionEvaluation

pytestmark = pytest.mark.anyio
EVALUATIONS = {
    0: PositionEvaluation(0.5, is_proven=False, best_moves=("a1", "b2")),
    1: PositionEvaluation(1.0, is_proven=True),
}


async def test_a_review_is_found_for_the_moves_that_it_was_made_of(migrated: Database) -> None:
    reviews = ReviewRepository(migrated)
    assert await reviews.find("m1", 7) is None
    stored = StoredReview(7, 6, 0.8, 1000, EVALUATIONS)
    await reviews.save("m1", stored)
    assert await reviews.find("m1", 7) == stored
    assert await reviews.find("m1", 8) is None, "the match went on"
    later = StoredReview(8, 6, 0.8, 2000, EVALUATIONS)
    await reviews.save("m1", later)
    assert await reviews.find("m1", 8) == later
