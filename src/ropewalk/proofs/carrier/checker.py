"""Checker of carrier proofs: verifies every strategy from the leaves up, by the definitions of the rules.

A proof is a list of strategies with which a player, black or white, wins although the opponent moves next. It has two sets
of cells: required stones, which the player must have, and a carrier, cells that the opponent must not have. It wins in
every position that fits, because an extra stone of one's own never hurts in these games and every full board has exactly
one winner. The first line of the file is a JSON header with the spec, the position, the mirrors (involutive symmetries of
the board), the claims and the number of further lines. Every further line is one strategy:

- `= CELLS PAIR PAIR ...` (pairing): CELLS are the required stones, and win together with any one cell of each pair.
- `% MIRROR CELLS` (reflection): answers each move with its mirror image. The required stones CELLS include all fixed cells
  of the mirror; of every other pair of image cells they contain one, or both cells are in the carrier.
- `CELL STRATEGY CELL STRATEGY ...` (threats): claim the cell, then follow the strategy of that line, counted from 0. No
  cell is in all threats, so whatever the opponent does, one threat is left.

CELLS and PAIR are hexadecimal masks, bit 0 for the board's first cell; CELL is a cell's index; MIRROR is an index into the
header's mirrors. This module imports no part of the solver.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from ... import game as game_of
from ...errors import PositionError, RopewalkError
from ...games.carrier_rules import CarrierRules, carrier_rules_of, stone_masks
from ...games.game import Game
from ...games.position import Position
from ..solver import ProgressCallback, ProofError, Solution, minimax_value

HEADER_KEY = "ropewalk-proof"
PROGRESS_INTERVAL_LINES = 20_000
Strategy = tuple[int, int]  # masks of the required stones and of the carrier


@dataclass(frozen=True)
class ProvenResult:
    """A verified claim: the seat that wins after these moves from the header's position."""

    moves: tuple[str, ...]
    winner: int


def check_carrier_proof(path: Path, on_progress: ProgressCallback | None = None) -> list[ProvenResult]:
    """Return the claims of a proof file, all verified; raise ProofError with the line that fails."""
    return check_file(path, on_progress)[2]


def verify_carrier_proof(path: Path, on_progress: ProgressCallback | None = None) -> Solution:
    """Return the values that a proof file proves of its position and of all its moves."""
    started_at = time.monotonic()
    header, strategies, claims = check_file(path, on_progress)
    if not claims:
        raise ProofError(f"{path} claims nothing: its header has no claims, so there is nothing to verify")
    position = game_of(header["spec"]).position(header["position"])
    values: dict[str, int | None] = dict.fromkeys(position.moves())
    for claim in claims:
        values.update(dict.fromkeys(symmetric_moves(position, check_claimed_move(position, claim)), claim.winner))
    for move in values:  # a move that ends the game needs no proof
        if (outcome := position.play(move).outcome) is not None:
            values[move] = outcome.winner
    value = None if position.seat is None else minimax_value(position.seat, values.values())
    num_strategies = len(strategies)
    return Solution(
        header["spec"], header["position"], value, values, num_strategies, num_strategies, time.monotonic() - started_at
    )


def check_claimed_move(position: Position, claim: ProvenResult) -> str:
    """Return the first move of a claim; the moves after it must be the winner's own."""
    first, *following = claim.moves
    after = position.play(first)
    for move in following:
        if after.seat != claim.winner:
            raise ProofError(f"line 1 of the proof: seat {claim.winner} cannot choose {move} after {first}")
        after = after.play(move)
    return first


def symmetric_moves(position: Position, move: str) -> list[str]:
    """Return the images of a move under the symmetries that leave the position unchanged."""
    game = position.game
    symmetries = [symmetry for symmetry in game.symmetries if position.transform(symmetry) == position]
    return [game.move_texts[symmetry.moves[game.move_id(move)]] for symmetry in symmetries]


def check_file(
    path: Path, on_progress: ProgressCallback | None
) -> tuple[dict[str, Any], list[Strategy], list[ProvenResult]]:
    """Return the header, the strategies and the claims of a proof file, all verified."""
    lines = iter_numbered_lines(path)
    header = read_header(next(lines, (1, ""))[1])
    game = game_of(header["spec"])
    rules = find_rules(game)
    mirrors = [check_mirror(rules, mirror) for mirror in header["mirrors"]]
    strategies: list[Strategy] = []
    for number, line in lines:
        try:
            strategies.append(check_strategy(rules, mirrors, strategies, line))
        except (ValueError, IndexError, TypeError) as error:
            raise ProofError(f"line {number} of the proof: {error}") from None
        if on_progress and number % PROGRESS_INTERVAL_LINES == 0:
            on_progress(number, 0, "checking")
    if len(strategies) != header["lines"]:
        raise ProofError(f"line {len(strategies) + 2} of the proof is missing; expected {header['lines'] + 1} lines")
    position = game.position(header["position"])
    return header, strategies, [check_claim(rules, strategies, position, claim) for claim in header["claims"]]


def find_rules(game: Game) -> CarrierRules:
    """Return the carrier rules of a game; raise ProofError if it has none."""
    try:
        return carrier_rules_of(game)
    except PositionError as error:
        raise ProofError(str(error)) from None


def iter_numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers from 1, decompressed if it is gzipped."""
    number = 0
    try:
        with path.open("rb") as raw:
            is_gzip = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="ascii") if is_gzip else path.open(encoding="ascii") as text:
            for line in text:
                number += 1
                yield number, line
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ProofError(f"{path} cannot be read after line {number}: {error}") from None


def read_header(line: str) -> dict[str, Any]:
    """Return the parsed header line; raise ProofError if a field is missing or has the wrong type."""
    try:
        header = json.loads(line)
        field_types = {"spec": str, "position": str, "mirrors": list, "claims": list, "lines": int, "kind": str}
        if (
            header[HEADER_KEY] != 1
            or header["kind"] != "carrier"
            or any(type(header[name]) is not kind for name, kind in field_types.items())
        ):
            raise ValueError(line)
    except (ValueError, KeyError, TypeError):
        raise ProofError(
            'line 1 of the proof: expected a header such as {"ropewalk-proof": 1, "kind": "carrier", ...}'
        ) from None
    return header


def check_mirror(rules: CarrierRules, mirror: list[int]) -> list[int]:
    """Return a mirror if it is an involution that preserves adjacency, marks and claimable cells."""
    cells = range(len(rules.neighbour_masks))
    if not rules.is_colour_blind:
        raise ProofError("line 1 of the proof: a mirror needs a game in which the same groups win for both colours")
    if not isinstance(mirror, list) or sorted(mirror, key=str) != sorted(cells, key=str):
        raise ProofError("line 1 of the proof: a mirror must be a permutation of all cells")
    invariant_masks = [*rules.marks, rules.claimable]
    keeps_neighbours = [
        reflect_mask(mirror, neighbours) == rules.neighbour_masks[mirror[cell]]
        for cell, neighbours in enumerate(rules.neighbour_masks)
    ]
    if (
        not all(keeps_neighbours)
        or any(mirror[mirror[cell]] != cell for cell in cells)
        or [reflect_mask(mirror, mask) for mask in invariant_masks] != invariant_masks
    ):
        raise ProofError("line 1 of the proof: a mirror is not a symmetry of the board")
    return mirror


def reflect_mask(mirror: list[int], cells: int) -> int:
    """Return the image of a mask under a mirror."""
    return sum(1 << image for cell, image in enumerate(mirror) if cells >> cell & 1)


def check_strategy(rules: CarrierRules, mirrors: list[list[int]], strategies: list[Strategy], line: str) -> Strategy:
    """Return the required stones and the carrier of a line's strategy; raise ValueError if it does not win."""
    tokens = line.split()
    if not line.endswith("\n") or not tokens:
        raise ValueError("the line is incomplete")
    if tokens[0] == "=":
        return check_leaf(rules, *(int(token, 16) for token in tokens[1:]))
    if tokens[0] == "%":
        return check_reflection(rules, mirrors[parse_natural(tokens[1])], int(tokens[2], 16))
    numbers = [parse_natural(token) for token in tokens]
    return check_threats(rules, strategies, numbers[::2], numbers[1::2])


def parse_natural(token: str) -> int:
    """Return a token as a non-negative integer; raise ValueError if it is none."""
    if not token.isdigit():
        raise ValueError(f"expected a number, not {token!r}")
    return int(token)


def check_leaf(rules: CarrierRules, stones: int, *pairs: int) -> Strategy:
    """Verify a pairing strategy: the stones win with either cell of each pair."""
    carrier = 0
    for pair in pairs:
        if pair.bit_count() != 2 or pair & (carrier | stones):
            raise ValueError("every pair must have two cells and must not overlap other pairs or the stones")
        carrier |= pair
    if carrier & ~rules.claimable or stones & ~(rules.claimable | rules.sides[0] | rules.sides[1]):
        raise ValueError("the strategy has cells that cannot be claimed")
    for choice in product(*([pair & -pair, pair & (pair - 1)] for pair in pairs)):
        if not rules.has_winner(stones | sum(choice)):
            raise ValueError("the strategy does not win for every choice of one cell from each pair")
    return stones, carrier


def check_reflection(rules: CarrierRules, mirror: list[int], stones: int) -> Strategy:
    """Verify a reflection strategy: the stones include all fixed cells; pairs without a stone are the carrier."""
    fixed = sum(1 << cell for cell, image in enumerate(mirror) if cell == image) & rules.claimable
    if fixed & ~stones or stones & ~rules.claimable:
        raise ValueError("the strategy does not hold all fixed cells of its mirror")
    return stones, rules.claimable & ~(stones | reflect_mask(mirror, stones))


def check_threats(rules: CarrierRules, strategies: list[Strategy], cells: list[int], strategy_ids: list[int]) -> Strategy:
    """Verify a threat strategy: no cell is in all threats, except cells that are required stones."""
    if len(cells) != len(strategy_ids):
        raise ValueError("a threat must have a cell and a strategy")
    required = union = 0
    common = rules.claimable
    for cell, strategy_id in zip(cells, strategy_ids, strict=True):
        if not rules.claimable >> cell & 1:
            raise ValueError(f"cell {cell} cannot be claimed")
        if strategy_id >= len(strategies):
            raise ValueError(f"strategy {strategy_id} is not on an earlier line")
        required |= strategies[strategy_id][0] & ~(1 << cell)
        carrier = strategies[strategy_id][1] | 1 << cell
        common &= carrier
        union |= carrier
    if common & ~required:
        raise ValueError(
            f"cells {[c for c in range(len(rules.neighbour_masks)) if common & ~required >> c & 1]} are in all threats"
        )
    return required, union & ~required


def check_claim(rules: CarrierRules, strategies: list[Strategy], position: Position, claim: dict[str, Any]) -> ProvenResult:
    """Return a verified claim; raise ProofError if its strategy does not fit the position after its moves."""
    try:
        moves, winner, root, cell = tuple(claim["moves"]), claim["winner"], claim["root"], claim.get("play")
        for move in moves:
            position = position.play(move)
        required, carrier = strategies[root] if type(root) is int and root >= 0 else strategies[len(strategies)]
        colour = position.game.colours.index(position.colours[winner])
        stones = list(stone_masks(position, rules))
    except (KeyError, TypeError, IndexError, AttributeError, RopewalkError) as error:
        raise ProofError(f"line 1 of the proof: invalid claim {claim}: {error!r}") from None
    if position.outcome is not None:
        raise ProofError(f"line 1 of the proof: the game is over after {moves}")
    if cell is not None:
        if position.seat != winner or cell not in position.moves():
            raise ProofError(f"line 1 of the proof: seat {winner} cannot play {cell} after {moves}")
        stones[colour] |= 1 << position.game.board.cell(cell)
    elif position.seat != winner and "swap" in position.moves():
        raise ProofError(f"line 1 of the proof: seat {position.seat} can swap after {moves}")
    if required & ~stones[colour] or carrier & stones[1 - colour]:
        raise ProofError(f"line 1 of the proof: strategy {root} does not apply to the position after {moves}")
    return ProvenResult(moves, winner)
