"""The repository of attempts at puzzles, and of the ratings of users and puzzles: a first attempt changes both once."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from ..domain.glicko2 import Rating, update_rating
from ..domain.puzzle_attempts import PuzzleAttempt
from ..errors import ApiError
from .database import Database
from .tables import puzzle_attempts, puzzle_ratings

USER, PUZZLE = "user", "puzzle"
ATTEMPT_FIELDS = tuple(field.name for field in fields(PuzzleAttempt))


@dataclass(frozen=True)
class RatedPuzzle:
    """A puzzle as far as ratings need it: its id, its game, and the rating that it has until somebody tries it."""

    id: str
    game: str
    initial_rating: Rating


@dataclass(frozen=True)
class AttemptSummary:
    """What a list of puzzles says of a user's attempts."""

    score: float | None
    is_solved: bool


class PuzzleRepository:
    """Finds and saves attempts and ratings."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find_attempt(self, user_id: str, puzzle_id: str) -> PuzzleAttempt:
        """Return the last attempt of a user at a puzzle; an empty one if there is none."""
        async with self.database.read_connection() as connection:
            row = (await connection.execute(select(puzzle_attempts).where(is_attempt_of(user_id, puzzle_id)))).first()
        return PuzzleAttempt() if row is None else read_attempt(row)

    async def list_summaries(self, user_id: str) -> dict[str, AttemptSummary]:
        """Return what is known of a user's attempts, by puzzle."""
        columns = (puzzle_attempts.c.puzzle_id, puzzle_attempts.c.score, puzzle_attempts.c.solved_at)
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(*columns).where(puzzle_attempts.c.user_id == user_id))
            return {row.puzzle_id: AttemptSummary(row.score, row.solved_at is not None) for row in rows}

    async def list_scores(self, user_id: str) -> list[float]:
        """Return the scores of a user's first attempts, the oldest first."""
        query = select(puzzle_attempts.c.score).where(puzzle_attempts.c.user_id == user_id)
        query = query.where(puzzle_attempts.c.score.is_not(None)).order_by(puzzle_attempts.c.rated_at)
        async with self.database.read_connection() as connection:
            return list(await connection.scalars(query))

    async def list_puzzle_ratings(self) -> dict[str, Rating]:
        """Return the ratings of all puzzles that somebody has tried."""
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(puzzle_ratings).where(puzzle_ratings.c.kind == PUZZLE))
            return {row.subject_id: read_rating(row) for row in rows}

    async def list_user_ratings(self, user_id: str) -> dict[str, Rating]:
        """Return the ratings of a user by game."""
        is_user = (puzzle_ratings.c.kind == USER) & (puzzle_ratings.c.subject_id == user_id)
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(puzzle_ratings).where(is_user))
            return {row.game: read_rating(row) for row in rows}

    async def save(
        self,
        user_id: str,
        puzzle: RatedPuzzle,
        before: PuzzleAttempt,
        after: PuzzleAttempt,
        score: float | None,
        now: int,
    ) -> PuzzleAttempt:
        """Store an attempt, and with a score the ratings, if it is the first; return it as it is stored.

        Raises:
            ApiError: `stale` if the stored attempt is not `before` any more.
        """
        async with self.database.write_transaction() as connection:
            row = await self.lock_attempt(connection, user_id, puzzle)
            if read_attempt(row) != before:
                raise ApiError("stale", "this attempt was continued elsewhere; load the puzzle again")
            if score is not None and after.score is None:
                after = await self.rate(connection, user_id, puzzle, after, score, now)
            await connection.execute(
                update(puzzle_attempts).where(is_attempt_of(user_id, puzzle.id)).values(write_attempt(after))
            )
        return after

    async def lock_attempt(self, connection: AsyncConnection, user_id: str, puzzle: RatedPuzzle) -> Row[Any]:
        """Return the row of an attempt, which is inserted if it does not exist, and locked until the transaction ends."""
        values = {"user_id": user_id, "puzzle_id": puzzle.id, "game": puzzle.game} | write_attempt(PuzzleAttempt())
        await connection.execute(self.insert(puzzle_attempts).values(values).on_conflict_do_nothing())
        query = select(puzzle_attempts).where(is_attempt_of(user_id, puzzle.id)).with_for_update()
        return (await connection.execute(query)).one()

    async def rate(
        self, connection: AsyncConnection, user_id: str, puzzle: RatedPuzzle, attempt: PuzzleAttempt, score: float, now: int
    ) -> PuzzleAttempt:
        """Update the ratings of the puzzle and of the user by the score of the user; return the attempt with it."""
        puzzle_key = {"kind": PUZZLE, "subject_id": puzzle.id, "game": puzzle.game}  # first: everybody locks in this order
        user_key = {"kind": USER, "subject_id": user_id, "game": puzzle.game}
        puzzle_before = await self.lock_rating(connection, puzzle_key, puzzle.initial_rating)
        user_before = await self.lock_rating(connection, user_key, Rating())
        user_after = update_rating(user_before, puzzle_before, score, now)
        puzzle_after = update_rating(puzzle_before, user_before, 1 - score, now)
        for key, rating in ((puzzle_key, puzzle_after), (user_key, user_after)):
            await connection.execute(update(puzzle_ratings).filter_by(**key).values(asdict(rating)))
        return replace(attempt, score=score, rated_at=now, rating_before=user_before.rating, rating_after=user_after.rating)

    async def lock_rating(self, connection: AsyncConnection, key: dict[str, str], initial: Rating) -> Rating:
        """Return a rating, which is inserted if it does not exist; its row is locked until the transaction ends."""
        await connection.execute(self.insert(puzzle_ratings).values(key | asdict(initial)).on_conflict_do_nothing())
        row = (await connection.execute(select(puzzle_ratings).filter_by(**key).with_for_update())).one()
        return read_rating(row)

    @property
    def insert(self) -> Any:
        """The statement that inserts with a clause for conflicts, of the database's dialect."""
        return sqlite.insert if self.database.is_sqlite else postgresql.insert


def is_attempt_of(user_id: str, puzzle_id: str) -> ColumnElement[bool]:
    """Return the condition for the attempt of a user at a puzzle."""
    return (puzzle_attempts.c.user_id == user_id) & (puzzle_attempts.c.puzzle_id == puzzle_id)


def read_attempt(row: Row[Any]) -> PuzzleAttempt:
    """Return the attempt of a row."""
    values = {name: getattr(row, name) for name in ATTEMPT_FIELDS}
    return PuzzleAttempt(**values | {"moves": tuple(json.loads(row.moves))})


def write_attempt(attempt: PuzzleAttempt) -> dict[str, Any]:
    """Return the columns of an attempt."""
    return asdict(attempt) | {"moves": json.dumps(attempt.moves)}


def read_rating(row: Row[Any]) -> Rating:
    """Return the rating of a row."""
    return Rating(row.rating, row.deviation, row.volatility, row.games, row.updated_at)
