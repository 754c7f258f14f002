"""A list of modules that knows their type."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from torch import nn

Kind = TypeVar("Kind", bound=nn.Module)


class TypedList(nn.ModuleList, Generic[Kind]):
    """`nn.ModuleList`, which for the type checker holds bare modules, with the type of what it holds."""

    if TYPE_CHECKING:

        def __getitem__(self, index: int) -> Kind: ...  # type: ignore[override]

        def __iter__(self) -> Iterator[Kind]: ...
