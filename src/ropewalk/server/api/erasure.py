"""Erasure of users: their sessions, open challenges and data, and the same for the bots of an account."""

from __future__ import annotations

from ..db.user_data import delete_user_data
from ..db.user_repository import User
from ..services import AppServices


async def erase_user(services: AppServices, user: User) -> None:
    """Erase a user and their bots: nobody can act for them any more, and their names and words are gone."""
    erased = [*await services.users.list_bots(user.id), user]
    await services.sessions.end_all([one.id for one in erased])  # first: what an open socket still says would stay
    for one in erased:
        await services.matchmaker.withdraw_challenges(one)
        await delete_user_data(services.users, one)
        services.registry.on_user_change("erased", one.id)
