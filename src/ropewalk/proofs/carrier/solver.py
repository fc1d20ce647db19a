"""Carrier solver: exact values of games with carrier rules (`games.carrier_rules`) on boards of at most 64 cells.

These are Lariat and Cube Lariat (Mark Steere), and games of plugins. A full board has exactly one winner, and a group wins
by its own cells alone, so an extra stone of one's own never hurts. Hence every win has a carrier, the cells that the
opponent must not have; all other cells may be the opponent's. A proof found in one position holds in every position with
the same stones of the winner in which the carrier is free of the opponent's stones.

Two values need no search. With the pie rule seat 1 wins: after the first stone white is to move, whoever plays white, and
the swap lets seat 1 choose the colour that wins. In Lariat without it, on every board, black wins by claiming the centre
and then answering each stone with its image under the half turn (see `static_wins`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import PositionError
from ...games.carrier_rules import CarrierRules, carrier_rules_of, stone_masks
from ...games.game import Game
from ...games.lariat_common import SWAP_MOVE
from ...games.position import Position
from ...jit.compile_clock import read_work_clock
from ...jit.intrinsics import MASK64, bit_indices, to_signed64
from ...jit.kernel import compile_for
from ...jit.prng import make_rng
from ..solver import ProgressCallback, Solution, SolverLimits, SolverStopped
from . import goals  # noqa: F401 - registers the kernels of the games' winning conditions
from .bitboard import MAX_CELLS, list_mirrors, make_bitboard, symmetry_images
from .proof_writer import CarrierProofWriter
from .search import (
    CARRIER,
    NODES,
    RESULT,
    SOURCE,
    SOURCE_BASE,
    UNSOLVED,
    allocate_stack,
    probe_refutations,
    search,
    set_root,
)
from .static_wins import NO_CARRIER, pairing_win
from .table import allocate_table

NODES_PER_CALL = 2000  # between two checks of the limits, about 0.1 s
INITIAL_NODES_PER_MOVE = 5_000  # in the first round

Stones = tuple[int, int]  # masks of black and white


class Threat(NamedTuple):
    """A winner's carrier with its source: kind (BY_SEARCH, BY_PAIRING or BY_MIRROR + index) and first cell."""

    carrier: int
    kind: int
    cell: int


class CarrierSolver:
    """Carrier search of one board. Positions are masks of both colours, sides included, and the colour to move, 0 or 1.

    Raises PositionError if the game has no carrier rules or its board is too large.
    """

    def __init__(self, game: Game, limits: SolverLimits, on_progress: ProgressCallback | None) -> None:
        self.rules = find_rules(game)
        self.bitboard = make_bitboard(game, self.rules)
        self.table = allocate_table(limits.memory_bytes)
        self.stack = allocate_stack(self.bitboard)
        self.rng = make_rng(1)
        self.limits, self.on_progress = limits, on_progress
        self.status = ""
        self.deadline = None if limits.seconds is None else read_work_clock() + limits.seconds
        self.last_report = read_work_clock()
        self.refutation_carriers = np.zeros(self.bitboard.num_cells, np.int64)
        self.search: Callable[..., bool] = compile_for(
            search, self.bitboard, self.stack, self.table, self.rng, NODES_PER_CALL
        )
        self.set_root: Callable[..., None] = compile_for(set_root, self.bitboard, self.stack, 0, 0, 0)

    @property
    def nodes(self) -> int:
        """Return the nodes searched so far."""
        return int(self.stack.registers[NODES])

    def solve(self, black: int, white: int, mover: int, max_nodes: float = inf) -> int:
        """Return the colour that wins, 0 (black) or 1 (white), or UNSOLVED after `max_nodes` nodes.

        The table keeps the numbers of an unsolved position. Raises SolverStopped at a limit.
        """
        node_limit = self.nodes + max_nodes
        self.set_root(self.bitboard, self.stack, to_signed64(black), to_signed64(white), mover)
        while not self.search(self.bitboard, self.stack, self.table, self.rng, NODES_PER_CALL):
            self.check_limits()
            if self.nodes > node_limit:
                return UNSOLVED
        return int(self.stack.registers[RESULT])

    def check_limits(self) -> None:
        """Report progress if a report is due; raise SolverStopped at the deadline or once stopped."""
        now = read_work_clock()
        if self.limits.stop.is_set() or (self.deadline is not None and now > self.deadline):
            raise SolverStopped
        if self.on_progress is not None and now - self.last_report > 0.2:
            self.last_report = now
            self.on_progress(self.nodes, sum(column.nbytes for column in self.table), self.status)

    @property
    def root_win(self) -> Threat:
        """Return the winner's carrier and its source at the root just solved."""
        registers = self.stack.registers
        return Threat(int(registers[CARRIER]) & MASK64, *divmod(int(registers[SOURCE]), SOURCE_BASE))

    @property
    def static_threats(self) -> list[Threat]:
        """Return the threats against the mover of the root just solved."""
        stack = self.stack
        threats = zip(
            stack.threats[0, : stack.num_threats[0]].tolist(), stack.sources[0, : stack.num_threats[0]].tolist(), strict=True
        )
        return [Threat(carrier & MASK64, *divmod(source, SOURCE_BASE)) for carrier, source in threats]

    def cached_refutations(self) -> dict[int, int]:
        """Return the root moves that the table refutes, with the carriers."""
        probe_refutations(self.bitboard, self.stack, self.table, self.refutation_carriers)
        return {
            cell: carrier & MASK64 for cell, carrier in enumerate(self.refutation_carriers.tolist()) if carrier != NO_CARRIER
        }

    def find_pairing(self, mine: int, theirs: int) -> list[int]:
        """Return the masks of the pairs with which `mine` wins although the opponent moves."""
        empty = self.bitboard.live & MASK64 & ~(mine | theirs)
        carrier = int(pairing_win(self.bitboard, self.stack.pairing, to_signed64(mine), to_signed64(empty)))
        assert carrier != NO_CARRIER
        pairs: list[Any] = [int(one | other) & MASK64 for one, other in zip(*self.stack.pairing[1:3], strict=True)]
        uncovered = set(bit_indices(carrier))
        selected = []
        for pair in pairs:
            if uncovered and set(bit_indices(pair)) <= uncovered:
                selected.append(pair)
                uncovered -= set(bit_indices(pair))
        return selected


def solve_carrier(
    position: Position, path: Path | None, limits: SolverLimits, on_progress: ProgressCallback | None = None
) -> Solution:
    """Return the value of every move of a position, proven as far as the limits allow.

    `path` is the proof file to write or to resume; None writes no proof. Raises PositionError if the game has no carrier
    rules or its board more than MAX_CELLS cells, and ProofError if the existing file is not a valid proof of this position.
    """
    game = position.game
    started_at = read_work_clock()
    if (outcome := position.outcome) is not None:
        return Solution(game.spec, str(position), outcome.winner, {}, 0, 0, 0.0)
    solver = CarrierSolver(game, limits, on_progress)
    mirrors = list_mirrors(symmetry_images(game, solver.rules), solver.rules)
    writer = CarrierProofWriter(solver, [list(cells) for cells in mirrors])
    if path is not None and path.exists():
        writer.resume(path, game.spec, str(position))
    values: dict[str, int | None] = dict.fromkeys(position.moves())
    try:
        for moves, winner in solve_moves(position, writer, path):
            values.update(dict.fromkeys(moves, winner))
    except SolverStopped:
        pass
    value = root_value(position, values)
    return Solution(
        game.spec, str(position), value, values, solver.nodes, len(writer.used_strategies()), read_work_clock() - started_at
    )


def find_rules(game: Game) -> CarrierRules:
    """Return the carrier rules of a game if its board is small enough; raise PositionError otherwise."""
    rules = carrier_rules_of(game)
    num_cells = len(rules.neighbour_masks)
    if num_cells > MAX_CELLS:
        raise PositionError(f"the carrier solver supports boards of at most {MAX_CELLS} cells; {game.spec} has {num_cells}")
    return rules


def solve_moves(position: Position, writer: CarrierProofWriter, path: Path | None) -> Iterator[tuple[list[str], int]]:
    """Yield groups of symmetric moves with their values in rounds; each round allows four times the nodes per group."""
    pending = position.symmetric_moves()
    max_nodes = INITIAL_NODES_PER_MOVE
    while pending:
        for moves in list(pending):
            writer.solver.status = moves[0]
            value = solve_move(position, moves[0], writer, path, max_nodes)
            if value is not None:
                pending.remove(moves)
                yield moves, value
        max_nodes *= 4


def solve_move(position: Position, move: str, writer: CarrierProofWriter, path: Path | None, max_nodes: int) -> int | None:
    """Return the seat that wins after a move, or None if `max_nodes` nodes do not decide it.

    The value is taken from the proof if it has the claim; a searched value is added to the proof, which is saved.
    """
    after = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner
    for claim in writer.claims:
        if claim["moves"][0] == move:
            return int(claim["winner"])
    stones = stone_masks(after, writer.solver.rules)
    colour = writer.solver.solve(*stones, colour_to_move(after), max_nodes)
    if colour == UNSOLVED:
        return None
    moves = [move]
    if SWAP_MOVE in after.moves() and colour == 0:
        moves, after = [move, SWAP_MOVE], after.play(SWAP_MOVE)
    seat = after.colours.index(position.game.colours[colour])
    if path is not None:
        writer.add_claim(moves, seat, stones, colour, colour_to_move(after), position.game.board.names)
        writer.save(path, position.game.spec, str(position))
    return seat


def colour_to_move(position: Position) -> int:
    """Return the colour to move, 0 or 1."""
    assert position.seat is not None
    return position.game.colours.index(position.colours[position.seat])


def root_value(position: Position, values: Mapping[str, int | None]) -> int | None:
    """Return the position's value; with the pie rule still to come, seat 1 wins."""
    if SWAP_MOVE in position.game.move_ids and not position.contents:
        return 1
    if position.seat in values.values():
        return position.seat
    return None if None in values.values() or position.seat is None else 1 - position.seat
