"""Conditional moves: what a player has decided beforehand is played as soon as the other has moved."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.plan_book import ConditionalMoves, ConditionalMovesRepository
from ..domain.actions import Actor, Move
from ..domain.clocks import Days
from ..domain.events import MatchEvent
from ..domain.match import MatchState
from ..errors import ApiError
from .live_match import Table
from .registry import Tables

MOST_LINES, MOST_STEPS = 50, 50
log = logging.getLogger("ropewalk.planners")


class Planners:
    """Plays for those who have planned."""

    def __init__(self, tables: Tables, book: ConditionalMovesRepository, background: TaskSupervisor) -> None:
        self.tables = tables
        self.book = book
        self.background = background
        tables.listeners.append(self.hear)

    def hear(self, table: Table, events: Sequence[MatchEvent], here: bool) -> None:
        """After a step that was written here."""
        state = table.state
        if not here or state.seat is None or not can_plan(state) or not any(one.type == "step" for one in events):
            return
        self.background.start(self.follow(table))

    async def follow(self, table: Table) -> None:
        """Play the step that the user to move has planned, if they have."""
        state = table.state
        user = None if state.seat is None else state.seats[state.seat]
        if user is None:
            return
        try:
            plan = await self.book.find(table.id, user)
            step = None if plan is None else planned(state, plan)
            if step is not None:
                await self.tables.act(
                    table, Actor(user), Move(move=step, after=state.position_version, id=f"plan-{state.position_version}")
                )
        except ApiError as refusal:
            log.info("match %s: a planned move was not played: %s", table.id, refusal)


def can_plan(state: MatchState) -> bool:
    """Conditional moves are for correspondence."""
    return isinstance(state.config.clock, Days)


def planned(state: MatchState, plan: ConditionalMoves) -> str | None:
    """The next step of a line that the match has followed so far; none when what it was based on was taken back."""
    based = [step.seq for step in state.moves]
    if plan.position_version not in based and plan.position_version != 1:
        return None
    played = tuple(step.move for step in state.moves if step.seq > plan.position_version)
    for line in plan.lines:
        if len(line) > len(played) and line[: len(played)] == played:
            return line[len(played)]
    return None


def refuse_wrong_lines(state: MatchState, lines: Sequence[Sequence[str]]) -> None:
    """Refuse lines that are too many, too long or against the rules."""
    if len(lines) > MOST_LINES:
        raise ApiError("too-many", f"a plan has at most {MOST_LINES} lines", limit=MOST_LINES)
    for line in lines:
        if len(line) > MOST_STEPS:
            raise ApiError("too-many", f"a line of a plan has at most {MOST_STEPS} steps", limit=MOST_STEPS)
        position = state.position
        for step in line:
            position = position.play(step)
