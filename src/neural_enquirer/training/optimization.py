"""Optimizers and the schedule of their rate."""

import math

import torch
from torch import Tensor, nn

from neural_enquirer.training import fused_adadelta
from neural_enquirer.training.experiment import TrainingConfig
from neural_enquirer.training.fused_adadelta import FusedAdadelta


class FlatParameters:
    """All weights of a model behind each other in one tensor: an optimizer's step is a few large operations.

    The model's parameters become views of it: what the optimizer writes, the model reads.
    """

    def __init__(self, model: nn.Module) -> None:
        """Moves the model's parameters into one tensor."""
        self.parts = list(model.parameters())
        self.whole = nn.Parameter(torch.cat([part.detach().flatten() for part in self.parts]))
        start = 0
        for part in self.parts:
            part.data = self.whole.data[start : start + part.numel()].view_as(part)
            start += part.numel()

    def forget_gradients(self) -> None:
        """Drops the gradients of the parts."""
        for part in self.parts:
            part.grad = None

    def gather_gradients(self) -> None:
        """Collects the gradients of the parts into that of the whole."""
        gradients = [torch.zeros_like(part) if part.grad is None else part.grad for part in self.parts]
        self.whole.grad = torch.cat([gradient.flatten() for gradient in gradients])


def make_optimizer(weights: nn.Parameter, config: TrainingConfig) -> torch.optim.Optimizer:
    """Makes the optimizer; on a GPU one whose step can be captured in a graph."""
    on_gpu = weights.is_cuda
    if config.optimizer == "adadelta":
        kind = FusedAdadelta if fused_adadelta.usable(weights) else torch.optim.Adadelta
        return kind(
            [weights],
            lr=config.learning_rate,
            rho=0.95,
            eps=1e-6,
            foreach=True,
            capturable=on_gpu,
        )
    rate = torch.tensor(config.learning_rate, device=weights.device) if on_gpu else config.learning_rate
    return torch.optim.AdamW(
        [weights], lr=rate, weight_decay=config.weight_decay, fused=True, capturable=on_gpu
    )


def rate_factor(config: TrainingConfig, step: int, steps: int) -> float:
    """Returns the share of the learning rate at a step: AdamW warms up and then follows a cosine to zero."""
    if config.optimizer == "adadelta":
        return 1.0
    warmup = config.warmup * steps
    if step < warmup:
        return (step + 1) / (warmup + 1)
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(steps - warmup, 1)))


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Sets the learning rate, in place where a captured graph reads it from a tensor."""
    for group in optimizer.param_groups:
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate
