"""What is remembered of self-play: the latest positions of one board, sampled under random symmetries."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..games.game import Game
from ..search.growing import SampleBatch, policy_size
from ..search.gumbel import VALUE_SCALE


class Sample(NamedTuple):
    """Positions to learn from."""

    planes: Tensor  # int8 [batch, cells, planes]
    moves: Tensor  # int64 [batch, M], -1 where there is none
    targets: Tensor  # float [batch, M]
    values: Tensor  # float [batch], -1 to 1
    results: Tensor  # int64 [batch]
    owners: Tensor  # float [batch, cells]


class Replay:
    """A ring of positions on the device that learns."""

    def __init__(self, game: Game, capacity: int, device: torch.device) -> None:
        cells, most = len(game.board), game.max_legal_moves
        self.capacity = capacity
        self.device = device
        self.seen = 0  # positions ever put in
        shapes = ((cells, len(game.planes)), (most,), (most,), (), (), (cells,))
        kinds = (torch.int8, torch.int16, torch.int16, torch.int16, torch.int8, torch.int8)
        self.rings = [
            torch.zeros((capacity, *shape), dtype=kind, device=device) for shape, kind in zip(shapes, kinds, strict=True)
        ]
        images = np.stack([symmetry.cells for symmetry in game.symmetries]).astype(np.int64)
        self.origins = torch.from_numpy(np.argsort(images, axis=1)).to(device)
        self.move_images = torch.from_numpy(all_move_images(game)).to(device)

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def holds(self, kept: tuple[int, list[Tensor]]) -> bool:
        """Whether what another one had seen and kept fits in here."""
        seen, rings = kept
        count = min(seen, self.capacity)
        return [tuple(ring.shape) for ring in rings] == [(count, *ring.shape[1:]) for ring in self.rings]

    def put(self, harvest: SampleBatch) -> None:
        """Remember positions in the place of the oldest."""
        count = len(harvest.outcomes)
        places = torch.arange(self.seen, self.seen + count, device=self.device) % self.capacity
        parts: list[NDArray[Any]] = list(harvest)
        for ring, fresh in zip(self.rings, parts, strict=True):
            signed = fresh.view(np.int16) if fresh.dtype == np.uint16 else fresh
            fetched = torch.from_numpy(signed)
            fetched = fetched.pin_memory() if self.device.type == "cuda" else fetched
            ring[places] = fetched.to(self.device, non_blocking=True)
        self.seen += count

    def sample(self, count: int, chance: torch.Generator) -> Sample:
        """Random positions, each turned or mirrored at random."""
        drawn = torch.randint(len(self), (count,), generator=chance).to(self.device)
        turns = torch.randint(len(self.origins), (count,), generator=chance).to(self.device)
        planes, moves, targets, values, results, owners = (ring[drawn] for ring in self.rings)
        origins = self.origins[turns]
        return Sample(
            planes=planes.gather(1, origins.unsqueeze(2).expand(-1, -1, planes.shape[2])),
            moves=self.move_images[turns].gather(1, moves.long() % self.move_images.shape[1]),
            targets=(targets.int() & 0xFFFF).float() / 65535,
            values=values.float() / VALUE_SCALE,
            results=results.long(),
            owners=owners.gather(1, origins).float(),
        )


def all_move_images(game: Game) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """[symmetries, moves + 1]: where each move goes; the last column, which -1 stands for too, goes nowhere."""
    images = np.full((len(game.symmetries), policy_size(game) + 1), -1, np.int64)
    for line, symmetry in zip(images, game.symmetries, strict=True):
        line[: game.move_count] = symmetry.moves
    return images
