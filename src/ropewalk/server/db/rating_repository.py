"""The repository of ratings: each rated match changes the ratings of both players exactly once, on any server."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ...errors import SpecError
from ...games.registry import games, spec_of
from ..domain.glicko2 import Advantage, Rating, estimate_advantage, update_rating
from ..domain.match import MatchState
from ..errors import ApiError
from .database import Database
from .match_repository import MatchRecordRow, MatchRepository
from .tables import pending_ratings, rating_changes, ratings, result_counts
from .user_repository import UserRepository

PEOPLE, BOTS = "people", "bots"
MAX_CHANGES = 500
RatingKey = tuple[str, str, str]  # user id, game, pool


class MatchRating(NamedTuple):
    """The rating of a player in a match: after the match once it is rated, and the change by it."""

    rating: float
    deviation: float
    change: float | None


class RatingRepository:
    """Reads and updates ratings, and reads the counts of results."""

    def __init__(self, database: Database, user_repository: UserRepository, match_repository: MatchRepository) -> None:
        self.database = database
        self.users = user_repository
        self.matches = match_repository

    async def rate_match(self, row: MatchRecordRow, winner: int | None, now: int) -> bool:
        """Update the ratings of both players of a pending match. Returns False if that was done before."""
        users = await self.users.find_all(row.seats)
        try:
            async with self.database.write_transaction() as connection:
                is_ours = await self.delete_pending(connection, row.id) and len(users) == len(row.seats)
                if is_ours:
                    pool = BOTS if any(user.is_bot for user in users.values()) else PEOPLE
                    await self.update_ratings(connection, row, pool, 0.5 if winner is None else 1.0 - winner, now)
        except ApiError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
            async with self.database.write_transaction() as connection:  # it was rated by a server of an earlier version
                await self.delete_pending(connection, row.id)
            return False
        return is_ours

    async def delete_pending(self, connection: AsyncConnection, match_id: str) -> bool:
        """Remove a match from the pending ones. Returns False if another server has removed it."""
        deleted = await connection.execute(delete(pending_ratings).where(pending_ratings.c.match_id == match_id))
        return deleted.rowcount == 1

    async def update_ratings(
        self, connection: AsyncConnection, row: MatchRecordRow, pool: str, score: float, now: int
    ) -> None:
        """Store the new ratings of both players and the changes; `score` is that of the first seat."""
        game = spec_of(row.config.spec).key
        keys = [{"user_id": user_id, "game": game, "pool": pool} for user_id in row.seats]
        # In the order of user ids: two matches of the same players with exchanged seats must not wait for each other.
        order = sorted((0, 1), key=lambda seat: row.seats[seat] or "")
        locked = {seat: await self.lock_rating(connection, keys[seat]) for seat in order}
        before = [locked[0], locked[1]]
        for seat, key in enumerate(keys):
            seat_score = score if seat == 0 else 1 - score
            after = update_rating(before[seat], before[1 - seat], seat_score, now)
            change = {
                "match_id": row.id,
                "seat": seat,
                "rating_before": before[seat].rating,
                "rating_after": after.rating,
                "deviation": after.deviation,
                "score": seat_score,
                "timestamp_ms": now,
            }
            await connection.execute(insert(rating_changes).values(change | key))
            await self.save_rating(connection, key, after)

    async def lock_rating(self, connection: AsyncConnection, key: dict[str, Any]) -> Rating:
        """Return a user's rating, which is inserted if it does not exist; its row is locked until the transaction ends."""
        kind = sqlite if self.database.is_sqlite else postgresql
        await connection.execute(kind.insert(ratings).values(key | asdict(Rating())).on_conflict_do_nothing())
        row = (await connection.execute(select(ratings).filter_by(**key).with_for_update())).one()
        return Rating(row.rating, row.deviation, row.volatility, row.games, row.updated_at)

    async def save_rating(self, connection: AsyncConnection, key: dict[str, Any], rating: Rating) -> None:
        """Update a rating that is locked."""
        await connection.execute(update(ratings).filter_by(**key).values(asdict(rating)))

    async def rate_pending(self) -> None:
        """Rate all pending matches in the order in which they ended, including those of a server that has crashed."""
        async with self.database.read_connection() as connection:
            pending = (await connection.execute(select(pending_ratings).order_by(pending_ratings.c.ended_at))).all()
        for match_id, ended_at in pending:
            row = await self.matches.find(match_id)  # no join: without statistics PostgreSQL may scan all matches for one
            if row is not None:
                await self.rate_match(row, row.winner_seat, ended_at)

    async def list_by_user(self, user_id: str) -> list[Any]:
        """Return the rows of a user's ratings."""
        async with self.database.read_connection() as connection:
            return list(await connection.execute(select(ratings).where(ratings.c.user_id == user_id)))

    async def find_by_users(self, user_ids: Collection[str]) -> dict[RatingKey, int]:
        """Return the rounded ratings of users, by user, game and pool."""
        columns = (ratings.c.user_id, ratings.c.game, ratings.c.pool, ratings.c.rating)
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(*columns).where(ratings.c.user_id.in_(user_ids)))
            return {(user_id, game, pool): round(rating) for user_id, game, pool, rating in rows}

    async def list_changes(self, user_id: str) -> list[Any]:
        """Return the rows of the last changes of a user's ratings, the oldest first."""
        newest_first = rating_changes.c.timestamp_ms.desc()
        query = select(rating_changes).where(rating_changes.c.user_id == user_id).order_by(newest_first)
        async with self.database.read_connection() as connection:
            return list(await connection.execute(query.limit(MAX_CHANGES)))[::-1]

    async def find_match_ratings(self, row: MatchRecordRow, *, has_bot: bool) -> list[MatchRating | None]:
        """Return the ratings of both seats in the game and pool of a match, with the change by the match once it is rated.

        A user who has not played a rated match in this pool has the initial rating, a free seat none.
        """
        game, pool = spec_of(row.config.spec).key, BOTS if has_bot else PEOPLE
        seated = [user_id for user_id in row.seats if user_id is not None]
        is_of_seat = ratings.c.user_id.in_(seated) & (ratings.c.game == game) & (ratings.c.pool == pool)
        async with self.database.read_connection() as connection:
            current = {found.user_id: found for found in await connection.execute(select(ratings).where(is_of_seat))}
            changed = await connection.execute(select(rating_changes).where(rating_changes.c.match_id == row.id))
            changes = {found.seat: found for found in changed}
        return [
            None if user_id is None else build_match_rating(current.get(user_id, Rating()), changes.get(seat))
            for seat, user_id in enumerate(row.seats)
        ]

    async def compute_first_seat_advantages(self) -> dict[str, Advantage]:
        """Return the first-move advantage by game, in all matches of two players that were not aborted."""
        async with self.database.read_connection() as connection:
            rows = (await connection.execute(select(result_counts))).all()
        totals = {entry.key: (0, 0, 0) for entry in games()}
        for row in rows:
            with suppress(SpecError):  # of a game that is no longer installed
                game = spec_of(row.spec).key
                wins, draws, losses = totals[game]
                totals[game] = wins + row.first_wins, draws + row.draws, losses + row.second_wins
        return {game: estimate_advantage(*total) for game, total in totals.items()}


def build_match_rating(current: Any, change: Any | None) -> MatchRating:
    """Return the rating of a player in a match from the current rating and, once it is rated, the row of its change."""
    if change is None:
        return MatchRating(current.rating, current.deviation, None)
    return MatchRating(change.rating_after, change.deviation, change.rating_after - change.rating_before)


def is_rating_due(state: MatchState) -> bool:
    """Return whether a match has ended and changes ratings."""
    return state.config.is_rated and state.result is not None and state.result.reason != "abandoned"


def is_counted(state: MatchState) -> bool:
    """Return whether the result of a match is counted: it has ended, has two players and was not aborted."""
    return state.result is not None and state.result.reason != "abandoned" and state.seats[0] != state.seats[1]
