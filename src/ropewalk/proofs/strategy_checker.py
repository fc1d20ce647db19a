"""Checks proofs by strategy. It knows the rules of the games and nothing of the solver.

A proof is a gzipped text. Its first line is JSON: the game, a position, and claims, each a move with the value after
it. Then, a move a line, come the winner's answers in the order in which a walk through all play meets the positions
where the winner is to move. A claim that seat 0 or 1 wins has one such list, a draw (2) one for each seat, which then
never loses. The walk goes depth first through all moves of the other seat, in the game's order; a position met before,
turned or mirrored too, is not walked through again. On the way to a win it must not even come back to its own path:
that would be a way to delay for ever.
"""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np

from .. import game as game_of
from ..errors import RopewalkError, ellipsis
from ..games.game import Game, Position
from ..rules.questions import DRAW
from .solution import ProofError, Solution, Watcher, value_of
from .walker import Supply, Walker

VERSION, KIND = 1, "strategy"
LONGEST_HEADER, LONGEST_LINE = 1 << 24, 200
AT_ONCE = 4096  # lines


class Answers:
    """The lines of a proof file, many at a time."""

    def __init__(self, game: Game, file: TextIO) -> None:
        self.game = game
        self.file = file
        self.ids = np.zeros(0, np.int64)
        self.used = 0
        self.before = 1  # lines, the header among them
        self.odd: str | None = None  # a line that is no move

    @property
    def number(self) -> int:
        """The line that was read last."""
        return self.before + self.used

    def refill(self, position: Position, seat: int, draw: bool) -> None:
        """The next lines; the first of them must be a move."""
        found = self.next_moves()
        if not found:
            self.used += 1
            raise ProofError(self.lack(position))
        self.before, self.used = self.number, 0
        self.ids = np.array(found, np.int64)

    def next_moves(self) -> list[int]:
        """Move ids, up to a line that is none."""
        found: list[int] = []
        while self.odd is None and len(found) < AT_ONCE:
            line = self.file.readline(LONGEST_LINE)
            move = self.game.move_ids.get(line[:-1]) if line.endswith("\n") else None
            if move is None:
                self.odd = line
            else:
                found.append(move)
        return found

    def lack(self, position: Position) -> str:
        """What is wrong where an answer should stand."""
        line = self.odd or ""
        if not line.endswith("\n"):
            return f"the file ends where an answer to {position} should stand"
        return f"{ellipsis(line[:-1])} is no answer to {position}: {position.refusal(line[:-1])}"

    def require_end(self) -> None:
        """Nothing must follow."""
        if self.used < len(self.ids) or self.next_moves() or self.odd:
            self.used += 1
            raise ProofError("there are more answers than the claims need")


def check_strategy_proof(path: Path, watcher: Watcher | None = None) -> Solution:
    """What a proof file proves; a ProofError says in which line it does not, and why."""
    began = time.monotonic()
    with proof_lines(path) as (position, claims, answers):
        walker = Walker(position.game, watcher)
        for move, value in claims.items():
            follow_claim(walker, position, move, value, answers)
    return verified(position, claims, walker, answers.number - 1, time.monotonic() - began)


@contextmanager
def proof_lines(path: Path) -> Iterator[tuple[Position, dict[str, int], Answers]]:
    """The position, the claims and the answers of a file; whatever is wrong with them is said with its line."""
    answers = None
    try:
        with gzip.open(path, "rt", encoding="ascii", newline="\n") as file:
            position, claims = read_header(file.readline(LONGEST_HEADER))
            answers = Answers(position.game, file)
            yield position, claims, answers
            answers.require_end()
    except (OSError, EOFError, zlib.error) as error:
        reason = "it is cut off" if isinstance(error, EOFError) else getattr(error, "strerror", None) or str(error)
        raise ProofError(f"{path} cannot be read as a gzipped proof: {reason}") from None
    except (RopewalkError, UnicodeDecodeError) as error:
        raise ProofError(f"{path}, line {answers.number if answers else 1}: {error}") from None


def read_header(line: str) -> tuple[Position, dict[str, int]]:
    """The position and the claims, checked for all that can be wrong with them."""
    try:
        header = json.loads(line)
        version, kind, spec = header["ropewalk-proof"], header["kind"], header["spec"]
        text, claims = header["position"], [(claim["move"], claim["value"]) for claim in header["claims"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProofError("the first line is not the header of a proof") from None
    if (version, kind) != (VERSION, KIND):
        raise ProofError(f"a proof of kind {KIND!r}, version {VERSION}, is wanted here, not {kind!r}, version {version!r}")
    position = game_of(spec).position(text)
    if position.seat is None:
        raise ProofError("the position is over, so there is nothing to prove")
    if len(dict(claims)) != len(claims) or not {move for move, _ in claims} <= set(position.moves()):
        raise ProofError("each claim has a legal move of its own")
    if any(value not in (0, 1, DRAW) or isinstance(value, bool) for _, value in claims):
        raise ProofError("a claim's value is 0 or 1 for the seat that wins, or 2 for a draw")
    return position, dict(claims)


def follow_claim(walker: Walker, position: Position, move: str, value: int, answers: Supply) -> None:
    """Walk through the play after a move with the answers of the winner, or of both seats for a draw."""
    after = position.play(move)
    for seat in (0, 1) if value == DRAW else (value,):
        walker.walk(after, seat, answers, draw=value == DRAW)


def verified(position: Position, claims: Mapping[str, int], walker: Walker, answers: int, seconds: float) -> Solution:
    """What the claims say of the position, now that they are known to hold."""
    assert position.seat is not None
    values = {move: claims.get(move) for move in position.moves()}
    value = value_of(position.seat, values.values())
    return Solution(position.game.spec, str(position), value, values, walker.walked, answers, seconds)
