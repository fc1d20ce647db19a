"""The tree search: proofs, reuse, limits, memory, determinism."""

from __future__ import annotations

import threading
import time
from threading import Event

import numpy as np
import pytest

import ropewalk
from ropewalk import Position
from ropewalk.games import laocoon, lariat
from ropewalk.games.definition import DEFAULT_MCTS, MctsParams
from ropewalk.rules.interface import DRAW, ONGOING
from ropewalk.search.interfaces import NO_NODE, ROOT
from ropewalk.search.mcts_search import MctsSearch
from ropewalk.search.mcts_tree import LINK_FIELDS, MctsTree, copy_subtree, node_bytes

SPECS = ["lariat-1x2", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"]
LARIAT_PARAMS = lariat.SPEC.mcts
ALL_PARAMS = [DEFAULT_MCTS, LARIAT_PARAMS, laocoon.SPEC.mcts]


def searched(position: Position, params: MctsParams, visits: int, **options: int) -> MctsSearch:
    search = MctsSearch(position.game, params, **options)
    search.set_root(position)
    for _ in search.run(None, visits, Event()):
        pass
    return search


def value(position: Position) -> int:
    """The outcome by plain minimax, for positions near the end."""
    if position.outcome is not None:
        return DRAW if position.outcome.winner is None else position.outcome.winner
    values: set[int] = {value(position.play(move)) for move in position.moves()}
    assert position.seat is not None
    return next(result for result in (position.seat, DRAW, 1 - position.seat) if result in values)


def late(spec: str, seed: int, left: int) -> Position:
    """Return a position with at most `left` legal moves, from the first random game that reaches one."""
    game = ropewalk.game(spec)
    rng = np.random.default_rng(seed)
    while True:
        position = game.start()
        while position.outcome is None and len(position.moves()) > left:
            position = position.play(str(rng.choice(position.moves())))
        if position.outcome is None:
            return position


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("params", ALL_PARAMS)
def test_the_same_seed_grows_the_same_tree(spec: str, params: MctsParams) -> None:
    start = ropewalk.game(spec).start()
    first, second = (searched(start, params, 700, seed=5).search_threads[0].tree for _ in range(2))
    used = first.num_nodes[0]
    assert used == second.num_nodes[0]
    for name in MctsTree._fields[:-1]:
        assert np.array_equal(getattr(first, name)[:used], getattr(second, name)[:used])


def test_another_seed_grows_another_tree() -> None:
    start = ropewalk.game("lariat-1x2").start()
    first, second = (searched(start, LARIAT_PARAMS, 700, seed=seed).search_threads[0].tree for seed in (1, 2))
    assert not np.array_equal(first.mean[:100], second.mean[:100])


@pytest.mark.parametrize("spec", SPECS)
def test_visits_add_up(spec: str) -> None:
    tree = searched(ropewalk.game(spec).start(), LARIAT_PARAMS, 2000).search_threads[0].tree
    for node in range(int(tree.num_nodes[0])):
        first = int(tree.first_child[node])
        if first != NO_NODE:
            below = int(tree.visits[first : first + int(tree.child_count[node])].sum())
            assert 0 <= tree.visits[node] - below <= LARIAT_PARAMS.expansion_threshold
            assert np.all(tree.parent[first : first + int(tree.child_count[node])] == node)


@pytest.mark.parametrize("spec", ["lariat-1x2", "cube-lariat-2", "tether-5"])
@pytest.mark.parametrize("params", ALL_PARAMS)
@pytest.mark.parametrize("seed", range(6))
def test_a_proof_agrees_with_minimax(spec: str, params: MctsParams, seed: int) -> None:
    position = late(spec, seed, 6)
    search = searched(position, params, 20_000)
    assert search.is_proven()
    assert search.search_threads[0].tree.proven[ROOT] == value(position)
    best = position.play_id(search.root_moves()[0].move)
    assert value(best) == value(position)


def test_a_winning_move_is_played_at_once() -> None:
    position = ropewalk.game("lariat-1x1").start()
    for move in ("c1", "c3", "b1", "c4"):
        position = position.play(move)
    search = searched(position, LARIAT_PARAMS, 10_000)
    assert ropewalk.game("lariat-1x1").move_text(search.root_moves()[0].move) == "a1"
    assert search.visits < 500


@pytest.mark.parametrize("spec", SPECS)
def test_the_tree_is_kept_between_moves(spec: str) -> None:
    position = ropewalk.game(spec).start()
    search = searched(position, LARIAT_PARAMS, 3000)
    move = search.root_moves()[0]
    after = position.play_id(move.move)
    reply = search.principal_variation(move.move)[1]
    before = subtree(search.search_threads[0].tree, [move.move, reply])
    search.set_root(after.play_id(reply))
    assert before > 0
    assert search.visits == before


def subtree(tree: MctsTree, steps: list[int]) -> int:
    node = ROOT
    for step in steps:
        first = int(tree.first_child[node])
        node = first + int(np.flatnonzero(tree.move[first : first + int(tree.child_count[node])] == step)[0])
    return int(tree.visits[node])


def test_a_copied_subtree_keeps_every_statistic() -> None:
    tree, spare, _ = searched(ropewalk.game("tether-5").start(), LARIAT_PARAMS, 2000).search_threads[0]
    node = int(tree.first_child[ROOT] + np.argmax(tree.visits[tree.first_child[ROOT] :][: tree.child_count[ROOT]]))
    copy_subtree(tree, node, 0, spare)
    count = int(tree.child_count[node])
    first, copied_first = int(tree.first_child[node]), int(spare.first_child[ROOT])
    for name in set(MctsTree._fields) - set(LINK_FIELDS):
        source, target = getattr(tree, name), getattr(spare, name)
        assert target[ROOT] == source[node]
        assert np.array_equal(target[copied_first : copied_first + count], source[first : first + count])


def test_another_game_begins_a_new_tree() -> None:
    game = ropewalk.game("tether-5")
    search = searched(game.start(), LARIAT_PARAMS, 500)
    search.set_root(game.position(str(game.start())))
    assert search.visits == 0


@pytest.mark.parametrize("params", ALL_PARAMS)
def test_a_full_tree_forgets_the_least_visited_and_goes_on(params: MctsParams) -> None:
    start = ropewalk.game("lariat-2x10").start()
    tree_bytes = 2 * 4000 * node_bytes()
    search = searched(start, params, 20_000, tree_bytes=tree_bytes)
    assert all(len(array) <= 4000 for thread in search.search_threads for array in (*thread.tree, *thread.spare))
    assert search.visits == 20_000
    tree = search.search_threads[0].tree
    assert tree.num_nodes[0] <= 4000
    first = int(tree.first_child[ROOT])
    assert int(tree.visits[first : first + int(tree.child_count[ROOT])].sum()) > 19_000


@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.2])
def test_a_deadline_is_kept(seconds: float) -> None:
    search = MctsSearch(ropewalk.game("tether-9"), LARIAT_PARAMS)
    search.set_root(ropewalk.game("tether-9").start())
    assert late_by(search, seconds) < 0.03


def late_by(search: MctsSearch, seconds: float) -> float:
    """How long after its deadline a search stops, at the best of a few times."""
    late = []
    for _ in range(5):
        began = time.monotonic()
        for _ in search.run(seconds, None, Event()):
            pass
        late.append(time.monotonic() - began - seconds)
    return min(late)


def test_cancelling_stops_at_once() -> None:
    search = MctsSearch(ropewalk.game("tether-9"), LARIAT_PARAMS)
    search.set_root(ropewalk.game("tether-9").start())
    cancelled = Event()
    threading.Timer(0.1, cancelled.set).start()
    began = time.monotonic()
    for _ in search.run(30, None, cancelled):
        pass
    assert time.monotonic() - began < 5
    assert search.visits > 0


def test_two_threads_share_the_visits_and_repeat_themselves() -> None:
    start = ropewalk.game("tether-5").start()
    first, second = (searched(start, LARIAT_PARAMS, 1001, threads=2, seed=3) for _ in range(2))
    assert first.visits == 1001
    assert first.root_moves() == second.root_moves()
    assert {int(thread.tree.visits[ROOT]) for thread in first.search_threads} == {500, 501}


def test_all_moves_are_listed_and_values_lie_between_0_and_1() -> None:
    start = ropewalk.game("liger-4").start()
    root_moves = searched(start, LARIAT_PARAMS, 50).root_moves()
    assert sorted(root_move.move for root_move in root_moves) == sorted(start.move_ids())
    assert all(0 <= root_move.value <= 1 for root_move in root_moves)
    assert all(root_move.proven in (ONGOING, 0, 1, DRAW) for root_move in root_moves)
