"""The net that learns, and the slow mean of its weights that plays."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from ..nets.config import NetConfig
from ..nets.model import PolicyValueNet
from .config import TrainingConfig
from .replay_buffer import TrainingBatch

LOSS_NAMES = ("loss", "policy", "value", "owners", "surprise")
WARM_UP_STEPS = 100  # steps until the full learning rate


class Learner:
    """Takes steps; `losses` are means since they were last read."""

    def __init__(self, net_config: NetConfig, config: TrainingConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.device = device
        self.net = PolicyValueNet(net_config).to(device)
        self.ema = copy.deepcopy(self.net).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=device.type == "cuda"
        )
        self.steps = 0
        self._loss_sums = torch.zeros(len(LOSS_NAMES), device=device)
        self._loss_count = 0

    def train_step(self, batch: TrainingBatch, neighbours: tuple[Tensor, Tensor], learning_rate: float) -> None:
        """One step on one batch."""
        self._set_learning_rate(learning_rate)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            policy, value, ownership = self.net(batch.planes.float(), *neighbours)
        losses = self.compute_losses(policy.float(), value.float(), ownership.float(), batch)
        self.optimiser.zero_grad(set_to_none=True)
        losses[0].backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        self._update_ema()
        self._loss_sums += torch.stack([loss.detach() for loss in losses])
        self._loss_count += 1

    def compute_losses(self, policy: Tensor, value: Tensor, ownership: Tensor, batch: TrainingBatch) -> list[Tensor]:
        """The loss and its parts; `surprise` is how far the policy is from what the search found."""
        legal = batch.moves >= 0
        log_probabilities = policy.gather(1, batch.moves.clamp(min=0)).masked_fill(~legal, -1e9).log_softmax(1)
        policy_loss = -(batch.policy_targets * log_probabilities).sum(1).mean()
        entropy = -(batch.policy_targets * batch.policy_targets.clamp(min=1e-9).log()).sum(1).mean()
        value_loss = functional.cross_entropy(value, build_value_targets(batch, self.config.search_value_weight))
        ownership_loss = functional.mse_loss(ownership, batch.ownership)
        loss = policy_loss + value_loss + self.config.ownership_weight * ownership_loss
        return [loss, policy_loss, value_loss, ownership_loss, policy_loss - entropy]

    def _set_learning_rate(self, learning_rate: float) -> None:
        """The learning rate of this step."""
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate * min(1.0, (self.steps + 1) / WARM_UP_STEPS)

    @torch.no_grad()
    def _update_ema(self) -> None:
        """Move the mean a little towards the weights; at first faster, for it began anywhere."""
        weight = 1 - min(self.config.ema_decay, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(list(self.ema.parameters()), list(self.net.parameters()), weight)

    def pop_mean_losses(self) -> dict[str, float]:
        """The means since the last time."""
        means = (self._loss_sums / max(self._loss_count, 1)).tolist()
        self._loss_sums.zero_()
        self._loss_count = 0
        return dict(zip(LOSS_NAMES, means, strict=True))

    def state_dict(self) -> dict[str, Any]:
        """All that a checkpoint needs."""
        return {
            "net": self.net.state_dict(),
            "mean": self.ema.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps,
            "sums": self._loss_sums,
            "counted": self._loss_count,
        }

    def load_net_weights(self, weights: dict[str, Tensor]) -> None:
        """Take over another net's weights, all but those that a game without global moves has no use for."""
        unused = () if self.net.config.global_moves else ("global_policy.weight", "global_policy.bias")
        kept = {name: tensor for name, tensor in self.net.state_dict().items() if name in unused}
        for net in (self.net, self.ema):
            net.load_state_dict(kept | weights)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.ema.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps = state["steps"]
        self._loss_sums = state["sums"].to(self.device)
        self._loss_count = state["counted"]


def build_value_targets(batch: TrainingBatch, search_value_weight: float) -> Tensor:
    """The results, or how likely to win, draw and lose when the search's values count beside them, as if it saw no draws."""
    if search_value_weight == 0:
        return batch.outcomes
    search_targets = (
        torch.stack([1 + batch.search_values, torch.zeros_like(batch.search_values), 1 - batch.search_values], 1) / 2
    )
    return (1 - search_value_weight) * functional.one_hot(batch.outcomes, 3) + search_value_weight * search_targets
