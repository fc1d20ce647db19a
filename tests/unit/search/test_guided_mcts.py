"""MCTS guided by a net: priors and values count in the tree, proofs override them."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest

import ropewalk
from ropewalk import Position
from ropewalk.bots.bot_spec import make_bot
from ropewalk.bots.levels import get_guided_params
from ropewalk.games.definition import GuidanceParams
from ropewalk.nets.onnx_evaluator import NetError, OnnxEvaluator, resolve_net_path
from ropewalk.rules.interface import ONGOING
from ropewalk.search.interfaces import NO_NODE, ROOT, Evaluator
from ropewalk.search.mcts_search import TREE_BYTES, GuidedMctsSearch
from ropewalk.search.mcts_tree import EVALUATED, PENDING, MctsTree, node_bytes
from tests.unit.search.test_mcts import late, late_by, value

SPECS = ["lariat-1x6", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-6"]


def search_of(
    position: Position,
    guidance: GuidanceParams | None = None,
    evaluator: Evaluator | None = None,
    seed: int = 0,
    tree_bytes: int = TREE_BYTES,
) -> GuidedMctsSearch:
    game = position.game
    params, default_guidance = get_guided_params(game)
    frequent = default_guidance._replace(eval_threshold=30)  # so that a few visits are enough
    search = GuidedMctsSearch(
        game,
        params,
        guidance or frequent,
        evaluator or OnnxEvaluator(game, resolve_net_path(game)),
        seed=seed,
        tree_bytes=tree_bytes,
    )
    search.set_root(position)
    return search


def searched(position: Position, visits: int, seed: int = 0, tree_bytes: int = TREE_BYTES) -> GuidedMctsSearch:
    search = search_of(position, seed=seed, tree_bytes=tree_bytes)
    run(search, visits)
    return search


def run(search: GuidedMctsSearch, visits: int) -> None:
    for _ in search.run(None, search.visits + visits, Event()):
        pass


class OneMoveEvaluator:
    """An evaluator with a large logit for one move and value 0 for all positions."""

    def __init__(self, position: Position, move: str) -> None:
        game = position.game
        self.logits = np.zeros(game.encoding.policy_size, np.float32)
        self.logits[game.move_id(move)] = 10

    def evaluate(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.tile(self.logits, (len(planes), 1)), np.zeros(len(planes), np.float32)


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_grows_the_same_tree(spec: str) -> None:
    start = ropewalk.game(spec).start()
    first, second = (searched(start, 3000, seed=5).search_threads[0].tree for _ in range(2))
    used = first.num_nodes[0]
    assert used == second.num_nodes[0]
    assert (first.eval_state[:used] == EVALUATED).sum() > 4
    for name in MctsTree._fields[:-1]:
        assert np.array_equal(getattr(first, name)[:used], getattr(second, name)[:used])


@pytest.mark.parametrize("spec", SPECS)
def test_an_evaluation_counts_as_value_weight_visits_of_its_node_and_all_above(spec: str) -> None:
    search = searched(ropewalk.game(spec).start(), 2000)
    tree = search.search_threads[0].tree
    for node in range(int(tree.num_nodes[0])):
        first = int(tree.first_child[node])
        below = slice(first, first + int(tree.child_count[node]))
        if first != NO_NODE and not np.any(tree.proven[below] != ONGOING):
            virtual_visits = search.guidance.value_weight * int(tree.eval_state[node] == EVALUATED)
            assert (
                0 <= tree.visits[node] - virtual_visits - int(tree.visits[below].sum()) <= search.params.expansion_threshold
            )
            if tree.eval_state[node] == EVALUATED:
                assert float(tree.prior[below].sum()) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("move", ["a1", "e5"])
def test_a_move_with_a_large_prior_is_visited_more(move: str) -> None:
    start = ropewalk.game("tether-5").start()
    guidance = GuidanceParams(eval_threshold=30, prior_weight=5.0, exploration=0.1, value_weight=0)
    search = search_of(start, guidance, OneMoveEvaluator(start, move))
    run(search, 300)
    most = max(search.root_moves(), key=lambda root_move: root_move.visits)
    assert start.game.move_text(most.move) == move


@pytest.mark.parametrize("spec", ["lariat-1x2", "cube-lariat-2", "tether-5"])
@pytest.mark.parametrize("seed", range(6))
def test_a_proof_agrees_with_minimax_whatever_the_net_predicts(spec: str, seed: int) -> None:
    position = late(spec, seed, 6)
    search = search_of(position, GuidanceParams(1, 5.0, 0.0, 500), OneMoveEvaluator(position, position.moves()[-1]))
    run(search, 20_000)
    assert search.is_proven()
    assert search.search_threads[0].tree.proven[ROOT] == value(position)
    assert value(position.play_id(search.root_moves()[0].move)) == value(position)


@pytest.mark.parametrize("spec", SPECS)
def test_the_tree_is_kept_between_moves_and_pending_requests_are_dropped(spec: str) -> None:
    position = ropewalk.game(spec).start()
    search = searched(position, 3000)
    for _ in range(4):
        best = search.root_moves()[0]
        position = position.play_id(best.move)
        search.set_root(position)
        tree = search.search_threads[0].tree
        assert 0 < search.visits <= best.visits, "virtual playouts are no visits"
        assert search.requests.num_pending[0] == (tree.eval_state[: tree.num_nodes[0]] == PENDING).sum() == 0
        run(search, 500)


def test_a_full_tree_forgets_the_least_visited_and_goes_on() -> None:
    start = ropewalk.game("lariat-2x10").start()
    search = searched(start, 20_000, tree_bytes=2 * 4000 * node_bytes())
    assert search.search_threads[0].tree.num_nodes[0] <= 4000
    assert search.visits == 20_000
    assert search.search_threads[0].tree.eval_state[ROOT] == EVALUATED


@pytest.mark.parametrize("seconds", [0.05, 0.2])
def test_a_deadline_is_kept(seconds: float) -> None:
    assert late_by(search_of(ropewalk.game("tether-9").start()), seconds) < 0.03


def test_a_guided_bot_plays_by_its_name_and_a_missing_net_is_an_error() -> None:
    game = ropewalk.game("tether-5")
    bot = make_bot(game, "advised@200")
    position = game.start()
    while position.seat is not None:
        position = position.play(bot.choose(position))
    assert position.outcome is not None
    with pytest.raises(NetError, match=r"net file .* not found"):
        make_bot(game, "advised:nowhere.onnx")
