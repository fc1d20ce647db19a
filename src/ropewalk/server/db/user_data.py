"""Export and deletion of the data that is stored about a user."""

from __future__ import annotations

import json
import secrets
from typing import Any

from sqlalchemy import Table, delete, or_, select, update

from ..domain.usernames import DELETED_NAME
from .database import Database
from .tables import (
    analyses,
    blocks,
    conditional_moves,
    email_addresses,
    match_events,
    matches,
    mutes,
    push_subscriptions,
    puzzle_attempts,
    puzzle_ratings,
    rating_changes,
    ratings,
    reports,
    sessions,
    tournament_events,
    tournaments,
    turn_notices,
    users,
)
from .user_repository import User, UserRepository, reserve_name


async def export_user_data(database: Database, user: User) -> dict[str, Any]:
    """Return all rows about a user by table, without hashes of passwords and tokens."""
    async with database.read_connection() as connection:

        async def rows(table: Table, *conditions: Any) -> list[dict[str, Any]]:
            result = await connection.execute(select(table).where(*conditions))
            return [dict(row._mapping) for row in result]

        return {
            "user": [redact(row, "password_hash") for row in await rows(users, users.c.id == user.id)],
            "sessions": [redact(row, "token_hash") for row in await rows(sessions, sessions.c.user_id == user.id)],
            "matches": [
                redact(row, "invitation_hash", "spectator_key")
                for row in await rows(matches, or_(matches.c.seat0_user_id == user.id, matches.c.seat1_user_id == user.id))
            ],
            "events": await rows(match_events, match_events.c.user_id == user.id),
            "conditional_moves": await rows(conditional_moves, conditional_moves.c.user_id == user.id),
            "mutes": await rows(mutes, mutes.c.user_id == user.id),
            "blocks": await rows(blocks, blocks.c.user_id == user.id),
            "reports": await rows(reports, reports.c.reporter_id == user.id),
            "tournaments": [redact(row, "join_key") for row in await rows(tournaments, tournaments.c.created_by == user.id)],
            "tournament_events": await rows(tournament_events, tournament_events.c.user_id == user.id),
            "ratings": await rows(ratings, ratings.c.user_id == user.id),
            "rating_changes": await rows(rating_changes, rating_changes.c.user_id == user.id),
            "puzzle_attempts": await rows(puzzle_attempts, puzzle_attempts.c.user_id == user.id),
            "puzzle_ratings": await rows(puzzle_ratings, puzzle_ratings.c.subject_id == user.id),
            "push_subscriptions": [
                redact(row, "p256dh", "auth", "endpoint_hash")
                for row in await rows(push_subscriptions, push_subscriptions.c.user_id == user.id)
            ],
            "email_addresses": [
                redact(row, "token") for row in await rows(email_addresses, email_addresses.c.user_id == user.id)
            ],
            "analyses": await rows(analyses, analyses.c.user_id == user.id),
        }


def redact(row: dict[str, Any], *columns: str) -> dict[str, Any]:
    """Return a row without secret columns."""
    return {key: value for key, value in row.items() if key not in columns}


async def delete_user_data(repository: UserRepository, user: User) -> None:
    """Delete the name, sessions, ratings and chat messages of a user; moves stay, because they are the opponent's too."""
    anonymous = {
        "name": DELETED_NAME,
        "name_normalised": f"deleted {secrets.token_hex(8)}",
        "kind": "deleted",
        "password_hash": None,
        "owner_id": None,
    }
    async with repository.database.write_transaction() as connection:
        if user.kind != "guest":  # a generated name says nothing about anybody
            await reserve_name(connection, user.name)
        await connection.execute(update(users).where(users.c.id == user.id).values(anonymous))
        is_chat = (match_events.c.user_id == user.id) & (match_events.c.type == "chat-posted")
        payload = json.dumps({"text": "", "deleted": True})
        await connection.execute(update(match_events).where(is_chat).values(payload=payload))
        owned = (
            sessions.c.user_id,
            conditional_moves.c.user_id,
            mutes.c.user_id,
            mutes.c.muted,
            blocks.c.user_id,
            blocks.c.blocked,
            reports.c.reporter_id,
            reports.c.user_id,
            ratings.c.user_id,
            puzzle_attempts.c.user_id,
            puzzle_ratings.c.subject_id,
            push_subscriptions.c.user_id,
            email_addresses.c.user_id,
            turn_notices.c.user_id,
            analyses.c.user_id,
        )
        for column in owned:
            await connection.execute(delete(column.table).where(column == user.id))
        await repository.notify(connection, "erased", user.id)
    repository.invalidate(user.id)
