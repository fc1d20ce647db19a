"""Self-play kernels: many games at once, each move searched by the game's own Gumbel tree, and rollouts from leaves.

A tree that is WAITING_FOR_EVAL has a leaf for the net. `advance_games` applies the evaluation, continues the search, plays
its move and goes on to the next leaf; a game that has ended is DONE until its samples are collected, then IDLE.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game
from ...jit.kernel import kernel, to_int64
from ...jit.prng import rand_below
from ...rules.batch import BatchShare, finish_range, take_range
from ...rules.generic import Row, Rows, copy_row
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
    WAITING_FOR_EVAL,
    GumbelScratch,
    GumbelScratches,
    GumbelTree,
    GumbelTreeBatch,
    get_scratch,
    get_tree,
)
from ...search.interfaces import ROOT
from .samples import GameBuffers

KEEP_ONE_IN = 16  # rejected openings: one in KEEP_ONE_IN is played all the same


class SelfPlayParams(NamedTuple):
    """Random openings of self-play games."""

    opening_moves: int  # at most; about half of the games start without any
    max_opening_value: float  # openings whose value by the net is larger, 0 to 1, are mostly rejected


@kernel
def advance_games(
    rules: Any,
    trees: GumbelTreeBatch,
    games: GameBuffers,
    evals: LeafEvaluations,
    scratches: GumbelScratches,
    gumbel: GumbelParams,
    selfplay: SelfPlayParams,
    schedule: I32,
    start_row: Row,
    share: BatchShare,
) -> None:
    """Advance the games of the trees that this thread takes to their next leaves; counts those that wait for the net."""
    scratch = get_scratch(scratches, share.thread)
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            tree = get_tree(trees, index)
            if tree.counters[PHASE] == WAITING_FOR_EVAL:
                expand_and_backup(rules, tree, evals.logits[index], evals.values[index], scratch, gumbel)
                if reject_opening(tree, games, selfplay, index):
                    start_game(rules, tree, games, scratch, selfplay, start_row, index, 1)
            elif tree.counters[PHASE] == IDLE:
                start_game(rules, tree, games, scratch, selfplay, start_row, index, -selfplay.opening_moves)
            while tree.counters[PHASE] == WAITING_FOR_EVAL:
                if tree.visits[ROOT] > gumbel.num_simulations:
                    commit_move(rules, tree, games, gumbel, index)
                    if tree.counters[PHASE] == DONE:
                        break
                if descend(rules, tree, gumbel, schedule):
                    encode_planes(rules, load_state(rules, tree.leaf_row), evals.planes[index])
                    share.results[share.thread] += 1
                    break
        begin, end = finish_range(share, begin, end)


@kernel
def start_game(
    rules: Any,
    tree: GumbelTree,
    games: GameBuffers,
    scratch: GumbelScratch,
    selfplay: SelfPlayParams,
    start_row: Row,
    index: int,
    min_opening_moves: int,
) -> None:
    """Start a game with `min_opening_moves` (none if negative) to `opening_moves` random moves and clear its tree.

    A negative `games.num_moves` asks for exactly that many instead. An opening that ends the game is dropped.
    """
    row = tree.root_row
    copy_row(start_row, row)
    target_moves = rand_below(tree.rng, selfplay.opening_moves + 1 - min_opening_moves) + min_opening_moves
    if games.num_moves[index] < 0:
        target_moves = -to_int64(games.num_moves[index])
    num_played = 0
    state = load_state(rules, row)
    while num_played < target_moves and outcome(rules, state) == ONGOING:
        move = to_int64(random_move(rules, state, scratch.moves, tree.rng))
        state = apply_move(rules, state, move)
        games.moves[index, num_played] = move
        num_played += 1
    if outcome(rules, state) != ONGOING:
        copy_row(start_row, row)
        state = load_state(rules, row)
        num_played = 0
    store_state(rules, state, row)
    games.num_moves[index] = num_played
    games.num_opening_moves[index] = num_played
    reset_tree(tree)
    tree.counters[PHASE] = WAITING_FOR_EVAL


@kernel
def reject_opening(tree: GumbelTree, games: GameBuffers, selfplay: SelfPlayParams, index: int) -> bool:
    """Return whether the random opening just evaluated is too one-sided to be played; one in KEEP_ONE_IN is kept."""
    num_opening_moves = games.num_opening_moves[index]
    is_opening = (
        tree.visits[ROOT] == 1
        and games.num_moves[index] == num_opening_moves
        and 0 < num_opening_moves <= selfplay.opening_moves
    )
    return is_opening and abs(tree.raw_value[ROOT]) > selfplay.max_opening_value and rand_below(tree.rng, KEEP_ONE_IN) > 0


@kernel
def commit_move(rules: Any, tree: GumbelTree, games: GameBuffers, gumbel: GumbelParams, index: int) -> None:
    """Record the search's policy target and value and play its move; then clear the tree, or mark an ended game DONE.

    A game that fills the move buffer is a draw.
    """
    num_moves = games.num_moves[index]
    write_improved_policy(tree, gumbel, games.policy_targets[index, num_moves])
    games.search_values[index, num_moves] = np.int16(root_mix_value(tree) * VALUE_SCALE)
    move = to_int64(tree.move[root_action_selection(tree, gumbel, to_int64(-1))])
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
    """Rollouts from leaves, mixed into the net's values."""

    rollouts_per_leaf: int  # 0: none
    heavy_rollout: int  # as in `MctsParams`
    rollout_weight: float  # weight of the rollouts beside the net, 0 to 1


class RolloutValues(NamedTuple):
    """Results of leaf rollouts, an entry per tree."""

    values: NDArray[np.float32]  # [T]: mean result for the seat to move at the leaf, -1 to 1


class RolloutScratches(NamedTuple):
    """Buffers of several threads."""

    rows: Rows  # [threads, words]
    moves: NDArray[np.int16]  # [threads, max legal moves]
    amaf_moves: NDArray[np.float32]  # [threads, 2, moves of the game]


def allocate_rollout_scratches(game: Game, num_threads: int) -> RolloutScratches:
    """Allocate the buffers of several threads."""
    return RolloutScratches(
        np.repeat(game.start_row()[np.newaxis], num_threads, axis=0),
        np.zeros((num_threads, game.max_legal_moves), np.int16),
        np.zeros((num_threads, 2, game.num_actions), np.float32),
    )


@kernel
def rollout_leaves(
    rules: Any,
    trees: GumbelTreeBatch,
    rollout_values: RolloutValues,
    scratches: RolloutScratches,
    params: LeafRolloutParams,
    share: BatchShare,
) -> None:
    """Roll out the leaves that wait for the net, of the trees that this thread takes. Writes `rollout_values`."""
    row, moves, amaf_moves = scratches.rows[share.thread], scratches.moves[share.thread], scratches.amaf_moves[share.thread]
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            if trees.counters[index, PHASE] == WAITING_FOR_EVAL:
                total = 0.0
                seat = 0
                for _ in range(params.rollouts_per_leaf):
                    copy_row(trees.leaf_row[index], row)
                    state = load_state(rules, row)
                    seat = seat_to_move(rules, state)
                    total += rollout(rules, state, moves, trees.rng[index], amaf_moves, params.heavy_rollout)
                seat0_value = 2.0 * total / params.rollouts_per_leaf - 1.0
                rollout_values.values[index] = seat0_value if seat == 0 else -seat0_value
        begin, end = finish_range(share, begin, end)
