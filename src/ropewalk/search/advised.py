"""Tree search by playouts that asks an advisor about the nodes that count: which moves are likely, and who stands better.

Playouts go on while questions wait for their answers; a node without an answer is searched as if there were no advisor.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import kernel
from ..rules.questions import ONGOING, apply_move, encode_planes, load_state, outcome
from ..rules.stepping import copy_row
from .tree import ANSWERED, NO_NODE, ROOT, UNASKED, WAITING, Tree
from .uct import FINE, Numbers, Scratch, Tuning, conclude, is_end, select_child


class Guidance(NamedTuple):
    """How much an advisor counts."""

    ask_after: int  # visits of a node
    pull: float  # weight of what the advisor finds likely, beside what was found out
    exploration: float  # weight of the upper confidence bound where it has answered
    weight: int  # playouts that its opinion of a position counts as much as


class Questions(NamedTuple):
    """Nodes that wait for an answer."""

    nodes: NDArray[np.int32]  # [most]
    planes: NDArray[np.int8]  # [most, cells, planes]: what the advisor sees
    waiting: NDArray[np.int64]  # [1]: how many


@kernel
def simulate_advised(
    rules: Any,
    tree: Tree,
    start: Numbers,
    scratch: Scratch,
    tuning: Tuning,
    guidance: Guidance,
    questions: Questions,
    count: int,
) -> int:
    """Run so many simulations, fewer when the root is proven or somebody has to answer; how many it were."""
    for done in range(count):
        if tree.proven[ROOT] != ONGOING or is_urgent(questions):
            return done
        simulate_once_advised(rules, tree, start, scratch, tuning, guidance, questions)
    return count


@kernel
def is_urgent(questions: Questions) -> bool:
    """Whether the questions should be answered now: there is no room for more, or one is about the root."""
    count = questions.waiting[0]
    return count == len(questions.nodes) or (count > 0 and questions.nodes[count - 1] == ROOT)


@kernel
def simulate_once_advised(
    rules: Any, tree: Tree, start: Numbers, scratch: Scratch, tuning: Tuning, guidance: Guidance, questions: Questions
) -> None:
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
        if tree.asked[node] == UNASKED and (tree.visits[node] >= guidance.ask_after or node == ROOT):
            ask(rules, state, tree, node, questions)
        if tree.asked[node] == ANSWERED:
            node = select_advised(tree, node, scratch.scores, guidance)
        else:
            node = select_child(tree, node, scratch.scores, tuning)
        state = apply_move(rules, state, tree.move[node])
        depth += 1
        scratch.path[depth] = node
        result = outcome(rules, state)
    conclude(rules, state, tree, node, depth, result, scratch, tuning)


@kernel
def ask(rules: Any, state: Any, tree: Tree, node: int, questions: Questions) -> None:
    """Note a question, if there is room for it."""
    place = questions.waiting[0]
    if place < len(questions.nodes):
        questions.nodes[place] = node
        encode_planes(rules, state, questions.planes[place])
        questions.waiting[0] = place + 1
        tree.asked[node] = WAITING


@kernel
def select_advised(tree: Tree, node: int, scores: NDArray[np.int32], guidance: Guidance) -> int:
    """As `select_child`, with a pull towards what the advisor finds likely that fades as visits grow."""
    first, count = tree.first_child[node], tree.child_count[node]
    last = first + count
    sign = np.float32(1 - 2 * tree.seat[node])
    spread = np.float32(guidance.exploration * math.sqrt(math.log(tree.visits[node] + 1.0)))
    pull = np.float32(guidance.pull * math.sqrt(tree.visits[node] + 1.0))
    mean, later = tree.mean[first:last], tree.later_mean[first:last]
    share, doubt, prior = tree.later_share[first:last], tree.doubt[first:last], tree.prior[first:last]
    best_score = np.int32(-(2**31))
    for child in range(count):
        value = sign * (mean[child] + share[child] * (later[child] - mean[child]))
        drive = (spread + pull * prior[child] * doubt[child]) * doubt[child]
        scores[child] = np.int32((value + drive) * np.float32(FINE))
        best_score = max(best_score, scores[child])
    child = 0
    while scores[child] != best_score:
        child += 1
    return first + child


@kernel
def take_answers(
    tree: Tree,
    questions: Questions,
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
    tuning: Tuning,
    guidance: Guidance,
) -> None:
    """Take the answers to all questions: `logits` by move id, and what the seat to move can expect, -1 to 1."""
    for place in range(questions.waiting[0]):
        node = questions.nodes[place]
        tree.asked[node] = ANSWERED
        if tree.proven[node] == ONGOING:
            take_likely(tree, node, logits[place])
            expected = values[place] if tree.seat[node] == 0 else -values[place]
            take_opinion(tree, node, np.float32(0.5) + np.float32(0.5) * expected, tuning, guidance)
    questions.waiting[0] = 0


@kernel
def take_likely(tree: Tree, node: int, logits: NDArray[np.float32]) -> None:
    """How likely each child is; those that nobody has tried are taken for as good as the node itself."""
    first, last = tree.first_child[node], tree.first_child[node] + tree.child_count[node]
    highest = np.float32(-1e30)
    for child in range(first, last):
        highest = max(highest, logits[tree.move[child]])
    total = np.float32(0)
    for child in range(first, last):
        tree.prior[child] = math.exp(logits[tree.move[child]] - highest)
        total += tree.prior[child]
    for child in range(first, last):
        tree.prior[child] /= total
        if tree.visits[child] == 0 and tree.proven[child] == ONGOING:
            tree.mean[child] = tree.mean[node]


@kernel
def take_opinion(tree: Tree, node: int, value: float, tuning: Tuning, guidance: Guidance) -> None:
    """Count the advisor's opinion of a position as so many playouts from there, here and in all nodes above."""
    while node != NO_NODE:
        if tree.proven[node] == ONGOING:
            visits = tree.visits[node] + guidance.weight
            tree.visits[node] = visits
            tree.mean[node] += (value - tree.mean[node]) * guidance.weight / visits
            tree.later_share[node] = math.sqrt(tuning.later / (3.0 * visits + tuning.later))
            tree.doubt[node] = 1 / math.sqrt(visits + 1.0)
        node = tree.parent[node]
