"""Monte Carlo tree search: select a leaf, expand it, play on from there, back the result up.

`Tuning` says which of the known refinements are in use; `docs/search.md` says what each was measured to be worth.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..chance import Rng
from ..kernels import kernel
from ..rules.questions import ONGOING, apply_move, legal_moves, load_state, outcome, outcome_value, rollout, seat_to_move
from ..rules.stepping import copy_row
from .tree import NO_NODE, ROOT, Tree, has_room, prove, sprout

DEEPEST = 1024  # steps below the root that a simulation remembers
FINE = 1 << 20  # scores are compared as whole numbers of this fraction, which a processor does many at a time

Numbers: TypeAlias = NDArray[Any]


class Tuning(NamedTuple):
    """How simulations choose."""

    exploration: float  # weight of the upper confidence bound
    first_play: float  # value of a move that nobody has tried
    later: float  # visits at which a move's own results weigh as much as "all moves as first"; 0: not used
    expand_after: int  # visits before a leaf gets children
    sensible: int  # 0: playouts are uniformly random; else they answer threats, or are evaluated after so many steps


class Scratch(NamedTuple):
    """What a simulation writes on."""

    row: Numbers  # the position it has come to
    moves: NDArray[np.int16]
    played: NDArray[np.float32]  # [2, moves of the game]: 1 where the seat made the move
    scores: NDArray[np.int32]  # [most moves]
    path: NDArray[np.int32]  # [DEEPEST] nodes from the root on
    rng: Rng


@kernel
def simulate(rules: Any, tree: Tree, start: Numbers, scratch: Scratch, tuning: Tuning, count: int) -> int:
    """Run so many simulations, fewer when the root is proven; how many it were."""
    for done in range(count):
        if tree.proven[ROOT] != ONGOING:
            return done
        simulate_once(rules, tree, start, scratch, tuning)
    return count


@kernel
def simulate_once(rules: Any, tree: Tree, start: Numbers, scratch: Scratch, tuning: Tuning) -> None:
    """One simulation from the root."""
    copy_row(start, scratch.row)
    state = load_state(rules, scratch.row)
    node = ROOT
    depth = 0
    scratch.path[0] = ROOT
    result = ONGOING
    while result == ONGOING:
        if is_end(rules, state, tree, node, depth, scratch, tuning):
            break
        node = select_child(tree, node, scratch.scores, tuning)
        state = apply_move(rules, state, tree.move[node])
        depth += 1
        scratch.path[depth] = node
        result = outcome(rules, state)
    conclude(rules, state, tree, node, depth, result, scratch, tuning)


@kernel
def is_end(rules: Any, state: Any, tree: Tree, node: int, depth: int, scratch: Scratch, tuning: Tuning) -> bool:
    """Whether the tree ends here: a leaf that does not get children yet."""
    if tree.first_child[node] != NO_NODE:
        return False
    tree.seat[node] = seat_to_move(rules, state)
    if depth + 1 == DEEPEST or tree.visits[node] < tuning.expand_after:
        return True
    return not expand(rules, state, tree, node, scratch, tuning)


@kernel
def conclude(
    rules: Any, state: Any, tree: Tree, node: int, depth: int, result: int, scratch: Scratch, tuning: Tuning
) -> None:
    """Play on from where the tree ends, and back the result up."""
    if tuning.later > 0:
        note_path(tree, scratch, depth)
    if result == ONGOING:
        value = rollout(rules, state, scratch.moves, scratch.rng, scratch.played, tuning.sensible)
    else:
        prove(tree, node, result)
        value = outcome_value(result)
    back_up(tree, scratch, depth, value, tuning)


@kernel
def expand(rules: Any, state: Any, tree: Tree, node: int, scratch: Scratch, tuning: Tuning) -> bool:
    """Give a leaf its children, if they fit in."""
    count = legal_moves(rules, state, scratch.moves)
    if not has_room(tree, count):
        return False
    sprout(tree, node, scratch.moves, count, tuning.first_play if tree.seat[node] == 0 else 1.0 - tuning.first_play)
    return True


@kernel
def select_child(tree: Tree, node: int, scores: NDArray[np.int32], tuning: Tuning) -> int:
    """The child with the best score for the seat to move, the first of equals."""
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    sign = np.float32(1 - 2 * tree.seat[node])
    spread = np.float32(tuning.exploration * math.sqrt(math.log(tree.visits[node] + 1.0)))
    mean, later = tree.mean[first:last], tree.later_mean[first:last]
    share, doubt = tree.later_share[first:last], tree.doubt[first:last]
    best_score = np.int32(-(2**31))
    for child in range(count):
        value = sign * (mean[child] + share[child] * (later[child] - mean[child]))
        scores[child] = np.int32((value + spread * doubt[child]) * np.float32(FINE))
        best_score = max(best_score, scores[child])
    child = 0
    while scores[child] != best_score:
        child += 1
    return first + child


@kernel
def note_path(tree: Tree, scratch: Scratch, depth: int) -> None:
    """Note who made the moves between the root and the leaf; the playout notes the rest."""
    scratch.played[:] = 0
    for step in range(1, depth + 1):
        scratch.played[tree.seat[scratch.path[step - 1]], tree.move[scratch.path[step]]] = 1


@kernel
def back_up(tree: Tree, scratch: Scratch, depth: int, value: float, tuning: Tuning) -> None:
    """Add a result to every node on the path, and to the moves beside it that were made later."""
    for step in range(depth + 1):
        node = scratch.path[step]
        visits = tree.visits[node] + 1
        tree.visits[node] = visits
        if tree.proven[node] == ONGOING:
            tree.mean[node] = value if visits == 1 else tree.mean[node] + (value - tree.mean[node]) / visits
            tree.later_share[node] = math.sqrt(tuning.later / (3.0 * visits + tuning.later))
            tree.doubt[node] = 1 / math.sqrt(visits + 1.0)
        if tuning.later > 0 and tree.first_child[node] != NO_NODE:
            credit_later_moves(tree, node, scratch.played[tree.seat[node]], value)


@kernel
def credit_later_moves(tree: Tree, node: int, played: NDArray[np.float32], value: float) -> None:
    """All moves as first: a move made later in the playout counts as if it had been made here."""
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    moves, visits, means = tree.move[first:last], tree.later_visits[first:last], tree.later_mean[first:last]
    for child in range(count):
        made = played[np.uint16(moves[child])]
        visits[child] += made
        means[child] += made * (np.float32(value) - means[child]) / (visits[child] + np.float32(1e-6))
