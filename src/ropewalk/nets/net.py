"""The net: residual blocks over a cell and its neighbours, with a view of the whole board mixed into each block."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .around import Design


def gathered(x: Tensor, around: Tensor, back: Tensor | None = None) -> Tensor:
    """[batch, cells, channels] to [batch, cells, slots * channels]: what is around each cell, zeros where nothing is.

    With `back`, for learning: in bfloat16 on a GPU, and with a gradient that is gathered too.
    """
    if back is not None:
        taken: Tensor = Gathering.apply(x.to(torch.bfloat16) if x.is_cuda else x, around, back)  # type: ignore[no-untyped-call]
        return taken
    batch, cells, channels = x.shape
    padded = functional.pad(x, (0, 0, 0, 1))
    return padded.index_select(1, around.reshape(-1)).reshape(batch, cells, around.shape[1] * channels)


class Gathering(torch.autograd.Function):
    """`gathered` with a gradient that adds nothing at random places, which is slow on a GPU and not the same each time."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, around: Tensor, back: Tensor) -> Tensor:  # type: ignore[override]
        """Gather."""
        ctx.save_for_backward(back)
        ctx.slots = around.shape[1]
        return gathered(x, around)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:  # type: ignore[override]
        """Gather what went out from each cell, and add it up."""
        (back,) = ctx.saved_tensors
        batch, cells, _ = gradient.shape
        parts = functional.pad(gradient.reshape(batch, cells * ctx.slots, -1), (0, 0, 0, 1))
        return parts.index_select(1, back.reshape(-1)).reshape(batch, cells, back.shape[1], -1).sum(2), None, None


def ways_back(around: Tensor) -> Tensor:
    """[cells, slots]: the places of `around`, counted through, where each cell stands; then one after the last."""
    cells, slots = around.shape
    places: list[list[int]] = [[] for _ in range(cells + 1)]
    for place, cell in enumerate(around.reshape(-1).tolist()):
        places[cell].append(place)
    padded = [line + [cells * slots] * (slots - len(line)) for line in places[:cells]]
    return torch.tensor(padded, device=around.device)


def pooled(x: Tensor) -> Tensor:
    """[batch, cells, channels] to [batch, 2 * channels]: the mean and the greatest over the board."""
    return torch.cat([x.mean(1), x.amax(1)], 1)


class Block(nn.Module):
    """Two looks around with a view of the whole board between, added to what was there."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        channels = design.channels
        self.norm = nn.LayerNorm(channels)
        self.look = nn.Linear(design.slots * channels, channels)
        self.view = nn.Linear(2 * channels, channels, bias=False)
        self.look_again = nn.Linear(design.slots * channels, channels)
        nn.init.normal_(self.look.weight, std=(2 / (design.slots * channels)) ** 0.5)
        nn.init.normal_(self.view.weight, std=0.3 * channels**-0.5)
        nn.init.normal_(self.look_again.weight, std=0.3 * (design.slots * channels) ** -0.5)

    def forward(self, x: Tensor, around: Tensor, back: Tensor | None = None) -> Tensor:
        """[batch, cells, channels], the same shape out."""
        normed = self.norm(x)
        seen = self.look(gathered(normed, around, back)) + self.view(pooled(normed)).unsqueeze(1)
        return x + self.look_again(gathered(functional.relu(seen), around, back))


class Net(nn.Module):
    """From planes to policy logits by move id, logits of win, draw and loss, and a guess who will have each cell."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        channels = design.channels
        self.stem = nn.Linear(design.slots * design.planes, channels)
        self.blocks = nn.ModuleList([Block(design) for _ in range(design.blocks)])
        self.norm = nn.LayerNorm(channels)
        self.policy_hidden = nn.Linear(channels, channels)
        self.policy_view = nn.Linear(2 * channels, channels, bias=False)
        self.policy = nn.Linear(channels, design.kinds)
        self.global_policy = nn.Linear(2 * channels, max(design.global_moves, 1))
        self.value_hidden = nn.Linear(2 * channels, channels)
        self.value = nn.Linear(channels, 3)
        self.owner = nn.Linear(channels, 1)
        for head in (self.policy, self.global_policy, self.value, self.owner):
            nn.init.normal_(head.weight, std=0.1 * head.in_features**-0.5)
            nn.init.zeros_(head.bias)

    def forward(self, planes: Tensor, around: Tensor, back: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """Planes [batch, cells, planes]: policy [batch, moves], value [batch, 3], owners [batch, cells]."""
        x = self.stem(gathered(planes, around))
        for block in self.blocks:
            x = block(x, around, back)
        x = functional.relu(self.norm(x))
        whole = pooled(x)
        hidden = functional.relu(self.policy_hidden(x) + self.policy_view(whole).unsqueeze(1))
        cells = self.policy(hidden).transpose(1, 2).flatten(1)
        policy = torch.cat([cells, self.global_policy(whole)[:, : self.design.global_moves]], 1)
        value = self.value(functional.relu(self.value_hidden(whole)))
        return policy, value, torch.tanh(self.owner(x)).squeeze(2)


def expectation(value: Tensor) -> Tensor:
    """What the seat to move can expect, -1 to 1, from logits of win, draw and loss."""
    chances = value.float().softmax(1)
    return chances[:, 0] - chances[:, 2]
