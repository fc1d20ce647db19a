"""What a training run is told."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..search.gumbel import GumbelParams


@dataclass(frozen=True)
class TrainingConfig:
    """How to play and learn; a checkpoint keeps those that it was made with."""

    specs: tuple[str, ...]  # boards of one game; they share the net
    parallel_games: int = 4096  # games at a time, over all boards
    simulations: int = 32  # a move
    max_considered: int = 16  # moves at the root
    value_scale: float = 0.1  # of values beside priors
    opening_moves: int = 8  # at most so many random moves before every other game
    max_opening_value: float = 1.0  # openings that the net finds more lopsided, 0 to 1, are mostly drawn anew
    max_moves: int = 400  # steps; a longer game is a draw
    blocks: int = 6
    channels: int = 64
    batch_size: int = 2048  # positions a training step
    replay_ratio: float = 1.5  # how often a position is learnt from
    replay_size: int = 600_000  # positions remembered
    min_replay: int = 20_000  # positions before learning begins
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4  # of weights
    ema_decay: float = 0.995  # of the weights' exponential mean, a step
    ownership_weight: float = 0.15  # weight of the guess who will have each cell
    leaf_rollouts: int = 0  # from each leaf, beside the net's value
    rollout_weight: float = 0.5  # how much they count
    teacher_visits: int = 0  # visits a move of the playouts that play instead of the net; 0: it learns from its own games
    search_value_weight: float = 0.0  # how much the search's value counts beside the game's result
    seed: int = 0

    @property
    def gumbel_params(self) -> GumbelParams:
        """How self-play searches."""
        return GumbelParams(
            self.simulations,
            self.max_considered,
            self.value_scale,
            50.0,
            1.0,
            1,
            1,
            self.opening_moves,
            self.max_opening_value,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object stored in model cards; its keys are a file format and do not follow the field names."""
        return {STORED_KEYS.get(name, name): value for name, value in asdict(self).items()} | {"specs": list(self.specs)}


STORED_KEYS = {  # field -> key in model cards
    "parallel_games": "trees",
    "max_considered": "considered",
    "value_scale": "scale",
    "opening_moves": "opening",
    "max_opening_value": "even",
    "max_moves": "longest",
    "batch_size": "batch",
    "replay_ratio": "samples",
    "replay_size": "buffer",
    "min_replay": "least",
    "learning_rate": "rate",
    "weight_decay": "decay",
    "ema_decay": "average",
    "ownership_weight": "owners",
    "leaf_rollouts": "playouts",
    "rollout_weight": "trust",
    "teacher_visits": "lessons",
    "search_value_weight": "mix",
}
