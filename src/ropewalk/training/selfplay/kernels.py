"""What playouts say of the leaves that wait for a net: a second opinion, where a net's own is poor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...jit.kernel import kernel, to_int64
from ...jit.prng import rand_below
from ...rules.generic import Row, copy_row
from ...rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    encode_planes,
    load_state,
    outcome,
    random_move,
    rollout,
    seat_to_move,
    store_state,
)
from ...search.gumbel import VALUE_SCALE, GumbelParams, root_action_selection, root_mix_value, write_improved_policy
from ...search.gumbel_mcts import LeafEvaluations, descend, expand_and_backup, reset_tree
from ...search.gumbel_tree import (
    DONE,
    I32,
    IDLE,
    PHASE,
    ROOT,
    WAITING_FOR_EVAL,
    GumbelScratch,
    GumbelTree,
    GumbelTreeBatch,
    get_tree,
)
from .samples import GameBuffers

KEEP_ONE_IN = 16  # one in so many lopsided openings is played all the same


@kernel
def advance_games(
    rules: Any,
    trees: GumbelTreeBatch,
    games: GameBuffers,
    evals: LeafEvaluations,
    scratch: GumbelScratch,
    params: GumbelParams,
    schedule: I32,
    start_row: Row,
    first: int,
    last: int,
) -> int:
    """Bring the trees first to last - 1 to their next leaves; returns how many wait for the net."""
    num_waiting = 0
    for index in range(first, last):
        tree = get_tree(trees, index)
        if tree.counters[PHASE] == WAITING_FOR_EVAL:
            expand_and_backup(rules, tree, evals.logits[index], evals.values[index], scratch, params)
            if reject_opening(tree, games, params, index):
                start_game(rules, tree, games, scratch, params, start_row, index, 1)
        elif tree.counters[PHASE] == IDLE:
            start_game(rules, tree, games, scratch, params, start_row, index, -params.opening_moves)
        while tree.counters[PHASE] == WAITING_FOR_EVAL:
            if tree.visits[ROOT] > params.num_simulations:
                commit_move(rules, tree, games, params, index)
                if tree.counters[PHASE] == DONE:
                    break
            if descend(rules, tree, params, schedule):
                encode_planes(rules, load_state(rules, tree.leaf_row), evals.planes[index])
                num_waiting += 1
                break
    return num_waiting


@kernel
def start_game(
    rules: Any,
    tree: GumbelTree,
    games: GameBuffers,
    scratch: GumbelScratch,
    params: GumbelParams,
    start_row: Row,
    index: int,
    min_opening_moves: int,
) -> None:
    """Put a game's start at the root with random moves, `least` (below 0: none) to `opening` of them.

    A search of a given root keeps it.
    """
    if params.is_selfplay == 1:
        row = tree.root_row
        copy_row(start_row, row)
        target_moves = rand_below(tree.rng, params.opening_moves + 1 - min_opening_moves) + min_opening_moves
        if games.num_moves[index] < 0:
            target_moves = -to_int64(games.num_moves[index])
        num_played = 0
        state = load_state(rules, row)
        while num_played < target_moves and outcome(rules, state) == ONGOING:
            move = to_int64(random_move(rules, state, scratch.moves, tree.rng))
            state = apply_move(rules, state, move)
            games.moves[index, num_played] = move
            num_played += 1
        if outcome(rules, state) != ONGOING:  # an opening that decides the game is no opening
            copy_row(start_row, row)
            state = load_state(rules, row)
            num_played = 0
        store_state(rules, state, row)
        games.num_moves[index] = num_played
        games.num_opening_moves[index] = num_played
    reset_tree(tree)
    tree.counters[PHASE] = WAITING_FOR_EVAL


@kernel
def reject_opening(tree: GumbelTree, games: GameBuffers, params: GumbelParams, index: int) -> bool:
    """Whether a game whose random opening the net has just judged is better not played; now and then one is."""
    num_opening_moves = games.num_opening_moves[index]
    is_opening = (
        tree.visits[ROOT] == 1
        and games.num_moves[index] == num_opening_moves
        and 0 < num_opening_moves <= params.opening_moves
    )
    return is_opening and abs(tree.raw_value[ROOT]) > params.max_opening_value and rand_below(tree.rng, KEEP_ONE_IN) > 0


@kernel
def commit_move(rules: Any, tree: GumbelTree, games: GameBuffers, params: GumbelParams, index: int) -> None:
    """The search is done: note what it found and play on, or stop there."""
    if params.is_selfplay == 0:
        tree.counters[PHASE] = DONE
        return
    num_moves = games.num_moves[index]
    write_improved_policy(tree, params, games.policy_targets[index, num_moves])
    games.search_values[index, num_moves] = np.int16(root_mix_value(tree) * VALUE_SCALE)
    move = to_int64(tree.move[root_action_selection(tree, params, to_int64(-1))])
    games.moves[index, num_moves] = move
    games.num_moves[index] = num_moves + 1
    row = tree.root_row
    state = apply_move(rules, load_state(rules, row), move)
    store_state(rules, state, row)
    result = outcome(rules, state)
    if result == ONGOING and num_moves + 1 < games.moves.shape[1]:
        reset_tree(tree)
        return
    games.outcome[index] = DRAW if result == ONGOING else result
    tree.counters[PHASE] = DONE


class LeafRolloutParams(NamedTuple):
    """How leaves are played out."""

    rollouts_per_leaf: int  # leaf; 0: none
    heavy_rollout: int  # as a `uct.Tuning` has it
    rollout_weight: float  # how much they count beside the net, 0 to 1


class RolloutValues(NamedTuple):
    """An entry a tree."""

    values: NDArray[np.float32]  # what playouts say the seat to move at the leaf can expect, -1 to 1


class RolloutScratch(NamedTuple):
    """What a thread plays out on."""

    row: Row
    moves: NDArray[np.int16]  # [most moves]
    amaf_moves: NDArray[np.float32]  # [2, moves of the game]


def allocate_rollout_scratch(game: Game) -> RolloutScratch:
    """What one thread needs."""
    return RolloutScratch(
        game.start_row(), np.zeros(game.max_legal_moves, np.int16), np.zeros((2, game.move_count), np.float32)
    )


@kernel
def rollout_leaves(
    rules: Any,
    trees: GumbelTreeBatch,
    rollout_values: RolloutValues,
    scratch: RolloutScratch,
    params: LeafRolloutParams,
    first: int,
    last: int,
) -> None:
    """Play out the leaves of the trees first to last - 1 that wait for the net."""
    for index in range(first, last):
        if trees.counters[index, PHASE] == WAITING_FOR_EVAL:
            total = 0.0
            seat = 0
            for _ in range(params.rollouts_per_leaf):
                copy_row(trees.leaf_row[index], scratch.row)
                state = load_state(rules, scratch.row)
                seat = seat_to_move(rules, state)
                total += rollout(rules, state, scratch.moves, trees.rng[index], scratch.amaf_moves, params.heavy_rollout)
            seat0_value = 2.0 * total / params.rollouts_per_leaf - 1.0
            rollout_values.values[index] = seat0_value if seat == 0 else -seat0_value
