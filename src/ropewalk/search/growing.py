"""Growing a forest: take the net's answers, back them up, play moves that are decided, descend to the next leaves."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import kernel, to_int64
from ..jit.prng import rand_below
from ..rules.generic import Row, copy_row
from ..rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    encode_planes,
    legal_moves,
    load_state,
    outcome,
    random_move,
    seat_to_move,
    store_state,
)
from .forest import (
    DONE,
    F32,
    I32,
    IDLE,
    LEAF_DEPTH,
    MAX_DEPTH,
    NO_NODE,
    NOT_EXPANDED,
    NUM_CONSIDERED,
    NUM_EDGES,
    NUM_NODES,
    PHASE,
    ROOT,
    WAITING_FOR_EVAL,
    GameBuffers,
    GumbelScratch,
    GumbelTree,
    GumbelTreeBatch,
    get_tree,
)
from .gumbel import (
    VALUE_SCALE,
    GumbelParams,
    interior_action_selection,
    promote_best_unvisited,
    root_action_selection,
    root_mix_value,
    sample_considered,
    write_improved_policy,
)

KEEP_ONE_IN = 16  # one in so many lopsided openings is played all the same


class LeafEvaluations(NamedTuple):
    """What passes between trees and a net, an entry a leaf."""

    planes: NDArray[np.int8]  # [T, cells, planes]: the leaf, for the net
    logits: NDArray[np.float32]  # [T, moves]: from the net, by move id
    values: NDArray[np.float32]  # [T]: from the net, -1 to 1 for the seat to move at the leaf


class SampleBatch(NamedTuple):
    """Positions of finished games, ready to learn from."""

    planes: NDArray[np.int8]  # [positions, cells, planes]
    moves: NDArray[np.int16]  # [positions, M]: legal moves, then -1
    policy_targets: NDArray[np.uint16]  # [positions, M]
    search_values: NDArray[np.int16]  # [positions]: what the search thought the seat to move would get, in 32,767ths
    outcomes: NDArray[np.int8]  # [positions]: 0 won, 1 drawn, 2 lost for the seat to move
    ownership: NDArray[np.int8]  # [positions, cells]: who has each cell at the end, 1 for the seat to move, -1 for the other


def policy_size(game: Game) -> int:
    """How many logits a net has for a game: a kind and a cell each, then all global moves, also those not in use."""
    return game.move_kinds * len(game.board) + game.global_moves


def allocate_evaluations(game: Game, num_leaves: int) -> LeafEvaluations:
    """Room for what the net is asked about so many leaves, and says of them."""
    return LeafEvaluations(
        planes=np.zeros((num_leaves, len(game.board), len(game.planes)), np.int8),
        logits=np.zeros((num_leaves, policy_size(game)), np.float32),
        values=np.zeros(num_leaves, np.float32),
    )


def allocate_samples(game: Game, num_positions: int) -> SampleBatch:
    """An empty harvest."""
    num_cells, max_moves = len(game.board), game.max_legal_moves
    return SampleBatch(
        planes=np.empty((num_positions, num_cells, len(game.planes)), np.int8),
        moves=np.empty((num_positions, max_moves), np.int16),
        policy_targets=np.empty((num_positions, max_moves), np.uint16),
        search_values=np.empty(num_positions, np.int16),
        outcomes=np.empty(num_positions, np.int8),
        ownership=np.empty((num_positions, num_cells), np.int8),
    )


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
def reset_tree(tree: GumbelTree) -> None:
    """Begin a tree anew with a root alone."""
    tree.counters[NUM_NODES] = 0
    tree.counters[NUM_EDGES] = 0
    add_node(tree)


@kernel
def add_node(tree: GumbelTree) -> int:
    """A new node, which nobody has looked at."""
    node = to_int64(tree.counters[NUM_NODES])
    tree.counters[NUM_NODES] = node + 1
    tree.num_edges[node] = NOT_EXPANDED
    tree.num_visited[node] = 0
    tree.visits[node] = 0
    tree.value_sum[node] = 0
    tree.result[node] = ONGOING
    return node


@kernel
def descend(rules: Any, tree: GumbelTree, params: GumbelParams, schedule: I32) -> bool:
    """Go down to a leaf; a finished position is backed up at once, another waits for the net, and then this is True."""
    row = tree.leaf_row
    copy_row(tree.root_row, row)
    state = load_state(rules, row)
    node, depth = to_int64(ROOT), 0  # not as a constant, for which all below would be compiled once more
    tree.path[0] = ROOT
    while tree.num_edges[node] != NOT_EXPANDED and tree.result[node] == ONGOING and depth < MAX_DEPTH:
        edge = select_edge(tree, params, schedule, node)
        state = apply_move(rules, state, to_int64(tree.move[edge]))
        child = to_int64(tree.child[edge])
        if child == NO_NODE:
            child = add_child(tree, params, node, edge)
            tree.result[child] = outcome(rules, state)
        node = child
        depth += 1
        tree.path[depth] = node
    store_state(rules, state, row)
    tree.counters[LEAF_DEPTH] = depth
    result = tree.result[node]
    if result != ONGOING:
        backup(tree, 0.0 if result == DRAW else 1.0 - 2.0 * result)
        return False
    tree.seat[node] = seat_to_move(rules, state)
    return True


@kernel
def select_edge(tree: GumbelTree, params: GumbelParams, schedule: I32, node: int) -> int:
    """The edge to follow."""
    if node == ROOT and params.sequential_halving == 1:
        return root_action_selection(tree, params, to_int64(schedule[tree.counters[NUM_CONSIDERED], tree.visits[ROOT] - 1]))
    return interior_action_selection(tree, node, params)


@kernel
def add_child(tree: GumbelTree, params: GumbelParams, node: int, edge: int) -> int:
    """Give a move that is tried for the first time a node; inside a tree the likeliest of the others comes next."""
    child = add_node(tree)
    tree.child[edge] = child
    tree.num_visited[node] += 1
    if node != ROOT or params.sequential_halving == 0:
        promote_best_unvisited(tree, node)
    return child


@kernel
def backup(tree: GumbelTree, value: float) -> None:
    """Add what seat 0 gets to every node on the path."""
    for step in range(tree.counters[LEAF_DEPTH] + 1):
        node = to_int64(tree.path[step])
        tree.visits[node] += 1
        tree.value_sum[node] += value


@kernel
def expand_and_backup(
    rules: Any, tree: GumbelTree, logits: F32, net_value: float, scratch: GumbelScratch, params: GumbelParams
) -> None:
    """Expand the leaf by the net's answer and back its value up."""
    node = to_int64(tree.path[tree.counters[LEAF_DEPTH]])
    value = np.float64(net_value if tree.seat[node] == 0 else -net_value)
    tree.raw_value[node] = value
    if tree.num_edges[node] == NOT_EXPANDED:
        expand(rules, tree, logits, scratch, node)
        if node == ROOT and params.sequential_halving == 1:
            sample_considered(tree, params, scratch.weights)
        else:
            promote_best_unvisited(tree, node)
    backup(tree, value)


@kernel
def expand(rules: Any, tree: GumbelTree, logits: F32, scratch: GumbelScratch, node: int) -> None:
    """Give a leaf its edges, with priors from the net's logits over the legal moves."""
    count = legal_moves(rules, load_state(rules, tree.leaf_row), scratch.moves)
    first = to_int64(tree.counters[NUM_EDGES])
    tree.counters[NUM_EDGES] = first + count
    tree.edge_begin[node] = first
    tree.num_edges[node] = count
    max_logit = np.float32(-1e30)
    for index in range(count):
        max_logit = max(max_logit, logits[scratch.moves[index]])
    weight_sum = np.float32(0)
    for index in range(count):
        weight = np.float32(math.exp(logits[scratch.moves[index]] - max_logit))
        scratch.weights[index] = weight
        weight_sum += weight
    for index in range(count):
        tree.move[first + index] = scratch.moves[index]
        tree.prior[first + index] = scratch.weights[index] / weight_sum
        tree.child[first + index] = NO_NODE


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


@kernel
def replay_into_samples(
    rules: Any,
    games: GameBuffers,
    samples: SampleBatch,
    start_row: Row,
    row: Row,
    final_planes: NDArray[np.int8],
    game_index: int,
    first_slot: int,
) -> None:
    """Play a finished game over and write its positions into a harvest, from a place on. `row` and `final` are scratch."""
    copy_row(start_row, row)
    state = load_state(rules, row)
    num_opening_moves, num_moves = games.num_opening_moves[game_index], games.num_moves[game_index]
    for index in range(num_moves):
        if index >= num_opening_moves:
            write_sample(rules, state, games, samples, game_index, index, first_slot + index - num_opening_moves)
        state = apply_move(rules, state, to_int64(games.moves[game_index, index]))
    encode_planes(rules, state, final_planes)
    last_seat = seat_to_move(rules, state)
    for index in range(first_slot, first_slot + num_moves - num_opening_moves):
        seat = samples.outcomes[index]
        samples.outcomes[index] = outcome_for_seat(seat, games.outcome[game_index])
        for cell in range(len(final_planes)):
            owner = final_planes[cell, 1] - final_planes[cell, 2]
            samples.ownership[index, cell] = owner if seat == last_seat else -owner


@kernel
def write_sample(
    rules: Any, state: Any, games: GameBuffers, samples: SampleBatch, game_index: int, move_index: int, slot: int
) -> None:
    """Write one position; its result is the seat to move until the outcome is filled in."""
    encode_planes(rules, state, samples.planes[slot])
    moves = samples.moves[slot]
    count = legal_moves(rules, state, moves)
    for extra in range(count, len(moves)):
        moves[extra] = -1
    for move in range(len(moves)):
        samples.policy_targets[slot, move] = games.policy_targets[game_index, move_index, move] if move < count else 0
    samples.search_values[slot] = games.search_values[game_index, move_index]
    samples.outcomes[slot] = seat_to_move(rules, state)


@kernel
def outcome_for_seat(seat: int, outcome_code: int) -> int:
    """0 won, 1 drawn, 2 lost."""
    if outcome_code == DRAW:
        return 1
    return 0 if outcome_code == seat else 2


@kernel
def best_move(trees: GumbelTreeBatch, params: GumbelParams, index: int) -> int:
    """The move that a search with sequential halving ends with."""
    tree = get_tree(trees, index)
    return tree.move[root_action_selection(tree, params, to_int64(-1))]
