"""Network: what all models have in common that are trained, tested and kept in checkpoints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from jaxtyping import Float
from torch import Tensor, nn

from neural_enquirer.encoding.words import Vocabulary


@dataclass(frozen=True)
class Beginning:
    """How a network starts.

    Attributes:
        word_scale: the standard deviation of the vectors of words.
        entity_scale: the same for entities.
        read_scale: the factor of the weights with which all annotators but the first see what they read.
        freeze_entities: whether the vectors of entities stay as they are.
    """

    word_scale: float = 0.3
    entity_scale: float = 1.0
    read_scale: float = 1.0
    freeze_entities: bool = False


def check_config(config: Any) -> None:
    """Raises a ValueError that says which size, depth or share of a network's configuration cannot be.

    Its names say what they are: `…_size` and the other counts are 1 or more, `…dropout` is a share.
    """
    for name, value in vars(config).items():
        if name.endswith("dropout"):
            if not 0 <= value < 1:
                raise ValueError(f"model.{name} must be at least 0 and less than 1")
        elif name.endswith("_depth") and value < 2:
            raise ValueError(f"model.{name} must be at least 2")
        elif name == "executors" and value < 2:
            raise ValueError("model.executors must be at least 2: one that reads and one that answers")
        elif type(value) is int and value < 1:
            raise ValueError(f"model.{name} must be at least 1, not {value}")


class NetworkConfig(Protocol):
    """The sizes and choices of a network, a frozen dataclass."""

    def new_network(self, vocabulary: Vocabulary, beginning: Beginning) -> "Network":
        """Makes an untrained network; torch's random generator decides its weights."""
        ...


class Network(nn.Module):
    """A model that scores the cells of tables as answers to questions; called with a batch of both.

    Attributes:
        kind: what a checkpoint calls it, and the registry of systems.
        config: its sizes and choices.
        takes_entities: whether it can be told of entities that training never met.
        can_begin_with: whether it can begin with the weights of another one of its kind.
    """

    kind: ClassVar[str]
    config: Any
    takes_entities: ClassVar[bool] = False
    can_begin_with: ClassVar[bool] = False

    @classmethod
    def restored(
        cls, config: Mapping[str, Any], tensors: Mapping[str, Tensor], vocabulary: Vocabulary
    ) -> "Network":
        """Makes the model of a checkpoint, whose weights are then loaded into it."""
        raise NotImplementedError

    @property
    def known_codes(self) -> int:
        """How many codes have a vector: the size of the vocabulary."""
        raise NotImplementedError

    def reads(self, tables: int) -> bool:
        """Whether a question may have so many tables."""
        return tables == 1

    def with_entities(self, vectors: Float[Tensor, "new embedding"]) -> "Network":
        """Returns a model that also has these vectors, for new codes behind all others."""
        raise NotImplementedError
