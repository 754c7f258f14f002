"""ProgramBatch: questions with the derivations that answer them, as tensors."""

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from neural_enquirer.encoding.schema import Schema, Steps


@dataclass(frozen=True)
class ProgramBatch:
    """Questions with the derivations that answer them."""

    schema: Schema
    steps: Steps

    def __len__(self) -> int:
        return len(self.schema)

    def to(self, device: torch.device | str) -> "ProgramBatch":
        """Returns the batch with all tensors on a device."""
        return ProgramBatch(self.schema.to(device), self.steps.to(device))

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "ProgramBatch":
        """Returns the chosen examples."""
        return ProgramBatch(self.schema.select(index), self.steps.select(index))
