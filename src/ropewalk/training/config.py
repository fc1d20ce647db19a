"""What a training run is told."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..search.gumbel import GumbelParams

LR_DECAY_FRACTION = 0.25  # the last part of a run, in which the learning rate falls
FINAL_LR_FACTOR = 0.1  # the factor it falls to


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


@dataclass
class RunSchedule:
    """When to stop, save, report and examine."""

    output_dir: Path
    max_minutes: float | None = None
    max_iterations: int | None = None
    checkpoint_minutes: float = 3.0
    checkpoint_iterations: int | None = None  # instead of by time: for runs that must come out the same
    log_seconds: float = 15.0
    eval_minutes: float = 4.0
    eval_opponents: tuple[str, ...] = ()
    eval_pairs: int = 32
    eval_simulations: int = 64  # of the net in examinations
    gating_minutes: float | None = None  # between challenges; without, the mean of the weights plays at once
    full_checkpoints: bool = True  # whether to save games and positions too
    lr_decay: bool = False
    log: Callable[[str], None] = print
    log_reports: bool = True  # a dashboard shows them in another way
    started_at: float = field(default_factory=time.monotonic)

    @property
    def elapsed_minutes(self) -> float:
        """Minutes since the beginning."""
        return (time.monotonic() - self.started_at) / 60

    def is_finished(self, iterations: int) -> bool:
        """Whether a limit is reached."""
        return (self.max_minutes is not None and self.elapsed_minutes >= self.max_minutes) or (
            self.max_iterations is not None and iterations >= self.max_iterations
        )

    def learning_rate_factor(self) -> float:
        """What part of the learning rate to use now."""
        if self.max_minutes is None or not self.lr_decay:
            return 1.0
        remaining = 1 - self.elapsed_minutes / self.max_minutes
        return min(1.0, FINAL_LR_FACTOR + (1 - FINAL_LR_FACTOR) * max(remaining, 0) / LR_DECAY_FRACTION)
