"""The hyperbolic tangent, as fast as a CPU can: tanh x = 2 σ(2x) - 1.

PyTorch's own takes five times as long as its sigmoid there, and with it a fifth of all the time of an answer.
The two differ by rounding only, less than 2e-7. A GPU computes tanh directly.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor


def tanh(x: Float[Tensor, "..."], *, spent: bool = False) -> Float[Tensor, "..."]:
    """Returns tanh x; a `spent` x may be overwritten, where no gradient needs it: fresh memory costs more."""
    if x.is_cuda:
        return x.tanh()
    if torch.is_grad_enabled() and x.requires_grad:
        y: Tensor = _Tanh.apply(x)  # type: ignore[no-untyped-call]
        return y
    return tanh_(x if spent else x.clone())


def tanh_(x: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    """Replaces x by tanh x, outside of gradients."""
    return x.tanh_() if x.is_cuda else x.mul_(2).sigmoid_().mul_(2).sub_(1)


class _Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = tanh_(x.clone())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return torch.ops.aten.tanh_backward(gradient, y)  # type: ignore[no-any-return]
