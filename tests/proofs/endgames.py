"""Writes laoCoon endgames: a position a line, then a tab, who wins it, and how many turns before its game's end it was.

The games are played by level 5 with few visits; of each the positions one to six turns before the end that the solver can
prove for the winner.

python tests/proofs/endgames.py
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import ropewalk
from ropewalk import Position
from ropewalk.bots.bot import Limit
from ropewalk.proofs.dfpn_solver import DfpnSolver

SPEC = "laocoon-weave"
FILE = Path(__file__).with_name("laocoon-endgames.txt")
COUNT, MAX_TURNS, OPENING_TURNS = 48, 6, 2
LIMIT, MEMORY_BYTES, MAX_NODES = Limit(visits=300), 1 << 28, 300_000


def play_game(seed: int) -> list[Position]:
    """The starts of a game's turns."""
    rng, game = random.Random(seed), ropewalk.game(SPEC)
    player, position, turns = ropewalk.bot(game, 5), game.start(), []
    player.new_game(seed)
    while position.seat is not None:
        if game.phase(position.row) == "move":
            turns.append(position)
        is_opening = len(turns) < OPENING_TURNS
        position = position.play(rng.choice(position.moves()) if is_opening else player.choose(position, LIMIT))
    return [*turns, position]


def generate_endgames() -> Iterator[tuple[Position, int, int]]:
    """Positions, their winners, and the turns that were left; of every distance equally many."""
    solver, remaining = (
        DfpnSolver(ropewalk.game(SPEC), MEMORY_BYTES),
        dict.fromkeys(range(1, MAX_TURNS + 1), COUNT // MAX_TURNS),
    )
    seed = 0
    while any(remaining.values()):
        *turns, last = play_game(seed)
        seed += 1
        turn = next((turn for turn in remaining if remaining[turn] and turn <= len(turns)), 0)
        if last.result not in (0, 1) or not turn:
            continue
        position = last.game.position(str(turns[-turn]))
        if solver.solve(position.row, last.result, max_nodes=MAX_NODES):
            remaining[turn] -= 1
            yield position, last.result, turn


if __name__ == "__main__":
    with FILE.open("w") as file:
        for position, winner, turns in generate_endgames():
            file.write(f"{position}\t{winner}\t{turns}\n")
            print(winner, turns, flush=True)
