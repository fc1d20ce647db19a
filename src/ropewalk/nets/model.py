"""The policy-value net: residual blocks over a cell and its neighbours, with a global pooling bias in each block.

A graph convolution is a linear layer over the gathered features of a cell and its neighbours, so one net serves all board
sizes of a game. Global pooling follows KataGo (Wu, 2019).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .config import NetConfig


def gather_neighbours(x: Tensor, neighbour_index: Tensor, inverse_neighbour_index: Tensor | None = None) -> Tensor:
    """Gather the features of each cell and its neighbours: [batch, cells, C] to [batch, cells, neighbourhood * C].

    Missing neighbours give zeros. With `inverse_neighbour_index`, for training, the result is in bfloat16 on a GPU and the
    gradient is deterministic.
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
    """`gather_neighbours` with a deterministic gradient, which gathers too: scattering is slow on a GPU."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, neighbour_index: Tensor, inverse_neighbour_index: Tensor) -> Tensor:  # type: ignore[override]
        """Gather neighbour features and save the inverse index."""
        ctx.save_for_backward(inverse_neighbour_index)
        ctx.neighbourhood = neighbour_index.shape[1]
        return gather_neighbours(x, neighbour_index)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:  # type: ignore[override]
        """Sum the gradients of all places into which each cell was gathered."""
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
    """Return [cells, neighbourhood]: the flat indices of each cell in `neighbour_index`, padded with its size."""
    cells, neighbourhood = neighbour_index.shape
    flat_indices: list[list[int]] = [[] for _ in range(cells + 1)]
    for flat_index, cell in enumerate(neighbour_index.reshape(-1).tolist()):
        flat_indices[cell].append(flat_index)
    padded = [indices + [cells * neighbourhood] * (neighbourhood - len(indices)) for indices in flat_indices[:cells]]
    return torch.tensor(padded, device=neighbour_index.device)


def global_pool(x: Tensor) -> Tensor:
    """Return mean and maximum over the cells: [batch, cells, channels] to [batch, 2 * channels]."""
    return torch.cat([x.mean(1), x.amax(1)], 1)


class ResidualBlock(nn.Module):
    """Pre-norm residual block: two neighbourhood convolutions, the first with a bias from global pooling."""

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
        """Return features of the same shape as `x`, [batch, cells, channels]."""
        normed = self.norm(x)
        hidden = self.conv1(gather_neighbours(normed, neighbour_index, inverse_neighbour_index)) + self.global_bias(
            global_pool(normed)
        ).unsqueeze(1)
        return x + self.conv2(gather_neighbours(functional.relu(hidden), neighbour_index, inverse_neighbour_index))


class PolicyValueNet(nn.Module):
    """Net with policy, value and ownership heads on a residual trunk."""

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
        """Evaluate planes [batch, cells, planes], seen from the seat to move.

        Returns policy logits by move id [batch, moves], logits of win, draw and loss [batch, 3], and the expected owner of
        each cell [batch, cells], 1 for the seat to move and -1 for the other.
        """
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
    """Return the expected outcome for the seat to move, -1 to 1, from logits of win, draw and loss [batch, 3]."""
    probabilities = value_logits.float().softmax(1)
    return probabilities[:, 0] - probabilities[:, 2]
