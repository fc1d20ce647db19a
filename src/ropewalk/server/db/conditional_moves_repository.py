"""The repository of conditional moves: lines of moves that a player has chosen in advance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, insert, select

from .database import Database
from .tables import conditional_moves, matches


@dataclass(frozen=True)
class ConditionalMoves:
    """Lines of moves from the position of an event on: the opponent's move, the player's answer, and so on."""

    position_version: int
    lines: tuple[tuple[str, ...], ...]


class ConditionalMovesRepository:
    """Finds and saves conditional moves, one set per match and user."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, match_id: str, user_id: str) -> ConditionalMoves | None:
        """Return a user's conditional moves in a match, None if there are none."""
        query = select(conditional_moves).where(is_set_of(match_id, user_id))
        async with self.database.read_connection() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        return ConditionalMoves(row.position_version, tuple(tuple(line) for line in json.loads(row.lines)))

    async def list_due(self) -> dict[tuple[str, str], int | None]:
        """Return the deadlines of all turns of users who have conditional moves, by match and user."""
        has_turn = (matches.c.id == conditional_moves.c.match_id) & (
            matches.c.to_move_user_id == conditional_moves.c.user_id
        )
        query = select(conditional_moves.c.match_id, conditional_moves.c.user_id, matches.c.move_deadline_ms)
        query = query.join(matches, has_turn).where(matches.c.status == "playing")
        async with self.database.read_connection() as connection:
            return {(match_id, user_id): deadline for match_id, user_id, deadline in await connection.execute(query)}

    async def save(self, match_id: str, user_id: str, position_version: int, lines: Sequence[Sequence[str]]) -> None:
        """Replace a user's conditional moves in a match; no lines remove them."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(conditional_moves).where(is_set_of(match_id, user_id)))
            if lines:
                values = {"match_id": match_id, "user_id": user_id, "position_version": position_version}
                text = json.dumps([list(line) for line in lines])
                await connection.execute(insert(conditional_moves).values(values | {"lines": text}))


def is_set_of(match_id: str, user_id: str) -> ColumnElement[bool]:
    """Return the condition for the conditional moves of a user in a match."""
    return (conditional_moves.c.match_id == match_id) & (conditional_moves.c.user_id == user_id)
