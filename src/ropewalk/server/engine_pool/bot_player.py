"""Our bots at the tables: when one of them is to move, it thinks, and plays what it found if the position still stands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.user_repository import MAX_LEVEL, now_ms
from ..domain import clocks
from ..domain.actions import Actor, AnswerDraw, Move
from ..domain.events import MatchEvent
from ..domain.match import MatchState
from ..errors import ApiError
from ..matches.live_match import Table
from ..matches.registry import Tables
from .pool import Pool

PREFIX = "level-"
LEVEL_USERS = [f"{PREFIX}{level}" for level in range(1, MAX_LEVEL + 1)]
SHARE = 25  # of the time that is left, for one move
LEAST_SECONDS = 0.05
THINKING, WARMING = "thinking", "warming up"
log = logging.getLogger("ropewalk.players")


class Players:
    """Moves for the seats of our levels."""

    def __init__(self, tables: Tables, pool: Pool, background: TaskSupervisor) -> None:
        self.tables = tables
        self.pool = pool
        self.background = background
        self.thoughts: dict[str, asyncio.Task[bool]] = {}  # by match
        tables.listeners.append(self.hear)

    def hear(self, table: Table, events: Sequence[MatchEvent], here: bool) -> None:
        """Think after what was written here; other servers do so after what they wrote."""
        if here:
            self.attend(table)

    def attend(self, table: Table) -> None:
        """Think, if it is a bot's turn and it does not think yet."""
        if bot_to_act(table.state) is None or table.id in self.thoughts:
            return
        # Interruptible, because an engine may take minutes: the ledger still writes what it was given, and `look_after`
        # takes up the rest when a server starts.
        task = self.background.start(self.think(table), interruptible=True)
        if task is not None:
            self.thoughts[table.id] = task
            task.add_done_callback(lambda done: self.rest(table, done))

    def rest(self, table: Table, thought: asyncio.Task[bool]) -> None:
        """The thought is over; what happened meanwhile may be reason for another."""
        self.thoughts.pop(table.id, None)
        table.thinking = None
        table.ring()
        if not thought.cancelled() and thought.exception() is None and thought.result():
            self.attend(table)

    async def think(self, table: Table) -> bool:
        """Play for a bot as long as it is its turn; False when it cannot."""
        while (bot := bot_to_act(table.state)) is not None:
            standing = table.state.position_version
            try:
                await self.answer(table, bot)
            except ApiError as refusal:
                if table.state.position_version == standing and bot_to_act(table.state) == bot:
                    log.warning("match %s: %s", table.id, refusal)
                    return False  # `look_after` will try again
        return True

    async def answer(self, table: Table, bot: str) -> None:
        """Decline a draw, or play a step."""
        state = table.state
        if state.seat is None or state.seats[state.seat] != bot:
            await self.tables.act(table, Actor(bot), AnswerDraw(accept=False))
            return
        table.thinking = THINKING if self.pool.is_warm(state.config.spec) else WARMING
        table.ring()
        found = await self.pool.ask(table.id, question(state, int(bot.removeprefix(PREFIX))))
        # A client's id of its own: should two servers think for one seat, only one of their answers is taken.
        move = Move(move=found["move"], after=state.position_version, id=f"{state.position_version}")
        await self.tables.act(table, Actor(bot, engine_info=found["by"]), move)

    async def look_after(self) -> None:
        """Take up all matches in which a bot should have moved, after a restart or a failure."""
        for row in await self.tables.archive.list_waiting_for(LEVEL_USERS):
            table = await self.tables.at(row.id)
            await self.tables.refresh(table)
            self.attend(table)


def bot_to_act(state: MatchState) -> str | None:
    """The bot of ours that has to do something: it is to move, or was offered a draw."""
    acting = [state.seat] if state.seat is not None else []
    if state.draw_offered_by is not None:
        acting.insert(0, 1 - state.draw_offered_by)
    users = [state.seats[seat] for seat in acting]
    return next((user for user in users if user is not None and user.startswith(PREFIX)), None)


def question(state: MatchState, level: int) -> dict[str, object]:
    """What to ask an engine for the seat to move."""
    moves = [step.move for step in state.moves]
    settings = state.config
    asked = {"do": "choose", "spec": settings.spec, "position": settings.initial_position, "moves": moves, "level": level}
    return asked | {"seconds": seconds_for(state)}


def seconds_for(state: MatchState) -> float | None:
    """How long a bot may think by its clock."""
    falls = state.timeout_at()
    if falls is None:
        return None
    increment = getattr(state.config.clock, "increment", 0)
    left = (falls - now_ms()) / clocks.SECOND_MS
    return max(LEAST_SECONDS, min(left / 2, left / SHARE + 0.75 * increment))
