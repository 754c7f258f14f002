"""Actions: programs as sequences of typed choices, which a decoder can make one by one."""

from neural_enquirer.encoding.actions.asked import Asked
from neural_enquirer.encoding.actions.building import build
from neural_enquirer.encoding.actions.deriving import derive
from neural_enquirer.encoding.actions.grammar import (
    PRODUCTIONS,
    Action,
    Derivation,
    Pool,
    Production,
    Symbol,
)

__all__ = ["PRODUCTIONS", "Action", "Asked", "Derivation", "Pool", "Production", "Symbol", "build", "derive"]
