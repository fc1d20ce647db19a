"""Gumbel search with a net: tree reuse, visit counts, leaf batches, interruption."""

from __future__ import annotations

from collections.abc import Generator
from threading import Event
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

import ropewalk
from ropewalk.games.game import Game
from ropewalk.games.position import Position
from ropewalk.search.gumbel_search import LEAF_BATCH, GumbelSearch
from ropewalk.search.interfaces import NO_NODE, ROOT

SPECS = ["lariat-1x2", "laocoon-weave"]


class HashEvaluator:
    """Logits and value are random numbers seeded by the planes: the same position always gets the same."""

    def __init__(self, game: Game) -> None:
        self.slots = game.encoding.policy_size

    def evaluate(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return normal logits and values from -1 to 1."""
        rngs = [np.random.default_rng(crc32(position.tobytes())) for position in planes]
        logits = np.stack([rng.normal(size=self.slots) for rng in rngs]).astype(np.float32)
        return logits, np.array([rng.uniform(-1, 1) for rng in rngs], np.float32)


def searched(search: GumbelSearch, position: Position, visits: int) -> int:
    """Search a position; return the visits that were reused."""
    search.set_root(position)
    reused = search.visits
    for _ in search.run(None, visits, Event()):
        pass
    return reused


def require_sound(search: GumbelSearch) -> None:
    """Every node was visited once for itself, and once for each visit of those below; no node has two parents."""
    trees, nodes, num_nodes = search.trees, [ROOT], 0
    while nodes:
        node = nodes.pop()
        num_nodes += 1
        first, num_edges = int(trees.edge_begin[0, node]), max(0, int(trees.num_edges[0, node]))
        children = [int(child) for child in trees.child[0, first : first + num_edges] if child != NO_NODE]
        below = sum(int(trees.visits[0, child]) for child in children)
        assert len(children) == trees.num_visited[0, node]
        if num_edges:
            assert trees.visits[0, node] == 1 + below
            assert trees.value_sum[0, node] == pytest.approx(
                float(trees.raw_value[0, node]) + sum(float(trees.value_sum[0, child]) for child in children), abs=1e-2
            )
        nodes += children
    assert num_nodes == trees.counters[0, 1]


@pytest.mark.parametrize("spec", SPECS)
def test_the_subtree_of_the_next_position_is_reused(spec: str) -> None:
    game = ropewalk.game(spec)
    search = GumbelSearch(game, HashEvaluator(game), 2000)
    position = game.start()
    assert searched(search, position, 300) == 0
    for _ in range(4):
        require_sound(search)
        best = search.root_moves()[0]
        line = search.principal_variation(best.move)
        position = position.play_id(best.move)
        if position.seat is None:
            return
        assert searched(search, position, 300) == best.visits
        assert search.visits >= 300
        assert len(line) == 1 or line[1] in {root_move.move for root_move in search.root_moves() if root_move.visits}


def test_two_steps_at_once_are_followed() -> None:
    game = ropewalk.game("lariat-1x2")
    search = GumbelSearch(game, HashEvaluator(game), 2000)
    start = game.start()
    searched(search, start, 500)
    first, second = search.principal_variation(search.root_moves()[0].move)[:2]
    later = start.play_id(first).play_id(second)
    assert searched(search, later, 1) > 1
    require_sound(search)


@pytest.mark.parametrize("spec", SPECS)
def test_a_position_of_another_game_begins_anew(spec: str) -> None:
    game = ropewalk.game(spec)
    search = GumbelSearch(game, HashEvaluator(game), 2000)
    searched(search, game.start(), 50)
    elsewhere = game.start()
    moves = elsewhere.moves()
    elsewhere = elsewhere.play(moves[-1])
    search.reset()
    assert searched(search, elsewhere, 50) == 0
    require_sound(search)
    fresh = GumbelSearch(game, HashEvaluator(game), 2000)
    searched(fresh, elsewhere, 50)
    assert fresh.root_moves() == search.root_moves()


@pytest.mark.parametrize("spec", SPECS)
def test_a_larger_value_scale_concentrates_the_visits(spec: str) -> None:
    game = ropewalk.game(spec)
    most_visits = []
    for value_scale in (0.02, 0.1, 0.5):
        search = GumbelSearch(game, HashEvaluator(game), 2000, value_scale)
        searched(search, game.start(), 400)
        most_visits.append(max(move.visits for move in search.root_moves()))
    assert most_visits[0] < most_visits[1] < most_visits[2]


def test_a_search_that_is_cut_short_can_go_on() -> None:
    game = ropewalk.game("lariat-1x2")
    search = GumbelSearch(game, HashEvaluator(game), 2000)
    search.set_root(game.start())
    running = search.run(None, 100, Event())
    for _ in range(7):
        next(running)
    assert isinstance(running, Generator)
    running.close()
    require_sound(search)
    seen = search.visits
    assert searched(search, game.start(), 100) == seen
    require_sound(search)


@pytest.mark.parametrize("spec", SPECS)
def test_distinct_leaves_are_evaluated_in_batches(spec: str) -> None:
    game = ropewalk.game(spec)
    batch_sizes: list[int] = []

    class Counter(HashEvaluator):
        def evaluate(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            batch_sizes.append(len(planes))
            assert len({position.tobytes() for position in planes}) == len(planes)
            return super().evaluate(planes)

    search = GumbelSearch(game, Counter(game), 2000)
    searched(search, game.start(), 101)
    assert search.visits == 101
    assert batch_sizes[0] == 1
    assert max(batch_sizes) == LEAF_BATCH
    assert sum(batch_sizes) <= 101 < 2 * sum(batch_sizes), "finished positions need no evaluation"


def test_visits_are_counted_where_games_end_at_once() -> None:
    game = ropewalk.game("tether-5")
    search = GumbelSearch(game, HashEvaluator(game), 2000)
    nearly_over = game.position("rb2b/rbb1b/b1rrb/rr1r1/r1rrb red")
    for visits in (1, 3, 100):
        search.reset()
        searched(search, nearly_over, visits)
        assert search.visits == visits
        require_sound(search)
