"""Conditional moves: what a player has decided beforehand is played as soon as the other has moved."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..background import TaskSupervisor
from ..db.conditional_moves_repository import ConditionalMoves, ConditionalMovesRepository
from ..domain.actions import Actor, Move
from ..domain.clocks import Days
from ..domain.events import MatchEvent
from ..domain.match import MatchState
from ..errors import ApiError
from .hub import Origin
from .live_match import LiveMatch
from .service import MatchService

MAX_LINES, MAX_LINE_LENGTH = 50, 50
log = logging.getLogger("ropewalk.planners")


class ConditionalMovePlayer:
    """Plays for those who have planned."""

    def __init__(self, service: MatchService, book: ConditionalMovesRepository, background: TaskSupervisor) -> None:
        self.service = service
        self.repository = book
        self.background = background
        service.hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """After a step that was written here."""
        state = match.state
        if (
            origin is not Origin.LOCAL
            or state.seat is None
            or not allows_conditional_moves(state)
            or not any(one.type == "step" for one in events)
        ):
            return
        self.background.start(self.play_next(match))

    async def play_next(self, match: LiveMatch) -> None:
        """Play the step that the user to move has planned, if they have."""
        state = match.state
        user = None if state.seat is None else state.seats[state.seat]
        if user is None:
            return
        try:
            plan = await self.repository.find(match.id, user)
            step = None if plan is None else find_next_move(state, plan)
            if step is not None:
                await self.service.perform(
                    match, Actor(user), Move(move=step, after=state.position_version, id=f"plan-{state.position_version}")
                )
        except ApiError as refusal:
            log.info("match %s: a planned move was not played: %s", match.id, refusal)


def allows_conditional_moves(state: MatchState) -> bool:
    """Conditional moves are for correspondence."""
    return isinstance(state.config.clock, Days)


def find_next_move(state: MatchState, plan: ConditionalMoves) -> str | None:
    """The next step of a line that the match has followed so far; none when what it was based on was taken back."""
    based = [step.seq for step in state.moves]
    if plan.position_version not in based and plan.position_version != 1:
        return None
    played = tuple(step.move for step in state.moves if step.seq > plan.position_version)
    for line in plan.lines:
        if len(line) > len(played) and line[: len(played)] == played:
            return line[len(played)]
    return None


def validate_lines(state: MatchState, lines: Sequence[Sequence[str]]) -> None:
    """Refuse lines that are too many, too long or against the rules."""
    if len(lines) > MAX_LINES:
        raise ApiError("too-many", f"a plan has at most {MAX_LINES} lines", limit=MAX_LINES)
    for line in lines:
        if len(line) > MAX_LINE_LENGTH:
            raise ApiError("too-many", f"a line of a plan has at most {MAX_LINE_LENGTH} steps", limit=MAX_LINE_LENGTH)
        position = state.position
        for step in line:
            position = position.play(step)
