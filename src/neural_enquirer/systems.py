"""The registry of systems: from the name of a kind of model to its parts.

A part is named by its place and imported when somebody needs it, so that nobody has to ask what kind of model
there is, and asking one does not load the others. A further system is a further entry.
"""

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["CLOSED", "OPEN", "SYSTEMS", "System", "baselines"]


@dataclass(frozen=True)
class System:
    """Where the parts of a system are, as "module:name".

    Attributes:
        config: the sizes and choices that [model] of an experiment holds.
        load: reads a trained one from its folder.
        predictor: makes one of a folder ready to be asked; see `prediction.loading.load_predictor`.
        trainer: prepares a run; see `training.starting.start_network`.
        answers: what a trained one answers to examples of the closed tasks, on a device.
        network: the class of the model, where it is a network that `checkpoint` keeps.
    """

    config: str
    load: str
    predictor: str
    trainer: str
    answers: str
    network: str = ""

    def part(self, name: str) -> Any:
        """Imports a part."""
        return pkgutil.resolve_name(f"neural_enquirer.{getattr(self, name)}")


OPEN: Final = "open"
"""Neural Enquirer for any tables."""
CLOSED: Final = "closed"
"""Neural Enquirer with the paper's closed vocabulary."""

_LOAD, _TRAINER = "checkpoint:load", "training.starting:start_network"
_ANSWERS = "training.accuracy:answers_of"

SYSTEMS: Final[Mapping[str, System]] = {
    OPEN: System(
        config="model.open_enquirer:OpenConfig",
        load=_LOAD,
        predictor="prediction.loading:load_open",
        trainer=_TRAINER,
        answers=_ANSWERS,
        network="model.open_enquirer:OpenEnquirer",
    ),
    CLOSED: System(
        config="model.enquirer:ModelConfig",
        load=_LOAD,
        predictor="prediction.closed:load_closed",
        trainer=_TRAINER,
        answers=_ANSWERS,
        network="model.enquirer:NeuralEnquirer",
    ),
    "neural-programmer": System(
        config="baselines.neural_programmer.programmer:ProgrammerConfig",
        load=_LOAD,
        predictor="baselines.predictors:load_programmer",
        trainer=_TRAINER,
        answers=_ANSWERS,
        network="baselines.neural_programmer.programmer:NeuralProgrammer",
    ),
    "semantic-parser": System(
        config="baselines.semantic_parser.parser:ParserConfig",
        load="baselines.semantic_parser.parser:SemanticParser.load",
        predictor="baselines.predictors:load_parser",
        trainer="baselines.semantic_parser.training:start_parser",
        answers="baselines.semantic_parser.parser:answers_of",
    ),
}
"""By what checkpoints call them."""


def baselines() -> tuple[str, ...]:
    """Names the systems that Neural Enquirer is measured against."""
    return tuple(name for name in SYSTEMS if name not in (OPEN, CLOSED))
