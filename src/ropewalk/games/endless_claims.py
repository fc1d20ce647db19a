"""What is known of games that might never end: Liger and laoCoon."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..chance import Rng, make_rng, rand_below
from ..kernels import kernel
from ..rules.questions import DRAW, ONGOING, apply_move, legal_moves, load_state, outcome
from ..rules.stepping import Moves, copy_row
from .claims import Claim, replayed

if TYPE_CHECKING:
    from .game import Game

MOST_STEPS = 100_000  # of a random game before it counts as endless
STUCK, ENDLESS, DRAWN, STEPS, LONGEST = range(5)


@kernel
def survey(rules: Any, start: Any, row: Any, moves: Moves, rng: Rng, games: int, found: Any) -> None:
    """Play random games; count players without a move, games that do not end, draws, steps, and the longest game."""
    for _ in range(games):
        copy_row(start, row)
        state = load_state(rules, row)
        steps = 0
        while outcome(rules, state) == ONGOING and steps < MOST_STEPS:
            count = legal_moves(rules, state, moves)
            if count == 0:
                found[STUCK] += 1
                break
            state = apply_move(rules, state, moves[rand_below(rng, count)])
            steps += 1
        found[ENDLESS] += 1 if steps == MOST_STEPS else 0
        found[DRAWN] += 1 if outcome(rules, state) == DRAW else 0
        found[STEPS] += steps
        found[LONGEST] = max(found[LONGEST], steps)


def claims(game: Game, always_a_move: str) -> list[Claim]:
    """Random games always offer a move and always end."""

    def run(games: int, seed: int) -> list[int]:
        row, found = game.start_row(), np.zeros(5, np.int64)
        survey(game.rules, row, row.copy(), np.empty(game.most_moves, np.int16), make_rng(seed, 1), games, found)
        return found.tolist()

    def has_move(games: int, seed: int) -> tuple[int, int, str]:
        found = run(games, seed)
        return found[STEPS], found[STUCK], f"seed {seed}" if found[STUCK] else ""

    def ends(games: int, seed: int) -> tuple[int, int, str]:
        found = run(games, seed)
        return games, found[ENDLESS], f"seed {seed}" if found[ENDLESS] else ""

    return [Claim(always_a_move, has_move), Claim(f"random games end within {MOST_STEPS} steps", ends)]


def cycle_claim(words: str, game: Game, text: str, moves: str, note: str) -> Claim:
    """A claim that a known cycle refutes: the same moves come back to the same position."""

    def check(games: int, seed: int) -> tuple[int, int, str]:
        comes_back = replayed(game, text, moves, 1) == game.position(text)
        return 1, int(comes_back), f"from {text} the moves {moves} come back to the same position" if comes_back else ""

    return Claim(words, check, note, expected=True)


def per_game(check: Callable[[Any], int], words: str, game: Game) -> Claim:
    """A claim about every step of random games played in Python, a hundredth of the games asked for."""

    def run(games: int, seed: int) -> tuple[int, int, str]:
        rng = np.random.default_rng(seed)
        cases = violations = 0
        for _ in range(max(1, games // 100)):
            position = game.start()
            while position.seat is not None:
                after = position.play_id(int(rng.choice(position.move_ids())))
                cases += 1
                violations += check((position, after))
                position = after
        return cases, violations, f"seed {seed}" if violations else ""

    return Claim(words, run)
