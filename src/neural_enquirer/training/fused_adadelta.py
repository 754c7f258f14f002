"""AdaDelta on a GPU: the whole step in one kernel (Triton).

PyTorch takes a dozen small kernels for it. Its own `Adadelta` is the plain fallback and says what is
computed; a test holds the two against each other.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

BLOCK = 1024
"""Weights a program takes."""


def usable(weights: Tensor) -> bool:
    """Whether the kernel can run here."""
    return triton is not None and weights.is_cuda


class FusedAdadelta(torch.optim.Adadelta):
    """`torch.optim.Adadelta`, with the same settings and state; the rate of a captured step is a constant."""

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Takes a step on the gradients that are there; no `closure` is called."""
        for group in self.param_groups:
            for weights in group["params"]:
                state = self.state[weights]
                if not state:
                    state["step"] = torch.zeros((), device=weights.device)
                    state["square_avg"], state["acc_delta"] = (torch.zeros_like(weights) for _ in range(2))
                _step_kernel[(triton.cdiv(weights.numel(), BLOCK),)](
                    weights.detach(),
                    weights.grad,
                    state["square_avg"],
                    state["acc_delta"],
                    group["lr"],
                    group["rho"],
                    group["eps"],
                    weights.numel(),
                    BLOCK,
                )


if triton is not None:

    @triton.jit
    def _step_kernel(  # type: ignore[no-untyped-def]
        weights, gradients, squares, deltas, rate, rho, epsilon, count, BLOCK: tl.constexpr
    ):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        inside = at < count
        gradient = tl.load(gradients + at, mask=inside, other=0.0)
        square = rho * tl.load(squares + at, mask=inside, other=0.0) + (1 - rho) * gradient * gradient
        delta = tl.load(deltas + at, mask=inside, other=0.0)
        step = tl.sqrt(delta + epsilon) / tl.sqrt(square + epsilon) * gradient
        tl.store(squares + at, square, mask=inside)
        tl.store(deltas + at, rho * delta + (1 - rho) * step * step, mask=inside)
        tl.store(weights + at, tl.load(weights + at, mask=inside, other=0.0) - rate * step, mask=inside)
