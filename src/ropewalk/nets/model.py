"""The net: residual blocks over a cell and its neighbours, with a view of the whole board mixed into each block."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .config import NetConfig


def gather_neighbours(x: Tensor, neighbour_index: Tensor, inverse_neighbour_index: Tensor | None = None) -> Tensor:
    """[batch, cells, channels] to [batch, cells, slots * channels]: what is around each cell, zeros where nothing is.

    With `back`, for learning: in bfloat16 on a GPU, and with a gradient that is gathered too.
    """
    if inverse_neighbour_index is not None:
        output: Tensor = GatherNeighbours.apply(
            x.to(torch.bfloat16) if x.is_cuda else x, neighbour_index, inverse_neighbour_index
        )  # type: ignore[no-untyped-call]
        return output
    batch, cells, channels = x.shape
    padded = functional.pad(x, (0, 0, 0, 1))
    return padded.index_select(1, neighbour_index.reshape(-1)).reshape(batch, cells, neighbour_index.shape[1] * channels)


class GatherNeighbours(torch.autograd.Function):
    """`gather_neighbours` with a deterministic gradient: it gathers instead of scattering, which is slow on a GPU."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, neighbour_index: Tensor, inverse_neighbour_index: Tensor) -> Tensor:  # type: ignore[override]
        """Gather."""
        ctx.save_for_backward(inverse_neighbour_index)
        ctx.neighbourhood = neighbour_index.shape[1]
        return gather_neighbours(x, neighbour_index)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:  # type: ignore[override]
        """Gather what went out from each cell, and add it up."""
        (inverse_neighbour_index,) = ctx.saved_tensors
        batch, cells, _ = gradient.shape
        parts = functional.pad(gradient.reshape(batch, cells * ctx.neighbourhood, -1), (0, 0, 0, 1))
        return (
            parts.index_select(1, inverse_neighbour_index.reshape(-1))
            .reshape(batch, cells, inverse_neighbour_index.shape[1], -1)
            .sum(2),
            None,
            None,
        )


def invert_neighbour_index(neighbour_index: Tensor) -> Tensor:
    """[cells, slots]: the places of `around`, counted through, where each cell stands; then one after the last."""
    cells, neighbourhood = neighbour_index.shape
    flat_indices: list[list[int]] = [[] for _ in range(cells + 1)]
    for flat_index, cell in enumerate(neighbour_index.reshape(-1).tolist()):
        flat_indices[cell].append(flat_index)
    padded = [line + [cells * neighbourhood] * (neighbourhood - len(line)) for line in flat_indices[:cells]]
    return torch.tensor(padded, device=neighbour_index.device)


def global_pool(x: Tensor) -> Tensor:
    """[batch, cells, channels] to [batch, 2 * channels]: the mean and the greatest over the board."""
    return torch.cat([x.mean(1), x.amax(1)], 1)


class ResidualBlock(nn.Module):
    """Two looks around with a view of the whole board between, added to what was there."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        channels = config.channels
        self.norm = nn.LayerNorm(channels)
        self.conv1 = nn.Linear(config.neighbourhood * channels, channels)
        self.global_bias = nn.Linear(2 * channels, channels, bias=False)
        self.conv2 = nn.Linear(config.neighbourhood * channels, channels)
        nn.init.normal_(self.conv1.weight, std=(2 / (config.neighbourhood * channels)) ** 0.5)
        nn.init.normal_(self.global_bias.weight, std=0.3 * channels**-0.5)
        nn.init.normal_(self.conv2.weight, std=0.3 * (config.neighbourhood * channels) ** -0.5)

    def forward(self, x: Tensor, neighbour_index: Tensor, inverse_neighbour_index: Tensor | None = None) -> Tensor:
        """[batch, cells, channels], the same shape out."""
        normed = self.norm(x)
        hidden = self.conv1(gather_neighbours(normed, neighbour_index, inverse_neighbour_index)) + self.global_bias(
            global_pool(normed)
        ).unsqueeze(1)
        return x + self.conv2(gather_neighbours(functional.relu(hidden), neighbour_index, inverse_neighbour_index))


class PolicyValueNet(nn.Module):
    """From planes to policy logits by move id, logits of win, draw and loss, and a guess who will have each cell."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.config = config
        channels = config.channels
        self.stem = nn.Linear(config.neighbourhood * config.planes, channels)
        self.blocks = nn.ModuleList([ResidualBlock(config) for _ in range(config.blocks)])
        self.norm = nn.LayerNorm(channels)
        self.policy_hidden = nn.Linear(channels, channels)
        self.policy_global_bias = nn.Linear(2 * channels, channels, bias=False)
        self.policy = nn.Linear(channels, config.move_kinds)
        self.global_policy = nn.Linear(2 * channels, max(config.global_moves, 1))
        self.value_hidden = nn.Linear(2 * channels, channels)
        self.value = nn.Linear(channels, 3)
        self.ownership = nn.Linear(channels, 1)
        for head in (self.policy, self.global_policy, self.value, self.ownership):
            nn.init.normal_(head.weight, std=0.1 * head.in_features**-0.5)
            nn.init.zeros_(head.bias)

    def forward(
        self, planes: Tensor, neighbour_index: Tensor, inverse_neighbour_index: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Planes [batch, cells, planes]: policy [batch, moves], value [batch, 3], owners [batch, cells]."""
        x = self.stem(gather_neighbours(planes, neighbour_index))
        for block in self.blocks:
            x = block(x, neighbour_index, inverse_neighbour_index)
        x = functional.relu(self.norm(x))
        board_features = global_pool(x)
        hidden = functional.relu(self.policy_hidden(x) + self.policy_global_bias(board_features).unsqueeze(1))
        cell_policy = self.policy(hidden).transpose(1, 2).flatten(1)
        policy = torch.cat([cell_policy, self.global_policy(board_features)[:, : self.config.global_moves]], 1)
        value = self.value(functional.relu(self.value_hidden(board_features)))
        return policy, value, torch.tanh(self.ownership(x)).squeeze(2)


def expected_value(value_logits: Tensor) -> Tensor:
    """What the seat to move can expect, -1 to 1, from logits of win, draw and loss."""
    probabilities = value_logits.float().softmax(1)
    return probabilities[:, 0] - probabilities[:, 2]
