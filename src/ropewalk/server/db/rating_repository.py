"""Ratings as they are kept: each rated match moves both once, whichever server writes it down."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy import delete, insert, select
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


class RatingRepository:
    """Reads and writes ratings."""

    def __init__(self, database: Database, user_repository: UserRepository, match_repository: MatchRepository) -> None:
        self.database = database
        self.people = user_repository
        self.archive = match_repository

    async def rate_match(self, row: MatchRecordRow, winner: int | None, at: int) -> bool:
        """Move the ratings of both players of a pending match; whether it was not done before."""
        users = await self.people.find_all(row.seats)
        try:
            async with self.database.write_transaction() as connection:
                is_ours = await self.delete_pending(connection, row.id) and len(users) == len(row.seats)
                if is_ours:
                    pool = BOTS if any(user.is_bot for user in users.values()) else PEOPLE
                    await self.update_ratings(connection, row, pool, 0.5 if winner is None else 1.0 - winner, at)
        except ApiError as refusal:
            if not isinstance(refusal.__cause__, IntegrityError):
                raise
            async with self.database.write_transaction() as connection:  # it was rated by a server of an earlier version
                await self.delete_pending(connection, row.id)
            return False
        return is_ours

    async def delete_pending(self, connection: AsyncConnection, match_id: str) -> bool:
        """Remove a match from those that are to be rated; not if another server has rated it."""
        taken = await connection.execute(delete(pending_ratings).where(pending_ratings.c.match_id == match_id))
        return taken.rowcount == 1

    async def update_ratings(
        self, connection: AsyncConnection, row: MatchRecordRow, pool: str, score: float, at: int
    ) -> None:
        """Write the new ratings of both players, and how they came about; `score` is the first seat's."""
        game = spec_of(row.config.spec).key
        before = [await self.find_rating(connection, user, game, pool) for user in row.seats]
        for seat, user in enumerate(row.seats):
            mine = score if seat == 0 else 1 - score
            after = update_rating(before[seat], before[1 - seat], mine, at)
            key = {"user_id": user, "game": game, "pool": pool}
            change = {
                "match_id": row.id,
                "seat": seat,
                "rating_before": before[seat].rating,
                "rating_after": after.rating,
                "deviation": after.deviation,
                "score": mine,
                "timestamp_ms": at,
            }
            await connection.execute(insert(rating_changes).values(change | key))
            await self.save_rating(connection, key, after)

    async def find_rating(self, connection: AsyncConnection, user: str | None, game: str, pool: str) -> Rating:
        """A user's rating, or that of somebody new; it stays ours until the transaction ends."""
        wanted = select(ratings).where(ratings.c.user_id == user, ratings.c.game == game, ratings.c.pool == pool)
        row = (await connection.execute(wanted.with_for_update())).first()
        return Rating() if row is None else Rating(row.rating, row.deviation, row.volatility, row.games, row.updated_at)

    async def save_rating(self, connection: AsyncConnection, key: dict[str, Any], new: Rating) -> None:
        """Write a rating down."""
        values = {"rating": new.rating, "deviation": new.deviation, "volatility": new.volatility, "games": new.games}
        values |= {"updated_at": new.updated_at}
        kind = sqlite if self.database.is_sqlite else postgresql
        put = kind.insert(ratings).values(key | values)
        await connection.execute(put.on_conflict_do_update(index_elements=list(key), set_=values))

    async def rate_pending(self) -> None:
        """Rate all matches that are pending, also those of a server that died; the order is that in which they ended."""
        async with self.database.read_connection() as connection:
            pending = (await connection.execute(select(pending_ratings).order_by(pending_ratings.c.ended_at))).all()
        for match_id, ended_at in pending:
            row = await self.archive.find(match_id)  # by its id: a join may read all matches if PostgreSQL knows no better
            if row is not None:
                await self.rate_match(row, row.winner_seat, ended_at)

    async def list_by_user(self, user: str) -> list[Any]:
        """A user's ratings."""
        async with self.database.read_connection() as connection:
            return list(await connection.execute(select(ratings).where(ratings.c.user_id == user)))

    async def list_changes(self, user: str) -> list[Any]:
        """How a user's ratings came about, the last ones."""
        newest_first = rating_changes.c.timestamp_ms.desc()
        query = select(rating_changes).where(rating_changes.c.user_id == user).order_by(newest_first)
        async with self.database.read_connection() as connection:
            return list(await connection.execute(query.limit(MAX_CHANGES)))[::-1]

    async def compute_first_seat_advantages(self) -> dict[str, Advantage]:
        """What it was worth to move first, by game, in all matches of two players that were not abandoned."""
        async with self.database.read_connection() as connection:
            rows = (await connection.execute(select(result_counts))).all()
        totals = {request.key: (0, 0, 0) for request in games()}
        for row in rows:
            with suppress(SpecError):  # of a game that is not installed any more
                game = spec_of(row.spec).key
                wins, draws, losses = totals[game]
                totals[game] = wins + row.first_wins, draws + row.draws, losses + row.second_wins
        return {game: estimate_advantage(*total) for game, total in totals.items()}


def is_rating_due(state: MatchState) -> bool:
    """Whether a match that has ended moves ratings."""
    return state.config.is_rated and state.result is not None and state.result.reason != "abandoned"


def is_counted(state: MatchState) -> bool:
    """Whether a match has ended, was played by two players and was not abandoned, so that its result says something."""
    return state.result is not None and state.result.reason != "abandoned" and state.seats[0] != state.seats[1]
