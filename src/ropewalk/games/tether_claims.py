"""The claims of Tether, checked by the definitions in random games, or in all positions of the tiniest board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..chance import Rng, make_rng, rand_below
from ..kernels import kernel
from ..rules.questions import ONGOING, apply_move, legal_moves, load_state, outcome
from ..rules.stepping import Moves, copy_row
from ..rules.tether import BLUE, NUM_SLOTS, RED, Cells, TetherRules, TetherState, territory_size
from .claims import Claim, reachable

if TYPE_CHECKING:
    from .tether import Tether

TETHERED, OUTSIDE = 1, 2  # what a cell is for one player's territory, by the definition
NO_PLACEMENT, SHARED_CELL, TOO_LONG, SHRUNK, MISCOUNTED = range(5)


@kernel
def mark_territory(rules: TetherRules, state: TetherState, colour: int, marks: Cells, waiting: Cells) -> int:
    """Mark the tethered stones, then all that an opposing side reaches past them; what is not OUTSIDE is counted."""
    for cell in range(rules.num_cells):
        marks[cell] = 0
    spread(rules, state, colour, TETHERED, marks, waiting)
    spread(rules, state, colour, OUTSIDE, marks, waiting)
    count = 0
    for cell in range(rules.num_cells):
        count += 1 if marks[cell] != OUTSIDE else 0
    return count


@kernel
def spread(rules: TetherRules, state: TetherState, colour: int, mark: int, marks: Cells, waiting: Cells) -> None:
    """From the player's sides through their stones (TETHERED), or from the opponent's through all others (OUTSIDE)."""
    side = rules.num_cells + (colour if mark == TETHERED else 3 - colour)
    depth = 0
    for cell in range(rules.num_cells):
        on_side = False
        for slot in range(NUM_SLOTS):
            on_side |= rules.neighbours[cell, slot] == side
        if on_side and may_spread(state, cell, colour, mark, marks):
            marks[cell] = mark
            waiting[depth] = cell
            depth += 1
    while depth > 0:
        depth -= 1
        cell = waiting[depth]
        for slot in range(NUM_SLOTS):
            neighbour = rules.neighbours[cell, slot]
            if neighbour < rules.num_cells and may_spread(state, neighbour, colour, mark, marks):
                marks[neighbour] = mark
                waiting[depth] = neighbour
                depth += 1


@kernel
def may_spread(state: TetherState, cell: int, colour: int, mark: int, marks: Cells) -> bool:
    """Whether a mark goes on to a cell that has none."""
    return marks[cell] == 0 and (mark == OUTSIDE or state.stones[cell] == colour)


@kernel
def check_games(
    rules: TetherRules, start: Any, row: Any, moves: Moves, rng: Rng, games: int, scratch: Any, violations: Any
) -> int:
    """Play random games and hold every position against the claims; returns how many positions there were."""
    positions = 0
    red, blue, waiting = scratch[0], scratch[1], scratch[2]
    for _ in range(games):
        copy_row(start, row)
        state = load_state(rules, row)
        placed, red_before, blue_before = 0, 0, 0
        while outcome(rules, state) == ONGOING:
            count = legal_moves(rules, state, moves)
            if count == 0:
                violations[NO_PLACEMENT] += 1
                break
            state = apply_move(rules, state, moves[rand_below(rng, count)])
            placed += 1
            positions += 1
            red_now = mark_territory(rules, state, RED, red, waiting)
            blue_now = mark_territory(rules, state, BLUE, blue, waiting)
            for cell in range(rules.num_cells):
                violations[SHARED_CELL] += 1 if red[cell] != OUTSIDE and blue[cell] != OUTSIDE else 0
            violations[SHRUNK] += 1 if red_now < red_before or blue_now < blue_before else 0
            counted = red_now == territory_size(rules, state, RED) and blue_now == territory_size(rules, state, BLUE)
            violations[MISCOUNTED] += 0 if counted else 1
            red_before, blue_before = red_now, blue_now
        violations[TOO_LONG] += 1 if placed > rules.num_cells else 0
    return positions


def claims(game: Tether) -> list[Claim]:
    """All claims, from one run over the same games."""
    runs: dict[tuple[int, int], tuple[int, list[int]]] = {}

    def run(games: int, seed: int) -> tuple[int, list[int]]:
        if (games, seed) not in runs:
            row, violations = game.start_row(), np.zeros(5, np.int64)
            scratch = np.zeros((3, len(game.board)), np.int16)
            moves = np.empty(game.most_moves, np.int16)
            positions = check_games(game.rules, row, row.copy(), moves, make_rng(seed, 1), games, scratch, violations)
            runs[games, seed] = positions, violations.tolist()
        return runs[games, seed]

    def claim(words: str, kind: int) -> Claim:
        def check(games: int, seed: int) -> tuple[int, int, str]:
            positions, violations = run(games, seed)
            return positions, violations[kind], f"seed {seed}" if violations[kind] else ""

        return Claim(words, check)

    found = [
        claim("while nobody has won, the player to move has a placement", NO_PLACEMENT),
        claim("no cell is in both territories", SHARED_CELL),
        claim("every game ends after at most one placement a cell, with a winner", TOO_LONG),
        claim("territory never shrinks", SHRUNK),
        claim("territory counted as stones are placed is territory by the definition", MISCOUNTED),
    ]
    return (
        [*found, Claim("all of these in every position of the board", everywhere(game))] if len(game.board) == 9 else found
    )


def everywhere(game: Tether) -> Any:
    """Go through every position of a tiny board, by the definitions in Python."""

    def check(games: int, seed: int) -> tuple[int, int, str]:
        positions = reachable(game)
        wrong = [position for position in positions if not holds(game, position)]
        return len(positions), len(wrong), str(wrong[0]) if wrong else ""

    return check


def holds(game: Tether, position: Any) -> bool:
    """Whether a position has a placement or a winner, and disjoint territories of the right size."""
    red, blue = (game.territory_cells(position, colour) for colour in (RED, BLUE))
    counted = (len(red), len(blue)) == game.territory(position)
    return counted and not red & blue and (position.outcome is not None or bool(position.moves()))
