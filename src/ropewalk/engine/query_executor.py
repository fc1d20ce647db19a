"""Execution of queries: analyses and moves of bots, solved positions, the compilation of kernels, with their responses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import Timer
from typing import Any

from .. import __version__
from ..bots.bot import Bot, Limit, Line, Report
from ..bots.levels import bot
from ..errors import MoveError, PositionError
from ..games.game import Game
from ..games.position import Position
from ..games.sequence import MoveSequence, MoveSequenceError
from ..nets.onnx_evaluator import NetError, OnnxEvaluator, resolve_net_path
from ..puzzles.solver import PuzzleSolver
from .protocol import ANALYSE, CHOOSE_MOVE, SOLVE, WARM_UP, Query, QueryError, make_move_error

VALUE_DECIMALS = 4
MAX_SOLVERS = 2  # each has a table of 32 MB

Response = dict[str, Any]


class QueryExecutor:
    """Executes queries one at a time, with bots of its own.

    Args:
        find_game: returns the game of a query, or raises QueryError.
        level: level of queries that name none.
        max_bots: capacity of the LRU cache of bots; each bot has a search tree of its own.
        send: sends a report during a search.

    """

    def __init__(
        self, find_game: Callable[[Query], Game], level: int, max_bots: int, send: Callable[[Response], None]
    ) -> None:
        self.find_game = find_game
        self.level = level
        self.max_bots = max_bots
        self.send = send
        self.bots: dict[tuple[str, int], Bot] = {}  # by spec and level, the least recently used first
        self.solvers: dict[str, PuzzleSolver] = {}  # by spec, the least recently used first
        self.actions = {
            ANALYSE: self.analyse,
            CHOOSE_MOVE: self.choose_move,
            SOLVE: self.solve,
            WARM_UP: self.warm_up,
        }

    def execute(self, query: Query) -> Response:
        """Execute a query and return its final response; any exception becomes an error response."""
        try:
            return self.actions[query.action](query)
        except Exception as error:  # every query must get a response
            return error_to_json(query.id, error)

    def analyse(self, query: Query) -> Response:
        """Search the positions of a query and return the results; sends reports meanwhile if required."""
        game = self.find_game(query)
        if query.analyse_moves is None:
            return self.analyse_position(query, resolve_position(game, query))
        positions = resolve_positions(game, query)
        results = []
        for number, position in zip(query.analyse_moves, positions, strict=True):
            result = self.analyse_position(query, position)
            if "noResults" not in result:
                shared = ("id", "isDuringSearch", "spec", "terminated")
                results.append({"moveNumber": number} | {key: value for key, value in result.items() if key not in shared})
        response = {"id": query.id, "isDuringSearch": False, "spec": game.spec, "positions": results}
        return response | ({"terminated": True} if query.is_terminated else {})

    def analyse_position(self, query: Query, position: Position) -> Response:
        """Search one position and return the result; sends reports meanwhile if required."""
        limit = query.limit(resolve_root_moves(query, position))
        player = self.prepare_bot(position.game, query)
        last_report_at = time.monotonic()
        for report in player.analyse(position, limit):
            is_due = query.every is not None and query.analyse_moves is None
            if is_due and report.visits > 0 and time.monotonic() - last_report_at >= (query.every or 0):
                last_report_at = time.monotonic()
                self.send(report_to_json(query, position, report, is_during_search=True))
        response = report_to_json(query, position, report, is_during_search=False)
        return response | ({} if "noResults" in response else net_output_to_json(query, position))

    def choose_move(self, query: Query) -> Response:
        """Return the move that a level plays: it has the level's own budget, ended early after `query.seconds`."""
        position = resolve_position(self.find_game(query), query)
        player = self.prepare_bot(position.game, query)
        if query.is_terminated:
            return no_result(query)
        with cancel_after(query):
            move = player.choose(position, Limit(cancelled=query.cancelled))
        seat = position.seat or 0
        return make_final(query, position.game) | {
            "seat": seat,
            "colour": position.colours[seat],
            "move": move,
            "engine": describe_engine(player),
        }

    def solve(self, query: Query) -> Response:
        """Return who wins a position by force, within how many turns, and the best moves of the turn, as far as is known."""
        position = resolve_position(self.find_game(query), query)
        if query.is_terminated:
            return no_result(query)
        solution = self.get_solver(position.game).solve_position(position)
        return make_final(query, position.game) | {
            "seat": position.seat,
            "winner": solution.winner,
            "turns": solution.turns,
            "moves": list(solution.moves),
        }

    def get_solver(self, game: Game) -> PuzzleSolver:
        """Return the solver of a game, from the cache if it is there."""
        solver = self.solvers.pop(game.spec, None) or PuzzleSolver(game)
        while len(self.solvers) >= MAX_SOLVERS:
            self.solvers.pop(next(iter(self.solvers)))
        self.solvers[game.spec] = solver
        return solver

    def warm_up(self, query: Query) -> Response:
        """Compile the kernels of a level, or of one level of each kind of search, or load them from the cache."""
        game = self.find_game(query)
        required = game.definition.bots.first_of_each_kind() if query.level is None else (query.level,)
        levels = []
        for level in required:
            if not query.is_terminated:
                self.get_bot(game, level).choose(game.start(), Limit(visits=1))
                levels.append(level)
        return make_final(query, game) | {"levels": levels}

    def prepare_bot(self, game: Game, query: Query) -> Bot:
        """Return the bot of a query, in the state of a new game with the seed of the query."""
        player = self.get_bot(game, query.level or self.level)
        player.new_game(query.seed)
        return player

    def get_bot(self, game: Game, level: int) -> Bot:
        """Return a bot, from the cache if it is there."""
        cached_bot = self.bots.pop((game.spec, level), None) or bot(game, level)
        while len(self.bots) >= self.max_bots:
            self.bots.pop(next(iter(self.bots))).close()
        self.bots[game.spec, level] = cached_bot
        return cached_bot

    def close(self) -> None:
        """Close all bots."""
        for cached_bot in self.bots.values():
            cached_bot.close()


@contextmanager
def cancel_after(query: Query) -> Iterator[None]:
    """End the search of a query after `query.seconds`, if it has such a limit and the body is not done earlier."""
    timer = None if query.seconds is None else Timer(query.seconds, query.cancelled.set)
    if timer is not None:
        timer.start()
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()


def resolve_position(game: Game, query: Query) -> Position:
    """Return the position of a query. Raises QueryError if it is invalid or the game is over."""
    try:
        position = MoveSequence.parse(game, query.position, query.moves).position
    except PositionError as error:
        raise QueryError("bad-position", str(error), "position") from None
    except MoveSequenceError as error:
        raise make_move_error(error) from None
    if position.outcome is not None:
        raise QueryError("game-over", f"the game is over: {position.outcome.words}")
    return position


def resolve_positions(game: Game, query: Query) -> list[Position]:
    """Return the positions after the numbers of moves in `analyse_moves`. Raises QueryError."""
    numbers = query.analyse_moves or ()
    if max(numbers) > len(query.moves):
        message = f'"analyse_moves" names move {max(numbers)}, but the query has only {len(query.moves)} moves'
        raise QueryError("bad-field", message, "analyse_moves")
    return [resolve_position(game, replace(query, moves=query.moves[:number])) for number in numbers]


def resolve_root_moves(query: Query, position: Position) -> tuple[str, ...] | None:
    """Return the moves that may be searched in the position of a query, None for all.

    Raises QueryError if `allow_moves` or `avoid_moves` has a move that is not legal in the position, or none is left.
    """
    if query.allow_moves is None and not query.avoid_moves:
        return None
    for field_name, moves in (("allow_moves", query.allow_moves or ()), ("avoid_moves", query.avoid_moves)):
        for move in moves:
            require_legal(position, move, field_name)
    allowed = position.moves() if query.allow_moves is None else query.allow_moves
    remaining = tuple(move for move in allowed if move not in query.avoid_moves)
    if not remaining:
        field_name = "avoid_moves" if query.allow_moves is None else "allow_moves"
        raise QueryError("bad-field", "no move is left to search: all moves are excluded", field_name)
    return remaining


def require_legal(position: Position, move: str, field_name: str) -> None:
    """Raise QueryError, for a field of the query, if a text is not a single legal move of the position."""
    try:
        refusal = position.refusal(move)
    except MoveError as error:
        raise QueryError("bad-move", f'"{field_name}": {error}', field_name) from None
    if refusal is not None:
        query_error = QueryError("illegal-move", f'"{field_name}": {refusal}', field_name)
        query_error.reason = refusal.reason
        raise query_error


# Responses


def net_output_to_json(query: Query, position: Position) -> Response:
    """Return the policy and the ownership of the game's net, as far as the query asks for them. Raises QueryError."""
    if not (query.include_policy or query.include_ownership):
        return {}
    game = position.game
    if query.include_ownership and not game.definition.has_ownership_target:
        raise QueryError("bad-field", f"{game.name} has no ownership: cells do not stay won", "include_ownership")
    try:
        policy, owners = OnnxEvaluator(game, resolve_net_path(game)).evaluate_position(position)
    except NetError as error:
        field_name = "include_policy" if query.include_policy else "include_ownership"
        raise QueryError("bad-field", str(error), field_name) from None
    response: Response = {}
    if query.include_policy:
        response["policy"] = {
            move: round(float(share), VALUE_DECIMALS) for move, share in zip(position.moves(), policy, strict=True)
        }
    if query.include_ownership:
        response["ownership"] = {
            cell: round(float(owner), VALUE_DECIMALS) for cell, owner in zip(game.board.names, owners, strict=True)
        }
    return response


def error_to_json(query_id: str | None, error: Exception) -> Response:
    """Return the error response of an exception; `query_id` is None if the query has no valid id."""
    if not isinstance(error, QueryError):
        error = QueryError("internal", f"{type(error).__name__}: {error}")
    details = {"field": error.field_name, "reason": error.reason}
    return {"id": query_id, "code": error.code, "error": str(error)} | {
        key: value for key, value in details.items() if value
    }


def report_to_json(query: Query, position: Position, report: Report, *, is_during_search: bool) -> Response:
    """Return the response for a report; its values are those of the seat to move.

    A report without visits gives a response without result.
    """
    if report.visits == 0:
        return no_result(query)
    response = {
        "id": query.id,
        "isDuringSearch": is_during_search,
        "spec": position.game.spec,
        "seat": report.seat,
        "colour": position.colours[report.seat],
        "value": round(report.value, VALUE_DECIMALS),
        "certainty": report.certainty,
        "visits": report.visits,
        "seconds": round(report.seconds, VALUE_DECIMALS),
        "lines": [line_to_json(line) for line in report.lines[: query.lines]],
    }
    return response | ({"terminated": True} if query.is_terminated and not is_during_search else {})


def line_to_json(line: Line) -> Response:
    """Return a line of a report as JSON data."""
    return {
        "move": line.moves[0],
        "value": round(line.value, VALUE_DECIMALS),
        "certainty": line.certainty,
        "visits": line.visits,
        "moves": list(line.moves),
    }


def make_final(query: Query, game: Game) -> Response:
    """Return the fields that the final responses of queries with an action have in common."""
    response = {"id": query.id, "action": query.action, "isDuringSearch": False, "spec": game.spec}
    return response | ({"terminated": True} if query.is_terminated else {})


def no_result(query: Query) -> Response:
    """Return the response of a query that was cancelled before a result."""
    return {"id": query.id, "isDuringSearch": False, "noResults": True, "terminated": True}


def describe_engine(player: Bot) -> Mapping[str, str]:
    """Return the version of this program, and the SHA-256 of the bot's net if it has one."""
    return {"version": __version__} | ({"net": player.net} if player.net else {})
