"""A grove: a share of the trees of one board, with the arrays through which it talks to the net."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ...bots.levels import get_guided_params
from ...games.registry import game
from ...nets.model import PolicyValueNet
from ..config import TrainingConfig
from ..inference import InferenceQueue, TorchEvaluator
from .batch import MAX_COLLECTED_GAMES, SelfPlayBatch
from .kernels import LeafRolloutParams
from .samples import SampleBatch

BATCHES_PER_BOARD = 2  # groves a board: the GPU answers one while threads grow the other


class ActorOutput(NamedTuple):
    """What came in from one board."""

    board_index: int  # its number among the settings' specs
    num_evaluations: int
    num_games: int  # that ended
    samples: SampleBatch | None


class PhaseTimer:
    """Adds up what was waited for."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Count the time that this takes."""
        started_at = time.perf_counter()
        yield
        self.seconds[phase] += time.perf_counter() - started_at


class GameSource(Protocol):
    """Where games come from: groves in this process, or workers elsewhere."""

    @property
    def batches(self) -> Sequence[SelfPlayBatch]:
        """Those in this process."""

    @property
    def queues(self) -> Sequence[InferenceQueue]:
        """Through which they ask the net."""

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterable[ActorOutput]:
        """Go on playing; `meanwhile` is called while others are at work."""

    def set_weights(self, net: PolicyValueNet) -> None:
        """The net that plays has new weights."""


class LocalActors:
    """All groves of a run in this process."""

    def __init__(self, config: TrainingConfig, evaluator: TorchEvaluator, num_threads: int | None) -> None:
        self.config = config
        self.thread_pool = ThreadPoolExecutor(num_threads or os.cpu_count() or 1)
        self.games = [game(spec) for spec in config.specs]
        self.batches = [self._make_batch(batch_index) for batch_index in range(BATCHES_PER_BOARD * len(self.games))]
        self.queues = [evaluator.queue_for(batch) for batch in self.batches]

    def _make_batch(self, batch_index: int) -> SelfPlayBatch:
        """One of the groves; the boards take turns."""
        config = self.config
        num_trees = max(config.parallel_games // (BATCHES_PER_BOARD * len(self.games)), 1)
        board_game = self.games[batch_index % len(self.games)]
        seed = config.seed * 1000 + batch_index
        rollout_params = LeafRolloutParams(
            config.leaf_rollouts, get_guided_params(board_game)[0].heavy_rollout, config.rollout_weight
        )
        return SelfPlayBatch(
            board_game, num_trees, config.gumbel_params, rollout_params, max_moves=config.max_moves, seed=seed
        )

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterator[ActorOutput]:
        """Every grove grows once."""
        for batch_index in range(len(self.batches)):
            yield self._advance_batch(batch_index, while_waiting, timer)

    def _advance_batch(self, batch_index: int, while_waiting: Callable[[], None], timer: PhaseTimer) -> ActorOutput:
        batch, queue = self.batches[batch_index], self.queues[batch_index]
        with timer("waiting for the net"):
            queue.wait()
        futures = batch.submit(self.thread_pool)
        while_waiting()
        with timer("waiting for the forest"):
            num_evaluations = sum(future.result() for future in futures)
        with timer("asking the net"):
            queue.submit()
        with timer("harvesting games"):
            num_games = min(len(batch.find_finished_trees()), MAX_COLLECTED_GAMES)
            return ActorOutput(batch_index % len(self.games), num_evaluations, num_games, batch.collect_samples())

    def set_weights(self, net: PolicyValueNet) -> None:
        """The evaluator, which is the trainer's too, has the weights already."""
