"""The learner: the net under training, its optimiser, and the exponential moving average (EMA) of its weights."""

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

LOSS_NAMES = ("loss", "policy", "value", "ownership", "policy_kl")
WARM_UP_STEPS = 100  # steps of linear learning rate warm-up


class Learner:
    """Trains the net with AdamW and maintains its EMA; sums the losses between reports."""

    def __init__(self, net_config: NetConfig, config: TrainingConfig, device: torch.device) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.device = device
        self.net = PolicyValueNet(net_config).to(device)
        self.ema = copy.deepcopy(self.net).requires_grad_(False)
        on_cuda = device.type == "cuda"
        # a captured step reads the learning rate from the GPU
        self.device_learning_rate = torch.tensor(config.learning_rate, device=device) if on_cuda else None
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(),
            lr=config.learning_rate if self.device_learning_rate is None else self.device_learning_rate,
            weight_decay=config.weight_decay,
            fused=on_cuda,
            capturable=on_cuda,
        )
        self.parameters, self.ema_parameters = list(self.net.parameters()), list(self.ema.parameters())
        self.steps = 0
        self._loss_sums = torch.zeros(len(LOSS_NAMES), device=device)
        self._loss_count = 0

    def train_step(self, batch: TrainingBatch, neighbours: tuple[Tensor, Tensor], learning_rate: float) -> None:
        """Take one optimiser step on a batch, then update the EMA and the loss sums.

        `neighbours` is the board's neighbour index and its inverse.
        """
        self.set_learning_rate(learning_rate)
        self.finish_step(self.optimise(batch, neighbours))

    def optimise(self, batch: TrainingBatch, neighbours: tuple[Tensor, Tensor]) -> Tensor:
        """Change the weights by one optimiser step and return the losses, in the order of LOSS_NAMES.

        On a GPU the forward pass runs in bfloat16, and all of this can be captured in a CUDA graph.
        """
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            policy, value, ownership = self.net(batch.planes.float(), *neighbours)
        losses = self.compute_losses(policy.float(), value.float(), ownership.float(), batch)
        self.optimiser.zero_grad(set_to_none=True)
        losses[0].backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimiser.step()
        return torch.stack([loss.detach() for loss in losses])

    def finish_step(self, losses: Tensor) -> None:
        """Count a step, update the EMA and add the losses to the sums."""
        self.steps += 1
        self._update_ema()
        self._loss_sums += losses
        self._loss_count += 1

    def compute_losses(self, policy: Tensor, value: Tensor, ownership: Tensor, batch: TrainingBatch) -> list[Tensor]:
        """Return the losses in the order of LOSS_NAMES: the weighted sum first.

        `policy_kl` is the divergence KL(target || policy), the cross-entropy less the entropy of the target.
        """
        legal = batch.moves >= 0
        log_probabilities = policy.gather(1, batch.moves.clamp(min=0)).masked_fill(~legal, -1e9).log_softmax(1)
        policy_loss = -(batch.policy_targets * log_probabilities).sum(1).mean()
        entropy = -(batch.policy_targets * batch.policy_targets.clamp(min=1e-9).log()).sum(1).mean()
        value_loss = functional.cross_entropy(value, build_value_targets(batch, self.config.search_value_weight))
        ownership_loss = functional.mse_loss(ownership, batch.ownership)
        loss = policy_loss + value_loss + self.config.ownership_weight * ownership_loss
        return [loss, policy_loss, value_loss, ownership_loss, policy_loss - entropy]

    def set_learning_rate(self, learning_rate: float) -> None:
        """Set the optimiser's learning rate, reduced during warm-up."""
        learning_rate *= min(1.0, (self.steps + 1) / WARM_UP_STEPS)
        for group in self.optimiser.param_groups:
            if self.device_learning_rate is None:
                group["lr"] = learning_rate
            else:
                group["lr"] = self.device_learning_rate.fill_(learning_rate)

    @torch.no_grad()
    def _update_ema(self) -> None:
        """Move the EMA towards the weights; faster in the first steps, so that the initial weights do not linger."""
        weight = 1 - min(self.config.ema_decay, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(self.ema_parameters, self.parameters, weight)

    def pop_mean_losses(self) -> dict[str, float]:
        """Return the mean losses by name since the last call, 0 if there was no step, and reset the sums."""
        means = (self._loss_sums / max(self._loss_count, 1)).tolist()
        self._loss_sums.zero_()
        self._loss_count = 0
        return dict(zip(LOSS_NAMES, means, strict=True))

    def state_dict(self) -> dict[str, Any]:
        """Return the state that a checkpoint stores."""
        return {
            "net": self.net.state_dict(),
            "ema": self.ema.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps,
            "loss_sums": self._loss_sums,
            "loss_count": self._loss_count,
        }

    def load_net_weights(self, weights: dict[str, Tensor]) -> None:
        """Load weights into the net and the EMA.

        A game without global moves has no weights of the global policy head in `weights`: those are kept.
        """
        unused = () if self.net.config.global_moves else ("global_policy.weight", "global_policy.bias")
        kept = {name: tensor for name, tensor in self.net.state_dict().items() if name in unused}
        for net in (self.net, self.ema):
            net.load_state_dict(kept | weights)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore the state that `state_dict` returned, on this or another kind of device, before any step is captured."""
        self.net.load_state_dict(state["net"])
        self.ema.load_state_dict(state["ema"])
        on_cuda = self.device_learning_rate is not None  # decides where the optimiser keeps its step counts
        groups = [group | {"fused": on_cuda, "capturable": on_cuda} for group in state["optimiser"]["param_groups"]]
        self.optimiser.load_state_dict(state["optimiser"] | {"param_groups": groups})
        self.steps = state["steps"]
        self._loss_sums = state["loss_sums"].to(self.device)
        self._loss_count = state["loss_count"]


def build_value_targets(batch: TrainingBatch, search_value_weight: float) -> Tensor:
    """Return value targets: class indices (win, draw, loss) [batch], or probabilities [batch, 3] with a search value weight.

    A search value v, -1 to 1 for the seat to move, becomes the probabilities (1 + v) / 2 of a win and (1 - v) / 2 of a loss.
    """
    if search_value_weight == 0:
        return batch.outcomes
    search_targets = (
        torch.stack([1 + batch.search_values, torch.zeros_like(batch.search_values), 1 - batch.search_values], 1) / 2
    )
    return (1 - search_value_weight) * functional.one_hot(batch.outcomes, 3) + search_value_weight * search_targets
