"""Monte Carlo tree search: select a leaf, expand it, play on from there, back the result up.

`MctsParams` says which of the known refinements are in use; `docs/search.md` says what each was measured to be worth.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.definition import GuidanceParams, MctsParams
from ..jit.kernel import kernel
from ..jit.prng import Rng
from ..rules.generic import copy_row
from ..rules.interface import (
    ONGOING,
    apply_move,
    encode_planes,
    legal_moves,
    load_state,
    outcome,
    outcome_value,
    rollout,
    seat_to_move,
)
from .mcts_tree import (
    EVALUATED,
    NO_NODE,
    NOT_REQUESTED,
    PENDING,
    ROOT,
    MctsTree,
    add_children,
    has_capacity,
    propagate_proof,
)

MAX_DEPTH = 1024  # steps below the root that a simulation remembers

SCORE_SCALE = 1 << 20  # scores are compared as whole numbers of this fraction, which a processor does many at a time

AnyArray: TypeAlias = NDArray[Any]


class MctsScratch(NamedTuple):
    """What a simulation writes on."""

    row: AnyArray  # the position it has come to
    moves: NDArray[np.int16]
    amaf_moves: NDArray[np.float32]  # [2, moves of the game]: 1 where the seat made the move
    scores: NDArray[np.int32]  # [most moves]
    path: NDArray[np.int32]  # [DEEPEST] nodes from the root on
    rng: Rng


@kernel
def run_simulations(
    rules: Any, tree: MctsTree, root_row: AnyArray, scratch: MctsScratch, params: MctsParams, count: int
) -> int:
    """Run so many simulations, fewer when the root is proven; how many it were."""
    for completed in range(count):
        if tree.proven[ROOT] != ONGOING:
            return completed
        simulate(rules, tree, root_row, scratch, params)
    return count


@kernel
def simulate(rules: Any, tree: MctsTree, root_row: AnyArray, scratch: MctsScratch, params: MctsParams) -> None:
    """One simulation from the root."""
    copy_row(root_row, scratch.row)
    state = load_state(rules, scratch.row)
    node = ROOT
    depth = 0
    scratch.path[0] = ROOT
    result = ONGOING
    while result == ONGOING:
        if stop_at_leaf(rules, state, tree, node, depth, scratch, params):
            break
        node = select_child(tree, node, scratch.scores, params)
        state = apply_move(rules, state, tree.move[node])
        depth += 1
        scratch.path[depth] = node
        result = outcome(rules, state)
    rollout_and_backup(rules, state, tree, node, depth, result, scratch, params)


@kernel
def stop_at_leaf(
    rules: Any, state: Any, tree: MctsTree, node: int, depth: int, scratch: MctsScratch, params: MctsParams
) -> bool:
    """Whether the tree ends here: a leaf that does not get children yet."""
    if tree.first_child[node] != NO_NODE:
        return False
    tree.seat[node] = seat_to_move(rules, state)
    if depth + 1 == MAX_DEPTH or tree.visits[node] < params.expansion_threshold:
        return True
    return not expand(rules, state, tree, node, scratch, params)


@kernel
def rollout_and_backup(
    rules: Any, state: Any, tree: MctsTree, node: int, depth: int, result: int, scratch: MctsScratch, params: MctsParams
) -> None:
    """Play on from where the tree ends, and back the result up."""
    if params.rave_equivalence > 0:
        mark_path_moves(tree, scratch, depth)
    if result == ONGOING:
        value = rollout(rules, state, scratch.moves, scratch.rng, scratch.amaf_moves, params.heavy_rollout)
    else:
        propagate_proof(tree, node, result)
        value = outcome_value(result)
    backup(tree, scratch, depth, value, params)


@kernel
def expand(rules: Any, state: Any, tree: MctsTree, node: int, scratch: MctsScratch, params: MctsParams) -> bool:
    """Give a leaf its children, if they fit in."""
    count = legal_moves(rules, state, scratch.moves)
    if not has_capacity(tree, count):
        return False
    add_children(
        tree,
        node,
        scratch.moves,
        count,
        params.first_play_urgency if tree.seat[node] == 0 else 1.0 - params.first_play_urgency,
    )
    return True


@kernel
def select_child(tree: MctsTree, node: int, scores: NDArray[np.int32], params: MctsParams) -> int:
    """The child with the best score for the seat to move, the first of equals."""
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    sign = np.float32(1 - 2 * tree.seat[node])
    ucb_factor = np.float32(params.exploration * math.sqrt(math.log(tree.visits[node] + 1.0)))
    mean, amaf_mean = tree.mean[first:last], tree.amaf_mean[first:last]
    rave_beta, inv_sqrt_visits = tree.rave_beta[first:last], tree.inv_sqrt_visits[first:last]
    best_score = np.int32(-(2**31))
    for child in range(count):
        value = sign * (mean[child] + rave_beta[child] * (amaf_mean[child] - mean[child]))
        scores[child] = np.int32((value + ucb_factor * inv_sqrt_visits[child]) * np.float32(SCORE_SCALE))
        best_score = max(best_score, scores[child])
    child = 0
    while scores[child] != best_score:
        child += 1
    return first + child


@kernel
def mark_path_moves(tree: MctsTree, scratch: MctsScratch, depth: int) -> None:
    """Note who made the moves between the root and the leaf; the playout notes the rest."""
    scratch.amaf_moves[:] = 0
    for step in range(1, depth + 1):
        scratch.amaf_moves[tree.seat[scratch.path[step - 1]], tree.move[scratch.path[step]]] = 1


@kernel
def backup(tree: MctsTree, scratch: MctsScratch, depth: int, value: float, params: MctsParams) -> None:
    """Add a result to every node on the path, and to the moves beside it that were made later."""
    for step in range(depth + 1):
        node = scratch.path[step]
        visits = tree.visits[node] + 1
        tree.visits[node] = visits
        if tree.proven[node] == ONGOING:
            tree.mean[node] = value if visits == 1 else tree.mean[node] + (value - tree.mean[node]) / visits
            tree.rave_beta[node] = math.sqrt(params.rave_equivalence / (3.0 * visits + params.rave_equivalence))
            tree.inv_sqrt_visits[node] = 1 / math.sqrt(visits + 1.0)
        if params.rave_equivalence > 0 and tree.first_child[node] != NO_NODE:
            update_amaf(tree, node, scratch.amaf_moves[tree.seat[node]], value)


@kernel
def update_amaf(tree: MctsTree, node: int, amaf_moves: NDArray[np.float32], value: float) -> None:
    """All moves as first: a move made later in the playout counts as if it had been made here."""
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    moves, visits, means = tree.move[first:last], tree.amaf_visits[first:last], tree.amaf_mean[first:last]
    for child in range(count):
        weight = amaf_moves[np.uint16(moves[child])]
        visits[child] += weight
        means[child] += weight * (np.float32(value) - means[child]) / (visits[child] + np.float32(1e-6))


class EvalRequests(NamedTuple):
    """Nodes that wait for an answer."""

    nodes: NDArray[np.int32]  # [most]
    planes: NDArray[np.int8]  # [most, cells, planes]: what the advisor sees
    num_pending: NDArray[np.int64]  # [1]: how many


@kernel
def run_guided_simulations(
    rules: Any,
    tree: MctsTree,
    root_row: AnyArray,
    scratch: MctsScratch,
    params: MctsParams,
    guidance: GuidanceParams,
    requests: EvalRequests,
    count: int,
) -> int:
    """Run so many simulations, fewer when the root is proven or somebody has to answer; how many it were."""
    for completed in range(count):
        if tree.proven[ROOT] != ONGOING or must_flush(requests):
            return completed
        simulate_guided(rules, tree, root_row, scratch, params, guidance, requests)
    return count


@kernel
def must_flush(requests: EvalRequests) -> bool:
    """Whether the questions should be answered now: there is no room for more, or one is about the root."""
    count = requests.num_pending[0]
    return count == len(requests.nodes) or (count > 0 and requests.nodes[count - 1] == ROOT)


@kernel
def simulate_guided(
    rules: Any,
    tree: MctsTree,
    root_row: AnyArray,
    scratch: MctsScratch,
    params: MctsParams,
    guidance: GuidanceParams,
    requests: EvalRequests,
) -> None:
    """One simulation from the root."""
    copy_row(root_row, scratch.row)
    state = load_state(rules, scratch.row)
    node = ROOT
    depth = 0
    scratch.path[0] = ROOT
    result = ONGOING
    while result == ONGOING:
        if stop_at_leaf(rules, state, tree, node, depth, scratch, params):
            break
        if tree.eval_state[node] == NOT_REQUESTED and (tree.visits[node] >= guidance.eval_threshold or node == ROOT):
            request_evaluation(rules, state, tree, node, requests)
        if tree.eval_state[node] == EVALUATED:
            node = select_child_guided(tree, node, scratch.scores, guidance)
        else:
            node = select_child(tree, node, scratch.scores, params)
        state = apply_move(rules, state, tree.move[node])
        depth += 1
        scratch.path[depth] = node
        result = outcome(rules, state)
    rollout_and_backup(rules, state, tree, node, depth, result, scratch, params)


@kernel
def request_evaluation(rules: Any, state: Any, tree: MctsTree, node: int, requests: EvalRequests) -> None:
    """Note a question, if there is room for it."""
    slot = requests.num_pending[0]
    if slot < len(requests.nodes):
        requests.nodes[slot] = node
        encode_planes(rules, state, requests.planes[slot])
        requests.num_pending[0] = slot + 1
        tree.eval_state[node] = PENDING


@kernel
def select_child_guided(tree: MctsTree, node: int, scores: NDArray[np.int32], guidance: GuidanceParams) -> int:
    """As `select_child`, with a pull towards what the advisor finds likely that fades as visits grow."""
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    sign = np.float32(1 - 2 * tree.seat[node])
    ucb_factor = np.float32(guidance.exploration * math.sqrt(math.log(tree.visits[node] + 1.0)))
    prior_factor = np.float32(guidance.prior_weight * math.sqrt(tree.visits[node] + 1.0))
    mean, amaf_mean = tree.mean[first:last], tree.amaf_mean[first:last]
    rave_beta, inv_sqrt_visits, prior = tree.rave_beta[first:last], tree.inv_sqrt_visits[first:last], tree.prior[first:last]
    best_score = np.int32(-(2**31))
    for child in range(count):
        value = sign * (mean[child] + rave_beta[child] * (amaf_mean[child] - mean[child]))
        bonus = (ucb_factor + prior_factor * prior[child] * inv_sqrt_visits[child]) * inv_sqrt_visits[child]
        scores[child] = np.int32((value + bonus) * np.float32(SCORE_SCALE))
        best_score = max(best_score, scores[child])
    child = 0
    while scores[child] != best_score:
        child += 1
    return first + child


@kernel
def apply_evaluations(
    tree: MctsTree,
    requests: EvalRequests,
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
    params: MctsParams,
    guidance: GuidanceParams,
) -> None:
    """Take the answers to all questions: `logits` by move id, and what the seat to move can expect, -1 to 1."""
    for slot in range(requests.num_pending[0]):
        node = requests.nodes[slot]
        tree.eval_state[node] = EVALUATED
        if tree.proven[node] == ONGOING:
            set_priors(tree, node, logits[slot])
            seat0_value = values[slot] if tree.seat[node] == 0 else -values[slot]
            add_virtual_playouts(tree, node, np.float32(0.5) + np.float32(0.5) * seat0_value, params, guidance)
    requests.num_pending[0] = 0


@kernel
def set_priors(tree: MctsTree, node: int, logits: NDArray[np.float32]) -> None:
    """How likely each child is; those that nobody has tried are taken for as good as the node itself."""
    first, last = tree.first_child[node], tree.first_child[node] + tree.child_count[node]
    max_logit = np.float32(-1e30)
    for child in range(first, last):
        max_logit = max(max_logit, logits[tree.move[child]])
    total = np.float32(0)
    for child in range(first, last):
        tree.prior[child] = math.exp(logits[tree.move[child]] - max_logit)
        total += tree.prior[child]
    for child in range(first, last):
        tree.prior[child] /= total
        if tree.visits[child] == 0 and tree.proven[child] == ONGOING:
            tree.mean[child] = tree.mean[node]


@kernel
def add_virtual_playouts(tree: MctsTree, node: int, value: float, params: MctsParams, guidance: GuidanceParams) -> None:
    """Count the advisor's opinion of a position as so many playouts from there, here and in all nodes above."""
    while node != NO_NODE:
        if tree.proven[node] == ONGOING:
            visits = tree.visits[node] + guidance.value_weight
            tree.visits[node] = visits
            tree.mean[node] += (value - tree.mean[node]) * guidance.value_weight / visits
            tree.rave_beta[node] = math.sqrt(params.rave_equivalence / (3.0 * visits + params.rave_equivalence))
            tree.inv_sqrt_visits[node] = 1 / math.sqrt(visits + 1.0)
        node = tree.parent[node]
