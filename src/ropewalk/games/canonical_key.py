"""Keys of positions by which openings are counted: images of a position under the symmetries of its game have one key.

A key has 64 bits. It is the smallest Zobrist hash over the images under all symmetries that keep the colours. It depends on
the spec and the position's text alone: transpositions have the same key, and databases can store it, because all random
numbers come from SHAKE-128.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .game import Game
    from .position import Position

KEY_BYTES = 8
MAX_CACHED_GAMES = 64


class CanonicalPosition(NamedTuple):
    """The key of a position, and which symmetries lead to its canonical image: several if the position is symmetric."""

    key: int
    symmetries: tuple[int, ...]


class OpeningStep(NamedTuple):
    """A move of a game: the key of the position before it, the id of its canonical image, the key of the position after."""

    position_key: int
    move: int
    next_key: int


class PositionKeys:
    """Computes the keys of positions of one game. Threads may share it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symmetries = [symmetry for symmetry in game.symmetries if not symmetry.swaps_colours]
        self.cell_images = np.array([symmetry.cells for symmetry in self.symmetries], np.int64)
        self.move_images = np.array([symmetry.moves for symmetry in self.symmetries], np.int64)
        self.codes: dict[str, int] = {}  # of tokens: indices into `tables`
        self.tables: NDArray[np.int64] = np.zeros((0, len(game.board), len(self.symmetries)), np.int64)
        self.lock = Lock()
        self.hash_text = lru_cache(maxsize=4096)(lambda text: int(draw_keys(f"{game.spec} {text}", 1)[0]))

    def find_canonical(self, position: Position) -> CanonicalPosition:
        """Return the key of a position, and the symmetries that lead to its canonical image."""
        hashes = self.hash_images(position).tolist()
        key = min(hashes)
        return CanonicalPosition(key, tuple(index for index, each in enumerate(hashes) if each == key))

    def hash_images(self, position: Position) -> NDArray[np.int64]:
        """Return the hashes [symmetries] of all images of a position."""
        row = position.row
        occupied = [(cell, token) for cell, token in enumerate(self.game.tokens(row)) if token]
        codes = [self.codes[token] if token in self.codes else self.add_token(token) for _, token in occupied]
        cells = [cell for cell, _ in occupied]
        hashes: NDArray[np.int64] = np.bitwise_xor.reduce(self.tables[codes, cells], axis=0)
        return hashes ^ self.hash_fields(self.game.fields(row))

    def hash_fields(self, fields: list[str]) -> NDArray[np.int64] | int:
        """Return the hashes of a position's fields for all symmetries, as one number where they are equal."""
        transform = self.game.text.transform_fields
        texts = [" ".join(transform(fields, symmetry)) for symmetry in self.symmetries]
        if len(set(texts)) == 1:
            return self.hash_text(texts[0])
        return np.array([self.hash_text(text) for text in texts], np.int64)

    def add_token(self, token: str) -> int:
        """Draw the keys of a token on every cell, and return its code."""
        with self.lock:
            if token not in self.codes:
                keys = draw_keys(token, len(self.game.board))
                self.tables = np.concatenate([self.tables, keys[self.cell_images].T[np.newaxis]])
                self.codes[token] = len(self.tables) - 1  # last: other threads read without the lock
            return self.codes[token]

    def find_canonical_move(self, canonical: CanonicalPosition, move: int) -> int:
        """Return the id of a move's canonical image: moves that a symmetry of the position maps onto each other have one."""
        return int(self.move_images[list(canonical.symmetries), move].min())

    def find_canonical_moves(self, canonical: CanonicalPosition, moves: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the ids of the canonical images of several moves, [len(moves)]."""
        images: NDArray[np.int64] = self.move_images[list(canonical.symmetries)][:, moves].min(axis=0)
        return images

    def list_steps(self, start: Position, moves: Iterable[int]) -> list[OpeningStep]:
        """Return the steps of a game from a position; one that is repeated is listed once.

        Raises:
            MoveError: A move id is out of range.
            IllegalMove: A move is illegal.
        """
        steps: dict[tuple[int, int], OpeningStep] = {}
        position, canonical = start, self.find_canonical(start)
        for move in moves:
            position = position.play_id(move)
            following = self.find_canonical(position)
            image = self.find_canonical_move(canonical, move)
            steps.setdefault((canonical.key, image), OpeningStep(canonical.key, image, following.key))
            canonical = following
        return list(steps.values())


def draw_keys(text: str, count: int) -> NDArray[np.int64]:
    """Return random numbers that a text determines on every machine."""
    digest = hashlib.shake_128(text.encode()).digest(count * KEY_BYTES)
    return np.frombuffer(digest, np.dtype("<i8")).astype(np.int64)


@lru_cache(maxsize=MAX_CACHED_GAMES)
def load_position_keys(game: Game) -> PositionKeys:
    """Return the keys of a game, which are kept for the next call."""
    return PositionKeys(game)
