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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TextIO, TypeAlias

import numpy as np

from .. import game as game_of
from ..errors import RopewalkError, shortened
from ..games.game import Game, Position
from ..kernels import compiled
from ..rules.questions import DRAW
from ..rules.stepping import describe
from .solution import ProofError, Solution, Watcher, value_of

VERSION, KIND = 1, "strategy"
LONGEST_HEADER, LONGEST_LINE = 1 << 24, 200
WATCH_EVERY = 4096

Choose: TypeAlias = Callable[[Position, int, bool], int]  # an answer in a position, for a seat, for a draw or a win
Key: TypeAlias = bytes


class Walker:
    """Walks through all play against a seat's answers, and remembers what it has been through."""

    def __init__(self, game: Game, watcher: Watcher | None = None) -> None:
        kept = [symmetry.cells for symmetry in game.symmetries if not symmetry.exchanges]
        rest = len(game.board)
        self.images = np.array([[*np.argsort(cells), rest] for cells in kept])
        self.codes = np.zeros(rest + 1, np.int64)
        self.describe = compiled(describe, game.rules, game.start().row, self.codes)
        self.seen: dict[tuple[int, bool], dict[Key, bool]] = {}
        self.watcher = watcher
        self.walked = 0

    def key(self, position: Position) -> Key:
        """The same for positions that are the same when turned or mirrored."""
        self.describe(position.game.rules, position.row, self.codes)
        images = self.codes[self.images]
        return min(blake2b(image.tobytes(), digest_size=16).digest() for image in images)

    def walk(self, position: Position, seat: int, choose: Choose, *, draw: bool) -> None:
        """Follow a seat's answers to all that the other can do: it must win, or, for a draw, never lose."""
        done = self.seen.setdefault((seat, draw), {})
        path: list[tuple[Key, Position, Iterator[int]]] = []
        waiting: Position | None = position
        while waiting or path:
            if waiting and (key := self.new_key(waiting, seat, draw, done)):
                moves = [choose(waiting, seat, draw)] if waiting.seat == seat else waiting.move_ids().tolist()
                path.append((key, waiting, iter(moves)))
            waiting = None
            while path and waiting is None:
                key, place, moves_left = path[-1]
                move = next(moves_left, None)
                if move is None:
                    done[key] = True
                    path.pop()
                else:
                    waiting = place.play_id(move)

    def new_key(self, position: Position, seat: int, draw: bool, done: dict[Key, bool]) -> Key | None:
        """The key of a position to walk on from; None where the game is over as it should be, or the walk has been."""
        if position.seat is None:
            self.judge(position, seat, draw)
            return None
        key = self.key(position)
        if key in done:
            if not done[key] and not draw:
                raise ProofError(f"play goes round: {position} comes again before seat {seat} has won")
            return None
        done[key] = False
        self.walked += 1
        if self.watcher and self.walked % WATCH_EVERY == 0:
            self.watcher(self.walked, 0, "walking through all play")
        return key

    def judge(self, position: Position, seat: int, draw: bool) -> None:
        """The seat has won, or at least not lost when a draw is claimed."""
        if position.result != seat and not (draw and position.result == DRAW):
            over = position.outcome
            words = over.words if over else ""
            raise ProofError(f"seat {seat} does not {'hold' if draw else 'win'}: {words}, in {position}")


class Answers:
    """The lines of a proof file, one after the other."""

    def __init__(self, game: Game, file: TextIO) -> None:
        self.game = game
        self.file = file
        self.number = 1

    def __call__(self, position: Position, seat: int = 0, draw: bool = False) -> int:
        """The next answer, which must be a legal move."""
        self.number += 1
        line = self.file.readline(LONGEST_LINE)
        if not line.endswith("\n"):
            raise ProofError(f"the file ends where an answer to {position} should stand")
        refusal = position.refusal(line[:-1])
        if refusal is not None:
            raise ProofError(f"{shortened(line[:-1])} is no answer to {position}: {refusal}")
        return self.game.move_id(line[:-1])

    def require_end(self) -> None:
        """Nothing must follow."""
        self.number += 1
        if self.file.readline(LONGEST_LINE):
            raise ProofError("there are more answers than the claims need")


def check_strategy_proof(path: Path, watcher: Watcher | None = None) -> Solution:
    """What a proof file proves; a ProofError says in which line it does not, and why."""
    began = time.monotonic()
    with proof_lines(path) as (position, claims, answers):
        walker = Walker(position.game, watcher)
        for move, value in claims.items():
            follow_claim(walker, position, move, value, answers)
    return verified(position, claims, walker, answers.number - 2, time.monotonic() - began)


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


def follow_claim(walker: Walker, position: Position, move: str, value: int, choose: Choose) -> None:
    """Walk through the play after a move with the answers of the winner, or of both seats for a draw."""
    after = position.play(move)
    for seat in (0, 1) if value == DRAW else (value,):
        walker.walk(after, seat, choose, draw=value == DRAW)


def verified(position: Position, claims: Mapping[str, int], walker: Walker, answers: int, seconds: float) -> Solution:
    """What the claims say of the position, now that they are known to hold."""
    assert position.seat is not None
    values = {move: claims.get(move) for move in position.moves()}
    value = value_of(position.seat, values.values())
    return Solution(position.game.spec, str(position), value, values, walker.walked, answers, seconds)
