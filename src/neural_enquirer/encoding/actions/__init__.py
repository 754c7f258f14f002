"""Actions: programs as sequences of typed choices, which a decoder can make one by one."""

from typing import TYPE_CHECKING, Any

from neural_enquirer.encoding.actions.asked import Asked
from neural_enquirer.encoding.actions.building import Builder, build
from neural_enquirer.encoding.actions.grammar import (
    PRODUCTIONS,
    Action,
    Derivation,
    Pool,
    Production,
    Symbol,
)

if TYPE_CHECKING:
    from neural_enquirer.encoding.actions.deriving import derive

__all__ = [
    "PRODUCTIONS",
    "Action",
    "Asked",
    "Builder",
    "Derivation",
    "Pool",
    "Production",
    "Symbol",
    "build",
    "derive",
]


def __getattr__(name: str) -> Any:
    if name != "derive":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from neural_enquirer.encoding.actions.deriving import derive  # which only those need who train

    return derive
