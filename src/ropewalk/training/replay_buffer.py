"""What is remembered of self-play: the latest positions of one board, sampled under random symmetries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..games.game import Game
from ..search.gumbel import VALUE_SCALE
from ..search.gumbel_mcts import policy_size
from .selfplay.samples import SampleBatch


class TrainingBatch(NamedTuple):
    """Positions to learn from."""

    planes: Tensor  # int8 [batch, cells, planes]
    moves: Tensor  # int64 [batch, M], -1 where there is none
    policy_targets: Tensor  # float [batch, M]
    search_values: Tensor  # float [batch], -1 to 1
    outcomes: Tensor  # int64 [batch]
    ownership: Tensor  # float [batch, cells]


class ReplayBuffer:
    """A ring of positions on the device that learns."""

    def __init__(self, game: Game, capacity: int, device: torch.device) -> None:
        cells, max_moves = len(game.board), game.max_legal_moves
        self.capacity = capacity
        self.device = device
        self.num_appended = 0  # positions ever put in
        shapes = ((cells, len(game.planes)), (max_moves,), (max_moves,), (), (), (cells,))
        dtypes = (torch.int8, torch.int16, torch.int16, torch.int16, torch.int8, torch.int8)
        self.ring_buffers = [
            torch.zeros((capacity, *shape), dtype=dtype, device=device) for shape, dtype in zip(shapes, dtypes, strict=True)
        ]
        cell_images = np.stack([symmetry.cells for symmetry in game.symmetries]).astype(np.int64)
        self.source_cells = torch.from_numpy(np.argsort(cell_images, axis=1)).to(device)
        self.symmetry_moves = torch.from_numpy(symmetry_move_table(game)).to(device)

    def __len__(self) -> int:
        return min(self.num_appended, self.capacity)

    def is_compatible(self, saved: tuple[int, list[Tensor]]) -> bool:
        """Whether what another one had seen and kept fits in here."""
        num_appended, ring_buffers = saved
        count = min(num_appended, self.capacity)
        return [tuple(ring.shape) for ring in ring_buffers] == [(count, *ring.shape[1:]) for ring in self.ring_buffers]

    def append(self, samples: SampleBatch) -> None:
        """Remember positions in the place of the oldest."""
        count = len(samples.outcomes)
        slots = torch.arange(self.num_appended, self.num_appended + count, device=self.device) % self.capacity
        columns: list[NDArray[Any]] = list(samples)
        for ring, column in zip(self.ring_buffers, columns, strict=True):
            signed = column.view(np.int16) if column.dtype == np.uint16 else column
            tensor = torch.from_numpy(signed)
            tensor = tensor.pin_memory() if self.device.type == "cuda" else tensor
            ring[slots] = tensor.to(self.device, non_blocking=True)
        self.num_appended += count

    def sample(self, count: int, generator: torch.Generator) -> TrainingBatch:
        """Random positions, each turned or mirrored at random."""
        indices = torch.randint(len(self), (count,), generator=generator).to(self.device)
        symmetry_indices = torch.randint(len(self.source_cells), (count,), generator=generator).to(self.device)
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


def symmetry_move_table(game: Game) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """[symmetries, moves + 1]: where each move goes; the last column, which -1 stands for too, goes nowhere."""
    table = np.full((len(game.symmetries), policy_size(game) + 1), -1, np.int64)
    for row, symmetry in zip(table, game.symmetries, strict=True):
        row[: game.move_count] = symmetry.moves
    return table
