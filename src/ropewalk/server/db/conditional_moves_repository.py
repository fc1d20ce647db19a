"""Conditional moves as they are kept: lines of steps, from a certain position on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from .database import Database
from .tables import plans


@dataclass(frozen=True)
class ConditionalMoves:
    """Lines of steps that follow the position that an event made: the other's answers, and one's own to them."""

    position_version: int  # the event
    lines: tuple[tuple[str, ...], ...]


class ConditionalMovesRepository:
    """Reads and writes plans."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, match_id: str, user: str) -> ConditionalMoves | None:
        """A user's plan for a match."""
        wanted = select(plans.c.lines).where(plans.c.match_id == match_id, plans.c.user_id == user)
        async with self.database.read_connection() as connection:
            text = await connection.scalar(wanted)
        if text is None:
            return None
        said = json.loads(text)
        return ConditionalMoves(said["after"], tuple(tuple(line) for line in said["lines"]))

    async def save(self, match_id: str, user: str, after: int, lines: Sequence[Sequence[str]]) -> None:
        """Keep a plan in place of the one before; none for no lines."""
        text = json.dumps({"after": after, "lines": [list(line) for line in lines]})
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(plans).where(plans.c.match_id == match_id, plans.c.user_id == user))
            if lines:
                await connection.execute(insert(plans).values(match_id=match_id, user_id=user, lines=text))
