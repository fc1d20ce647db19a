"""docs/capacity.md is the page of the stored figures, and what machines carry follows from the costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.capacity_page import PAGE, Layout, compute_capacity, find_bottleneck, format_page, round_down

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "capacity.json"
COSTS = {
    "server_idle_ms": 0.0,
    "server_memory_mb": 100.0,
    "player_memory_kb": 100.0,
    "player_idle_ms": 0.0,
    "move_ms": 1.0,
    "move_split_ms": 1.0,
    "move_notification_ms": 0.0,
    "move_database_ms": 0.1,
    "move_proxy_ms": 0.1,
    "spectator_message_ms": 0.0,
}


def test_the_page_is_that_of_the_stored_figures() -> None:
    costs = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert PAGE.read_text(encoding="utf-8") == format_page(costs), "run `python benchmarks/capacity.py --page`"


def test_servers_without_notifications_carry_players_in_proportion_to_their_number() -> None:
    limits = [
        compute_capacity(COSTS, Layout(1, servers, 1.0, 8000), by_match=False)["server processes"] for servers in (1, 2, 4)
    ]
    assert limits == pytest.approx([6000, 12000, 24000])


def test_notifications_bound_what_any_number_of_servers_carries() -> None:
    costs = COSTS | {"move_notification_ms": 0.1}
    limits = [compute_capacity(costs, Layout(1, servers, 1.0, 8000), by_match=False) for servers in (10, 1000)]
    assert limits[1]["server processes"] < limits[1]["notifications to all servers"] < 10 * limits[0]["server processes"]


def test_the_bottleneck_is_the_part_that_carries_the_fewest_players() -> None:
    name, players = find_bottleneck(compute_capacity(COSTS | {"move_database_ms": 10.0}, Layout.of(4), by_match=True))
    assert (name, players) == ("PostgreSQL", 2400)


def test_numbers_are_rounded_down_to_two_digits() -> None:
    assert [round_down(number) for number in (7.9, 129, 98765)] == [7, 120, 98000]


def test_servers_carry_more_players_if_the_players_of_a_match_share_one() -> None:
    costs = COSTS | {"move_split_ms": 3 * COSTS["move_ms"]}
    together, at_random = (compute_capacity(costs, Layout(1, 3, 1.0, 8000), by_match=each) for each in (True, False))
    assert together["server processes"] > at_random["server processes"]
    assert together["PostgreSQL"] == at_random["PostgreSQL"]
