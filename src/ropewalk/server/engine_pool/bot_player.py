"""Our bots at the tables: when one of them is to move, it thinks, and plays what it found if the position still stands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.user_repository import MAX_LEVEL, now_ms
from ..domain import clocks
from ..domain.actions import Actor, AnswerDraw, Move
from ..domain.clocks import Fischer
from ..domain.events import MatchEvent
from ..domain.match import MatchState
from ..errors import ApiError
from ..matches.hub import Origin
from ..matches.live_match import LiveMatch
from ..matches.service import MatchService
from .pool import EnginePool

BUILTIN_BOT_PREFIX = "level-"
BUILTIN_BOT_IDS = [f"{BUILTIN_BOT_PREFIX}{level}" for level in range(1, MAX_LEVEL + 1)]
TIME_SHARE = 25  # of the time that is left, for one move
MIN_SECONDS = 0.05
THINKING, WARMING_UP = "thinking", "warming-up"
log = logging.getLogger("ropewalk.players")


class BotPlayer:
    """Moves for the seats of our levels."""

    def __init__(self, service: MatchService, pool: EnginePool, background: TaskSupervisor) -> None:
        self.service = service
        self.pool = pool
        self.background = background
        self.thoughts: dict[str, asyncio.Task[bool]] = {}  # by match
        service.hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Think after what was written here; other servers do so after what they wrote."""
        if origin is Origin.LOCAL:
            self.start_turn(match)

    def start_turn(self, match: LiveMatch) -> None:
        """Think, if it is a bot's turn and it does not think yet."""
        if find_bot_to_act(match.state) is None or match.id in self.thoughts:
            return
        # Interruptible, because an engine may take minutes: the ledger still writes what it was given, and `look_after`
        # takes up the rest when a server starts.
        task = self.background.start(self.play_turn(match), interruptible=True)
        if task is not None:
            self.thoughts[match.id] = task
            task.add_done_callback(lambda done: self.finish_turn(match, done))

    def finish_turn(self, match: LiveMatch, thought: asyncio.Task[bool]) -> None:
        """The thought is over; what happened meanwhile may be reason for another."""
        self.thoughts.pop(match.id, None)
        match.engine_status = None
        match.wake_subscribers()
        if not thought.cancelled() and thought.exception() is None and thought.result():
            self.start_turn(match)

    async def play_turn(self, match: LiveMatch) -> bool:
        """Play for a bot as long as it is its turn; False when it cannot."""
        while (bot := find_bot_to_act(match.state)) is not None:
            standing = match.state.position_version
            try:
                await self.choose_action(match, bot)
            except ApiError as refusal:
                if match.state.position_version == standing and find_bot_to_act(match.state) == bot:
                    log.warning("match %s: %s", match.id, refusal)
                    return False  # `look_after` will try again
        return True

    async def choose_action(self, match: LiveMatch, bot: str) -> None:
        """Decline a draw, or play a step."""
        state = match.state
        if state.seat is None or state.seats[state.seat] != bot:
            await self.service.perform(match, Actor(bot), AnswerDraw(accept=False))
            return
        match.engine_status = THINKING if self.pool.is_warm(state.config.spec) else WARMING_UP
        match.wake_subscribers()
        found = await self.pool.ask(match.id, build_request(state, int(bot.removeprefix(BUILTIN_BOT_PREFIX))))
        # A client's id of its own: should two servers think for one seat, only one of their answers is taken.
        move = Move(move=found["move"], position_version=state.position_version, request_id=f"{state.position_version}")
        await self.service.perform(match, Actor(bot, engine_info=found["by"]), move)

    async def resume_stalled(self) -> None:
        """Take up all matches in which a bot should have moved, after a restart or a failure."""
        for row in await self.service.registry.repository.list_waiting_for(BUILTIN_BOT_IDS):
            match = await self.service.registry.get(row.id)
            await self.service.registry.refresh(match)
            self.start_turn(match)


def find_bot_to_act(state: MatchState) -> str | None:
    """The bot of ours that has to do something: it is to move, or was offered a draw."""
    acting = [state.seat] if state.seat is not None else []
    if state.draw_offered_by is not None:
        acting.insert(0, 1 - state.draw_offered_by)
    users = [state.seats[seat] for seat in acting]
    return next((user for user in users if user is not None and user.startswith(BUILTIN_BOT_PREFIX)), None)


def build_request(state: MatchState, level: int) -> dict[str, object]:
    """What to ask an engine for the seat to move."""
    moves = [step.move for step in state.moves]
    settings = state.config
    asked = {"do": "choose", "spec": settings.spec, "position": settings.initial_position, "moves": moves, "level": level}
    return asked | {"seconds": time_budget(state)}


def time_budget(state: MatchState) -> float | None:
    """How long a bot may think by its clock."""
    clock, falls = state.config.clock, state.timeout_at()
    if falls is None:
        return None
    increment = clock.increment_seconds if isinstance(clock, Fischer) else 0
    left = (falls - now_ms()) / clocks.SECOND_MS
    return max(MIN_SECONDS, min(left / 2, left / TIME_SHARE + 0.75 * increment))
