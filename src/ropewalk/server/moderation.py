"""What operators decide by commands, applied by every server: muted users, closed accounts."""

from __future__ import annotations

import logging

from .db.moderation_repository import LoggedAction, ModerationRepository
from .db.session_repository import SessionRepository
from .db.user_repository import UserRepository
from .matches.matchmaking import Matchmaker

log = logging.getLogger("ropewalk.moderation")


class ModerationWatcher:
    """Reads the log of commands, and applies what is new.

    After the start it reads the whole log: an account may have been closed while no server ran.
    """

    def __init__(
        self,
        repository: ModerationRepository,
        users: UserRepository,
        sessions: SessionRepository,
        matchmaker: Matchmaker,
    ) -> None:
        self.repository = repository
        self.users = users
        self.sessions = sessions
        self.matchmaker = matchmaker
        self.last_seq = 0

    async def apply_actions(self) -> None:
        """Apply the commands that were given since the last call."""
        for action in await self.repository.list_actions(self.last_seq):
            await self.apply(action)
            self.last_seq = action.seq

    async def apply(self, action: LoggedAction) -> None:
        """Discard what is cached about a user; the sessions and challenges of a closed account end."""
        self.users.invalidate(action.user_id)
        user = await self.users.find(action.user_id)
        if action.action == "close" and user is not None and user.is_closed:
            log.info("the account %s is closed", user.name)
            await self.sessions.end_all([user.id])
            await self.matchmaker.withdraw_challenges(user)
