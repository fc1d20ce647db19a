"""What is acknowledged is never lost, whenever the server dies."""

from __future__ import annotations

import asyncio

import pytest

from tests.chaos.kills import run_kills
from tests.support.chaos import play_and_kill
from tests.support.server_process import run_forked_server


def test_a_server_that_is_killed_in_the_middle_of_matches_loses_no_acknowledged_move(database: str) -> None:
    with run_forked_server(database) as server:
        games = asyncio.run(play_and_kill([server], matches=10, kills=10, seed=1))
    assert sum(len(game.acknowledged) for game in games) >= 10
    assert sum(game.repeats for game in games) > 0, "some moves were under way when it died"


@pytest.mark.slow
def test_a_hundred_matches_survive_two_hundred_kills(database: str) -> None:
    with run_forked_server(database) as server:
        games = asyncio.run(play_and_kill([server], matches=100, kills=200, seed=2))
    moves, repeats = (sum(len(game.acknowledged) for game in games), sum(game.repeats for game in games))
    print(f"\n{database.partition(':')[0]}: 100 matches, 200 kills, {moves} moves acknowledged, {repeats} tries unanswered")


@pytest.mark.slow
def test_a_thousand_kills_of_one_and_three_servers_lose_nothing() -> None:
    counts = run_kills(1000, 3, print)
    assert sum(count.kills for count in counts) == 1000
