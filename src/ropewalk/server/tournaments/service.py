"""The service that changes tournaments, and goes on with them: it pairs rounds, creates matches and records results.

Everything that a tournament needs is stored before it takes effect. `advance` may be called at any time, on any server, any
number of times: of two servers that decide the same, one stores its event, and the other loads it and decides again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from ..background import TaskSupervisor
from ..clock import ServerClock
from ..db.identifiers import generate_id, generate_token
from ..db.match_repository import MatchRecordRow
from ..db.tournament_repository import DueTournament, StoredTournament, TournamentRepository, TournamentRow
from ..db.user_repository import User, UserRepository
from ..domain.events import MatchEvent
from ..domain.match import MatchConfig
from ..domain.tournament import (
    GameResult,
    PairedGame,
    TournamentEvent,
    TournamentSettings,
    TournamentState,
    apply_tournament_event,
)
from ..domain.tournament_actions import NewTournamentEvent, decide_join, plan_next_event
from ..errors import ApiError
from ..executors import BoundedExecutor
from ..matches.hub import Origin
from ..matches.live_match import LiveMatch
from ..matches.matchmaking import Matchmaker

MAX_ATTEMPTS = 20  # to append an event when other servers append at the same time
MAX_UNFINISHED = 3  # tournaments of one organiser that are not over
log = logging.getLogger("ropewalk.tournaments")


class TournamentService:
    """Creates tournaments, performs what users ask for, and advances those in progress."""

    def __init__(
        self,
        repository: TournamentRepository,
        matchmaker: Matchmaker,
        users: UserRepository,
        clock: ServerClock,
        executor: BoundedExecutor,
        background: TaskSupervisor,
    ) -> None:
        self.repository = repository
        self.matchmaker = matchmaker
        self.matches = matchmaker.repository
        self.users = users
        self.clock = clock
        self.executor = executor
        self.background = background
        self.locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of `advance`, by tournament
        self.settled: set[DueTournament] = set()  # in which nothing was left to do
        matchmaker.service.hub.subscribe(self.on_events)

    async def create(self, user: User, config: TournamentSettings, *, is_open: bool) -> StoredTournament:
        """Create a tournament of an organiser, who does not take part unless they join. Raises ApiError `too-many`."""
        if await self.repository.count_unfinished(user.id) >= MAX_UNFINISHED:
            message = f"you organise {MAX_UNFINISHED} tournaments already; end or cancel one first"
            raise ApiError("too-many", message, limit=MAX_UNFINISHED)
        row = TournamentRow(generate_id(), config, user.id, self.clock.now_ms(), is_open, generate_token())
        await self.repository.add(row)
        return await self.load(row.id)

    async def load(self, tournament_id: str) -> StoredTournament:
        """Return a tournament. Raises ApiError `not-found`."""
        found = await self.repository.find(tournament_id)
        if found is None:
            raise ApiError("not-found", "tournament not found")
        return found

    async def join(self, tournament: StoredTournament, user: User) -> StoredTournament:
        """Add a player. Raises ApiError if that is not allowed."""
        is_builtin_bot = user.kind == "builtin-bot"
        return await self.append(tournament, lambda state: decide_join(state, user.id, is_builtin_bot=is_builtin_bot))

    async def append(
        self, tournament: StoredTournament, decide_event: Callable[[TournamentState], NewTournamentEvent]
    ) -> StoredTournament:
        """Store the event that `decide_event` returns for the current state, then advance. Returns the tournament.

        Raises:
            ApiError: The event is not allowed; nothing was stored.
        """
        for _ in range(MAX_ATTEMPTS):
            if await self.store(tournament, decide_event(tournament.state)):
                await self.try_to_advance(tournament.row.id)
                return await self.load(tournament.row.id)
            tournament = await self.load(tournament.row.id)
        raise ApiError("busy", f"the tournament was changed concurrently {MAX_ATTEMPTS} times; try again")

    async def store(self, tournament: StoredTournament, new: NewTournamentEvent) -> bool:
        """Store an event as the next one of a tournament. Returns whether its seq was free."""
        state = tournament.state
        at = max(self.clock.now_ms(), state.timestamp_ms)
        event = TournamentEvent(state.seq + 1, at, new.type, new.user_id, new.data)
        return await self.repository.append(tournament, event, apply_tournament_event(state, event))

    # What happens without a request

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Advance the tournament of a match that has ended here."""
        if match.row.tournament_id is not None and match.state.result is not None and origin is Origin.LOCAL:
            self.background.start(self.try_to_advance(match.row.tournament_id))

    async def advance_due(self) -> None:
        """Advance all tournaments in which something has changed; one that fails does not stop the others."""
        due = await self.repository.list_due(self.clock.now_ms())
        self.settled &= set(due)
        for tournament in due:
            if tournament not in self.settled and await self.try_to_advance(tournament.id):
                self.settled |= set() if tournament.depends_on_time else {tournament}

    async def try_to_advance(self, tournament_id: str) -> bool:
        """Advance a tournament. Returns whether that succeeded; if not, it is logged, and the periodic job tries again."""
        try:
            await self.advance(tournament_id)
        except ApiError as error:
            log.warning("tournament %s: %s", tournament_id, error)
            return False
        return True

    async def advance(self, tournament_id: str) -> None:
        """Do all that is due in a tournament: create missing matches, record results, start, pair or end it."""
        async with self.locks.setdefault(tournament_id, asyncio.Lock()):
            for _ in range(MAX_ATTEMPTS):
                tournament = await self.load(tournament_id)
                new = await self.plan(tournament)
                if new is None:
                    return
                await self.store(tournament, new)  # if another server has stored an event, its state is loaded next

    async def plan(self, tournament: StoredTournament) -> NewTournamentEvent | None:
        """Return the next event of a tournament, None if nothing is due; matches that are missing are created."""
        if tournament.state.status == "playing":
            results = await self.collect_results(tournament)
            if results:
                return NewTournamentEvent("games-ended", None, {"results": results})
            erased = await self.find_erased(tournament.state)
            if erased is not None:
                return NewTournamentEvent("player-withdrew", None, {"number": erased})
        state, row = tournament.state, tournament.row
        return await self.executor.run(
            row.created_by, plan_next_event, state, row.created_at, self.clock.now_ms(), generate_id
        )

    async def collect_results(self, tournament: StoredTournament) -> dict[str, GameResult]:
        """Return the results of open games whose matches have ended; a match that does not exist yet is created."""
        games = {game.match_id: game for game in tournament.state.open_games if game.match_id is not None}
        rows = await self.matches.find_all(list(games))
        for match_id, game in games.items():
            if match_id not in rows:
                await self.create_match(tournament, match_id, game)
        return {match_id: name_result(row) for match_id, row in rows.items() if row.status == "over"}

    async def find_erased(self, state: TournamentState) -> int | None:
        """Return the number of a player whose account was deleted, None if there is none."""
        users = await self.users.find_all(player.user_id for player in state.active_players)
        gone = (player.number for player in state.active_players if is_gone(users.get(player.user_id)))
        return next(gone, None)

    async def create_match(self, tournament: StoredTournament, match_id: str, game: PairedGame) -> None:
        """Create the match of a game; another server may do so at the same time. Its first clock starts at once."""
        config, state = tournament.row.config, tournament.state
        first, second = (state.find_player(number) for number in (game.first, game.second))
        assert first is not None
        assert second is not None
        users = await self.users.find_all([first.user_id, second.user_id])
        is_rated = config.is_rated and any(user.kind != "builtin-bot" for user in users.values())
        row = MatchRecordRow(
            match_id,
            MatchConfig(config.spec, config.clock, is_rated, None, True),
            tournament.row.created_by,
            self.clock.now_ms(),
            (first.user_id, second.user_id),
            "tournament",
            spectator_key=generate_token(),
            tournament_id=tournament.row.id,
        )
        try:
            await self.matchmaker.store_row(row)
        except ApiError as error:
            if error.code != "busy":
                raise


def is_gone(user: User | None) -> bool:
    """Return whether a user can play no more."""
    return user is None or user.kind == "deleted"


def name_result(row: MatchRecordRow) -> GameResult:
    """Return the result of a match that is over."""
    if row.end_reason == "abandoned":
        return "void"
    return "draw" if row.winner_seat is None else "first" if row.winner_seat == 0 else "second"
