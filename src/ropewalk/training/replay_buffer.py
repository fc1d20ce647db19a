"""Replay buffer: the latest self-play positions of one board in ring buffers on the training device.

Batches are drawn uniformly, each position under a uniformly random symmetry of the board.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..games.game import Game
from ..search.gumbel import VALUE_SCALE
from .selfplay.samples import SampleBatch


class TrainingBatch(NamedTuple):
    """Training positions; values and outcomes are those of the seat to move."""

    planes: Tensor  # int8 [batch, cells, planes]
    moves: Tensor  # int64 [batch, M]: legal move ids, padded with -1
    policy_targets: Tensor  # float [batch, M]: probabilities of `moves`, 0 at padding
    search_values: Tensor  # float [batch], -1 to 1
    outcomes: Tensor  # int64 [batch]: 0 won, 1 drawn, 2 lost
    ownership: Tensor  # float [batch, cells]: 1 seat to move, -1 the other, 0 neither


class ReplayBuffer:
    """Ring buffers, one for each column of `SampleBatch`; a uint16 column is stored as int16 with the same bits."""

    def __init__(self, game: Game, capacity: int, device: torch.device) -> None:
        cells, max_moves = len(game.board), game.max_legal_moves
        self.capacity = capacity
        self.device = device
        self.num_appended = 0  # positions appended in total, overwritten ones included
        shapes = ((cells, game.encoding.num_planes), (max_moves,), (max_moves,), (), (), (cells,))
        dtypes = (torch.int8, torch.int16, torch.int16, torch.int16, torch.int8, torch.int8)
        self.ring_buffers = [
            torch.zeros((capacity, *shape), dtype=dtype, device=device) for shape, dtype in zip(shapes, dtypes, strict=True)
        ]
        self.source_cells = torch.from_numpy(np.argsort(game.encoding.symmetry_cell_table, axis=1)).to(device)
        self.symmetry_moves = torch.from_numpy(game.encoding.symmetry_move_table).to(device)

    def __len__(self) -> int:
        return min(self.num_appended, self.capacity)

    def is_compatible(self, saved: tuple[int, list[Tensor]]) -> bool:
        """Return whether a saved (num_appended, ring buffers) pair has the shapes of this buffer."""
        num_appended, saved_buffers = saved
        count = min(num_appended, self.capacity)
        return [tuple(ring.shape) for ring in saved_buffers] == [(count, *ring.shape[1:]) for ring in self.ring_buffers]

    def append(self, samples: SampleBatch) -> None:
        """Append positions, overwriting the oldest ones once the buffer is full."""
        count = len(samples.outcomes)
        slots = torch.arange(self.num_appended, self.num_appended + count, device=self.device) % self.capacity
        columns: list[NDArray[Any]] = list(samples)
        for ring, column in zip(self.ring_buffers, columns, strict=True):
            signed = column.view(np.int16) if column.dtype == np.uint16 else column
            tensor = torch.from_numpy(signed)
            tensor = tensor.pin_memory() if self.device.type == "cuda" else tensor
            ring[slots] = tensor.to(self.device, non_blocking=True)
        self.num_appended += count

    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        """Return int64 [2, count] on the CPU: slots of positions, drawn with replacement, and random symmetries."""
        slots = torch.randint(len(self), (count,), generator=generator)
        return torch.stack([slots, torch.randint(len(self.source_cells), (count,), generator=generator)])

    def gather(self, drawn: Tensor) -> TrainingBatch:
        """Return the positions in the drawn slots under the drawn symmetries."""
        indices, symmetry_indices = drawn
        planes, moves, policy_targets, search_values, outcomes, ownership = (ring[indices] for ring in self.ring_buffers)
        source_cells = self.source_cells[symmetry_indices]
        return TrainingBatch(
            planes=planes.gather(1, source_cells.unsqueeze(2).expand(-1, -1, planes.shape[2])),
            moves=self.symmetry_moves[symmetry_indices].gather(1, moves.long() % self.symmetry_moves.shape[1]),
            policy_targets=(policy_targets.int() & 0xFFFF).float() / 65535,
            search_values=search_values.float() / VALUE_SCALE,
            outcomes=outcomes.long(),
            ownership=ownership.gather(1, source_cells).float(),
        )
