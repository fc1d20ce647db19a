"""How many turns before the end of a game a win can be proven, for games between bots.

    python benchmarks/endgames.py [SPEC] [--minutes 30] [--seed 0] [--patience 5000000]

Level 5 with 300 visits plays both sides after six random moves. Then the solver searches the positions from the last turn
backwards for a forced win of the winner, until it exceeds its limit of positions or finds the losing turn. For the results
in docs/search-experiments.md, one process per core was run, each with its own seed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from itertools import pairwise

import ropewalk
from ropewalk.bots.bot import Limit
from ropewalk.proofs.dfpn_solver import DfpnSolver

LEVEL, VISITS, OPENING = 5, 300, 6
MEMORY = 512 << 20
MOST_TURNS = 20


def turns_of(game: ropewalk.Game, player: ropewalk.Bot, seed: int) -> list[ropewalk.Position]:
    """Return the positions of one game at the start of each turn, and its end."""
    chance = random.Random(f"{game.spec} {seed}")
    player.new_game(seed)
    line = [game.start()]
    while line[-1].seat is not None:
        here = line[-1]
        is_opening = len(line) <= OPENING
        line.append(here.play(chance.choice(here.moves()) if is_opening else player.choose(here, Limit(visits=VISITS))))
    return [*(here for before, here in pairwise(line[:-1]) if here.seat != before.seat), line[-1]]


def proven_turns(solver: DfpnSolver, turns: list[ropewalk.Position], patience: int) -> tuple[int, bool]:
    """Return how many turns before the end the win is proven, and whether it is disproven one turn earlier."""
    winner = turns[-1].result
    assert winner is not None
    for back, position in enumerate(turns[-2 : -2 - MOST_TURNS : -1]):
        known = solver.solve(position.row, winner, max_nodes=patience)
        if not known:
            return back, known is False
    return min(MOST_TURNS, len(turns) - 1), False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spec", nargs="?", default="laocoon-weave")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=int, default=5_000_000, help="positions for one answer")
    asked = parser.parse_args()
    game = ropewalk.game(asked.spec)
    player, solver = ropewalk.bot(game, LEVEL), DfpnSolver(game, MEMORY)
    until, seed = time.monotonic() + 60 * asked.minutes, asked.seed
    found: list[tuple[int, bool]] = []
    while time.monotonic() < until:
        turns = turns_of(game, player, seed)
        seed += 1
        if turns[-1].result in (0, 1):
            found.append(proven_turns(solver, turns, asked.patience))
            print(f"game {seed}: {found[-1][0]} turns{', and lost just before' if found[-1][1] else ''}", flush=True)
    depths = [depth for depth, _ in found]
    turning = sum(is_turning for _, is_turning in found)
    print(f"{game.spec}: {len(found)} games, a win proven {statistics.median(depths):g} turns before the end in the median,")
    print(f"{min(depths)} to {max(depths)}; in {turning} of them the turn that lost it is known")


if __name__ == "__main__":
    main()
