"""The repository of moderation: reports, blocks, muted and closed accounts, the announcement, and the log of commands.

Operators change rows by a command in another process. Every change is added to `moderation_log`, which all servers read, so
that they discard what they have cached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..errors import ApiError
from .database import Database
from .tables import announcements, blocks, moderation_log, reports, users
from .user_repository import now_ms

MAX_ANNOUNCEMENT_LENGTH = 300
MAX_REASON_LENGTH = 500
MAX_OPEN_REPORTS = 20  # of one user
MAX_LISTED = 100
CURRENT = "current"

ModerationAction = Literal["mute", "unmute", "close", "reopen"]


@dataclass(frozen=True)
class NewReport:
    """A report about a user, perhaps about a chat message in a match."""

    reporter_id: str
    user_id: str
    reason: str
    match_id: str | None = None
    chat_text: str | None = None  # a copy of the message


@dataclass(frozen=True)
class UserReport:
    """A report as operators see it, with names."""

    id: int
    created_at: int
    reporter: str
    user: str
    reason: str
    match_id: str | None
    chat_text: str | None


@dataclass(frozen=True)
class LoggedAction:
    """A command of an operator about a user."""

    seq: int
    action: ModerationAction
    user_id: str


class ModerationRepository:
    """Reads and writes what users report and operators decide."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Reports

    async def add_report(self, report: NewReport) -> int:
        """Store a report and return its number. Raises ApiError `too-many` if the user has too many open ones."""
        is_own = (reports.c.reporter_id == report.reporter_id) & reports.c.closed_at.is_(None)
        async with self.database.write_transaction() as connection:
            count = await connection.scalar(select(func.count()).select_from(reports).where(is_own))
            if int(count or 0) >= MAX_OPEN_REPORTS:
                message = f"you have {MAX_OPEN_REPORTS} open reports already; wait until an operator has read them"
                raise ApiError("too-many", message, limit=MAX_OPEN_REPORTS)
            stored = await connection.execute(
                insert(reports).values(vars(report) | {"created_at": now_ms()}).returning(reports.c.id)
            )
            return int(stored.scalar_one())

    async def list_reports(self) -> list[UserReport]:
        """Return the open reports, the oldest first."""
        reporter = users.alias("reporter")
        columns = (reports.c.id, reports.c.created_at, reporter.c.name, users.c.name, reports.c.reason)
        query = (
            select(*columns, reports.c.match_id, reports.c.chat_text)
            .join(users, users.c.id == reports.c.user_id)
            .join(reporter, reporter.c.id == reports.c.reporter_id)
            .where(reports.c.closed_at.is_(None))
        )
        async with self.database.read_connection() as connection:
            return [UserReport(*row) for row in await connection.execute(query.order_by(reports.c.id).limit(MAX_LISTED))]

    async def close_report(self, report_id: int) -> bool:
        """Mark a report as done. Returns False if there is no such open report."""
        is_open = (reports.c.id == report_id) & reports.c.closed_at.is_(None)
        async with self.database.write_transaction() as connection:
            return (await connection.execute(update(reports).where(is_open).values(closed_at=now_ms()))).rowcount == 1

    # Accounts

    async def set_silenced(self, user_id: str, *, silenced: bool) -> None:
        """Forbid or allow a user to write chat messages."""
        async with self.database.write_transaction() as connection:
            values = {"silenced_at": now_ms() if silenced else None}
            await connection.execute(update(users).where(users.c.id == user_id).values(values))
            await add_to_log(connection, "mute" if silenced else "unmute", user_id)

    async def set_closed(self, user_id: str, *, closed: bool) -> None:
        """Close an account and its bots, or open them again."""
        is_concerned = or_(users.c.id == user_id, users.c.owner_id == user_id)
        async with self.database.write_transaction() as connection:
            ids = list(await connection.scalars(select(users.c.id).where(is_concerned)))
            values = {"closed_at": now_ms() if closed else None}
            await connection.execute(update(users).where(users.c.id.in_(ids)).values(values))
            for concerned_id in ids:
                await add_to_log(connection, "close" if closed else "reopen", concerned_id)

    async def list_actions(self, after: int) -> list[LoggedAction]:
        """Return the commands about users after a seq, in their order."""
        query = select(moderation_log.c.seq, moderation_log.c.action, moderation_log.c.user_id)
        query = query.where(moderation_log.c.seq > after).order_by(moderation_log.c.seq)
        async with self.database.read_connection() as connection:
            return [LoggedAction(*row) for row in await connection.execute(query)]

    # The announcement

    async def set_announcement(self, text: str | None) -> None:
        """Set the line that every page shows; None removes it."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(announcements))
            if text is not None:
                await connection.execute(insert(announcements).values(name=CURRENT, text=text, created_at=now_ms()))

    async def find_announcement(self) -> str | None:
        """Return the line that every page shows, None if there is none."""
        async with self.database.read_connection() as connection:
            text: str | None = await connection.scalar(select(announcements.c.text))
        return text

    # Blocks

    async def set_block(self, user_id: str, other_id: str, *, blocked: bool) -> None:
        """Block another user, or end it."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(blocks).where(is_block(user_id, other_id)))
            if blocked:
                await connection.execute(insert(blocks).values(user_id=user_id, blocked=other_id))

    async def has_block(self, user_id: str, other_id: str) -> bool:
        """Return whether a user has blocked another one."""
        async with self.database.read_connection() as connection:
            return await connection.scalar(select(blocks.c.user_id).where(is_block(user_id, other_id))) is not None

    async def require_not_blocked(self, user_id: str, other_id: str | None) -> None:
        """Raise ApiError `blocked` if one of two users has blocked the other."""
        if other_id is None or other_id == user_id:
            return
        if await self.has_block(other_id, user_id):
            raise ApiError("blocked", "this player does not play with you; choose another opponent")
        if await self.has_block(user_id, other_id):
            raise ApiError("blocked", "you have blocked this player; unblock them first")


async def add_to_log(connection: AsyncConnection, action: ModerationAction, user_id: str) -> None:
    """Add a command to the log that all servers read."""
    row = {"timestamp_ms": now_ms(), "action": action, "user_id": user_id}
    await connection.execute(insert(moderation_log).values(row))


def is_block(user_id: str, other_id: str) -> ColumnElement[bool]:
    """Return the condition that a row says that a user has blocked another one."""
    return (blocks.c.user_id == user_id) & (blocks.c.blocked == other_id)
