"""Checks a carrier proof: every strategy in it is replayed from the leaves up, by the definitions of the rules page.

A proof is a list of *strategies* with which a player, black or white, wins although the opponent moves next. Each has two
sets of cells: those it *holds*, stones that the player must have, and its *carrier*, cells that the opponent must not have.
In every position that fits, it wins. That is so because an extra stone of one's own never hurts in these games, and
because every full board has exactly one winner. A line of the file is one strategy:

- `= CELLS PAIR PAIR ...` holds these cells and wins with them and one cell of each pair, whichever it is.
- `% MIRROR CELLS` answers each move by its mirror image: it holds all cells that the mirror leaves in place, and of
  every other pair of mirror cells it holds one, or both are in the carrier.
- `CELL STRATEGY CELL STRATEGY ...` are threats: claim the cell, then follow the strategy of that line, counted from 0.
  No cell is in all threats, so whatever the opponent does, one threat is left.

CELLS and PAIR are masks in hexadecimal, bit 0 for the board's first cell; CELL is a cell's number; MIRROR is one of the
header's. This module shares nothing with the solver.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from .. import game as game_of
from ..boards import NO_CELL
from ..errors import RopewalkError
from ..games.game import Position
from .solution import ProofError, Solution, Watcher, value_of

HEADER = "ropewalk-proof"
OFTEN = 20_000  # lines between two reports
Strategy = tuple[int, int]  # what it holds, and its carrier


@dataclass(frozen=True)
class Claim:
    """The seat that wins after these moves from the header's position."""

    moves: tuple[str, ...]
    winner: int


@dataclass
class Surface:
    """The cells of a board as bits, and what wins on it."""

    around: list[int]  # the neighbours of each cell
    centre: int
    edge: int
    nuclear: int
    claimable: int
    judged: dict[int, bool] = field(default_factory=dict)

    def piece(self, start: int, within: int) -> int:
        """All that is connected with these cells inside `within`."""
        reached = fresh = start & within
        while fresh:
            beside = 0
            while fresh:
                beside |= self.around[(fresh & -fresh).bit_length() - 1]
                fresh &= fresh - 1
            fresh = beside & within & ~reached
            reached |= fresh
        return reached

    def has_winner(self, stones: int) -> bool:
        """Whether one group of these stones wins."""
        if stones not in self.judged:
            left, won = stones, False
            while left and not won:
                group = self.piece(left & -left, left)
                left &= ~group
                won = self.wins(group)
            self.judged[stones] = won
        return self.judged[stones]

    def wins(self, group: int) -> bool:
        """The object of the game: of Lariat where there is a centre, else of Cube Lariat."""
        rest = (1 << len(self.around)) - 1 & ~group
        if self.centre:
            parted = not self.piece(self.centre, rest) & self.edge
            return bool(group & self.edge) and (bool(group & self.centre) or parted)
        left = self.nuclear & rest
        while left:
            piece = self.piece(left & -left, rest)
            if (piece & self.nuclear).bit_count() > 1:
                return False
            left &= ~piece
        return True


def surface_of(game: Any) -> Surface:
    """The board of a game of Lariat or Cube Lariat."""
    marks = {name: sum(1 << cell for cell in cells) for name, cells in game.board.marked_cells.items()}
    if "centre" not in marks and "nuclear" not in marks:
        raise ProofError(f"{game.spec} has no carrier proofs: they are for Lariat and Cube Lariat")
    rows = game.board.neighbours.tolist()
    around = [sum(1 << cell for cell in row if cell != NO_CELL) for row in rows]
    barred = sum(1 << cell for cell in game.blocked_cells())
    claimable = (1 << len(around)) - 1 & ~barred
    return Surface(around, marks.get("centre", 0), marks.get("edge", 0), marks.get("nuclear", 0), claimable)


def check_carrier_proof(path: Path, watch: Watcher | None = None) -> list[Claim]:
    """The claims of a proof file, each proven; a ProofError says which line fails and why."""
    return replayed(path, watch)[2]


def verify_carrier_proof(path: Path, watch: Watcher | None = None) -> Solution:
    """What the claims of a proof file say of its position and of all its moves."""
    began = time.monotonic()
    header, strategies, claims = replayed(path, watch)
    position = game_of(header["spec"]).position(header["position"])
    values: dict[str, int | None] = dict.fromkeys(position.moves())
    for claim in claims:
        values.update(dict.fromkeys(alike(position, first_move(position, claim)), claim.winner))
    for move in values:  # a move that ends the game needs no proof
        if (over := position.play(move).outcome) is not None:
            values[move] = over.winner
    value = None if position.seat is None else value_of(position.seat, values.values())
    size = len(strategies)
    return Solution(header["spec"], header["position"], value, values, size, size, time.monotonic() - began)


def first_move(position: Position, claim: Claim) -> str:
    """The move that a claim is about; whatever follows in it must be the winner's own choice."""
    first, *rest = claim.moves
    after = position.play(first)
    for move in rest:
        if after.seat != claim.winner:
            raise ProofError(f"line 1 of the proof: seat {claim.winner} cannot choose {move} after {first}")
        after = after.play(move)
    return first


def alike(position: Position, move: str) -> list[str]:
    """The moves onto which symmetries of the position take a move, itself among them."""
    game = position.game
    kept = [symmetry for symmetry in game.symmetries if position.transformed(symmetry) == position]
    return [game.move_texts[symmetry.moves[game.move_id(move)]] for symmetry in kept]


def replayed(path: Path, watch: Watcher | None) -> tuple[dict[str, Any], list[Strategy], list[Claim]]:
    """The header of a proof file, its strategies and its claims, all checked."""
    lines = numbered(path)
    header = read_header(next(lines, (1, ""))[1])
    game = game_of(header["spec"])
    surface = surface_of(game)
    mirrors = [checked_mirror(surface, mirror) for mirror in header["mirrors"]]
    strategies: list[Strategy] = []
    for number, line in lines:
        try:
            strategies.append(checked(surface, mirrors, strategies, line))
        except (ValueError, IndexError, TypeError) as wrong:
            raise ProofError(f"line {number} of the proof: {wrong}") from None
        if watch and number % OFTEN == 0:
            watch(number, 0, "checking")
    if len(strategies) != header["lines"]:
        raise ProofError(f"line {len(strategies) + 2} of the proof is missing: it should have {header['lines'] + 1}")
    position = game.position(header["position"])
    return header, strategies, [checked_claim(strategies, position, claim) for claim in header["claims"]]


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file, unpacked if it is packed, counted from 1."""
    number = 0
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="ascii") if packed else path.open(encoding="ascii") as text:
            for line in text:
                number += 1
                yield number, line
    except (OSError, EOFError, UnicodeDecodeError) as wrong:
        raise ProofError(f"{path} cannot be read after line {number}: {wrong}") from None


def read_header(line: str) -> dict[str, Any]:
    """The first line: what the proof is about and what it claims."""
    try:
        header = json.loads(line)
        kinds = {"spec": str, "position": str, "mirrors": list, "claims": list, "lines": int, "kind": str}
        if header[HEADER] != 1 or header["kind"] != "carrier" or any(type(header[k]) is not t for k, t in kinds.items()):
            raise ValueError(line)
    except (ValueError, KeyError, TypeError):
        raise ProofError('line 1 of the proof is not a header like {"ropewalk-proof": 1, "kind": "carrier", ...}') from None
    return header


def checked_mirror(surface: Surface, mirror: list[int]) -> list[int]:
    """A mirror, if it is its own inverse and keeps neighbours, marks and claimable cells."""
    cells = range(len(surface.around))
    if not isinstance(mirror, list) or sorted(mirror, key=str) != sorted(cells, key=str):
        raise ProofError("line 1 of the proof: a mirror is a list of all cells")
    kept = [surface.centre, surface.edge, surface.nuclear, surface.claimable]
    moved = [turned(mirror, around) == surface.around[mirror[cell]] for cell, around in enumerate(surface.around)]
    if not all(moved) or any(mirror[mirror[cell]] != cell for cell in cells) or [turned(mirror, k) for k in kept] != kept:
        raise ProofError("line 1 of the proof: a mirror does not lay the board onto itself")
    return mirror


def turned(mirror: list[int], cells: int) -> int:
    """A set of cells in the mirror."""
    return sum(1 << image for cell, image in enumerate(mirror) if cells >> cell & 1)


def checked(surface: Surface, mirrors: list[list[int]], strategies: list[Strategy], line: str) -> Strategy:
    """What the strategy of a line holds, and its carrier; a ValueError where it does not win."""
    words = line.split()
    if not line.endswith("\n") or not words:
        raise ValueError("it is cut off")
    if words[0] == "=":
        return checked_leaf(surface, *(int(word, 16) for word in words[1:]))
    if words[0] == "%":
        return checked_reflection(surface, mirrors[natural(words[1])], int(words[2], 16))
    numbers = [natural(word) for word in words]
    return checked_threats(surface, strategies, numbers[::2], numbers[1::2])


def natural(word: str) -> int:
    """A number that is not negative."""
    if not word.isdigit():
        raise ValueError(f"{word!r} is not a number")
    return int(word)


def checked_leaf(surface: Surface, stones: int, *pairs: int) -> Strategy:
    """The stones win with one cell of each pair."""
    carrier = 0
    for pair in pairs:
        if pair.bit_count() != 2 or pair & (carrier | stones):
            raise ValueError("its pairs are not pairs, or overlap each other or its stones")
        carrier |= pair
    if (stones | carrier) & ~surface.claimable:
        raise ValueError("it has cells that are not on the board")
    for share in product(*([pair & -pair, pair & (pair - 1)] for pair in pairs)):
        if not surface.has_winner(stones | sum(share)):
            raise ValueError("it does not win with every share of its pairs")
    return stones, carrier


def checked_reflection(surface: Surface, mirror: list[int], stones: int) -> Strategy:
    """The stones hold all that the mirror leaves in place; pairs without a stone are the carrier."""
    fixed = sum(1 << cell for cell, image in enumerate(mirror) if cell == image) & surface.claimable
    if fixed & ~stones or stones & ~surface.claimable:
        raise ValueError("it does not hold all cells that its mirror leaves in place")
    return stones, surface.claimable & ~(stones | turned(mirror, stones))


def checked_threats(surface: Surface, strategies: list[Strategy], cells: list[int], following: list[int]) -> Strategy:
    """No cell is in all threats."""
    if len(cells) != len(following):
        raise ValueError("a threat is a cell and a strategy")
    holds = union = 0
    common = surface.claimable
    for cell, number in zip(cells, following, strict=True):
        if not surface.claimable >> cell & 1:
            raise ValueError(f"cell {cell} may not be claimed")
        if number >= len(strategies):
            raise ValueError(f"strategy {number} does not come before it")
        holds |= strategies[number][0] & ~(1 << cell)
        carrier = strategies[number][1] | 1 << cell
        common &= carrier
        union |= carrier
    if common & ~holds:
        raise ValueError(
            f"cells {[c for c in range(len(surface.around)) if common & ~holds >> c & 1]} are in all its threats"
        )
    return holds, union & ~holds


def checked_claim(strategies: list[Strategy], position: Any, claim: dict[str, Any]) -> Claim:
    """A claim, if its strategy fits the position after its moves."""
    try:
        moves, winner, root, cell = tuple(claim["moves"]), claim["winner"], claim["root"], claim.get("play")
        for move in moves:
            position = position.play(move)
        holds, carrier = strategies[root] if type(root) is int and root >= 0 else strategies[len(strategies)]
        colour = position.colours[winner][0]
        stones = {token: masked(position, token) for token in "bw"}
    except (KeyError, TypeError, IndexError, AttributeError, RopewalkError) as wrong:
        raise ProofError(f"line 1 of the proof: {claim} is not a claim: {wrong!r}") from None
    if position.outcome is not None:
        raise ProofError(f"line 1 of the proof: the game is over after {moves}")
    if cell is not None:
        if position.seat != winner or cell not in position.moves():
            raise ProofError(f"line 1 of the proof: seat {winner} may not play {cell} after {moves}")
        stones[colour] |= 1 << position.game.board.cell(cell)
    elif position.seat != winner and "swap" in position.moves():
        raise ProofError(f"line 1 of the proof: seat {position.seat} may swap after {moves}")
    if holds & ~stones[colour] or carrier & stones["w" if colour == "b" else "b"]:
        raise ProofError(f"line 1 of the proof: strategy {root} does not fit the position after {moves}")
    return Claim(moves, winner)


def masked(position: Any, token: str) -> int:
    """The stones of a colour."""
    return sum(1 << position.game.board.cell(name) for name, stone in position.contents.items() if stone == token)
