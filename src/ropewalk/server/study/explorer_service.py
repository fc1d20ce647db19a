"""The opening explorer: counts public matches as a background job, and says what was played in a position."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...errors import RopewalkError
from ...games.canonical_key import OpeningStep, load_position_keys
from ...games.game import Game
from ...games.position import Position, list_history
from ...games.sequence import MoveSequence
from ..background import TaskSupervisor
from ..clock import ServerClock
from ..db.explorer_repository import (
    ExplorerRepository,
    OpeningGame,
    OpeningMatch,
    OpeningValue,
    PlayedOpeningMove,
    is_explorer_due,
)
from ..db.match_repository import MatchRecordRow, MatchRepository
from ..domain.match import MatchState
from ..domain.review import PositionEvaluation
from ..executors import BoundedExecutor
from ..matches.game_cache import GameCache

MAX_OPENING_PLIES = 30  # steps of a game that are counted
MAX_BATCH_GAMES = 50  # counted in one transaction
INDEXER = "explorer"  # the client of the thread pool
log = logging.getLogger("ropewalk.explorer")


@dataclass(frozen=True)
class MoveGroup:
    """Legal moves that the symmetries of a position map onto each other, and the id of their canonical image."""

    canonical_move: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class ExploredMove:
    """What was played: equivalent moves, and their counts."""

    moves: tuple[str, ...]
    played: PlayedOpeningMove


@dataclass(frozen=True)
class Exploration:
    """What was played in a position, the most frequent moves first, its value, and the last matches that reached it."""

    moves: Sequence[ExploredMove]
    value: OpeningValue | None
    last_matches: Sequence[OpeningMatch]


class ExplorerService:
    """Counts matches that are over, stores values of reviews, and answers questions about positions."""

    def __init__(
        self,
        repository: ExplorerRepository,
        matches: MatchRepository,
        games: GameCache,
        executor: BoundedExecutor,
        background: TaskSupervisor,
        clock: ServerClock,
    ) -> None:
        self.repository = repository
        self.matches = matches
        self.games = games
        self.executor = executor
        self.background = background
        self.clock = clock
        self.task: asyncio.Task[None] | None = None
        self.counted_games = 0

    # Counting

    async def schedule(self) -> None:
        """Start counting the matches that wait, unless that runs; called every few seconds."""
        if self.task is None or self.task.done():
            self.task = self.background.start(self.count_all_pending())

    async def count_all_pending(self) -> None:
        """Count the matches that wait, in batches, until none is left or the server stops."""
        while not self.background.is_stopping and await self.count_pending_batch():
            pass

    async def count_pending_batch(self) -> bool:
        """Count the next matches that wait. Returns whether there may be more."""
        match_ids = await self.repository.list_pending(MAX_BATCH_GAMES)
        if match_ids:
            rows, moves = await self.matches.find_all(match_ids), await self.repository.load_moves(match_ids)
            existing = [rows[match_id] for match_id in match_ids if match_id in rows]
            games = await self.load_games({row.config.spec for row in existing})
            found = await self.executor.run(INDEXER, build_opening_games, existing, moves, games)
            self.counted_games += await self.repository.count_games(found, handled=match_ids)
        return len(match_ids) == MAX_BATCH_GAMES

    async def load_games(self, specs: Iterable[str]) -> dict[str, Game]:
        """Return games by their specs, without those that are no longer installed."""
        games = {}
        for spec in sorted(specs):
            try:
                games[spec] = await self.games.get(spec)
            except RopewalkError as error:
                log.warning("matches of %s are not counted: %s", spec, error)
        return games

    async def add_review(self, state: MatchState, evaluations: Mapping[int, PositionEvaluation]) -> None:
        """Store the values of the first positions of a reviewed match, if the explorer counts the match."""
        if is_explorer_due(state):
            moves = [move.move for move in state.moves]
            values = await self.executor.run(INDEXER, list_opening_values, state.position.game, moves, evaluations)
            await self.repository.save_values(values, self.clock.now_ms())

    # Reading

    async def explore(self, position_key: int, groups: Sequence[MoveGroup]) -> Exploration:
        """Return what was played in a position, by its key and its legal moves."""
        found = await self.repository.find(position_key)
        moves_of = {group.canonical_move: group.moves for group in groups}
        moves = [ExploredMove(moves_of[each.move], each) for each in found.moves if each.move in moves_of]
        return Exploration(moves, found.value, found.last_matches)


def build_opening_games(
    rows: Sequence[MatchRecordRow], moves: Mapping[str, Sequence[str]], games: Mapping[str, Game]
) -> list[OpeningGame]:
    """Return matches as games to count, without those that cannot be replayed."""
    found = []
    for row in rows:
        game = games.get(row.config.spec)
        try:
            steps = [] if game is None else list_opening_steps(game, moves.get(row.id, []))
        except RopewalkError as error:
            log.warning("match %s is not counted: %s", row.id, error)
            continue
        found.append(OpeningGame(row.id, steps, row.winner_seat, row.id, row.ended_at or row.created_at))
    return found


def list_opening_steps(game: Game, moves: Sequence[str], max_plies: int = MAX_OPENING_PLIES) -> list[OpeningStep]:
    """Return the first steps of a game from its start. Raises RopewalkError if a move is illegal."""
    position = MoveSequence.parse(game, None, moves[:max_plies]).position
    return load_position_keys(game).list_steps(game.start(), list_history(position.move_history)[:max_plies])


def list_opening_values(
    game: Game, moves: Sequence[str], evaluations: Mapping[int, PositionEvaluation]
) -> list[OpeningValue]:
    """Return the values of the first positions of a reviewed game."""
    keys = load_position_keys(game)
    positions = MoveSequence.parse(game, None, moves[:MAX_OPENING_PLIES]).positions
    return [
        OpeningValue(keys.find_canonical(position).key, evaluations[ply].value, evaluations[ply].is_proven)
        for ply, position in enumerate(positions)
        if ply in evaluations
    ]


def find_move_groups(position: Position) -> tuple[int, list[MoveGroup]]:
    """Return the key of a position, and its legal moves in groups that its symmetries map onto each other."""
    keys = load_position_keys(position.game)
    canonical = keys.find_canonical(position)
    groups: dict[int, list[str]] = {}
    images = keys.find_canonical_moves(canonical, position.move_ids()).tolist()
    for image, text in zip(images, position.moves(), strict=True):
        groups.setdefault(image, []).append(text)
    return canonical.key, [MoveGroup(image, tuple(moves)) for image, moves in groups.items()]
