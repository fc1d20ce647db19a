"""What is kept of a user: all of it for them to take, and to erase."""

from __future__ import annotations

import json
import secrets
from typing import Any

from sqlalchemy import Table, delete, or_, select, update

from ..domain.usernames import DELETED_NAME
from .database import Database
from .tables import events, matches, mutes, plans, rating_changes, ratings, sessions, users
from .user_repository import User, notify_user_changed


async def export_user_data(database: Database, user: User) -> dict[str, Any]:
    """Everything that is kept of a user, but no secrets."""
    async with database.read_connection() as connection:

        async def rows(match: Table, *where: Any) -> list[dict[str, Any]]:
            found = await connection.execute(select(match).where(*where))
            return [dict(row._mapping) for row in found]

        return {
            "user": [redact(row, "password") for row in await rows(users, users.c.id == user.id)],
            "sessions": [redact(row, "hash") for row in await rows(sessions, sessions.c.user_id == user.id)],
            "matches": [
                redact(row, "invitation")
                for row in await rows(matches, or_(matches.c.seat0 == user.id, matches.c.seat1 == user.id))
            ],
            "events": await rows(events, events.c.user_id == user.id),
            "plans": await rows(plans, plans.c.user_id == user.id),
            "mutes": await rows(mutes, mutes.c.user_id == user.id),
            "ratings": await rows(ratings, ratings.c.user_id == user.id),
            "rating_changes": await rows(rating_changes, rating_changes.c.user_id == user.id),
        }


def redact(row: dict[str, Any], secret: str) -> dict[str, Any]:
    """A row without what nobody should read."""
    return {key: value for key, value in row.items() if key != secret}


async def delete_user_data(database: Database, user: User) -> None:
    """Forget who a user was and what they said; the moves stay, for they are the other player's too."""
    gone = {
        "name": DELETED_NAME,
        "name_key": f"erased {secrets.token_hex(8)}",
        "kind": "erased",
        "password": None,
        "owner": None,
    }
    async with database.write_transaction() as connection:
        await connection.execute(update(users).where(users.c.id == user.id).values(gone))
        said = (events.c.user_id == user.id) & (events.c.kind == "chat")
        await connection.execute(update(events).where(said).values(data=json.dumps({"text": "", "erased": True})))
        for match, column in ((sessions, sessions.c.user_id), (plans, plans.c.user_id), (mutes, mutes.c.user_id),
                              (mutes, mutes.c.muted), (ratings, ratings.c.user_id)):  # fmt: skip
            await connection.execute(delete(match).where(column == user.id))
        bots = select(users.c.id).where(users.c.owner == user.id)
        await connection.execute(delete(sessions).where(sessions.c.user_id.in_(bots)))
        await notify_user_changed(connection, user.id)
