"""Claims of Tether, checked by the definition of territory in random games, and in all positions of tether-3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...jit.kernel import kernel
from ...jit.prng import Rng, make_rng, rand_below
from ...rules.generic import Moves, copy_row
from ...rules.interface import ONGOING, apply_move, legal_moves, load_state, outcome
from ...rules.tether import BLUE, NUM_SLOTS, RED, Cells, TetherRules, TetherState, territory_size
from ..claims import RuleClaim, list_reachable_positions

if TYPE_CHECKING:
    from .game import Tether

TETHERED, OUTSIDE = 1, 2  # marks of one player's territory
NO_PLACEMENT, SHARED_CELL, TOO_LONG, SHRUNK, MISCOUNTED = range(5)


@kernel
def mark_territory(rules: TetherRules, state: TetherState, colour: int, marks: Cells, stack: Cells) -> int:
    """Write TETHERED and OUTSIDE into `marks` for one colour; return the size of its territory (all cells not OUTSIDE)."""
    for cell in range(rules.num_cells):
        marks[cell] = 0
    flood(rules, state, colour, TETHERED, marks, stack)
    flood(rules, state, colour, OUTSIDE, marks, stack)
    count = 0
    for cell in range(rules.num_cells):
        count += 1 if marks[cell] != OUTSIDE else 0
    return count


@kernel
def flood(rules: TetherRules, state: TetherState, colour: int, mark: int, marks: Cells, stack: Cells) -> None:
    """Flood fill `marks`: TETHERED from the own sides over own stones, OUTSIDE from the other sides over unmarked cells."""
    side = rules.num_cells + (colour if mark == TETHERED else 3 - colour)
    depth = 0
    for cell in range(rules.num_cells):
        on_side = False
        for slot in range(NUM_SLOTS):
            on_side |= rules.neighbours[cell, slot] == side
        if on_side and can_flood(state, cell, colour, mark, marks):
            marks[cell] = mark
            stack[depth] = cell
            depth += 1
    while depth > 0:
        depth -= 1
        cell = stack[depth]
        for slot in range(NUM_SLOTS):
            neighbour = rules.neighbours[cell, slot]
            if neighbour < rules.num_cells and can_flood(state, neighbour, colour, mark, marks):
                marks[neighbour] = mark
                stack[depth] = neighbour
                depth += 1


@kernel
def can_flood(state: TetherState, cell: int, colour: int, mark: int, marks: Cells) -> bool:
    """Return whether the flood fill enters an unmarked cell."""
    return marks[cell] == 0 and (mark == OUTSIDE or state.stones[cell] == colour)


@kernel
def check_random_games(
    rules: TetherRules, start: Any, row: Any, moves: Moves, rng: Rng, num_games: int, scratch: Any, violations: Any
) -> int:
    """Play random games and check the claims in every position. Adds to `violations`; returns the number of positions."""
    num_positions = 0
    red, blue, stack = scratch[0], scratch[1], scratch[2]
    for _ in range(num_games):
        copy_row(start, row)
        state = load_state(rules, row)
        num_placed, red_before, blue_before = 0, 0, 0
        while outcome(rules, state) == ONGOING:
            count = legal_moves(rules, state, moves)
            if count == 0:
                violations[NO_PLACEMENT] += 1
                break
            state = apply_move(rules, state, moves[rand_below(rng, count)])
            num_placed += 1
            num_positions += 1
            red_now = mark_territory(rules, state, RED, red, stack)
            blue_now = mark_territory(rules, state, BLUE, blue, stack)
            for cell in range(rules.num_cells):
                violations[SHARED_CELL] += 1 if red[cell] != OUTSIDE and blue[cell] != OUTSIDE else 0
            violations[SHRUNK] += 1 if red_now < red_before or blue_now < blue_before else 0
            counts_agree = red_now == territory_size(rules, state, RED) and blue_now == territory_size(rules, state, BLUE)
            violations[MISCOUNTED] += 0 if counts_agree else 1
            red_before, blue_before = red_now, blue_now
        violations[TOO_LONG] += 1 if num_placed > rules.num_cells else 0
    return num_positions


def claims(game: Tether) -> list[RuleClaim]:
    """Return all claims; the checks share one run over the same games."""
    cached_runs: dict[tuple[int, int], tuple[int, list[int]]] = {}

    def run_games(games: int, seed: int) -> tuple[int, list[int]]:
        if (games, seed) not in cached_runs:
            row, violations = game.start_row(), np.zeros(5, np.int64)
            scratch = np.zeros((3, len(game.board)), np.int16)
            moves = np.empty(game.max_legal_moves, np.int16)
            positions = check_random_games(game.rules, row, row.copy(), moves, make_rng(seed, 1), games, scratch, violations)
            cached_runs[games, seed] = positions, violations.tolist()
        return cached_runs[games, seed]

    def make_claim(statement: str, violation_kind: int) -> RuleClaim:
        def check(games: int, seed: int) -> tuple[int, int, str]:
            positions, violations = run_games(games, seed)
            return positions, violations[violation_kind], f"seed {seed}" if violations[violation_kind] else ""

        return RuleClaim(statement, check)

    rule_claims = [
        make_claim("while nobody has won, the player to move has a placement", NO_PLACEMENT),
        make_claim("no cell is in both territories", SHARED_CELL),
        make_claim("every game ends after at most one placement a cell, with a winner", TOO_LONG),
        make_claim("territory never shrinks", SHRUNK),
        make_claim("territory counted as stones are placed is territory by the definition", MISCOUNTED),
    ]
    return (
        [*rule_claims, RuleClaim("all of these in every position of the board", exhaustive_check(game))]
        if len(game.board) == 9
        else rule_claims
    )


def exhaustive_check(game: Tether) -> Any:
    """Return a check of every position of a tiny board, by the definitions in Python."""

    def check(games: int, seed: int) -> tuple[int, int, str]:
        positions = list_reachable_positions(game)
        violating = [position for position in positions if not satisfies_claims(game, position)]
        return len(positions), len(violating), str(violating[0]) if violating else ""

    return check


def satisfies_claims(game: Tether, position: Any) -> bool:
    """Return whether a position has a placement or a winner, and disjoint territories of the right size."""
    red, blue = (game.territory_cells(position, colour) for colour in (RED, BLUE))
    counts_agree = (len(red), len(blue)) == game.count_territory(position)
    return counts_agree and not red & blue and (position.outcome is not None or bool(position.moves()))
