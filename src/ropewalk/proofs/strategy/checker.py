"""Checker of strategy proofs. It depends on the rules of the games and on no solver.

A proof is a gzipped ASCII text. Its first line is a JSON header with the spec, a position, and claims, each a move with the
value after it. Every further line is a reply, the text of a move. Replies are in the order in which a depth-first traversal
of the game graph meets the positions where the winner is to move:

- A claim that seat 0 or 1 wins has one traversal; a draw (2) has one for each seat, which must then never lose.
- The traversal tries all moves of the other seat, in the game's order, and the one reply of its own seat.
- A position that was visited before for the same goal, up to symmetry, is not traversed again. For a win it must not be on
  the current path either: the other seat could delay the end for ever.
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

from ... import game as game_of
from ...errors import RopewalkError
from ...games.game import Game
from ...games.position import Position
from ...rules.interface import DRAW
from ...text import ellipsis
from ..solver import ProgressCallback, ProofError, Solution, minimax_value
from .traversal import ReplySource, StrategyTraversal

FORMAT_VERSION, PROOF_KIND = 1, "strategy"
MAX_HEADER_CHARS, MAX_LINE_CHARS = 1 << 24, 200
LINES_PER_READ = 4096


class FileReplies(ReplySource):
    """Reply source that reads the lines of a proof file in blocks."""

    def __init__(self, game: Game, file: TextIO) -> None:
        super().__init__()
        self.game = game
        self.file = file
        self.lines_before = 1  # lines before `move_ids`, including the header
        self.invalid_line: str | None = None  # the first line that is not a move

    @property
    def line_number(self) -> int:
        """Return the number of the line that was used last, counted from 1."""
        return self.lines_before + self.num_used

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """Read the next block of replies; raise ProofError if its first line is not a move."""
        moves = self.read_moves()
        if not moves:
            self.num_used += 1
            raise ProofError(self.describe_missing_reply(position))
        self.lines_before, self.num_used = self.line_number, 0
        self.move_ids = np.array(moves, np.int64)

    def read_moves(self) -> list[int]:
        """Return the move ids of up to LINES_PER_READ lines; stop at a line that is not a move."""
        moves: list[int] = []
        while self.invalid_line is None and len(moves) < LINES_PER_READ:
            line = self.file.readline(MAX_LINE_CHARS)
            move = self.game.move_ids.get(line[:-1]) if line.endswith("\n") else None
            if move is None:
                self.invalid_line = line
            else:
                moves.append(move)
        return moves

    def describe_missing_reply(self, position: Position) -> str:
        """Return the error message for an invalid or missing line."""
        line = self.invalid_line or ""
        if not line.endswith("\n"):
            return f"unexpected end of file: expected a reply to {position}"
        return f"{ellipsis(line[:-1])} is not a legal reply to {position}: {position.refusal(line[:-1])}"

    def require_end(self) -> None:
        """Raise ProofError if the file has more lines."""
        if self.num_used < len(self.move_ids) or self.read_moves() or self.invalid_line:
            self.num_used += 1
            raise ProofError("unexpected line: the claims need no more replies")


def check_strategy_proof(path: Path, on_progress: ProgressCallback | None = None) -> Solution:
    """Verify a proof file and return the proven values.

    Raises ProofError with the line number if the file cannot be read or a claim does not hold.
    """
    started_at = time.monotonic()
    with open_strategy_proof(path) as (position, claims, replies):
        if not claims:
            raise ProofError("the header has no claims, so there is nothing to verify")
        traversal = StrategyTraversal(position.game, on_progress)
        for move, value in claims.items():
            traverse_claim(traversal, position, move, value, replies)
    return make_solution(position, claims, traversal, replies.line_number - 1, time.monotonic() - started_at)


@contextmanager
def open_strategy_proof(path: Path) -> Iterator[tuple[Position, dict[str, int], FileReplies]]:
    """Open a proof file; yield its position, its claims and its replies, which must be used up on exit.

    Errors inside the context are raised as ProofError with the file and the line.
    """
    replies = None
    try:
        with gzip.open(path, "rt", encoding="ascii", newline="\n") as file:
            position, claims = read_header(file.readline(MAX_HEADER_CHARS))
            replies = FileReplies(position.game, file)
            yield position, claims, replies
            replies.require_end()
    except (OSError, EOFError, zlib.error) as error:
        reason = "unexpected end of file" if isinstance(error, EOFError) else getattr(error, "strerror", None) or str(error)
        raise ProofError(f"cannot read the gzip-compressed proof {path}: {reason}") from None
    except (RopewalkError, UnicodeDecodeError) as error:
        raise ProofError(f"{path}, line {replies.line_number if replies else 1}: {error}") from None


def read_header(line: str) -> tuple[Position, dict[str, int]]:
    """Return the position and the claims of a header line; raise ProofError if any part is invalid."""
    try:
        header = json.loads(line)
        version, kind, spec = header["ropewalk-proof"], header["kind"], header["spec"]
        text, claims = header["position"], [(claim["move"], claim["value"]) for claim in header["claims"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ProofError("expected the header of a proof") from None
    if (version, kind) != (FORMAT_VERSION, PROOF_KIND):
        raise ProofError(
            f"expected a proof of kind {PROOF_KIND!r}, version {FORMAT_VERSION}, not {kind!r}, version {version!r}"
        )
    position = game_of(spec).position(text)
    if position.seat is None:
        raise ProofError("the game is over in this position, so there is nothing to prove")
    if len(dict(claims)) != len(claims) or not {move for move, _ in claims} <= set(position.moves()):
        raise ProofError("every claim must have a different legal move")
    if any(value not in (0, 1, DRAW) or isinstance(value, bool) for _, value in claims):
        raise ProofError("the value of a claim must be 0 or 1 (winning seat) or 2 (draw)")
    return position, dict(claims)


def traverse_claim(traversal: StrategyTraversal, position: Position, move: str, value: int, replies: ReplySource) -> None:
    """Verify one claim: traverse with the replies of the winner, or of each seat for a draw."""
    after = position.play(move)
    for seat in (0, 1) if value == DRAW else (value,):
        traversal.traverse(after, seat, replies, may_draw=value == DRAW)


def make_solution(
    position: Position, claims: Mapping[str, int], traversal: StrategyTraversal, num_replies: int, seconds: float
) -> Solution:
    """Return the values that verified claims prove; moves without a claim have None."""
    assert position.seat is not None
    values = {move: claims.get(move) for move in position.moves()}
    value = minimax_value(position.seat, values.values())
    return Solution(position.game.spec, str(position), value, values, traversal.num_positions, num_replies, seconds)
