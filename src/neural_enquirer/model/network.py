"""Network: what all models have in common that are trained, tested and kept in checkpoints."""

from typing import Any, ClassVar

from torch import nn


class Network(nn.Module):
    """A model that scores the cells of tables as answers to questions; called with a batch of both.

    Attributes:
        kind: what a checkpoint calls it.
        config: its sizes and choices, a frozen dataclass.
    """

    kind: ClassVar[str]
    config: Any

    @property
    def known_codes(self) -> int:
        """How many codes have a vector: the size of the vocabulary."""
        raise NotImplementedError
