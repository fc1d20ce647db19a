"""The net that learns, and the slow mean of its weights that plays."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from ..nets.around import NetConfig
from ..nets.net import PolicyValueNet
from .replay import Sample
from .settings import Settings

PARTS = ("loss", "policy", "value", "owners", "surprise")
WARM_UP = 100  # steps until the full learning rate


class Learner:
    """Takes steps; `losses` are means since they were last read."""

    def __init__(self, design: NetConfig, settings: Settings, device: torch.device) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.device = device
        self.net = PolicyValueNet(design).to(device)
        self.mean = copy.deepcopy(self.net).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), lr=settings.rate, weight_decay=settings.decay, fused=device.type == "cuda"
        )
        self.steps = 0
        self._sums = torch.zeros(len(PARTS), device=device)
        self._counted = 0

    def learn(self, sample: Sample, board: tuple[Tensor, Tensor], rate: float) -> None:
        """One step on one batch."""
        self._pace(rate)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            policy, value, owners = self.net(sample.planes.float(), *board)
        parts = self.parts(policy.float(), value.float(), owners.float(), sample)
        self.optimiser.zero_grad(set_to_none=True)
        parts[0].backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        self._average()
        self._sums += torch.stack([part.detach() for part in parts])
        self._counted += 1

    def parts(self, policy: Tensor, value: Tensor, owners: Tensor, sample: Sample) -> list[Tensor]:
        """The loss and its parts; `surprise` is how far the policy is from what the search found."""
        legal = sample.moves >= 0
        chosen = policy.gather(1, sample.moves.clamp(min=0)).masked_fill(~legal, -1e9).log_softmax(1)
        policy_loss = -(sample.targets * chosen).sum(1).mean()
        entropy = -(sample.targets * sample.targets.clamp(min=1e-9).log()).sum(1).mean()
        value_loss = functional.cross_entropy(value, value_targets(sample, self.settings.mix))
        owner_loss = functional.mse_loss(owners, sample.owners)
        loss = policy_loss + value_loss + self.settings.owners * owner_loss
        return [loss, policy_loss, value_loss, owner_loss, policy_loss - entropy]

    def _pace(self, rate: float) -> None:
        """The learning rate of this step."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, (self.steps + 1) / WARM_UP)

    @torch.no_grad()
    def _average(self) -> None:
        """Move the mean a little towards the weights; at first faster, for it began anywhere."""
        weight = 1 - min(self.settings.average, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), weight)

    def losses(self) -> dict[str, float]:
        """The means since the last time."""
        means = (self._sums / max(self._counted, 1)).tolist()
        self._sums.zero_()
        self._counted = 0
        return dict(zip(PARTS, means, strict=True))

    def state(self) -> dict[str, Any]:
        """All that a checkpoint needs."""
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps,
            "sums": self._sums,
            "counted": self._counted,
        }

    def begin_with(self, weights: dict[str, Tensor]) -> None:
        """Take over another net's weights, all but those that a game without global moves has no use for."""
        unused = () if self.net.config.global_moves else ("global_policy.weight", "global_policy.bias")
        kept = {name: tensor for name, tensor in self.net.state_dict().items() if name in unused}
        for net in (self.net, self.mean):
            net.load_state_dict(kept | weights)

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]
        self._sums = state["sums"].to(self.device)
        self._counted = state["counted"]


def value_targets(sample: Sample, mix: float) -> Tensor:
    """The results, or how likely to win, draw and lose when the search's values count beside them, as if it saw no draws."""
    if mix == 0:
        return sample.results
    thought = torch.stack([1 + sample.values, torch.zeros_like(sample.values), 1 - sample.values], 1) / 2
    return (1 - mix) * functional.one_hot(sample.results, 3) + mix * thought
