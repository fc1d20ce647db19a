"""Generator of the laoCoon endgame suite: position, seat that wins, and turns before the end of its game, by tabs.

The games are played by level 5 with few visits. An endgame is a position one to six turns before the end of a game whose
winner the solver can prove.

    python tests/unit/proofs/endgames.py
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
    """Return the positions at the start of each turn, and the final position."""
    rng, game = random.Random(seed), ropewalk.game(SPEC)
    bot, position, turns = ropewalk.bot(game, 5), game.start(), []
    bot.new_game(seed)
    while position.seat is not None:
        if game.text.phase(position.row) == "move":
            turns.append(position)
        is_opening = len(turns) < OPENING_TURNS
        position = position.play(rng.choice(position.moves()) if is_opening else bot.choose(position, LIMIT))
    return [*turns, position]


def generate_endgames() -> Iterator[tuple[Position, int, int]]:
    """Yield positions, their winners, and the turns left; equally many for every number of turns."""
    solver = DfpnSolver(ropewalk.game(SPEC), MEMORY_BYTES)
    remaining = dict.fromkeys(range(1, MAX_TURNS + 1), COUNT // MAX_TURNS)
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
