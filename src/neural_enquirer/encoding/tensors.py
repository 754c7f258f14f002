"""Tensors: what encoded examples have in common, whatever they hold."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
else:
    DataclassInstance = object

__all__ = ["Tensors"]

Own = TypeVar("Own", bound="Tensors")


class Tensors(DataclassInstance):
    """A frozen dataclass of tensors, of other `Tensors` and of tuples of these; the first axis is examples.

    Anything else that it holds goes for all examples.
    """

    def to(self: Own, device: torch.device | str) -> Own:
        """Returns the same with all tensors on a device."""
        return self.map(lambda tensor: tensor.to(device))

    def select(self: Own, index: Int[Tensor, "chosen"] | slice) -> Own:
        """Returns the chosen examples."""
        return self.map(lambda tensor: tensor[index])

    def map(self: Own, function: Callable[[Tensor], Tensor]) -> Own:
        """Returns the same with a function applied to every tensor."""
        parts = {item.name: _mapped(getattr(self, item.name), function) for item in fields(self)}
        return replace(self, **parts)

    def joined(self: Own, others: Sequence[Own]) -> Own:
        """Returns these examples and those of others, which must be padded to the same sizes, behind them."""
        parts: Own = _joined((self, *others))
        return parts

    @property
    def sizes_of_one(self) -> tuple[tuple[int, ...], ...]:
        """The sizes of all tensors, but for how many examples they have."""
        sizes: list[tuple[int, ...]] = []

        def told(tensor: Tensor) -> Tensor:
            sizes.append(tuple(tensor.shape[1:]))
            return tensor

        self.map(told)
        return tuple(sizes)


def _mapped(part: Any, function: Callable[[Tensor], Tensor]) -> Any:
    match part:
        case Tensor():
            return function(part)
        case Tensors():
            return part.map(function)
        case tuple():
            return tuple(_mapped(each, function) for each in part)
    return part


def _joined(parts: Sequence[Any]) -> Any:
    first = parts[0]
    match first:
        case Tensor():
            return torch.cat(list(parts))
        case Tensors():
            names = [item.name for item in fields(first)]
            return replace(
                first, **{name: _joined([getattr(part, name) for part in parts]) for name in names}
            )
        case tuple():
            return tuple(map(_joined, zip(*parts, strict=True)))
    return first
