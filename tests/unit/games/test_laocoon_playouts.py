"""Careful playouts of laoCoon play by the rules, and look before they move."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ropewalk
from ropewalk.games.position import Position
from ropewalk.jit.interpreted import interpret
from ropewalk.jit.prng import make_rng
from ropewalk.rules.laocoon import enterable_spaces, random_ring_move
from ropewalk.rules.laocoon_heuristics import choose_heavy_move, heavy_rollout, mobility_gain, play_heavy_turn

SPECS = ["laocoon-weave", "laocoon-quick-3", "laocoon-random-5"]


def somewhere(spec: str, seed: int) -> Position:
    """A position of a random game, at the start of a turn."""
    rng = random.Random(seed)
    position = ropewalk.game(spec).start()
    expected = rng.randrange(4, 90)
    for _ in range(expected):
        after = position.play(rng.choice(position.moves()))
        if after.outcome is not None:
            break
        position = after
    while position.game.text.phase(position.row) != "move":
        position = position.play(rng.choice(position.moves()))
    return position


@pytest.mark.parametrize("spec", SPECS)
@given(seed=st.integers(0, 10**6))
def test_a_careful_turn_is_a_legal_turn(spec: str, seed: int) -> None:
    position = somewhere(spec, seed)
    game, seat = position.game, position.seat
    if seat is None:
        return
    row, played = position.row.copy(), np.zeros((2, game.num_actions), np.float32)
    state = game.state(row)
    steps = interpret(play_heavy_turn)(game.rules, state, seat, make_rng(seed), played)
    created = [int(move) for move in np.flatnonzero(played[seat])]
    after = position
    for move in created:  # ids of moves of rings are below those of discs
        after = after.play_id(move)
    assert steps == len(created)
    assert not played[1 - seat].any()
    assert after.seat in (None, 1 - seat)
    for layer in ("upper", "lower", "rings", "hands"):
        assert getattr(after.state, layer).tolist() == getattr(state, layer).tolist()


@given(seed=st.integers(0, 10**6))
def test_of_two_moves_the_roomier_one_is_made(seed: int) -> None:
    position = somewhere("laocoon-weave", seed)
    rules, state, seat = position.game.rules, position.state, position.seat
    if seat is None:
        return
    rng, rings, free = make_rng(seed), state.rings[seat], interpret(enterable_spaces)(state, seat)
    drawn = [interpret(random_ring_move)(rules, rings, free, rng) for _ in range(2)]
    rooms = [interpret(mobility_gain)(rules, state, seat, move) for move in drawn]
    assert interpret(choose_heavy_move)(rules, state, seat, make_rng(seed)) == drawn[int(rooms[1] > rooms[0])]


@pytest.mark.parametrize("spec", SPECS)
@given(seed=st.integers(0, 10**6))
def test_a_playout_of_a_position_before_the_end_is_a_chance_or_a_result(spec: str, seed: int) -> None:
    game = ropewalk.game(spec)
    row, moves, played = (
        game.start_row(),
        np.zeros(game.max_legal_moves, np.int16),
        np.zeros((2, game.num_actions), np.float32),
    )
    value = interpret(heavy_rollout)(game.rules, game.state(row), moves, make_rng(seed), played, 16)
    assert 0 <= value <= 1
    assert played.sum() > 0
