"""Exact values of Lariat and Cube Lariat, the games by Mark Steere in which players claim cells.

A full board has exactly one winner, and a group wins by its own cells alone, so an extra stone of one's own never hurts.
Hence every win has a *carrier*: cells that the opponent must not have, while all others may as well be the opponent's.
A proof found in one position holds in all that have the same stones of the winner and leave the carrier alone.

Two things need no search. With the pie rule seat 1 wins: after the first stone white is to move, whoever plays white,
and the swap lets seat 1 choose the colour that wins. And in Lariat without it, of every size, black wins by claiming the
centre and then answering each stone opposite to it, half a turn around (see `carrier_pairs` for the reason).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import PositionError
from ..games.claiming import SWAP_MOVE, LariatFamilyGame
from ..games.game import Game, Position
from ..games.notation import group_layout_lines, render_lines
from .carrier_engine import Engine, Stopped
from .carrier_field import MOST_CELLS, is_mirror
from .carrier_proof import Proof
from .carrier_search import UNDECIDED
from .solution import Effort, Solution, Watcher

PATIENCE = 5_000  # nodes for a move in the first round

Stones = tuple[int, int]  # masks of black and white


def solve_claiming(position: Position, path: Path | None, effort: Effort, watch: Watcher | None = None) -> Solution:
    """The value of every move, proven as far as the effort goes; proofs are kept in the file, if one is named."""
    game = require_claiming(position.game)
    began = time.monotonic()
    if (over := position.outcome) is not None:
        return Solution(game.spec, str(position), over.winner, {}, 0, 0, 0.0)
    engine = Engine(game, effort, watch)
    proof = Proof(engine, [cells for cells in all_images(game)[1:] if is_mirror(cells)])
    if path is not None and path.exists():
        proof.resume(path, game.spec, str(position))
    values: dict[str, int | None] = dict.fromkeys(position.moves())
    try:
        for move, winner in decided_moves(position, proof, path):
            values.update(dict.fromkeys(alike(position, move), winner))
    except Stopped:
        pass
    value = best_value(position, values)
    return Solution(game.spec, str(position), value, values, engine.nodes, len(proof.used()), time.monotonic() - began)


def require_claiming(game: Game) -> LariatFamilyGame:
    """The game, if it is one of these two and small enough."""
    if not isinstance(game, LariatFamilyGame):
        raise PositionError(f"this solver is for Lariat and Cube Lariat, not for {game.name}")
    if len(game.board) > MOST_CELLS:
        raise PositionError(f"this solver takes boards of at most {MOST_CELLS} cells; {game.spec} has {len(game.board)}")
    return game


def all_images(game: LariatFamilyGame) -> list[list[int]]:
    """Where each symmetry takes the cells."""
    return [symmetry.cells.tolist() for symmetry in game.symmetries]


def stones_of(position: Position) -> Stones:
    """The stones of both colours."""
    masks = {"b": 0, "w": 0}
    for name, token in position.contents.items():
        masks[token] |= 1 << position.game.board.cell(name)
    return masks["b"], masks["w"]


def alike(position: Position, move: str) -> Iterator[str]:
    """The moves onto which symmetries of the position take a move."""
    game, (black, white) = position.game, stones_of(position)
    for symmetry in game.symmetries:
        kept = [sum(1 << int(symmetry.cells[c]) for c in range(len(game.board)) if m >> c & 1) for m in (black, white)]
        if kept == [black, white]:
            yield game.move_texts[symmetry.moves[game.move_ids[move]]]


def first_of_each(position: Position, moves: list[str]) -> list[str]:
    """One move of each kind that symmetry cannot tell apart, in the game's order."""
    return [move for move in moves if min(alike(position, move), key=position.game.move_id) == move]


def decided_moves(position: Position, proof: Proof, path: Path | None) -> Iterator[tuple[str, int]]:
    """Moves with their values as they are found, the easy ones first: those that take long wait for the next round."""
    waiting = first_of_each(position, position.moves())
    patience = PATIENCE
    while waiting:
        for move in list(waiting):
            proof.engine.words = move
            value = value_after(position, move, proof, path, patience)
            if value is not None:
                waiting.remove(move)
                yield move, value
        patience *= 4


def value_after(position: Position, move: str, proof: Proof, path: Path | None, patience: int) -> int | None:
    """The seat that wins after a move: from the proof, or searched and added to it; None when patience ends."""
    after = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner
    for claim in proof.claims:
        if claim["moves"][0] == move:
            return int(claim["winner"])
    colour = proof.engine.decide(*stones_of(after), mover_of(after), patience)
    if colour == UNDECIDED:
        return None
    moves = [move]
    if SWAP_MOVE in after.moves() and colour == 0:
        moves, after = [move, SWAP_MOVE], after.play(SWAP_MOVE)
    seat = after.colours.index(("black", "white")[colour])
    if path is not None:
        proof.claim(moves, seat, stones_of(after), colour, mover_of(after), position.game.board.names)
        proof.save(path, position.game.spec, str(position))
    return seat


def mover_of(position: Position) -> int:
    """The colour to move, 0 for black."""
    assert position.seat is not None
    return ("black", "white").index(position.colours[position.seat])


def best_value(position: Position, values: Mapping[str, int | None]) -> int | None:
    """The mover wins with one good move and loses without any; with the pie rule still to come, seat 1 wins."""
    if SWAP_MOVE in position.game.move_ids and not position.contents:
        return 1
    if position.seat in values.values():
        return position.seat
    return None if None in values.values() or position.seat is None else 1 - position.seat


def first_moves(solution: Solution) -> str:
    """The drawn board with who wins after each move: the winner's colour, ? where that is not known."""
    from .. import game as game_of

    game = game_of(solution.spec)
    position = game.position(solution.position)
    symbols = game.symbols(position.row)
    for move, value in solution.moves.items():
        cell = game.board.cell(move)
        if cell >= 0:
            symbols[cell] = "?" if value is None else position.colours[value][0]
    drawn = render_lines(group_layout_lines(game.board), symbols, game.line_labels(), game.column_width)
    return "\n".join([*drawn, "b or w: who wins after a claim of that cell; ? not known"])
