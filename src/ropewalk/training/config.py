"""Configuration of a training run: `TrainingConfig` (self-play, net, learning) and `RunSchedule` (limits and intervals)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import RopewalkError
from ..search.gumbel import GumbelParams
from .selfplay.kernels import SelfPlayParams

LR_DECAY_FRACTION = 0.25  # fraction of a run, at its end, over which the learning rate decays linearly
FINAL_LR_FACTOR = 0.1  # learning rate at the end of the decay, relative to the configured one


class TrainingError(RopewalkError):
    """A training run cannot start or continue."""


@dataclass(frozen=True)
class TrainingConfig:
    """Hyperparameters of self-play, net and learner; stored in checkpoints and model cards."""

    specs: tuple[str, ...]  # boards of one game, which share the net
    parallel_games: int = 4096  # concurrent self-play games over all boards
    simulations: int = 32  # per move
    max_considered: int = 16  # moves in sequential halving at the root
    value_scale: float = 0.1  # factor on Q before it is added to the policy logits
    opening_moves: int = 8  # maximum number of random opening moves; about half of the games have none
    max_opening_value: float = 1.0  # openings with a larger |net value|, 0 to 1, are mostly rejected
    max_moves: int = 400  # a game that reaches this length is a draw
    blocks: int = 6  # residual blocks
    channels: int = 64
    batch_size: int = 2048  # positions per training step
    replay_ratio: float = 1.5  # how often each position is sampled on average
    replay_size: int = 600_000  # capacity in positions, over all boards
    min_replay: int = 20_000  # positions in the buffers before the first training step
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4  # of AdamW
    ema_decay: float = 0.995  # per training step
    ownership_weight: float = 0.15  # weight of the ownership loss
    leaf_rollouts: int = 0  # rollouts per leaf, averaged with the net's value; 0: none
    rollout_weight: float = 0.5  # weight of their mean against the net's value, 0 to 1
    teacher_visits: int = 0  # MCTS visits per move of the teachers that replace self-play; 0: self-play
    search_value_weight: float = 0.0  # weight of the search value against the game's outcome in value targets, 0 to 1
    seed: int = 0

    @property
    def gumbel_params(self) -> GumbelParams:
        """Search parameters of self-play."""
        return GumbelParams(
            num_simulations=self.simulations,
            max_num_considered_actions=self.max_considered,
            value_scale=self.value_scale,
            maxvisit_init=50.0,
            gumbel_scale=1.0,
            sequential_halving=1,
        )

    @property
    def selfplay_params(self) -> SelfPlayParams:
        """Parameters of the random openings of self-play games."""
        return SelfPlayParams(opening_moves=self.opening_moves, max_opening_value=self.max_opening_value)

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
    """Limits of a run, and the intervals of checkpoints, log lines, evaluation matches and gating."""

    output_dir: Path
    max_minutes: float | None = None
    max_iterations: int | None = None  # counted over all runs in the folder
    checkpoint_minutes: float = 3.0
    checkpoint_iterations: int | None = None  # if set, replaces checkpoint_minutes: for reproducible runs
    log_seconds: float = 15.0
    eval_minutes: float = 4.0
    eval_opponents: tuple[str, ...] = ()
    eval_pairs: int = 32
    eval_simulations: int = 64  # per move of the net in evaluation and gating matches
    gating_minutes: float | None = None  # None: no gating, the EMA weights play at once
    full_checkpoints: bool = True  # also save games in progress and replay buffers
    lr_decay: bool = False
    log: Callable[[str], None] = print
    log_reports: bool = True  # off where a dashboard shows the progress
    started_at: float = field(default_factory=time.monotonic)

    @property
    def elapsed_minutes(self) -> float:
        """The minutes that the run has taken so far, since `started_at`."""
        return (time.monotonic() - self.started_at) / 60

    def is_finished(self, iterations: int) -> bool:
        """Return whether the time limit or the iteration limit is reached."""
        return (self.max_minutes is not None and self.elapsed_minutes >= self.max_minutes) or (
            self.max_iterations is not None and iterations >= self.max_iterations
        )

    def learning_rate_factor(self) -> float:
        """Return the factor on the learning rate now, FINAL_LR_FACTOR to 1; 1 without a time limit or `lr_decay`."""
        if self.max_minutes is None or not self.lr_decay:
            return 1.0
        remaining = 1 - self.elapsed_minutes / self.max_minutes
        return min(1.0, FINAL_LR_FACTOR + (1 - FINAL_LR_FACTOR) * max(remaining, 0) / LR_DECAY_FRACTION)
