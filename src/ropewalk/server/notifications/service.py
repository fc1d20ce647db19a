"""Tells correspondence players that it is their turn, by Web Push and e-mail, off the path of requests.

A stored move leads to a row of `turn_notices` for the user to move, if they want to be told. A periodic job of any server
claims the rows whose time has come and sends the messages. The delay lets conditional moves be played first.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ...errors import SpecError
from ...games.registry import spec_of
from ..background import TaskSupervisor
from ..clock import ServerClock
from ..db.match_repository import MatchRepository
from ..db.notification_repository import EmailAddress, NotificationRepository, PushSubscription, TurnNotice
from ..db.user_repository import UserRepository
from ..domain.clocks import Days
from ..domain.events import BOARD_EVENTS, MatchEvent
from ..domain.match import MatchState
from ..domain.usernames import is_builtin_bot_id
from ..errors import ApiError
from ..matches.hub import MatchHub, Origin
from .mailer import Mailer
from .web_push import PushOutcome, WebPushSender

if TYPE_CHECKING:
    from ..matches.live_match import LiveMatch

NUM_THREADS = 4  # messages that are sent at a time


class NotificationService:
    """Schedules and sends notifications; `sent` counts messages by channel and outcome."""

    def __init__(
        self,
        repository: NotificationRepository,
        matches: MatchRepository,
        users: UserRepository,
        hub: MatchHub,
        background: TaskSupervisor,
        clock: ServerClock,
    ) -> None:
        self.repository = repository
        self.matches = matches
        self.users = users
        self.background = background
        self.clock = clock
        self.delay_ms = 0
        self.push_contact = ""
        self.allows_private_endpoints = False
        self.mailer: Mailer | None = None
        self.push_sender: WebPushSender | None = None  # when its key was loaded
        self.threads = ThreadPoolExecutor(NUM_THREADS, "ropewalk-notices")
        self.sent: Counter[tuple[str, str]] = Counter()
        hub.subscribe(self.on_events)

    def configure(self, *, delay_ms: int, push_contact: str, allows_private_endpoints: bool, mailer: Mailer | None) -> None:
        """Set what the operator has chosen; call it before the server starts."""
        self.delay_ms = delay_ms
        self.push_contact = push_contact
        self.allows_private_endpoints = allows_private_endpoints
        self.mailer = mailer

    def shut_down(self) -> None:
        """End the threads; messages that have not been started are dropped."""
        self.threads.shutdown(wait=False, cancel_futures=True)

    # Scheduling

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Schedule a notice when a turn of a person has begun here."""
        if origin is Origin.LOCAL and any(event.type in BOARD_EVENTS for event in events):
            notice = find_notice(match.id, match.state)
            if notice is not None:
                self.background.start(self.schedule(notice))

    async def schedule(self, notice: TurnNotice) -> None:
        """Store a notice, if its user wants to be told."""
        if await self.repository.has_channel(notice.user_id):
            await self.repository.schedule(notice, self.clock.now_ms() + self.delay_ms)

    # Sending

    async def send_due(self) -> None:
        """Claim the notices whose time has come, and send their messages in the background."""
        for notice in await self.repository.claim_due(self.clock.now_ms()):
            self.background.start(self.send(notice))

    async def send(self, notice: TurnNotice) -> None:
        """Send the messages of a notice to all browsers of its user, and to their address."""
        row = await self.matches.find(notice.match_id)
        if row is None:
            return
        opponent_id = next((user_id for user_id in row.seats if user_id != notice.user_id), None)
        opponent = await self.users.find(opponent_id or "")
        game, name = find_game_name(row.config.spec), "?" if opponent is None else opponent.name
        for subscription in await self.repository.list_by_user(notice.user_id):
            await self.push(subscription, notice, game, name)
        email = await self.repository.find_email(notice.user_id)
        if email is not None and email.is_confirmed:
            await self.mail(email, notice, game, name)

    async def push(self, subscription: PushSubscription, notice: TurnNotice, game: str, opponent: str) -> None:
        """Send a message to a browser; a subscription that has ended is deleted."""
        message = {"type": "your-move", "match_id": notice.match_id, "game": game, "opponent": opponent}
        sender = await self.load_sender()
        message["language"] = subscription.language
        outcome = await asyncio.get_running_loop().run_in_executor(self.threads, sender.send, subscription, message)
        self.sent["push", outcome.value] += 1
        if outcome is PushOutcome.GONE:
            await self.repository.delete_subscription(subscription.session_id)

    async def mail(self, email: EmailAddress, notice: TurnNotice, game: str, opponent: str) -> None:
        """Send an e-mail, if the operator has set a mail server."""
        if self.mailer is not None:
            send = self.mailer.send_turn
            loop = asyncio.get_running_loop()
            is_sent = await loop.run_in_executor(self.threads, send, email, notice.match_id, game, opponent)
            self.sent["email", "sent" if is_sent else "failed"] += 1

    async def load_sender(self) -> WebPushSender:
        """Return the sender of push messages, with the key of the database."""
        if self.push_sender is None:
            key = await self.repository.load_vapid_key()
            self.push_sender = WebPushSender(key, self.push_contact, allows_private=self.allows_private_endpoints)
        return self.push_sender

    async def load_public_key(self) -> str:
        """Return the public key that browsers subscribe with."""
        return await asyncio.to_thread((await self.load_sender()).format_public_key)

    async def request_confirmation(self, email: EmailAddress, name: str) -> None:
        """Send the link that confirms an address. Raises ApiError if that is not possible."""
        mailer = self.require_mailer()
        await asyncio.get_running_loop().run_in_executor(self.threads, mailer.send_confirmation, email, name)

    def require_mailer(self) -> Mailer:
        """Return the mailer. Raises ApiError `not-found` if the operator has set no mail server."""
        if self.mailer is None:
            raise ApiError("not-found", "this server sends no e-mail")
        return self.mailer


def find_notice(match_id: str, state: MatchState) -> TurnNotice | None:
    """Return the notice of the turn in a correspondence match; None if nobody is to be told.

    All moves of one seat in a row are one turn, which begins with the last event of the other seat.
    """
    if not isinstance(state.config.clock, Days) or state.seat is None:
        return None
    user_id, other_id = state.seats[state.seat], state.seats[1 - state.seat]
    if user_id is None or user_id == other_id or is_builtin_bot_id(user_id):
        return None
    begun = [move.seq for move in state.moves if move.seat != state.seat]
    return TurnNotice(match_id, user_id, begun[-1] if begun else 0)


def find_game_name(spec: str) -> str:
    """Return the name of the game of a spec; the spec itself if the game is no longer installed."""
    try:
        return spec_of(spec).name
    except SpecError:
        return spec
