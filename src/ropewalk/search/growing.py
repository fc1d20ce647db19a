"""Growing a forest: take the net's answers, back them up, play moves that are decided, descend to the next leaves."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..chance import rand_below
from ..games.game import Game
from ..kernels import kernel, to_int64
from ..rules.questions import (
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
from ..rules.stepping import Row, copy_row
from .forest import (
    AWAITS,
    CONSIDERED,
    DEEPEST,
    DEPTH,
    EDGES,
    FINISHED,
    NEW,
    NO_NODE,
    NOT_EXPANDED,
    ROOT,
    STAGE,
    USED,
    Forest,
    Games,
    Real,
    Scratch,
    Tree,
    Whole32,
    tree_at,
)
from .gumbel import SURE, Tuning, bring_forward, choose_at_root, choose_inside, consider, improved_policy, root_mixed_value

ANEW = 16  # one in so many lopsided openings is played all the same


class Answers(NamedTuple):
    """What passes between trees and a net, an entry a leaf."""

    planes: NDArray[np.int8]  # [T, cells, planes]: the leaf, for the net
    logits: NDArray[np.float32]  # [T, moves]: from the net, by move id
    values: NDArray[np.float32]  # [T]: from the net, -1 to 1 for the seat to move at the leaf


class Harvest(NamedTuple):
    """Positions of finished games, ready to learn from."""

    planes: NDArray[np.int8]  # [positions, cells, planes]
    moves: NDArray[np.int16]  # [positions, M]: legal moves, then -1
    targets: NDArray[np.uint16]  # [positions, M]
    values: NDArray[np.int16]  # [positions]: what the search thought the seat to move would get, in 32,767ths
    results: NDArray[np.int8]  # [positions]: 0 won, 1 drawn, 2 lost for the seat to move
    owners: NDArray[np.int8]  # [positions, cells]: who has each cell at the end, 1 for the seat to move, -1 for the other


def move_slots(game: Game) -> int:
    """How many logits a net has for a game: a kind and a cell each, then all global moves, also those not in use."""
    return game.move_kinds * len(game.board) + game.global_moves


def answers_of(game: Game, leaves: int) -> Answers:
    """Room for what the net is asked about so many leaves, and says of them."""
    return Answers(
        planes=np.zeros((leaves, len(game.board), len(game.planes)), np.int8),
        logits=np.zeros((leaves, move_slots(game)), np.float32),
        values=np.zeros(leaves, np.float32),
    )


def room_for(game: Game, positions: int) -> Harvest:
    """An empty harvest."""
    cells, most = len(game.board), game.max_legal_moves
    return Harvest(
        planes=np.empty((positions, cells, len(game.planes)), np.int8),
        moves=np.empty((positions, most), np.int16),
        targets=np.empty((positions, most), np.uint16),
        values=np.empty(positions, np.int16),
        results=np.empty(positions, np.int8),
        owners=np.empty((positions, cells), np.int8),
    )


@kernel
def grow(
    rules: Any,
    forest: Forest,
    games: Games,
    answers: Answers,
    scratch: Scratch,
    tuning: Tuning,
    schedule: Whole32,
    start: Row,
    first: int,
    last: int,
) -> int:
    """Bring the trees first to last - 1 to their next leaves; returns how many wait for the net."""
    waiting = 0
    for index in range(first, last):
        tree = tree_at(forest, index)
        if tree.numbers[STAGE] == AWAITS:
            take_answer(rules, tree, answers.logits[index], answers.values[index], scratch, tuning)
            if is_lopsided(tree, games, tuning, index):
                begin_game(rules, tree, games, scratch, tuning, start, index, 1)
        elif tree.numbers[STAGE] == NEW:
            begin_game(rules, tree, games, scratch, tuning, start, index, -tuning.opening)
        while tree.numbers[STAGE] == AWAITS:
            if tree.visits[ROOT] > tuning.simulations:
                decide(rules, tree, games, tuning, index)
                if tree.numbers[STAGE] == FINISHED:
                    break
            if descend(rules, tree, tuning, schedule):
                encode_planes(rules, load_state(rules, tree.leaf), answers.planes[index])
                waiting += 1
                break
    return waiting


@kernel
def begin_game(
    rules: Any, tree: Tree, games: Games, scratch: Scratch, tuning: Tuning, start: Row, index: int, least: int
) -> None:
    """Put a game's start at the root with random moves, `least` (below 0: none) to `opening` of them.

    A search of a given root keeps it.
    """
    if tuning.plays == 1:
        row = tree.root
        copy_row(start, row)
        wanted = rand_below(tree.rng, tuning.opening + 1 - least) + least
        if games.length[index] < 0:
            wanted = -to_int64(games.length[index])
        made = 0
        state = load_state(rules, row)
        while made < wanted and outcome(rules, state) == ONGOING:
            move = to_int64(random_move(rules, state, scratch.moves, tree.rng))
            state = apply_move(rules, state, move)
            games.moves[index, made] = move
            made += 1
        if outcome(rules, state) != ONGOING:  # an opening that decides the game is no opening
            copy_row(start, row)
            state = load_state(rules, row)
            made = 0
        store_state(rules, state, row)
        games.length[index] = made
        games.opening[index] = made
    plant(tree)
    tree.numbers[STAGE] = AWAITS


@kernel
def is_lopsided(tree: Tree, games: Games, tuning: Tuning, index: int) -> bool:
    """Whether a game whose random opening the net has just judged is better not played; now and then one is."""
    made = games.opening[index]
    is_opening = tree.visits[ROOT] == 1 and games.length[index] == made and 0 < made <= tuning.opening
    return is_opening and abs(tree.raw[ROOT]) > tuning.even and rand_below(tree.rng, ANEW) > 0


@kernel
def plant(tree: Tree) -> None:
    """Begin a tree anew with a root alone."""
    tree.numbers[USED] = 0
    tree.numbers[EDGES] = 0
    sprout(tree)


@kernel
def sprout(tree: Tree) -> int:
    """A new node, which nobody has looked at."""
    node = to_int64(tree.numbers[USED])
    tree.numbers[USED] = node + 1
    tree.width[node] = NOT_EXPANDED
    tree.tried[node] = 0
    tree.visits[node] = 0
    tree.total[node] = 0
    tree.result[node] = ONGOING
    return node


@kernel
def descend(rules: Any, tree: Tree, tuning: Tuning, schedule: Whole32) -> bool:
    """Go down to a leaf; a finished position is backed up at once, another waits for the net, and then this is True."""
    row = tree.leaf
    copy_row(tree.root, row)
    state = load_state(rules, row)
    node, depth = to_int64(ROOT), 0  # not as a constant, for which all below would be compiled once more
    tree.path[0] = ROOT
    while tree.width[node] != NOT_EXPANDED and tree.result[node] == ONGOING and depth < DEEPEST:
        edge = choose(tree, tuning, schedule, node)
        state = apply_move(rules, state, to_int64(tree.move[edge]))
        child = to_int64(tree.child[edge])
        if child == NO_NODE:
            child = open_edge(tree, tuning, node, edge)
            tree.result[child] = outcome(rules, state)
        node = child
        depth += 1
        tree.path[depth] = node
    store_state(rules, state, row)
    tree.numbers[DEPTH] = depth
    result = tree.result[node]
    if result != ONGOING:
        back_up(tree, 0.0 if result == DRAW else 1.0 - 2.0 * result)
        return False
    tree.seat[node] = seat_to_move(rules, state)
    return True


@kernel
def choose(tree: Tree, tuning: Tuning, schedule: Whole32, node: int) -> int:
    """The edge to follow."""
    if node == ROOT and tuning.halving == 1:
        return choose_at_root(tree, tuning, to_int64(schedule[tree.numbers[CONSIDERED], tree.visits[ROOT] - 1]))
    return choose_inside(tree, node, tuning)


@kernel
def open_edge(tree: Tree, tuning: Tuning, node: int, edge: int) -> int:
    """Give a move that is tried for the first time a node; inside a tree the likeliest of the others comes next."""
    child = sprout(tree)
    tree.child[edge] = child
    tree.tried[node] += 1
    if node != ROOT or tuning.halving == 0:
        bring_forward(tree, node)
    return child


@kernel
def back_up(tree: Tree, value: float) -> None:
    """Add what seat 0 gets to every node on the path."""
    for step in range(tree.numbers[DEPTH] + 1):
        node = to_int64(tree.path[step])
        tree.visits[node] += 1
        tree.total[node] += value


@kernel
def take_answer(rules: Any, tree: Tree, logits: Real, answered: float, scratch: Scratch, tuning: Tuning) -> None:
    """Expand the leaf by the net's answer and back its value up."""
    node = to_int64(tree.path[tree.numbers[DEPTH]])
    value = np.float64(answered if tree.seat[node] == 0 else -answered)
    tree.raw[node] = value
    if tree.width[node] == NOT_EXPANDED:
        expand(rules, tree, logits, scratch, node)
        if node == ROOT and tuning.halving == 1:
            consider(tree, tuning, scratch.weights)
        else:
            bring_forward(tree, node)
    back_up(tree, value)


@kernel
def expand(rules: Any, tree: Tree, logits: Real, scratch: Scratch, node: int) -> None:
    """Give a leaf its edges, with priors from the net's logits over the legal moves."""
    count = legal_moves(rules, load_state(rules, tree.leaf), scratch.moves)
    first = to_int64(tree.numbers[EDGES])
    tree.numbers[EDGES] = first + count
    tree.first[node] = first
    tree.width[node] = count
    highest = np.float32(-1e30)
    for index in range(count):
        highest = max(highest, logits[scratch.moves[index]])
    total = np.float32(0)
    for index in range(count):
        weight = np.float32(math.exp(logits[scratch.moves[index]] - highest))
        scratch.weights[index] = weight
        total += weight
    for index in range(count):
        tree.move[first + index] = scratch.moves[index]
        tree.prior[first + index] = scratch.weights[index] / total
        tree.child[first + index] = NO_NODE


@kernel
def decide(rules: Any, tree: Tree, games: Games, tuning: Tuning, index: int) -> None:
    """The search is done: note what it found and play on, or stop there."""
    if tuning.plays == 0:
        tree.numbers[STAGE] = FINISHED
        return
    length = games.length[index]
    improved_policy(tree, tuning, games.targets[index, length])
    games.values[index, length] = np.int16(root_mixed_value(tree) * SURE)
    move = to_int64(tree.move[choose_at_root(tree, tuning, to_int64(-1))])
    games.moves[index, length] = move
    games.length[index] = length + 1
    row = tree.root
    state = apply_move(rules, load_state(rules, row), move)
    store_state(rules, state, row)
    result = outcome(rules, state)
    if result == ONGOING and length + 1 < games.moves.shape[1]:
        plant(tree)
        return
    games.outcome[index] = DRAW if result == ONGOING else result
    tree.numbers[STAGE] = FINISHED


@kernel
def gather_game(
    rules: Any, games: Games, harvest: Harvest, start: Row, row: Row, final: NDArray[np.int8], tree: int, place: int
) -> None:
    """Play a finished game over and write its positions into a harvest, from a place on. `row` and `final` are scratch."""
    copy_row(start, row)
    state = load_state(rules, row)
    opening, length = games.opening[tree], games.length[tree]
    for index in range(length):
        if index >= opening:
            note(rules, state, games, harvest, tree, index, place + index - opening)
        state = apply_move(rules, state, to_int64(games.moves[tree, index]))
    encode_planes(rules, state, final)
    last_seat = seat_to_move(rules, state)
    for index in range(place, place + length - opening):
        seat = harvest.results[index]
        harvest.results[index] = result_for(seat, games.outcome[tree])
        for cell in range(len(final)):
            owner = final[cell, 1] - final[cell, 2]
            harvest.owners[index, cell] = owner if seat == last_seat else -owner


@kernel
def note(rules: Any, state: Any, games: Games, harvest: Harvest, tree: int, index: int, place: int) -> None:
    """Write one position; its result is the seat to move until the outcome is filled in."""
    encode_planes(rules, state, harvest.planes[place])
    moves = harvest.moves[place]
    count = legal_moves(rules, state, moves)
    for extra in range(count, len(moves)):
        moves[extra] = -1
    for move in range(len(moves)):
        harvest.targets[place, move] = games.targets[tree, index, move] if move < count else 0
    harvest.values[place] = games.values[tree, index]
    harvest.results[place] = seat_to_move(rules, state)


@kernel
def result_for(seat: int, result: int) -> int:
    """0 won, 1 drawn, 2 lost."""
    if result == DRAW:
        return 1
    return 0 if result == seat else 2


@kernel
def chosen_move(forest: Forest, tuning: Tuning, index: int) -> int:
    """The move that a search with sequential halving ends with."""
    tree = tree_at(forest, index)
    return tree.move[choose_at_root(tree, tuning, to_int64(-1))]
