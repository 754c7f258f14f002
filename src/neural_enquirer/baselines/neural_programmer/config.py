"""The sizes and choices of Neural Programmer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ProgrammerConfig:
    """How programs are written.

    Attributes:
        steps: operations in a program, the lookup of the answer included.
        embedding_size: of words, field names and operations.
        state_size: of the question RNN in each direction.
        history_size: of the history RNN.
        nested: whether there are operations that compare with the row selected so far (not in the original).
        dropout: on the question's representation, while training.
        hard: whether, once trained, each step takes its likeliest operation and field for certain.
    """

    steps: int = 4
    embedding_size: int = 40
    state_size: int = 100
    history_size: int = 100
    nested: bool = True
    dropout: float = 0.0
    hard: bool = False

    def __post_init__(self) -> None:
        if self.steps < 2:
            raise ValueError(
                f"model.steps must be at least 2, to select rows and to answer, not {self.steps}"
            )
        for name in ("embedding_size", "state_size", "history_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"model.{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise ValueError("model.dropout must be at least 0 and less than 1")
