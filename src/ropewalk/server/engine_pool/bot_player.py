"""Moves of the built-in bots: when one is to move, an engine searches, and its move is played if the position is the same.

A search for a position that has changed is cancelled.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from ...engine.protocol import CHOOSE_MOVE, MAX_SEED
from ..background import TaskSupervisor
from ..db.user_repository import MAX_LEVEL
from ..domain import clocks
from ..domain.actions import Actor, AnswerDraw, Move
from ..domain.clocks import Fischer
from ..domain.events import EngineStatus, MatchEvent
from ..domain.match import MatchState
from ..domain.usernames import BUILTIN_BOT_PREFIX, is_builtin_bot_id
from ..errors import ApiError
from ..matches.hub import Origin
from ..matches.live_match import LiveMatch
from ..matches.service import MatchService
from .pool import EnginePool
from .worker_client import Request, Response

BUILTIN_BOT_IDS = [f"{BUILTIN_BOT_PREFIX}{level}" for level in range(1, MAX_LEVEL + 1)]
TIME_SHARE = 25  # divisor of the time left, for one move
MIN_SECONDS = 0.05
THINKING: EngineStatus = "thinking"
WARMING_UP: EngineStatus = "warming-up"
log = logging.getLogger("ropewalk.bot_player")


class BotSearch(NamedTuple):
    """A search for a move, and the version of the position that it is about."""

    position_version: int
    task: asyncio.Task[Response]


class BotPlayer:
    """Plays the moves of built-in bots, and answers their draw offers."""

    def __init__(self, service: MatchService, pool: EnginePool, background: TaskSupervisor) -> None:
        self.service = service
        self.pool = pool
        self.background = background
        self.turns: dict[str, asyncio.Task[bool]] = {}  # by match id
        self.searches: dict[str, BotSearch] = {}  # by match id
        service.hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Cancel an outdated search, and start a bot's turn if this server has stored the events."""
        search = self.searches.get(match.id)
        if search is not None and (
            search.position_version != match.state.position_version or find_bot_to_act(match.state) is None
        ):
            search.task.cancel()
        if origin is Origin.LOCAL:
            self.start_turn(match)

    def start_turn(self, match: LiveMatch) -> None:
        """Start the task of a bot's turn, unless it is running or no bot has to act."""
        if find_bot_to_act(match.state) is None or match.id in self.turns:
            return
        # Interruptible, because an engine may take minutes: the event store still stores what it was given, and
        # `resume_stalled` continues the rest when a server starts.
        task = self.background.start(self.play_turn(match), interruptible=True)
        if task is not None:
            self.turns[match.id] = task
            task.add_done_callback(lambda done: self.finish_turn(match, done))

    def finish_turn(self, match: LiveMatch, task: asyncio.Task[bool]) -> None:
        """Remove a finished task; start another if a bot has to act after events in the meantime."""
        self.turns.pop(match.id, None)
        match.engine_status = None
        match.wake_subscribers()
        if not task.cancelled() and task.exception() is None and task.result():
            self.start_turn(match)

    async def play_turn(self, match: LiveMatch) -> bool:
        """Act for a bot as long as it has to. Returns False after an error in an unchanged position."""
        while (bot_id := find_bot_to_act(match.state)) is not None:
            version = match.state.position_version
            try:
                await self.choose_action(match, bot_id)
            except ApiError as error:
                if match.state.position_version == version and find_bot_to_act(match.state) == bot_id:
                    log.warning("match %s: %s", match.id, error)
                    return False  # `resume_stalled` tries again
        return True

    async def choose_action(self, match: LiveMatch, bot_id: str) -> None:
        """Play the move that an engine chooses, or decline a draw offer."""
        state = match.state
        if state.seat is None or state.seats[state.seat] != bot_id:
            await self.service.perform(match, Actor(bot_id), AnswerDraw(accept=False))
            return
        match.engine_status = THINKING if self.pool.is_warm(state.config.spec) else WARMING_UP
        match.wake_subscribers()
        level, now = int(bot_id.removeprefix(BUILTIN_BOT_PREFIX)), self.service.clock.now_ms()
        response = await self.search_move(match, build_request(state, level, now))
        # The request id is derived from the position: if two servers search for one seat, only one move is stored.
        move = Move(move=response["move"], position_version=state.position_version, request_id=f"{state.position_version}")
        await self.service.perform(match, Actor(bot_id, engine_info=response["engine"]), move)

    async def search_move(self, match: LiveMatch, request: Request) -> Response:
        """Return an engine's response. Raises ApiError "stale" if the position changes before it comes."""
        task = asyncio.create_task(self.pool.ask(find_engine_share(match), request))
        self.searches[match.id] = BotSearch(match.state.position_version, task)
        try:
            await asyncio.wait([task])
            if task.cancelled():
                raise ApiError("stale", "the position changed during the search")
            return task.result()
        finally:
            task.cancel()
            del self.searches[match.id]

    async def resume_stalled(self) -> None:
        """Start the turns of built-in bots that have to move, after a restart or a failure."""
        registry = self.service.registry
        for row in await registry.repository.list_waiting_for(BUILTIN_BOT_IDS):
            if row.id in registry.unreadable:
                continue
            try:
                match = await registry.get(row.id)
                await registry.refresh(match)
            except ApiError as error:
                log.warning("match %s: %s", row.id, error)
            else:
                self.start_turn(match)


def find_bot_to_act(state: MatchState) -> str | None:
    """Return the id of the built-in bot that is to move or was offered a draw, None if there is none."""
    acting_seats = [state.seat] if state.seat is not None else []
    if state.draw_offered_by is not None:
        acting_seats.insert(0, 1 - state.draw_offered_by)
    user_ids = [state.seats[seat] for seat in acting_seats]
    return next(filter(is_builtin_bot_id, user_ids), None)


def find_engine_share(match: LiveMatch) -> str:
    """Return who shares the engines with others: a match, or for games between bots their whole tournament."""
    tournament_id = match.row.tournament_id
    return tournament_id if tournament_id is not None and all(map(is_builtin_bot_id, match.seats)) else match.id


def build_request(state: MatchState, level: int, now: int) -> Request:
    """Return the request for the move of the seat to move."""
    return {
        "action": CHOOSE_MOVE,
        "spec": state.config.spec,
        "position": state.config.initial_position,
        "moves": [move.move for move in state.moves],
        "level": level,
        "seed": secrets.randbelow(MAX_SEED + 1),
        "seconds": compute_time_budget(state, now),
    }


def compute_time_budget(state: MatchState, now: int) -> float | None:
    """Return the seconds that a bot may search by its clock, None without a time limit."""
    clock, timeout_at = state.config.clock, state.timeout_at()
    if timeout_at is None:
        return None
    increment = clock.increment_seconds if isinstance(clock, Fischer) else 0
    seconds_left = (timeout_at - now) / clocks.SECOND_MS
    return max(MIN_SECONDS, min(seconds_left / 2, seconds_left / TIME_SHARE + 0.75 * increment))
