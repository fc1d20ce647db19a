"""Sources of self-play games: the `GameSource` protocol, and `LocalActors`, which plays in this process.

Each board has BATCHES_PER_BOARD self-play batches: the net evaluates one while CPU threads advance another.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ...games.helper_threads import HelperThreads
from ...games.registry import game
from ...nets.model import PolicyValueNet
from ..config import TrainingConfig
from ..inference import InferenceQueue, TorchEvaluator
from .batch import MAX_COLLECTED_GAMES, SelfPlayBatch
from .kernels import LeafRolloutParams
from .samples import SampleBatch

BATCHES_PER_BOARD = 2


class ActorOutput(NamedTuple):
    """Evaluations, and the games of one board that were collected, since the last output."""

    board_index: int  # of the games: index into TrainingConfig.specs
    num_evaluations: int
    num_games: int  # finished
    samples: SampleBatch | None  # None: no game finished


class PhaseTimer:
    """Sums wall-clock seconds by phase."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Add the duration of the `with` block to `phase`, without that of phases within it."""
        started_at, seconds_before = time.perf_counter(), sum(self.seconds.values())
        yield
        inner_seconds = sum(self.seconds.values()) - seconds_before
        self.seconds[phase] += time.perf_counter() - started_at - inner_seconds


class GameSource(Protocol):
    """Source of training games: self-play batches in this process, or other processes."""

    @property
    def batches(self) -> Sequence[SelfPlayBatch]:
        """Self-play batches in this process; empty if games are played elsewhere."""

    @property
    def queues(self) -> Sequence[InferenceQueue]:
        """Inference queues of `batches`."""

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterable[ActorOutput]:
        """Continue playing and return the outputs of the actors; calls `while_waiting` while games are in progress."""

    def set_weights(self, net: PolicyValueNet) -> None:
        """Use the weights of `net` for self-play from now on."""


class LocalActors:
    """Plays all self-play batches of a run in this process, with `num_threads` threads, of which one calls `poll`."""

    def __init__(self, config: TrainingConfig, evaluator: TorchEvaluator, num_threads: int | None) -> None:
        self.config = config
        self.threads = HelperThreads((num_threads or os.cpu_count() or 1) - 1)
        self.games = [game(spec) for spec in config.specs]
        self.batches = [self._make_batch(batch_index) for batch_index in range(BATCHES_PER_BOARD * len(self.games))]
        self.queues = [evaluator.queue_for(batch) for batch in self.batches]

    def _make_batch(self, batch_index: int) -> SelfPlayBatch:
        """Return a batch of the board `batch_index % len(games)`; its seed depends on `batch_index`."""
        config = self.config
        num_trees = max(config.parallel_games // (BATCHES_PER_BOARD * len(self.games)), 1)
        board_game = self.games[batch_index % len(self.games)]
        seed = config.seed * 1000 + batch_index
        rollout_params = LeafRolloutParams(
            config.leaf_rollouts, board_game.definition.mcts.heavy_rollout, config.rollout_weight
        )
        return SelfPlayBatch(
            board_game,
            num_trees,
            config.gumbel_params,
            config.selfplay_params,
            rollout_params,
            max_moves=config.max_moves,
            seed=seed,
            threads=self.threads,
        )

    def poll(self, while_waiting: Callable[[], None], timer: PhaseTimer) -> Iterator[ActorOutput]:
        """Advance every batch once, to its next leaves."""
        for batch_index in range(len(self.batches)):
            yield self._advance_batch(batch_index, while_waiting, timer)

    def _advance_batch(self, batch_index: int, while_waiting: Callable[[], None], timer: PhaseTimer) -> ActorOutput:
        """Advance a batch with all threads; this one first collects the games of the batch before it."""
        batch, queue = self.batches[batch_index], self.queues[batch_index]
        previous_index = (batch_index - 1) % len(self.batches)
        collected: list[tuple[int, SampleBatch | None]] = []

        def collect_and_learn() -> None:
            with timer("collecting games"):
                collected.append(self._collect_games(previous_index))
            while_waiting()

        with timer("waiting for the net"):
            queue.wait()
        with timer("self-play"):
            num_evaluations = batch.advance(collect_and_learn)
        with timer("asking the net"):
            queue.submit()
        return ActorOutput(previous_index % len(self.games), num_evaluations, *collected[0])

    def _collect_games(self, batch_index: int) -> tuple[int, SampleBatch | None]:
        """Return the number of finished games collected from a batch, and their samples."""
        batch = self.batches[batch_index]
        return min(len(batch.find_finished_trees()), MAX_COLLECTED_GAMES), batch.collect_samples()

    def set_weights(self, net: PolicyValueNet) -> None:
        """Do nothing: the trainer updates the evaluator, which is shared."""
