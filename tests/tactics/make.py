"""Writes the tactics: a file a game, a position a line, then a tab and all moves that win it.

All other moves are proven not to win. In laoCoon, where play can go round and few moves lose by force, the moves are
those after which a win comes within three turns (the rest of this one, the answer, the next), as after no other.

python tests/tactics/make.py [GAME ...]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import ropewalk
from ropewalk.proofs.tactics import generate_tactics

EXACT_BY_SPEC = {
    "lariat-2x10": True,
    "cube-lariat-4": True,
    "tether-13": True,
    "liger-8": True,
    "laocoon-weave": False,
}  # exact?
NUM_POSITIONS, SEED = 48, 1


def write_suite(spec: str) -> None:
    """Write one game's file, line by line as positions are proven."""
    started_at = time.monotonic()
    with (Path(__file__).parent / f"{spec}.txt").open("w") as file:
        for number, tactic in enumerate(
            generate_tactics(ropewalk.game(spec), NUM_POSITIONS, SEED, exact=EXACT_BY_SPEC[spec]), start=1
        ):
            file.write(f"{tactic.position}\t{' '.join(tactic.winning_moves)}\n")
            file.flush()
            print(f"{spec}: {number} of {NUM_POSITIONS}, {time.monotonic() - started_at:.0f} s", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or EXACT_BY_SPEC:
        write_suite(name)
