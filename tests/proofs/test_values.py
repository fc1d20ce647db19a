"""Solved values are those of naive minimax over the reference games."""

from __future__ import annotations

import random

import pytest

import ropewalk
from ropewalk import Game, Position
from ropewalk.proofs import searcher as searcher_module
from ropewalk.proofs.chart import Chart
from ropewalk.proofs.searcher import Searcher

from .naive import Naive

MEMORY = 1 << 20
PATIENCE = 10**8


def reached(position: Position) -> list[Position]:
    """Every position that can come, once each."""
    found, waiting = {str(position): position}, [position]
    while waiting:
        place = waiting.pop()
        for move in place.moves():
            after = place.play(move)
            if str(after) not in found:
                found[str(after)] = after
                waiting.append(after)
    return list(found.values())


def at_random(game: Game, seed: int, left: int) -> Position:
    """A position of a random game with at most so many moves; the game is not over."""
    chance = random.Random(seed)
    while True:
        position = game.start()
        while position.seat is not None and len(position.moves()) > left:
            position = position.play(chance.choice(position.moves()))
        if position.seat is not None:
            return position


@pytest.mark.parametrize("stubborn", [False, True])
def test_every_position_of_the_smallest_tether_has_the_value_of_minimax(stubborn: bool) -> None:
    game = ropewalk.game("tether-3")
    naive, searcher = Naive(game), Searcher(game, MEMORY)
    positions = [position for position in reached(game.start()) if position.seat is not None]
    assert len(positions) > 1000
    for position in positions:
        value = naive.value(naive.state(position))
        assert searcher.wins(position.row, 0, patience=PATIENCE, stubborn=stubborn) == (value == 0), position
        assert searcher.wins(position.row, 1, patience=PATIENCE, stubborn=stubborn) == (value == 1), position


@pytest.mark.parametrize(("spec", "left"), [("tether-5", 9), ("lariat-1x1", 8)])
def test_late_positions_have_the_value_of_minimax(spec: str, left: int) -> None:
    game = ropewalk.game(spec)
    naive, searcher = Naive(game), Searcher(game, MEMORY)
    values = set()
    for seed in range(12):
        position = at_random(game, seed, left)
        value = naive.value(naive.state(position))
        values.add(value)
        assert searcher.wins(position.row, 0, patience=PATIENCE) == (value == 0), position
    assert values == {0, 1}


@pytest.mark.parametrize("memory", [1, 4096])
def test_a_table_far_too_small_costs_time_but_no_truth(memory: int) -> None:
    game = ropewalk.game("tether-5")
    small, large = Searcher(game, memory), Searcher(game, MEMORY)
    assert small.memory <= max(memory, 128)
    for seed in range(5):
        position = at_random(game, seed, 10)
        for stubborn in (False, True):
            found = small.wins(position.row, 0, patience=PATIENCE, stubborn=stubborn)
            assert found == large.wins(position.row, 0, patience=PATIENCE)


def test_every_position_of_the_smallest_liger_has_the_value_of_sweeping() -> None:
    game = ropewalk.game("liger-4-norepetition")
    naive = Naive(game)
    values = naive.all_values(naive.rules.start())
    chart = Chart(game.start(), 1 << 24)
    assert chart.draw(lambda: True)
    positions = reached(game.start())
    assert len(chart) == len(positions) == len(values) == 2249
    for position in positions:
        assert chart.value(position)[0] == values[naive.state(position)], position


def test_neither_wins_where_play_can_be_made_to_go_round() -> None:
    game = ropewalk.game("liger-4x2-norepetition")
    position = game.position("2/1,b/rrbr,b/2 red")
    chart = Chart(position, 1 << 25)
    assert chart.draw(lambda: True)
    values = chart.reach.values[: len(chart)]
    assert (len(chart), int((values == 2).sum())) == (51744, 6)
    assert chart.value(position)[0] == 2


@pytest.mark.slow
def test_every_position_after_a_drawn_one_has_the_value_of_sweeping() -> None:
    game = ropewalk.game("liger-4x2-norepetition")
    naive = Naive(game)
    position = game.position("2/1,b/rrbr,b/2 red")
    values = naive.all_values(naive.state(position))
    chart = Chart(position, 1 << 25)
    assert chart.draw(lambda: True)
    for place in reached(position):
        assert chart.value(place)[0] == values[naive.state(place)], place


def test_a_chart_stops_at_its_memory() -> None:
    chart = Chart(ropewalk.game("liger-8").start(), 1 << 20)
    assert not chart.draw(lambda: True)
    assert 1000 < len(chart) < 10_000
    assert chart.memory <= 1 << 20


def endgame(game: Game, seed: int, before: int) -> Position:
    """So many steps before the end of a random game."""
    chance = random.Random(seed)
    line = [game.start()]
    while line[-1].seat is not None:
        line.append(line[-1].play(chance.choice(line[-1].moves())))
    return line[-before]


def test_wins_within_some_turns_are_those_of_trying_everything() -> None:
    game = ropewalk.game("laocoon-weave-norepetition")
    naive, searcher = Naive(game), Searcher(game, MEMORY)
    found = set()
    for seed in range(16):
        position = endgame(game, seed, 2 + seed % 2)
        for seat in (0, 1):
            for turns in (1, 2) if len(position.moves()) < 4 else (1,):
                wins = naive.wins_within(naive.state(position), seat, turns)
                assert searcher.wins(position.row, seat, turns, patience=PATIENCE) == wins, (position, seat, turns)
                found.add((wins, turns))
    assert len(found) == 4


def test_a_line_that_gets_too_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searcher_module, "FIRST_LEVELS", 2)
    monkeypatch.setattr(searcher_module, "MOST_LEVELS", 4)
    game = ropewalk.game("laocoon-weave")
    searcher, position = Searcher(game, MEMORY), game.start()
    for ring in ("a1", "h8", "d1", "e8"):
        position = position.play(ring)
    assert searcher.wins(position.row, 0, patience=20_000) is None
    assert searcher.nodes >= 20_000
    assert len(searcher.path.counts) == 4
