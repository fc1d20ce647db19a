"""Claims: what a sheet or a ruling says is always so, as checks over many cases."""
# MERGED DOCSTRING: """What is known of games that might never end: Liger and laoCoon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..jit.kernel import kernel
from ..jit.prng import Rng, make_rng, rand_below
from ..rules.generic import Moves, copy_row
from ..rules.interface import DRAW, ONGOING, apply_move, legal_moves, load_state, outcome

if TYPE_CHECKING:
    from .game import Game, Position

MAX_POSITIONS = 100_000  # of a board that is gone through completely


@dataclass(frozen=True)
class RuleClaim:
    """A sentence and the check that could refute it."""

    statement: str
    check: Callable[[int, int], tuple[int, int, str]]  # from games and seed to cases, violations, the first violation
    note: str = ""
    violation_expected: bool = False  # known to be violated, and answered by a ruling


def list_reachable_positions(game: Game) -> list[Position]:
    """Every position of a tiny board that play can come to."""
    visited = {str(game.start()): game.start()}
    queue = [game.start()]
    for position in queue:
        for move in position.moves():
            after = position.play(move)
            if str(after) not in visited:
                visited[str(after)] = after
                queue.append(after)
        if len(queue) > MAX_POSITIONS:
            raise ValueError(f"{game.spec} has more than {MAX_POSITIONS} positions")
    return queue


def replay_rounds(game: Game, text: str, moves: str, rounds: int) -> Position:
    """The position after some rounds of the same moves."""
    position = game.position(text)
    for _ in range(rounds):
        for move in moves.split():
            position = position.play(move)
    return position


MAX_STEPS = 100_000  # of a random game before it counts as endless

STUCK, ENDLESS, DRAWN, STEPS, LONGEST_GAME = range(5)


@kernel
def survey_random_games(rules: Any, start: Any, row: Any, moves: Moves, rng: Rng, games: int, counters: Any) -> None:
    """Play random games; count players without a move, games that do not end, draws, steps, and the longest game."""
    for _ in range(games):
        copy_row(start, row)
        state = load_state(rules, row)
        steps = 0
        while outcome(rules, state) == ONGOING and steps < MAX_STEPS:
            count = legal_moves(rules, state, moves)
            if count == 0:
                counters[STUCK] += 1
                break
            state = apply_move(rules, state, moves[rand_below(rng, count)])
            steps += 1
        counters[ENDLESS] += 1 if steps == MAX_STEPS else 0
        counters[DRAWN] += 1 if outcome(rules, state) == DRAW else 0
        counters[STEPS] += steps
        counters[LONGEST_GAME] = max(counters[LONGEST_GAME], steps)


def termination_claims(game: Game, move_statement: str) -> list[RuleClaim]:
    """Random games always offer a move and always end."""

    def run_survey(games: int, seed: int) -> list[int]:
        row, counters = game.start_row(), np.zeros(5, np.int64)
        survey_random_games(
            game.rules, row, row.copy(), np.empty(game.max_legal_moves, np.int16), make_rng(seed, 1), games, counters
        )
        return counters.tolist()

    def check_has_move(games: int, seed: int) -> tuple[int, int, str]:
        counters = run_survey(games, seed)
        return counters[STEPS], counters[STUCK], f"seed {seed}" if counters[STUCK] else ""

    def check_termination(games: int, seed: int) -> tuple[int, int, str]:
        counters = run_survey(games, seed)
        return games, counters[ENDLESS], f"seed {seed}" if counters[ENDLESS] else ""

    return [
        RuleClaim(move_statement, check_has_move),
        RuleClaim(f"random games end within {MAX_STEPS} steps", check_termination),
    ]


def make_cycle_claim(statement: str, game: Game, text: str, moves: str, note: str) -> RuleClaim:
    """A claim that a known cycle refutes: the same moves come back to the same position."""

    def check(games: int, seed: int) -> tuple[int, int, str]:
        repeats = replay_rounds(game, text, moves, 1) == game.position(text)
        return 1, int(repeats), f"from {text} the moves {moves} come back to the same position" if repeats else ""

    return RuleClaim(statement, check, note, violation_expected=True)


def step_invariant(count_violations: Callable[[Any], int], statement: str, game: Game) -> RuleClaim:
    """A claim about every step of random games played in Python, a hundredth of the games asked for."""

    def check_random_games(games: int, seed: int) -> tuple[int, int, str]:
        rng = np.random.default_rng(seed)
        cases = violations = 0
        for _ in range(max(1, games // 100)):
            position = game.start()
            while position.seat is not None:
                after = position.play_id(int(rng.choice(position.move_ids())))
                cases += 1
                violations += count_violations((position, after))
                position = after
        return cases, violations, f"seed {seed}" if violations else ""

    return RuleClaim(statement, check_random_games)
