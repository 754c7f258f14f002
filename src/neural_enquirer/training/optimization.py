"""Optimizers and the schedule of their rate."""

import math

import torch
from torch import Tensor, nn

from neural_enquirer.training.experiment import TrainingConfig


def make_optimizer(model: nn.Module, config: TrainingConfig, *, on_gpu: bool) -> torch.optim.Optimizer:
    """Makes the optimizer; on a GPU one whose step can be captured in a graph."""
    parameters = list(model.parameters())
    if config.optimizer == "adadelta":
        return torch.optim.Adadelta(
            parameters, lr=config.learning_rate, rho=0.95, eps=1e-6, foreach=True, capturable=on_gpu
        )
    rate = torch.tensor(config.learning_rate, device=parameters[0].device) if on_gpu else config.learning_rate
    return torch.optim.AdamW(
        parameters, lr=rate, weight_decay=config.weight_decay, fused=True, capturable=on_gpu
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
