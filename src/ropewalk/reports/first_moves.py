"""The values of all first moves, from the game's net or, where there is none, from random playouts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..games.batch import Batch
from ..games.game import Game
from ..games.position import Position
from ..games.registry import game as game_of
from ..games.spec_parser import format_spec
from ..nets.onnx_evaluator import NetError, OnnxEvaluator, resolve_net_path
from ..rules.interface import DRAW, ONGOING

PIE = "pie"  # the option of games in which the second player may take over the first move
MAX_PLAYOUT_STEPS = 5000
HASH_LENGTH = 8


@dataclass(frozen=True)
class FirstMove:
    """First moves that symmetries map onto each other, and their value for the player who makes them, 0 to 1."""

    moves: tuple[str, ...]
    value: float


@dataclass(frozen=True)
class FirstMoves:
    """All first moves, the best first, and where their values come from."""

    spec: str  # without the pie rule: the values are those of the colours
    source: str
    moves: tuple[FirstMove, ...]


def has_pie_option(game: Game) -> bool:
    """Return whether a game can be played with the pie rule."""
    return any(flag.name == PIE for flag in game.definition.flags)


def without_pie(game: Game) -> Game:
    """Return the game without the pie rule."""
    if not game.options.get(PIE):
        return game
    return game_of(format_spec(game.definition, {**game.options, PIE: False}))


def evaluate_first_moves(game: Game, num_playouts: int, seed: int) -> FirstMoves:
    """Return the values of all first moves, without the pie rule."""
    plain = without_pie(game)
    groups = plain.start().symmetric_moves()
    positions = [plain.start().play(group[0]) for group in groups]
    try:
        values, source = evaluate_by_net(plain, positions), f"net {find_net_hash(plain)}"
    except NetError:
        values = [evaluate_by_playouts(position, num_playouts, seed) for position in positions]
        source = f"{num_playouts} random playouts for each move"
    moves = [FirstMove(tuple(group), value) for group, value in zip(groups, values, strict=True)]
    return FirstMoves(plain.spec, source, tuple(sorted(moves, key=lambda move: (-move.value, move.moves))))


def find_net_hash(game: Game) -> str:
    """Return the first characters of the SHA-256 of a game's net."""
    return hashlib.sha256(resolve_net_path(game).read_bytes()).hexdigest()[:HASH_LENGTH]


def evaluate_by_net(game: Game, positions: Sequence[Position]) -> list[float]:
    """Return the values of positions for seat 0 by the net, each alone: the size of a batch changes the last bits."""
    evaluator = OnnxEvaluator(game, resolve_net_path(game))
    values = []
    for position in positions:
        if position.seat is None:
            values.append(score_result(position.result))
        else:
            value = (1 + float(evaluator.evaluate(position.observation()[np.newaxis])[1][0])) / 2
            values.append(round(value if position.seat == 0 else 1 - value, 3))
    return values


def evaluate_by_playouts(position: Position, count: int, seed: int) -> float:
    """Return the mean score of seat 0 in random games from a position."""
    if position.seat is None:
        return score_result(position.result)
    batch = Batch(position.game, count, start=position, seed=seed)
    for _ in range(MAX_PLAYOUT_STEPS):
        if (batch.outcomes != ONGOING).all():
            break
        batch.play_random()
    scores = [score_result(int(outcome)) for outcome in batch.outcomes]
    return round(sum(scores) / count, 3)


def score_result(result: int) -> float:
    """Return the score of seat 0 for an outcome code; a game that is not over counts as a draw."""
    return 0.5 if result in (DRAW, ONGOING) else 1.0 - result
