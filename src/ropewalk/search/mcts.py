"""Monte Carlo tree search: select a leaf, expand it, evaluate it by a rollout, back the result up.

One implementation serves two policies, chosen at compile time by the type of the policy argument:

- `PlainPolicy`: UCB1 (Kocsis, Szepesvari 2006) with RAVE (Gelly, Silver 2007) and first-play urgency.
- `GuidedPolicy`: the same, and a net evaluates every node that reaches `GuidanceParams.eval_threshold` visits. Its policy
  becomes a prior bonus in selection, its value counts as `GuidanceParams.value_weight` playouts. The net runs outside of the
  kernels: nodes wait in `EvalRequests` until the driver flushes them.

`simulate` runs one simulation: `select_child` is selection, `expand` expansion, `rollout_and_backup` evaluation, `backup`
backup. Selection scores are int32, which SIMD instructions compare. `docs/search-experiments.md` has the measured effect of
each refinement. All values are seat 0's, from 0 to 1. The Gumbel AlphaZero search has its own loop (`gumbel_mcts`): its
selection is float64 arithmetic on an improved policy, its values are sums from -1 to 1, and it has no rollouts and no
proofs. Sharing the arithmetic would change roundings and thus visit counts.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.definition import GuidanceParams, MctsParams
from ..jit.kernel import dispatch_by_rules, implements, kernel
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
from .interfaces import NO_NODE, ROOT, masked_softmax
from .mcts_tree import EVALUATED, NOT_REQUESTED, PENDING, MctsTree, add_children, has_capacity, propagate_proof

MAX_DEPTH = 1024  # length of a simulation's path in the tree
SCORE_SCALE = 1 << 20  # selection scores are multiples of 1 / SCORE_SCALE

AnyArray: TypeAlias = NDArray[Any]


class MctsScratch(NamedTuple):
    """Buffers of one thread."""

    row: AnyArray  # the position that a simulation has reached
    moves: NDArray[np.int16]  # [max legal moves]
    amaf_moves: NDArray[np.float32]  # [2, moves of the game]: 1 where the seat made the move in this simulation
    scores: NDArray[np.int32]  # [max legal moves]
    path: NDArray[np.int32]  # [MAX_DEPTH]: nodes from the root on
    rng: Rng


class EvalRequests(NamedTuple):
    """Nodes whose evaluation by the net is pending."""

    nodes: NDArray[np.int32]  # [K]
    planes: NDArray[np.int8]  # [K, cells, planes]: input of the net
    num_pending: NDArray[np.int64]  # [1]: entries in use


class PlainPolicy(NamedTuple):
    """UCT with RAVE, without a net."""

    params: MctsParams


class GuidedPolicy(NamedTuple):
    """UCT with RAVE, guided by a net's policy and value."""

    params: MctsParams
    guidance: GuidanceParams
    requests: EvalRequests


# What depends on the policy


@dispatch_by_rules
def must_flush(policy: Any) -> Any:
    """Return whether simulations must wait until pending evaluations are applied."""


@dispatch_by_rules
def on_node(policy: Any, rules: Any, state: Any, tree: Any, node: Any) -> Any:
    """Handle an expanded node on the path of a simulation, before a child is selected."""


@dispatch_by_rules
def node_weights(policy: Any, tree: Any, node: Any) -> Any:
    """Return the factors of the UCB term and of the prior term at a node, two float32."""


@dispatch_by_rules
def prior_bonus(policy: Any, factor: Any, prior: Any, inv_sqrt_visits: Any) -> Any:
    """Return what a child's prior adds to the UCB factor, a float32."""


@implements(must_flush, PlainPolicy)
@kernel
def plain_must_flush(policy: PlainPolicy) -> bool:
    """Return False: there are no requests."""
    return False


@implements(on_node, PlainPolicy)
@kernel
def plain_on_node(policy: PlainPolicy, rules: Any, state: Any, tree: MctsTree, node: int) -> None:
    """Do nothing."""


@implements(node_weights, PlainPolicy)
@kernel
def plain_node_weights(policy: PlainPolicy, tree: MctsTree, node: int) -> tuple[np.float32, np.float32]:
    """Return exploration * sqrt(ln(visits + 1)), and 0."""
    return ucb_factor(policy.params.exploration, tree.visits[node]), np.float32(0)


@implements(prior_bonus, PlainPolicy)
@kernel
def plain_prior_bonus(policy: PlainPolicy, factor: np.float32, prior: np.float32, inv_sqrt_visits: np.float32) -> np.float32:
    """Return the constant 0, so that compiled code does not load the priors."""
    return np.float32(0)


@implements(must_flush, GuidedPolicy)
@kernel
def guided_must_flush(policy: GuidedPolicy) -> bool:
    """Return whether the request buffer is full or its last request is for the root."""
    requests = policy.requests
    count = requests.num_pending[0]
    return count == len(requests.nodes) or (count > 0 and requests.nodes[count - 1] == ROOT)


@implements(on_node, GuidedPolicy)
@kernel
def guided_on_node(policy: GuidedPolicy, rules: Any, state: Any, tree: MctsTree, node: int) -> None:
    """Request the evaluation of the root and of nodes with `eval_threshold` visits, once each."""
    if tree.eval_state[node] == NOT_REQUESTED and (tree.visits[node] >= policy.guidance.eval_threshold or node == ROOT):
        request_evaluation(rules, state, tree, node, policy.requests)


@implements(node_weights, GuidedPolicy)
@kernel
def guided_node_weights(policy: GuidedPolicy, tree: MctsTree, node: int) -> tuple[np.float32, np.float32]:
    """Return the factors of an evaluated node; one that is not evaluated has those of `PlainPolicy`."""
    visits = tree.visits[node]
    if tree.eval_state[node] != EVALUATED:
        return ucb_factor(policy.params.exploration, visits), np.float32(0)
    prior_factor = np.float32(policy.guidance.prior_weight * math.sqrt(visits + 1.0))
    return ucb_factor(policy.guidance.exploration, visits), prior_factor


@implements(prior_bonus, GuidedPolicy)
@kernel
def guided_prior_bonus(
    policy: GuidedPolicy, factor: np.float32, prior: np.float32, inv_sqrt_visits: np.float32
) -> np.float32:
    """Return factor * prior / sqrt(visits + 1): the bonus fades as the child is visited."""
    return factor * prior * inv_sqrt_visits


@kernel
def ucb_factor(exploration: float, visits: int) -> np.float32:
    """Return exploration * sqrt(ln(visits + 1)) for a node with `visits` visits."""
    return np.float32(exploration * math.sqrt(math.log(visits + 1.0)))


# Simulations


@kernel
def run_simulations(rules: Any, policy: Any, tree: MctsTree, root_row: AnyArray, scratch: MctsScratch, count: int) -> int:
    """Run `count` simulations, or fewer if the root is proven or requests must be flushed; return their number."""
    for completed in range(count):
        if tree.proven[ROOT] != ONGOING or must_flush(policy):
            return completed
        simulate(rules, policy, tree, root_row, scratch)
    return count


@kernel
def simulate(rules: Any, policy: Any, tree: MctsTree, root_row: AnyArray, scratch: MctsScratch) -> None:
    """Run one simulation: select down to a leaf or a finished position, then roll out and back up."""
    copy_row(root_row, scratch.row)
    state = load_state(rules, scratch.row)
    node = ROOT
    depth = 0
    scratch.path[0] = ROOT
    result = ONGOING
    while result == ONGOING:
        if stop_at_leaf(rules, state, tree, node, depth, scratch, policy.params):
            break
        on_node(policy, rules, state, tree, node)
        node = select_child(policy, tree, node, scratch.scores)
        state = apply_move(rules, state, tree.move[node])
        depth += 1
        scratch.path[depth] = node
        result = outcome(rules, state)
    rollout_and_backup(rules, state, tree, node, depth, result, scratch, policy.params)


@kernel
def select_child(policy: Any, tree: MctsTree, node: int, scores: NDArray[np.int32]) -> int:
    """Return the child with the best score for the seat to move, the first of equals. Writes `scores`.

    The score is the RAVE-weighted mean, and (UCB factor + prior bonus) / sqrt(visits + 1).
    """
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    sign = np.float32(1 - 2 * tree.seat[node])
    node_ucb_factor, prior_factor = node_weights(policy, tree, node)
    mean, amaf_mean = tree.mean[first:last], tree.amaf_mean[first:last]
    rave_beta, inv_sqrt_visits, prior = tree.rave_beta[first:last], tree.inv_sqrt_visits[first:last], tree.prior[first:last]
    best_score = np.int32(-(2**31))
    for child in range(count):
        value = sign * (mean[child] + rave_beta[child] * (amaf_mean[child] - mean[child]))
        factor = node_ucb_factor + prior_bonus(policy, prior_factor, prior[child], inv_sqrt_visits[child])
        scores[child] = np.int32((value + factor * inv_sqrt_visits[child]) * np.float32(SCORE_SCALE))
        best_score = max(best_score, scores[child])
    child = 0
    while scores[child] != best_score:
        child += 1
    return first + child


@kernel
def stop_at_leaf(
    rules: Any, state: Any, tree: MctsTree, node: int, depth: int, scratch: MctsScratch, params: MctsParams
) -> bool:
    """Return whether selection ends here: at a leaf with too few visits to be expanded, or without room for children.

    Stores a leaf's seat, and expands it if it has enough visits.
    """
    if tree.first_child[node] != NO_NODE:
        return False
    tree.seat[node] = seat_to_move(rules, state)
    if depth + 1 == MAX_DEPTH or tree.visits[node] < params.expansion_threshold:
        return True
    return not expand(rules, state, tree, node, scratch, params)


@kernel
def expand(rules: Any, state: Any, tree: MctsTree, node: int, scratch: MctsScratch, params: MctsParams) -> bool:
    """Append a child for every legal move; return False, without any, if they do not fit."""
    count = legal_moves(rules, state, scratch.moves)
    if not has_capacity(tree, count):
        return False
    first_play_value = params.first_play_urgency if tree.seat[node] == 0 else 1.0 - params.first_play_urgency
    add_children(tree, node, scratch.moves, count, first_play_value)
    return True


@kernel
def rollout_and_backup(
    rules: Any, state: Any, tree: MctsTree, node: int, depth: int, result: int, scratch: MctsScratch, params: MctsParams
) -> None:
    """Evaluate the last node of the path by a rollout, or by the outcome of a finished game, and back the value up."""
    if params.rave_equivalence > 0:
        mark_path_moves(tree, scratch, depth)
    if result == ONGOING:
        value = rollout(rules, state, scratch.moves, scratch.rng, scratch.amaf_moves, params.heavy_rollout)
    else:
        propagate_proof(tree, node, result)
        value = outcome_value(result)
    backup(tree, scratch, depth, value, params)


@kernel
def mark_path_moves(tree: MctsTree, scratch: MctsScratch, depth: int) -> None:
    """Clear the AMAF table and mark the moves of the path in it; the rollout marks its own."""
    scratch.amaf_moves[:] = 0
    for step in range(1, depth + 1):
        scratch.amaf_moves[tree.seat[scratch.path[step - 1]], tree.move[scratch.path[step]]] = 1


@kernel
def backup(tree: MctsTree, scratch: MctsScratch, depth: int, value: float, params: MctsParams) -> None:
    """Add a result for seat 0 to every node of the path, and to the AMAF statistics of their children."""
    for step in range(depth + 1):
        node = scratch.path[step]
        visits = tree.visits[node] + 1
        tree.visits[node] = visits
        if tree.proven[node] == ONGOING:
            tree.mean[node] = value if visits == 1 else tree.mean[node] + (value - tree.mean[node]) / visits
            set_selection_weights(tree, node, visits, params.rave_equivalence)
        if params.rave_equivalence > 0 and tree.first_child[node] != NO_NODE:
            update_amaf(tree, node, scratch.amaf_moves[tree.seat[node]], value)


@kernel
def set_selection_weights(tree: MctsTree, node: int, visits: int, rave_equivalence: float) -> None:
    """Set what selection reads of a node that is not proven, for its number of visits."""
    tree.rave_beta[node] = math.sqrt(rave_equivalence / (3.0 * visits + rave_equivalence))
    tree.inv_sqrt_visits[node] = 1 / math.sqrt(visits + 1.0)


@kernel
def add_value(tree: MctsTree, node: int, value: float, weight: int, rave_equivalence: float) -> None:
    """Count `weight` visits with this mean result for seat 0 at a node that is not proven.

    For a weight of 1 this is what `backup` does, which is faster without the multiplication.
    """
    visits = tree.visits[node] + weight
    tree.visits[node] = visits
    is_first = visits == weight  # then the mean is still the first-play urgency, which is no result
    tree.mean[node] = value if is_first else tree.mean[node] + (value - tree.mean[node]) * weight / visits
    set_selection_weights(tree, node, visits, rave_equivalence)


@kernel
def update_amaf(tree: MctsTree, node: int, amaf_moves: NDArray[np.float32], value: float) -> None:
    """Update the AMAF statistics of a node's children with a result for seat 0.

    `amaf_moves` has 1 for every move that the seat made in the simulation: at this node, below it or in the rollout.
    """
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    moves, visits, means = tree.move[first:last], tree.amaf_visits[first:last], tree.amaf_mean[first:last]
    for child in range(count):
        weight = amaf_moves[np.uint16(moves[child])]
        visits[child] += weight
        means[child] += weight * (np.float32(value) - means[child]) / (visits[child] + np.float32(1e-6))


# Evaluation by a net


@kernel
def request_evaluation(rules: Any, state: Any, tree: MctsTree, node: int, requests: EvalRequests) -> None:
    """Append an evaluation request for a node, if there is room for one."""
    slot = requests.num_pending[0]
    if slot < len(requests.nodes):
        requests.nodes[slot] = node
        encode_planes(rules, state, requests.planes[slot])
        requests.num_pending[0] = slot + 1
        tree.eval_state[node] = PENDING


@kernel
def apply_evaluations(
    tree: MctsTree, policy: GuidedPolicy, logits: NDArray[np.float32], values: NDArray[np.float32]
) -> None:
    """Apply the net's outputs to all pending nodes and clear the requests.

    `logits` has a row by move id per request, `values` a number from -1 to 1 for the seat to move.
    """
    requests = policy.requests
    for slot in range(requests.num_pending[0]):
        node = requests.nodes[slot]
        tree.eval_state[node] = EVALUATED
        if tree.proven[node] == ONGOING:
            set_priors(tree, node, logits[slot])
            seat0_value = values[slot] if tree.seat[node] == 0 else -values[slot]
            add_virtual_playouts(tree, policy, node, np.float32(0.5) + np.float32(0.5) * seat0_value)
    requests.num_pending[0] = 0


@kernel
def set_priors(tree: MctsTree, node: int, logits: NDArray[np.float32]) -> None:
    """Write the priors of a node's children; unvisited children get the node's mean as first-play urgency."""
    first, last = tree.first_child[node], tree.first_child[node] + tree.child_count[node]
    masked_softmax(logits, tree.move[first:last], tree.prior[first:last])
    for child in range(first, last):
        if tree.visits[child] == 0 and tree.proven[child] == ONGOING:
            tree.mean[child] = tree.mean[node]


@kernel
def add_virtual_playouts(tree: MctsTree, policy: GuidedPolicy, node: int, value: float) -> None:
    """Count the net's value for seat 0, a float32 in [0, 1], as `value_weight` playouts of the node and its ancestors."""
    while node != NO_NODE:
        if tree.proven[node] == ONGOING:
            add_value(tree, node, value, policy.guidance.value_weight, policy.params.rave_equivalence)
        node = tree.parent[node]
