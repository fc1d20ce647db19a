"""Erasure of users: their sessions, open challenges and data, and the same for the bots of an account."""

from __future__ import annotations

from ..db.user_data import delete_user_data
from ..db.user_repository import User
from ..domain.actions import Abort, Actor
from ..errors import ApiError
from ..services import AppServices

MAX_WITHDRAWN = 200  # matches of a user


async def erase_user(services: AppServices, user: User) -> None:
    """Erase a user and their bots: nobody can act for them any more, and their names and words are gone."""
    erased = [*await services.users.list_bots(user.id), user]
    await services.sessions.end_all([one.id for one in erased])  # first: what an open socket still says would stay
    for one in erased:
        await withdraw_challenges(services, one)
        await delete_user_data(services.users, one)
        services.registry.on_user_change("erased", one.id)


async def withdraw_challenges(services: AppServices, user: User) -> None:
    """Abort the matches of a user that wait for an opponent."""
    for row in await services.match_repository.list_by_user(user.id, MAX_WITHDRAWN):
        if row.status == "waiting" and row.created_by == user.id:
            try:
                await services.matches.perform(await services.registry.get(row.id), Actor(user.id), Abort())
            except ApiError as error:
                if error.code == "storage":
                    raise
