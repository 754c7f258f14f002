"""What all layers share: factored linear layers, a fast tanh, typed lists of modules, flags as bits."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn

Kind = TypeVar("Kind", bound=nn.Module)


class FactoredLinear(nn.Module):
    """W [x; y; …] + b = W_x x + W_y y + … + b.

    The paper writes the concatenation. Taken apart, what depends on the question alone is computed once a
    question, not once a row or a cell. Each part starts as a layer of its own would (Glorot and Bengio), so
    that the long query embedding does not drown the short annotations.
    """

    def __init__(self, outputs: int, **inputs: int) -> None:
        """Makes the layer for inputs of these names and sizes."""
        super().__init__()
        self.weight = nn.ParameterDict()  # filled one by one: it would sort the names of a whole dict
        for name, size in inputs.items():
            self.weight[name] = nn.Parameter(nn.init.xavier_uniform_(torch.empty(outputs, size)))
        self.bias = nn.Parameter(torch.zeros(outputs))


def linear(inputs: int, outputs: int, *, bias: bool = True) -> nn.Linear:
    """Returns a linear layer that starts in the same way."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.xavier_uniform_(layer.weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


class TypedList(nn.ModuleList, Generic[Kind]):
    """`nn.ModuleList`, which for the type checker holds bare modules, with the type of what it holds."""

    if TYPE_CHECKING:

        def __getitem__(self, index: int) -> Kind: ...  # type: ignore[override]

        def __iter__(self) -> Iterator[Kind]: ...


def tanh(x: Float[Tensor, "..."], *, spent: bool = False) -> Float[Tensor, "..."]:
    """Returns tanh x = 2 σ(2x) - 1; a `spent` x may be overwritten, where no gradient needs it.

    On a CPU PyTorch's own takes five times as long as its sigmoid, and fresh memory costs more than either.
    The two differ by rounding only, less than 2e-7. A GPU computes tanh directly.
    """
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


def through(layers: Iterable[nn.Linear], hidden: Tensor) -> Tensor:
    """Passes through further hidden layers, each with tanh."""
    for layer in layers:
        hidden = tanh(layer(hidden), spent=True)
    return hidden


def bits_of(flags: UInt8[Tensor, "*shape"], count: int) -> UInt8[Tensor, "*shape {count}"]:
    """Returns the lowest bits of flags, the lowest first, in a way that other runtimes know as well."""
    masks = (2 ** torch.arange(count, device=flags.device)).to(flags.dtype)
    return (flags[..., None] & masks).ne(0).to(flags.dtype)
