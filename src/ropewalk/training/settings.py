"""What a training run is told."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..search.gumbel import GumbelParams


@dataclass(frozen=True)
class Settings:
    """How to play and learn; a checkpoint keeps those that it was made with."""

    specs: tuple[str, ...]  # boards of one game; they share the net
    trees: int = 4096  # games at a time, over all boards
    simulations: int = 32  # a move
    considered: int = 16  # moves at the root
    scale: float = 0.1  # of values beside priors
    opening: int = 8  # at most so many random moves before every other game
    even: float = 1.0  # openings that the net finds more lopsided, 0 to 1, are mostly drawn anew
    longest: int = 400  # steps; a longer game is a draw
    blocks: int = 6
    channels: int = 64
    batch: int = 2048  # positions a training step
    samples: float = 1.5  # how often a position is learnt from
    buffer: int = 600_000  # positions remembered
    least: int = 20_000  # positions before learning begins
    rate: float = 2e-3
    decay: float = 1e-4  # of weights
    average: float = 0.995  # of the weights' exponential mean, a step
    owners: float = 0.15  # weight of the guess who will have each cell
    playouts: int = 0  # from each leaf, beside the net's value
    trust: float = 0.5  # how much they count
    lessons: int = 0  # visits a move of the playouts that play instead of the net; 0: it learns from its own games
    mix: float = 0.0  # how much the search's value counts beside the game's result
    seed: int = 0

    @property
    def tuning(self) -> GumbelParams:
        """How self-play searches."""
        return GumbelParams(self.simulations, self.considered, self.scale, 50.0, 1.0, 1, 1, self.opening, self.even)

    def as_json(self) -> dict[str, Any]:
        """For checkpoints and cards."""
        return asdict(self) | {"specs": list(self.specs)}
