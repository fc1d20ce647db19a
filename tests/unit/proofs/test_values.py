"""Solved values are those of naive minimax over the reference games."""

from __future__ import annotations

import random

import pytest

import ropewalk
from ropewalk import Game, Position
from ropewalk.proofs import dfpn_solver
from ropewalk.proofs.dfpn_solver import DfpnSolver
from ropewalk.proofs.retrograde import RetrogradeSolver
from tests.unit.proofs.naive import NaiveSolver

MEMORY_BYTES = 1 << 20
MAX_NODES = 10**8


def reachable_positions(position: Position) -> list[Position]:
    """Return every reachable position once."""
    seen, stack = {str(position): position}, [position]
    while stack:
        current = stack.pop()
        for move in current.moves():
            after = current.play(move)
            if str(after) not in seen:
                seen[str(after)] = after
                stack.append(after)
    return list(seen.values())


def random_position(game: Game, seed: int, max_moves: int) -> Position:
    """Return an ongoing position of a random game with at most `max_moves` legal moves."""
    rng = random.Random(seed)
    while True:
        position = game.start()
        while position.seat is not None and len(position.moves()) > max_moves:
            position = position.play(rng.choice(position.moves()))
        if position.seat is not None:
            return position


@pytest.mark.parametrize("depth_first", [False, True])
def test_every_position_of_the_smallest_tether_has_the_value_of_minimax(depth_first: bool) -> None:
    game = ropewalk.game("tether-3")
    naive, solver = NaiveSolver(game), DfpnSolver(game, MEMORY_BYTES)
    positions = [position for position in reachable_positions(game.start()) if position.seat is not None]
    assert len(positions) > 1000
    for position in positions:
        value = naive.value(naive.state(position))
        assert solver.solve(position.row, 0, max_nodes=MAX_NODES, depth_first=depth_first) == (value == 0), position
        assert solver.solve(position.row, 1, max_nodes=MAX_NODES, depth_first=depth_first) == (value == 1), position


@pytest.mark.parametrize(("spec", "max_moves"), [("tether-5", 9), ("lariat-1x1", 8)])
def test_late_positions_have_the_value_of_minimax(spec: str, max_moves: int) -> None:
    game = ropewalk.game(spec)
    naive, solver = NaiveSolver(game), DfpnSolver(game, MEMORY_BYTES)
    values = set()
    for seed in range(12):
        position = random_position(game, seed, max_moves)
        value = naive.value(naive.state(position))
        values.add(value)
        assert solver.solve(position.row, 0, max_nodes=MAX_NODES) == (value == 0), position
    assert values == {0, 1}


@pytest.mark.parametrize("memory", [1, 4096])
def test_a_table_far_too_small_does_not_change_results(memory: int) -> None:
    game = ropewalk.game("tether-5")
    small, large = DfpnSolver(game, memory), DfpnSolver(game, MEMORY_BYTES)
    assert small.memory_bytes <= max(memory, 128)
    for seed in range(5):
        position = random_position(game, seed, 10)
        for depth_first in (False, True):
            result = small.solve(position.row, 0, max_nodes=MAX_NODES, depth_first=depth_first)
            assert result == large.solve(position.row, 0, max_nodes=MAX_NODES)


def test_every_position_of_the_smallest_liger_has_the_value_of_value_iteration() -> None:
    game = ropewalk.game("liger-4-norepetition")
    naive = NaiveSolver(game)
    values = naive.all_values(naive.rules.start())
    solver = RetrogradeSolver(game.start(), 1 << 24)
    assert solver.solve(lambda: True)
    positions = reachable_positions(game.start())
    assert len(solver) == len(positions) == len(values) == 2249
    for position in positions:
        assert solver.probe(position)[0] == values[naive.state(position)], position


def test_a_position_in_which_play_can_be_made_to_repeat_is_a_draw() -> None:
    game = ropewalk.game("liger-4x2-norepetition")
    position = game.position("2/1,b/rrbr,b/2 red")
    solver = RetrogradeSolver(position, 1 << 25)
    assert solver.solve(lambda: True)
    values = solver.tables.values[: len(solver)]
    assert (len(solver), int((values == 2).sum())) == (51744, 6)
    assert solver.probe(position)[0] == 2


@pytest.mark.slow
def test_every_position_after_a_drawn_one_has_the_value_of_value_iteration() -> None:
    game = ropewalk.game("liger-4x2-norepetition")
    naive = NaiveSolver(game)
    position = game.position("2/1,b/rrbr,b/2 red")
    values = naive.all_values(naive.state(position))
    solver = RetrogradeSolver(position, 1 << 25)
    assert solver.solve(lambda: True)
    for current in reachable_positions(position):
        assert solver.probe(current)[0] == values[naive.state(current)], current


def test_retrograde_analysis_stops_at_its_memory_limit() -> None:
    solver = RetrogradeSolver(ropewalk.game("liger-8").start(), 1 << 20)
    assert not solver.solve(lambda: True)
    assert 1000 < len(solver) < 10_000
    assert solver.memory_bytes <= 1 << 20


def random_endgame(game: Game, seed: int, plies_before_end: int) -> Position:
    """Return the position `plies_before_end` places from the end of a random game, 1 for the last."""
    rng = random.Random(seed)
    positions = [game.start()]
    while positions[-1].seat is not None:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves())))
    return positions[-plies_before_end]


def test_wins_within_some_turns_are_those_of_exhaustive_search() -> None:
    game = ropewalk.game("laocoon-weave-norepetition")
    naive, solver = NaiveSolver(game), DfpnSolver(game, MEMORY_BYTES)
    cases = set()
    for seed in range(16):
        position = random_endgame(game, seed, 2 + seed % 2)
        for seat in (0, 1):
            for turns in (1, 2) if len(position.moves()) < 4 else (1,):
                is_win = naive.wins_within(naive.state(position), seat, turns)
                assert solver.solve(position.row, seat, turns, max_nodes=MAX_NODES) == is_win, (position, seat, turns)
                cases.add((is_win, turns))
    assert len(cases) == 4


def test_a_path_longer_than_the_maximum_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dfpn_solver, "INITIAL_LEVELS", 2)
    monkeypatch.setattr(dfpn_solver, "MAX_LEVELS", 4)
    game = ropewalk.game("laocoon-weave")
    solver, position = DfpnSolver(game, MEMORY_BYTES), game.start()
    for ring in ("a1", "h8", "d1", "e8"):
        position = position.play(ring)
    assert solver.solve(position.row, 0, max_nodes=20_000) is None
    assert solver.nodes >= 20_000
    assert len(solver.stack.num_moves) == 4
