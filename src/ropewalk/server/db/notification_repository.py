"""The repository of notifications: push subscriptions of sessions, e-mail addresses, and turns that users are told about.

A row of `turn_notices` says which turn of a match its user was told about last, or is to be told about: then it has a time.
One server claims it by removing the time, so that each turn is told at most once, however many servers there are.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from .database import Database
from .identifiers import hash_token
from .session_repository import SESSION_ID
from .tables import SELECT_VAPID_KEY, email_addresses, matches, push_subscriptions, sessions, turn_notices, users
from .user_repository import now_ms

MAX_CLAIMED = 50  # notices that are claimed at a time
TOKEN_BYTES = 24
Language = Literal["en", "de"]


@dataclass(frozen=True)
class PushSubscription:
    """Where the messages for one browser are sent, and the keys that they are encrypted with."""

    session_id: str
    endpoint: str
    p256dh: str
    auth: str
    language: Language


@dataclass(frozen=True)
class EmailAddress:
    """The address of a user; `token` is the secret of the links that confirm it and end the messages."""

    user_id: str
    address: str
    language: Language
    token: str
    is_confirmed: bool


@dataclass(frozen=True)
class TurnNotice:
    """A turn that a user is to be told about."""

    match_id: str
    user_id: str
    turn_seq: int  # of the event that began the turn


class NotificationRepository:
    """Reads and writes what notifications need."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def load_vapid_key(self) -> int:
        """Return the private key that signs messages to push services; all servers of a database share it."""
        async with self.database.read_connection() as connection:
            return int(str(await connection.scalar(SELECT_VAPID_KEY)), 16)

    # Push subscriptions

    async def find_subscription(self, session_id: str) -> PushSubscription | None:
        """Return the subscription of a session, None if there is none."""
        found = await self.list_subscriptions(push_subscriptions.c.session_id == session_id)
        return found[0] if found else None

    async def list_by_user(self, user_id: str) -> list[PushSubscription]:
        """Return the subscriptions of a user's sessions that have not ended."""
        return await self.list_subscriptions(push_subscriptions.c.user_id == user_id)

    async def list_subscriptions(self, condition: ColumnElement[bool]) -> list[PushSubscription]:
        """Return subscriptions whose sessions have not ended."""
        is_same = (sessions.c.user_id == push_subscriptions.c.user_id) & (push_subscriptions.c.session_id == SESSION_ID)
        is_alive = is_same & (sessions.c.expires_at > now_ms())
        query = select(push_subscriptions).join(sessions, is_alive).where(condition)
        async with self.database.read_connection() as connection:
            return [
                PushSubscription(row.session_id, row.endpoint, row.p256dh, row.auth, row.language)
                for row in await connection.execute(query)
            ]

    async def save_subscription(self, user_id: str, subscription: PushSubscription) -> None:
        """Store the subscription of a session, in place of its last one and of any other with the same endpoint."""
        values: dict[str, Any] = {
            "session_id": subscription.session_id,
            "user_id": user_id,
            "endpoint": subscription.endpoint,
            "endpoint_hash": hash_token(subscription.endpoint),
            "p256dh": subscription.p256dh,
            "auth": subscription.auth,
            "language": subscription.language,
            "created_at": now_ms(),
        }
        is_replaced = (push_subscriptions.c.session_id == subscription.session_id) | (
            push_subscriptions.c.endpoint_hash == values["endpoint_hash"]
        )
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(push_subscriptions).where(is_replaced))
            await connection.execute(insert(push_subscriptions).values(values))

    async def delete_subscription(self, session_id: str) -> None:
        """Delete the subscription of a session, if there is one."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(push_subscriptions).where(push_subscriptions.c.session_id == session_id))

    # E-mail addresses

    async def find_email(self, user_id: str) -> EmailAddress | None:
        """Return the e-mail address of a user, confirmed or not; None if there is none."""
        return await self.find_email_where(email_addresses.c.user_id == user_id)

    async def find_email_by_token(self, token: str) -> EmailAddress | None:
        """Return the e-mail address of a link, None if the link is outdated."""
        return await self.find_email_where(email_addresses.c.token == token)

    async def find_email_where(self, condition: ColumnElement[bool]) -> EmailAddress | None:
        """Return the first address that fulfils a condition, None if there is none."""
        async with self.database.read_connection() as connection:
            row = (await connection.execute(select(email_addresses).where(condition))).first()
        if row is None:
            return None
        return EmailAddress(row.user_id, row.address, row.language, row.token, row.confirmed_at is not None)

    async def save_email(self, user_id: str, address: str, language: Language) -> EmailAddress:
        """Store an address that is to be confirmed, in place of the last one; links to that one are outdated."""
        email = EmailAddress(user_id, address, language, secrets.token_urlsafe(TOKEN_BYTES), is_confirmed=False)
        values = {"user_id": user_id, "address": address, "language": language, "token": email.token}
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(email_addresses).where(email_addresses.c.user_id == user_id))
            await connection.execute(insert(email_addresses).values(values | {"requested_at": now_ms()}))
        return email

    async def confirm_email(self, token: str) -> bool:
        """Store that an address is confirmed. Returns whether the link was valid."""
        now = now_ms()
        change = update(email_addresses).where(email_addresses.c.token == token)
        async with self.database.write_transaction() as connection:
            changed = await connection.execute(
                change.values(confirmed_at=func.coalesce(email_addresses.c.confirmed_at, now))
            )
            return changed.rowcount > 0

    async def delete_email(self, condition: ColumnElement[bool]) -> bool:
        """Delete addresses. Returns whether there were any."""
        async with self.database.write_transaction() as connection:
            return (await connection.execute(delete(email_addresses).where(condition))).rowcount > 0

    # Turns

    async def has_channel(self, user_id: str) -> bool:
        """Return whether a user has a push subscription or a confirmed address."""
        pushed = select(push_subscriptions.c.user_id).where(push_subscriptions.c.user_id == user_id)
        is_confirmed = (email_addresses.c.user_id == user_id) & email_addresses.c.confirmed_at.is_not(None)
        async with self.database.read_connection() as connection:
            found = await connection.scalar(pushed.union_all(select(email_addresses.c.user_id).where(is_confirmed)).limit(1))
        return found is not None

    async def schedule(self, notice: TurnNotice, due_at: int) -> None:
        """Store that a user is to be told about a turn, unless the match has this turn or a later one already."""
        kind = sqlite if self.database.is_sqlite else postgresql
        values = {"match_id": notice.match_id, "user_id": notice.user_id, "turn_seq": notice.turn_seq, "due_at": due_at}
        new = kind.insert(turn_notices).values(values)
        upsert = new.on_conflict_do_update(
            index_elements=["match_id"],
            set_={name: new.excluded[name] for name in ("user_id", "turn_seq", "due_at")},
            where=turn_notices.c.turn_seq < new.excluded.turn_seq,
        )
        async with self.database.write_transaction() as connection:
            await connection.execute(upsert)

    async def claim_due(self, now: int) -> list[TurnNotice]:
        """Return notices whose time has come and that nobody else has claimed; only those of turns that still last."""
        due = select(turn_notices.c.match_id, turn_notices.c.turn_seq).where(turn_notices.c.due_at <= now).limit(MAX_CLAIMED)
        async with self.database.read_connection() as connection:
            keys = (await connection.execute(due)).all()
        return [notice for key in keys if (notice := await self.claim(key.match_id, key.turn_seq)) is not None]

    async def claim(self, match_id: str, turn_seq: int) -> TurnNotice | None:
        """Claim a notice. Returns None if another server has claimed it, or if the turn is over."""
        is_free = (turn_notices.c.match_id == match_id) & (turn_notices.c.turn_seq == turn_seq)
        claim = update(turn_notices).where(is_free, turn_notices.c.due_at.is_not(None)).values(due_at=None)
        has_turn = select(matches.c.to_move_user_id).join(users, users.c.id == matches.c.to_move_user_id)
        has_turn = has_turn.where(matches.c.id == match_id, matches.c.status == "playing", users.c.closed_at.is_(None))
        async with self.database.write_transaction() as connection:
            user_id = await connection.scalar(claim.returning(turn_notices.c.user_id))
            to_move = None if user_id is None else await connection.scalar(has_turn)
        return None if user_id is None or to_move != user_id else TurnNotice(match_id, user_id, turn_seq)
