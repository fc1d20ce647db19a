"""Steps of learning on one board: positions are drawn from its replay buffer, and the learner is trained on them.

On a GPU a step is a CUDA graph, captured once: queueing its hundreds of kernels one by one would take the thread that also
drives self-play longer than the other threads need to advance a batch of games.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .learner import Learner
from .replay_buffer import ReplayBuffer

NUM_WARM_UP_STEPS = 3  # before the graph is captured


class TrainingStep:
    """Trains a learner on one board; `neighbours` is the board's neighbour index and its inverse."""

    def __init__(self, learner: Learner, replay_buffer: ReplayBuffer, neighbours: tuple[Tensor, Tensor]) -> None:
        self.learner = learner
        self.replay_buffer = replay_buffer
        self.neighbours = neighbours

    def run(self, generator: torch.Generator, learning_rate: float) -> None:
        """Take one step on newly drawn positions."""
        drawn = self.replay_buffer.draw(self.learner.config.batch_size, generator)
        self.learner.set_learning_rate(learning_rate)
        self.learner.finish_step(self.optimise(drawn))

    def optimise(self, drawn: Tensor) -> Tensor:
        """Change the weights by one step on the drawn positions, see `ReplayBuffer.draw`, and return the losses."""
        return self.learner.optimise(self.replay_buffer.gather(drawn.to(self.learner.device)), self.neighbours)


class CapturedTrainingStep(TrainingStep):
    """The same on a GPU, without waiting for it; all but the first NUM_WARM_UP_STEPS replay one CUDA graph."""

    def __init__(self, learner: Learner, replay_buffer: ReplayBuffer, neighbours: tuple[Tensor, Tensor]) -> None:
        super().__init__(learner, replay_buffer, neighbours)
        self.drawn = torch.zeros((2, learner.config.batch_size), dtype=torch.int64, device=learner.device)
        self.num_steps = 0
        self.warm_up_stream = torch.cuda.Stream()
        self.graph: torch.cuda.CUDAGraph | None = None
        self.losses = torch.zeros(0)  # of the graph

    def optimise(self, drawn: Tensor) -> Tensor:
        """Queue one step and return its losses, which are overwritten by the next step."""
        self.drawn.copy_(drawn.pin_memory(), non_blocking=True)
        self.num_steps += 1
        if self.num_steps <= NUM_WARM_UP_STEPS:
            return self.optimise_on_side_stream()
        if self.graph is None:
            self.graph = self.capture_graph()
        self.graph.replay()
        return self.losses

    def optimise_drawn(self) -> Tensor:
        """Change the weights by one step on the positions in `self.drawn`."""
        return self.learner.optimise(self.replay_buffer.gather(self.drawn), self.neighbours)

    def optimise_on_side_stream(self) -> Tensor:
        """Take a step kernel by kernel, on a stream of its own, as capturing requires."""
        current_stream = torch.cuda.current_stream()
        self.warm_up_stream.wait_stream(current_stream)
        with torch.cuda.stream(self.warm_up_stream):
            losses = self.optimise_drawn()
        current_stream.wait_stream(self.warm_up_stream)
        return losses

    def capture_graph(self) -> torch.cuda.CUDAGraph:
        """Return a captured step, which is not taken; it will write `self.losses`."""
        self.learner.optimiser.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.losses = self.optimise_drawn()
        return graph


def make_training_step(learner: Learner, replay_buffer: ReplayBuffer, neighbours: tuple[Tensor, Tensor]) -> TrainingStep:
    """Return the steps for one board on the learner's device."""
    step_type = CapturedTrainingStep if learner.device.type == "cuda" else TrainingStep
    return step_type(learner, replay_buffer, neighbours)
