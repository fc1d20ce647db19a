"""What the routes of puzzles do: attempts of a user are loaded, continued and stored, and their moves are judged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...games.game import Game
from ...games.notation import list_cell_names
from ...games.position import Position
from ...games.sequence import MoveSequence
from ...puzzles.judgement import Attempt, list_region
from ...puzzles.puzzle import Puzzle
from ..db.puzzle_repository import AttemptSummary, RatedPuzzle
from ..db.user_repository import User
from ..domain.glicko2 import Rating
from ..domain.puzzle_attempts import (
    MOVE_HINT,
    PuzzleAttempt,
    choose_nearest,
    count_streak,
    estimate_puzzle_rating,
)
from ..errors import ApiError
from ..services import AppServices
from ..study.puzzle_catalogue import PuzzleFilter, format_day
from .schemas.games import build_position
from .schemas.puzzles import (
    PuzzleAttemptView,
    PuzzleGameView,
    PuzzleHintView,
    PuzzleList,
    PuzzleMoveResponse,
    PuzzleOverview,
    PuzzleSummary,
    PuzzleView,
    build_puzzle_attempt,
    build_puzzle_rating,
    build_puzzle_summary,
    find_verdict,
)
from .work import WorkRequester, estimate_cost

ATTEMPT_BYTES = 500  # of a stored attempt and its ratings
NUM_NEAREST = 12  # puzzles near the user's rating, of which one is chosen


# Lists


async def load_puzzle_list(
    services: AppServices, user_id: str | None, wanted: PuzzleFilter, offset: int, limit: int
) -> PuzzleList:
    """Return a part of the puzzles that are wanted."""
    found = services.puzzle_catalogue.find(wanted)
    ratings, attempts = await load_progress(services, user_id)
    puzzles = [summarise_puzzle(puzzle, ratings, attempts) for puzzle in found[offset : offset + limit]]
    return PuzzleList(total=len(found), puzzles=puzzles)


async def load_puzzle_overview(services: AppServices, user_id: str | None) -> PuzzleOverview:
    """Return the puzzle of the day, the games, and the streak of a user."""
    catalogue, now = services.puzzle_catalogue, services.clock.now_ms()
    ratings, attempts = await load_progress(services, user_id)
    own_ratings = {} if user_id is None else await services.puzzles.list_user_ratings(user_id)
    streak = count_streak([] if user_id is None else await services.puzzles.list_scores(user_id))
    games = [
        PuzzleGameView(
            game=game,
            count=len(puzzles),
            solved=sum(puzzle.id in attempts and attempts[puzzle.id].is_solved for puzzle in puzzles),
            themes=catalogue.count_themes(game),
            boards=catalogue.count_boards(game),
            turns=catalogue.count_turns(game),
            rating=build_puzzle_rating(own_ratings.get(game)),
        )
        for game, puzzles in catalogue.games.items()
    ]
    daily = summarise_puzzle(catalogue.find_daily(now), ratings, attempts)
    return PuzzleOverview(day=format_day(now), daily=daily, games=games, streak=streak.current, best_streak=streak.best)


async def choose_next_puzzle(services: AppServices, user_id: str | None, wanted: PuzzleFilter) -> PuzzleSummary:
    """Return a puzzle near the user's rating that the user has not tried; one not solved, or any, if all were tried."""
    found = services.puzzle_catalogue.find(wanted)
    if not found:
        raise ApiError("not-found", "there is no such puzzle; GET /api/puzzles/overview lists games with boards and themes")
    ratings, attempts = await load_progress(services, user_id)
    own_ratings = {} if user_id is None else await services.puzzles.list_user_ratings(user_id)
    fresh = [puzzle for puzzle in found if puzzle.id not in attempts or attempts[puzzle.id].score is None]
    unsolved = [puzzle for puzzle in found if puzzle.id not in attempts or not attempts[puzzle.id].is_solved]
    candidates = fresh or unsolved or found
    games = sorted({puzzle.key for puzzle in candidates})
    game = random.choice(games)
    own = own_ratings.get(game, Rating()).rating
    rated = [(puzzle.id, rate_puzzle(puzzle, ratings).rating) for puzzle in candidates if puzzle.key == game]
    chosen = random.choice(choose_nearest(rated, own, NUM_NEAREST))
    return summarise_puzzle(services.puzzle_catalogue.get(chosen), ratings, attempts)


async def load_progress(services: AppServices, user_id: str | None) -> tuple[dict[str, Rating], dict[str, AttemptSummary]]:
    """Return the ratings of puzzles and the attempts of a user, by puzzle."""
    ratings = await services.puzzles.list_puzzle_ratings()
    return ratings, {} if user_id is None else await services.puzzles.list_summaries(user_id)


def rate_puzzle(puzzle: Puzzle, ratings: dict[str, Rating]) -> Rating:
    """Return the rating of a puzzle."""
    return ratings.get(puzzle.id) or estimate_puzzle_rating(puzzle)


def summarise_puzzle(puzzle: Puzzle, ratings: dict[str, Rating], attempts: dict[str, AttemptSummary]) -> PuzzleSummary:
    """Return the entry of a puzzle."""
    return build_puzzle_summary(puzzle, rate_puzzle(puzzle, ratings), attempts.get(puzzle.id))


# One puzzle


@dataclass(frozen=True)
class PuzzleWork:
    """Work on a puzzle for a user: `owner` shares the engines with others."""

    requester: WorkRequester
    puzzle: Puzzle
    owner: str

    @property
    def services(self) -> AppServices:
        """The services of the server."""
        return self.requester.services

    async def replay(self, moves: Sequence[str]) -> Position:
        """Return the position after moves. Raises MoveSequenceError."""
        game = await self.requester.load_game(self.puzzle.spec)
        return await self.requester.run(estimate_cost(game, len(moves)), replay_moves, game, self.puzzle, moves)

    async def view(self, function: Any, *arguments: Any) -> Any:
        """Return the result of a function that describes positions."""
        game = await self.requester.load_game(self.puzzle.spec)
        return await self.requester.run(estimate_cost(game, 0), function, *arguments)

    async def view_attempt(self, attempt: PuzzleAttempt, position: Position) -> PuzzleAttemptView:
        """Return the view of an attempt whose moves lead to a position."""
        view: PuzzleAttemptView = await self.view(build_puzzle_attempt, self.puzzle, attempt, position)
        return view

    async def load(self, user: User | None) -> PuzzleView:
        """Return the puzzle with the attempt of a user."""
        attempt = PuzzleAttempt() if user is None else await self.services.puzzles.find_attempt(user.id, self.puzzle.id)
        ratings, attempts = await load_progress(self.services, None if user is None else user.id)
        summary = summarise_puzzle(self.puzzle, ratings, attempts)
        start = await self.view(build_position, await self.replay(()))
        view = await self.view_attempt(attempt, await self.replay(attempt.moves))
        return PuzzleView.model_construct(puzzle=summary, position=start, attempt=view)

    async def play(self, user: User, move: str, move_count: int) -> PuzzleMoveResponse:
        """Judge a move after `move_count` moves and continue the attempt. Raises ApiError `stale` or `game-over`."""
        before = await self.find_current(user, move_count)
        await self.require_open(before)
        after = await self.replay([*before.moves, move])
        attempt = await self.services.puzzle_judge.judge(self.owner, self.puzzle, before.moves, move, after)
        position = await self.replay([*before.moves, move, *attempt.answers])
        is_solved = position.result == self.puzzle.seat and position.seat is None
        if position.seat is None and not is_solved:  # a repetition: the win was not made progress with
            attempt = replace(attempt, is_winning=False)
        saved = await self.save(user, before, before.play(attempt, is_solved=is_solved, now=self.now()), is_solved=is_solved)
        return await self.build_response(attempt, saved, position)

    async def build_response(self, attempt: Attempt, saved: PuzzleAttempt, position: Position) -> PuzzleMoveResponse:
        """Return the response to a move; `position` is the one after it and its answers."""
        is_refuted = not attempt.is_winning and not attempt.is_undecided
        current = position if attempt.is_winning else await self.replay(saved.moves)
        return PuzzleMoveResponse.model_construct(
            move=attempt.move,
            verdict=find_verdict(attempt),
            answers=list(attempt.answers),
            refuted=await self.view(build_position, position) if is_refuted else None,
            attempt=await self.view_attempt(saved, current),
        )

    async def show_hint(self, user: User, move_count: int) -> PuzzleHintView:
        """Return the next stage of a hint. Raises ApiError `stale` or `game-over`."""
        before = await self.find_current(user, move_count)
        position = await self.require_open(before)
        move = await self.services.puzzle_judge.find_best_move(self.owner, self.puzzle, before.moves)
        saved = await self.save(user, before, before.show_hint(self.now()), is_solved=False)
        is_move = saved.hint_stage >= MOVE_HINT
        game = position.game
        return PuzzleHintView.model_construct(
            stage=saved.hint_stage,
            cells=list(list_cell_names(game.board, move)) if is_move else list_region(game, move),
            move=move if is_move else None,
            attempt=await self.view_attempt(saved, position),
        )

    async def restart(self, user: User) -> PuzzleAttemptView:
        """Begin the puzzle again."""
        before = await self.services.puzzles.find_attempt(user.id, self.puzzle.id)
        saved = await self.save(user, before, before.restart(self.now()), is_solved=False)
        return await self.view_attempt(saved, await self.replay(saved.moves))

    async def show_solution(self, user: User) -> PuzzleAttemptView:
        """Give up: the view has the solution."""
        before = await self.services.puzzles.find_attempt(user.id, self.puzzle.id)
        position = await self.replay(before.moves)
        is_solved = position.seat is None
        saved = before if is_solved else await self.save(user, before, before.show_solution(self.now()), is_solved=False)
        return await self.view_attempt(saved, position)

    def now(self) -> int:
        """Return the time of the server."""
        return self.services.clock.now_ms()

    async def find_current(self, user: User, move_count: int) -> PuzzleAttempt:
        """Return the attempt of a user. Raises ApiError `stale` if it has another number of moves."""
        attempt = await self.services.puzzles.find_attempt(user.id, self.puzzle.id)
        if len(attempt.moves) != move_count:
            message = f"this attempt has {len(attempt.moves)} moves, not {move_count}; load the puzzle again"
            raise ApiError("stale", message)
        return attempt

    async def require_open(self, attempt: PuzzleAttempt) -> Position:
        """Return the position of an attempt. Raises ApiError `game-over` if there is no move to find."""
        position = await self.replay(attempt.moves)
        if position.seat is None:
            raise ApiError("game-over", "this puzzle is solved; restart it to solve it again")
        return position

    async def save(self, user: User, before: PuzzleAttempt, after: PuzzleAttempt, *, is_solved: bool) -> PuzzleAttempt:
        """Store an attempt and rate it if it is decided; return it as it is stored."""
        if before.num_attempts == 0:
            await self.requester.quotas.charge_storage(user, self.requester.address, ATTEMPT_BYTES)
        rated = RatedPuzzle(self.puzzle.id, self.puzzle.key, estimate_puzzle_rating(self.puzzle))
        score = after.find_score(is_solved=is_solved)
        return await self.services.puzzles.save(user.id, rated, before, after, score, self.now())


def replay_moves(game: Game, puzzle: Puzzle, moves: Sequence[str]) -> Position:
    """Return the position of a puzzle after moves. Raises MoveSequenceError."""
    return MoveSequence.parse(game, puzzle.position_text, list(moves)).position
