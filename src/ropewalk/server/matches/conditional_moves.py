"""Conditional moves: replies that a player has chosen in advance are played as soon as the opponent has moved."""

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
log = logging.getLogger("ropewalk.conditional_moves")


class ConditionalMovePlayer:
    """Plays the conditional moves of the user to move after every stored move."""

    def __init__(self, service: MatchService, repository: ConditionalMovesRepository, background: TaskSupervisor) -> None:
        self.service = service
        self.repository = repository
        self.background = background
        self.examined: dict[tuple[str, str], int | None] = {}  # by match and user: the deadline of a turn without a move
        service.hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Play a conditional move after a move, whichever server has stored it: its request id makes it unique."""
        state = match.state
        if (
            state.seat is None
            or not allows_conditional_moves(state)
            or not any(event.type == "move-played" for event in events)
        ):
            return
        self.background.start(self.play_next(match))

    async def play_next(self, match: LiveMatch) -> None:
        """Play the conditional move of the user to move, if there is one."""
        state = match.state
        user_id = None if state.seat is None else state.seats[state.seat]
        if user_id is None:
            return
        try:
            conditional = await self.repository.find(match.id, user_id)
            move = None if conditional is None else find_next_move(match, conditional)
            if move is not None:
                version = state.position_version
                action = Move(move=move, position_version=version, request_id=f"plan-{version}")
                await self.service.perform(match, Actor(user_id), action)
        except ApiError as error:
            log.info("match %s: a conditional move was not played: %s", match.id, error)

    async def resume_stalled(self) -> None:
        """Play conditional moves that are due, because a server has stopped between the opponent's move and the answer."""
        registry = self.service.registry
        due = await self.repository.list_due()
        self.examined = {key: deadline for key, deadline in self.examined.items() if key in due}
        for (match_id, user_id), deadline in due.items():
            if match_id in registry.unreadable or self.examined.get((match_id, user_id), -1) == deadline:
                continue
            self.examined[match_id, user_id] = deadline
            try:
                await self.play_next(await registry.load_current(match_id))
            except ApiError as error:
                log.warning("match %s: %s", match_id, error)


def allows_conditional_moves(state: MatchState) -> bool:
    """Return whether conditional moves are allowed: only in correspondence matches."""
    return isinstance(state.config.clock, Days)


def find_next_move(match: LiveMatch, conditional: ConditionalMoves) -> str | None:
    """Return the next move of the first line that the match has followed.

    Returns None if there is no such line, or if the position from which the lines start was taken back.
    """
    version = conditional.position_version
    if any(takes_back_position(event, version) for event in match.events_after(version)):
        return None
    played = tuple(move.move for move in match.state.moves if move.seq > version)
    for line in conditional.lines:
        if len(line) > len(played) and line[: len(played)] == played:
            return line[len(played)]
    return None


def takes_back_position(event: MatchEvent, version: int) -> bool:
    """Return whether an event takes back a move that was played before the position of a version."""
    return event.type == "takeback-accepted" and event.data["event_seq"] <= version


def validate_lines(state: MatchState, lines: Sequence[Sequence[str]]) -> None:
    """Check conditional moves in the current position.

    Raises:
        ApiError: There are too many lines, or a line is too long.
        IllegalMove: A move is not legal.
    """
    if len(lines) > MAX_LINES:
        raise ApiError("too-many", f"at most {MAX_LINES} lines of conditional moves are allowed", limit=MAX_LINES)
    for line in lines:
        if len(line) > MAX_LINE_LENGTH:
            raise ApiError(
                "too-many", f"a line of conditional moves may have at most {MAX_LINE_LENGTH} moves", limit=MAX_LINE_LENGTH
            )
        position = state.position
        for move in line:
            position = position.play(move)
