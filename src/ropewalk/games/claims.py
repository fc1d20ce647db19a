"""Claims: statements of a rule sheet or a ruling, as checks over many cases.

The claims of each game are in its own `claims` module. Here are `RuleClaim` and helpers: enumeration of small boards,
surveys of random games (every player can move, games end), and known cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..jit.kernel import kernel
from ..jit.prng import Rng, make_rng, rand_below
from ..rules.generic import Moves, copy_row
from ..rules.interface import DRAW, ONGOING, apply_move, legal_moves, load_state, outcome
from .definition import import_attribute

if TYPE_CHECKING:
    from .game import Game
    from .position import Position

MAX_POSITIONS = 100_000  # of an exhaustive enumeration
MAX_STEPS = 100_000  # of a random game before it counts as endless
STUCK, ENDLESS, DRAWN, STEPS, LONGEST_GAME = range(5)  # indices of the counters of a survey


@dataclass(frozen=True)
class RuleClaim:
    """A statement about a game and the check that could refute it."""

    statement: str
    check: Callable[[int, int], tuple[int, int, str]]  # (games, seed) -> cases, violations, the first violation
    note: str = ""
    violation_expected: bool = False  # known to be false, and resolved by a ruling


def rule_claims(game: Game) -> Sequence[RuleClaim]:
    """Return what the game's rule sheet or a ruling claims, as checks that can be run."""
    claims: Sequence[RuleClaim] = import_attribute(game.definition.claims)(game) if game.definition.claims else ()
    return claims


def list_reachable_positions(game: Game) -> list[Position]:
    """Return every reachable position, in breadth-first order; raise a ValueError above MAX_POSITIONS."""
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
    """Return the position after playing the same moves for a number of rounds."""
    position = game.position(text)
    for _ in range(rounds):
        for move in moves.split():
            position = position.play(move)
    return position


@kernel
def survey_random_games(rules: Any, start: Any, row: Any, moves: Moves, rng: Rng, games: int, counters: Any) -> None:
    """Play random games. Adds to `counters`: stuck players, endless games, draws, steps; and the longest game."""
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
    """Return the claims that the player to move always has a move, and that random games end."""

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
    """Return a claim that a known cycle refutes: from the position `text`, `moves` lead back to it."""

    def check(games: int, seed: int) -> tuple[int, int, str]:
        repeats = replay_rounds(game, text, moves, 1) == game.position(text)
        return 1, int(repeats), f"from {text} the moves {moves} come back to the same position" if repeats else ""

    return RuleClaim(statement, check, note, violation_expected=True)


def step_invariant(count_violations: Callable[[Any], int], statement: str, game: Game) -> RuleClaim:
    """Return a claim about every step of random games, played in Python, so only a hundredth of the games."""

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
