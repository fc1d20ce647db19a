"""Single moves asked for or drawn at random, held against the list of all legal moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ropewalk
from ropewalk import Batch
from ropewalk.jit.kernel import kernel
from ropewalk.jit.prng import make_rng
from ropewalk.rules.generic import random_move_by_rejection
from ropewalk.rules.interface import ONGOING, is_legal, load_state, random_move

SPECS = [
    "lariat-1x3", "lariat-2x4-pie", "cube-lariat-2", "cube-lariat-2-nocorners", "cube-lariat-2-nopie",
    "tether-3", "tether-9", "laocoon-weave", "laocoon-blocks-norepetition", "laocoon-random-1", "laocoon-quick-2",
    "liger-4", "liger-6x3", "liger-8", "liger-8-norepetition", "liger-10",
]  # fmt: skip
BEYOND = 70  # numbers on both sides of the ids that are no moves
DRAWS = 4000


@kernel
def first_disagreement(rules: Any, row: Any, listed: Any, beyond: int) -> int:
    """The first number for which `is_legal` and the list of legal moves differ, or one too small to be asked for."""
    for move in range(-beyond, len(listed) + beyond):
        in_list = 0 <= move < len(listed) and listed[move] == 1
        if is_legal(rules, load_state(rules, row), move) != in_list:
            return move
    return -beyond - 1


@kernel
def tally_draws(rules: Any, row: Any, moves: Any, rng: Any, draws: int, tally: Any) -> None:
    """Count how often each move is drawn."""
    for _ in range(draws):
        tally[random_move(rules, load_state(rules, row), moves, rng)] += 1


@kernel
def tally_rare_ids(rules: Any, row: Any, moves: Any, rng: Any, draws: int, tally: Any) -> None:
    """The same by trying ids of which hardly any is a move."""
    for _ in range(draws):
        tally[random_move_by_rejection(rules, load_state(rules, row), 1_000_000, moves, rng)] += 1


def require_fair(tally: Any, legal: Any) -> None:
    """Nothing but legal moves, and each about as often: Pearson's sum stays within six deviations."""
    assert tally.sum() == tally[legal].sum() == DRAWS
    expected = DRAWS / len(legal)
    surplus = ((tally[legal] - expected) ** 2 / expected).sum() - (len(legal) - 1)
    assert abs(surplus) < 6 * (2 * len(legal)) ** 0.5


@pytest.mark.parametrize("spec", SPECS)
def test_a_move_is_legal_exactly_when_it_is_listed(spec: str) -> None:
    game = ropewalk.game(spec)
    batch = Batch(game, 16, seed=3)
    finished = 0
    while finished < 16:
        for index in np.flatnonzero(batch.outcomes == ONGOING):
            listed = np.zeros(game.num_actions, np.int8)
            listed[batch.moves[index, : batch.counts[index]]] = 1
            found = first_disagreement(game.rules, batch.rows[index], listed, BEYOND)
            assert found == -BEYOND - 1, (batch[int(index)], found)
        batch.play(batch.choose())
        finished += batch.restart()


@pytest.mark.parametrize("spec", SPECS)
def test_every_legal_move_is_drawn_equally_often(spec: str) -> None:
    game = ropewalk.game(spec)
    batch = Batch(game, 1, seed=8)
    scratch, rng = np.zeros(game.max_legal_moves, np.int16), make_rng(1)
    for _ in range(60):
        tally = np.zeros(game.num_actions, np.int64)
        tally_draws(game.rules, batch.rows[0], scratch, rng, DRAWS, tally)
        require_fair(tally, batch.moves[0, : batch.counts[0]])
        batch.play(batch.choose())
        batch.restart()


def test_where_legal_moves_are_rare_they_are_drawn_from_the_list() -> None:
    game = ropewalk.game("tether-5")
    row, tally = game.start().row, np.zeros(game.num_actions, np.int64)
    tally_rare_ids(game.rules, row, np.zeros(game.max_legal_moves, np.int16), make_rng(2), DRAWS, tally)
    require_fair(tally, np.arange(25))
