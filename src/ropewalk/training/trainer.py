"""The training loop: self-play batches, replay buffers and learner, deterministic for a seed on a CPU.

In an iteration every self-play batch receives its evaluations and submits its next leaves. While CPU threads advance one
batch, the GPU evaluates another; the training steps that are due are queued in between.
"""

from __future__ import annotations

import copy
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..games.registry import game, spec_of
from ..nets.config import make_net_config
from ..nets.model import invert_neighbour_index
from . import checkpoint
from .config import TrainingConfig, TrainingError
from .inference import TorchEvaluator
from .learner import Learner
from .replay_buffer import ReplayBuffer
from .selfplay.actors import GameSource, LocalActors, PhaseTimer
from .selfplay.samples import SampleBatch
from .training_step import make_training_step

MAX_STEPS_PER_CALL = 4  # training steps while threads advance one self-play batch


class Trainer:
    """Plays, fills the replay buffers and trains; keeps the counts of a run."""

    def __init__(
        self,
        config: TrainingConfig,
        device: str,
        *,
        compile_net: bool = True,
        num_threads: int | None = None,
        use_gating: bool = False,
        game_source: GameSource | None = None,  # None: self-play in this process
    ) -> None:
        self.config = config
        self.device = torch.device(device)
        self.games = [game(spec) for spec in config.specs]
        if len({spec_of(board.spec).key for board in self.games}) != 1:
            raise TrainingError(f"all specs must be boards of one game, not {', '.join(config.specs)}")
        net_config = make_net_config(self.games[0], config.blocks, config.channels)
        self.num_threads = num_threads or os.cpu_count() or 1
        self.learner = Learner(net_config, config, self.device)
        self.use_gating = use_gating  # the EMA weights play only once accepted by gating
        self.selfplay_net = copy.deepcopy(self.learner.ema) if use_gating else self.learner.ema
        self.gating_counts: Counter[str] = Counter()  # keys: accepted, refused
        self.evaluator = TorchEvaluator(self.selfplay_net, self.device, compile_net=compile_net)
        self.game_source: GameSource = game_source or LocalActors(config, self.evaluator, num_threads)
        self.game_source.set_weights(self.selfplay_net)
        capacity = max(config.replay_size // len(self.games), 1)
        self.replay_buffers = [ReplayBuffer(board, capacity, self.device) for board in self.games]
        self.training_steps = [
            make_training_step(
                self.learner,
                replay_buffer,
                with_inverse_neighbours(torch.from_numpy(board.encoding.neighbour_index).to(self.device)),
            )
            for board, replay_buffer in zip(self.games, self.replay_buffers, strict=True)
        ]
        self.staged_samples: list[list[SampleBatch]] = [[] for _ in self.games]
        self.pending_samples = [0.0] * len(self.games)  # by board: positions still to be sampled for training
        self.generator = torch.Generator().manual_seed(config.seed)
        self.learning_rate = config.learning_rate
        self.counts: Counter[str] = Counter()
        self.timer = PhaseTimer()

    def iterate(self) -> None:
        """Poll the game source once, stage the samples it returns, and take the training steps that are due."""
        for output in self.game_source.poll(self._train, self.timer):
            self.counts["evaluations"] += output.num_evaluations
            if output.samples is not None:
                with self.timer("collecting games"):
                    self._stage_samples(output.board_index, output.num_games, output.samples)
        self.counts["turns"] += 1

    def _stage_samples(self, board_index: int, num_games: int, samples: SampleBatch) -> None:
        """Count finished games and stage their positions."""
        self.staged_samples[board_index].append(samples)
        self.counts["games"] += num_games
        self.counts["positions"] += len(samples.outcomes)
        for outcome, name in enumerate(("won", "drawn", "lost")):
            self.counts[name] += int(np.count_nonzero(samples.outcomes == outcome))

    def _flush_staged_samples(self, board_index: int) -> None:
        """Append the staged positions of a board to its replay buffer, in one go, which is faster than game by game."""
        for samples in self.staged_samples[board_index]:
            self.replay_buffers[board_index].append(samples)
            self.pending_samples[board_index] += self.config.replay_ratio * len(samples.outcomes)
        self.staged_samples[board_index] = []

    def _train(self) -> None:
        """Append staged positions to the replay buffers and take the training steps that are due."""
        with self.timer("queueing steps of learning"):
            for board_index, staged_samples in enumerate(self.staged_samples):
                if sum(len(samples.outcomes) for samples in staged_samples) >= self.config.batch_size:
                    self._flush_staged_samples(board_index)
            self._run_due_steps()

    def _run_due_steps(self) -> None:
        """Take the training steps that are due, at most MAX_STEPS_PER_CALL."""
        if sum(map(len, self.replay_buffers)) < self.config.min_replay:
            self.pending_samples = [0.0] * len(self.games)
            return
        num_steps = 0
        for _ in range(MAX_STEPS_PER_CALL):
            board_index = max(range(len(self.games)), key=self.pending_samples.__getitem__)
            if self.pending_samples[board_index] < self.config.batch_size:
                break
            self.pending_samples[board_index] -= self.config.batch_size
            self.training_steps[board_index].run(self.generator, self.learning_rate)
            num_steps += 1
        if num_steps and not self.use_gating:
            self._publish_weights()
        self.counts["steps"] += num_steps

    def accept_candidate(self) -> None:
        """Make the EMA weights the self-play weights and publish them."""
        self.selfplay_net.load_state_dict(self.learner.ema.state_dict())
        self._publish_weights()

    def _publish_weights(self) -> None:
        """Copy the self-play weights to the evaluator and the game source."""
        self.evaluator.load_weights(self.selfplay_net)
        self.game_source.set_weights(self.selfplay_net)

    def wait_for_queues(self) -> None:
        """Block until all submitted evaluations are complete."""
        for queue in self.game_source.queues:
            queue.wait()

    def describe_hardware(self) -> str:
        """Return the GPU and the number of CPU cores, for the model card."""
        cores = f"{os.cpu_count()} CPU cores"
        return f"{torch.cuda.get_device_name(self.device)}, {cores}" if self.device.type == "cuda" else cores

    # Checkpoints

    def state_dict(self) -> dict[str, Any]:
        """Return the state of checkpoint.pt: weights, optimiser and counts, without games in progress and replay buffers."""
        state = {
            "config": self.config.as_json(),
            "net_config": self.learner.net.config.as_json(),
            "learner": self.learner.state_dict(),
            "counts": dict(self.counts),
            "gating_counts": dict(self.gating_counts),
        }
        return state | ({"selfplay_net": self.selfplay_net.state_dict()} if self.use_gating else {})

    def full_state_dict(self) -> dict[str, Any]:
        """Return the state of full_checkpoint.pt, from which a run resumes exactly."""
        self.wait_for_queues()
        return self.state_dict() | {
            "batches": [[to_tensors(arrays) for arrays in batch.checkpoint_arrays] for batch in self.game_source.batches],
            "replay_buffers": [
                (
                    replay_buffer.num_appended,
                    [ring_buffer[: len(replay_buffer)] for ring_buffer in replay_buffer.ring_buffers],
                )
                for replay_buffer in self.replay_buffers
            ],
            "pending_samples": self.pending_samples,
            "generator": self.generator.get_state(),
        }

    def load_net_weights(self, weights: dict[str, NDArray[np.float32]]) -> None:
        """Load the weights of an exported net; raises TrainingError if their shapes differ."""
        try:
            self.learner.load_net_weights({name: torch.from_numpy(array) for name, array in weights.items()})
        except RuntimeError as error:
            raise TrainingError(f"the net has a different shape: {str(error).splitlines()[-1].strip()}") from None
        if self.use_gating:
            self.selfplay_net.load_state_dict(self.learner.ema.state_dict())
        self._publish_weights()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore a checkpoint; games in progress and replay buffers too if the state has them and games are played here.

        Raises TrainingError if the net or the arrays have other shapes.
        """
        net_config = self.learner.net.config.as_json()
        if state["net_config"] != net_config:
            raise TrainingError(f"the net of the checkpoint is {state['net_config']}, not {net_config}")
        self.learner.load_state_dict(state["learner"])
        self.counts = Counter(state["counts"])
        self.gating_counts = Counter(state["gating_counts"])
        if self.use_gating:
            self.selfplay_net.load_state_dict(state.get("selfplay_net", state["learner"]["ema"]))
        self._publish_weights()
        if "batches" in state and self.game_source.batches:
            self._load_selfplay_state(state)

    def _load_selfplay_state(self, state: dict[str, Any]) -> None:
        """Restore games in progress and replay buffers in place."""
        if not self._is_compatible(state):
            raise TrainingError(
                "full_checkpoint.pt was written by another version or with other settings and cannot be used; "
                "remove it to continue with the weights in checkpoint.pt"
            )
        for batch, saved_arrays in zip(self.game_source.batches, state["batches"], strict=True):
            for current, saved in zip(batch.checkpoint_arrays, saved_arrays, strict=True):
                for name, array in saved.items():
                    getattr(current, name)[...] = array.numpy()
        for replay_buffer, (num_appended, saved_buffers) in zip(self.replay_buffers, state["replay_buffers"], strict=True):
            replay_buffer.num_appended = num_appended
            for ring_buffer, saved_buffer in zip(replay_buffer.ring_buffers, saved_buffers, strict=True):
                ring_buffer[: len(saved_buffer)] = saved_buffer.to(self.device)
        self.pending_samples = state["pending_samples"]
        self.generator.set_state(state["generator"])

    def _is_compatible(self, state: dict[str, Any]) -> bool:
        """Return whether a checkpoint's game and replay arrays have the names and shapes of this trainer's."""
        current = [
            get_shapes(to_tensors(arrays)) for batch in self.game_source.batches for arrays in batch.checkpoint_arrays
        ]
        saved = [get_shapes(tensors) for saved_batch in state["batches"] for tensors in saved_batch]
        return current == saved and all(map(ReplayBuffer.is_compatible, self.replay_buffers, state["replay_buffers"]))

    def save_checkpoints(self, output_dir: Path, *, full: bool) -> None:
        """Write checkpoint.pt; with `full` also full_checkpoint.pt."""
        for board_index in range(len(self.games)):
            self._flush_staged_samples(board_index)
        checkpoint.write(output_dir / "checkpoint.pt", self.state_dict() | {"weights_only": not full})
        if full:
            checkpoint.write(output_dir / "full_checkpoint.pt", self.full_state_dict())


def with_inverse_neighbours(neighbours: Tensor) -> tuple[Tensor, Tensor]:
    """Return the neighbour index and its inverse, which training needs for gradients."""
    return neighbours, invert_neighbour_index(neighbours)


def to_tensors(arrays: Any) -> dict[str, Tensor]:
    """Return the arrays of a NamedTuple as tensors by field name, sharing memory."""
    return {name: torch.from_numpy(array) for name, array in arrays._asdict().items()}


def get_shapes(tensors: dict[str, Tensor]) -> dict[str, torch.Size]:
    """Return the shapes by name."""
    return {name: tensor.shape for name, tensor in tensors.items()}
