"""The choices of the semantic parser."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ParserConfig:
    """How programs are searched for and learned.

    Attributes:
        beam: forms kept in each cell of the chart.
        size: row operations of the largest form; a nested question needs three.
        longest_phrase: words of the longest spans of the question that are features.
        least_count: training questions that a phrase must occur in to be a feature.
        roles: whether features tell what a field is used for: to filter, to compare, to rank or to select.
            Without, nearer to the original, they know only that the form holds the field and the operation,
            and nothing of the words around a value.
        learning_rate: AdaGrad's.
        part: training questions between two reports; an epoch of the run is so many, not all of them.
    """

    beam: int = 100
    size: int = 3
    longest_phrase: int = 3
    least_count: int = 2
    roles: bool = True
    learning_rate: float = 0.02
    part: int = 5000

    def __post_init__(self) -> None:
        for name in ("beam", "size", "longest_phrase", "least_count", "part"):
            if getattr(self, name) < 1:
                raise ValueError(f"model.{name} must be at least 1, not {getattr(self, name)}")
        if self.learning_rate <= 0:
            raise ValueError(f"model.learning_rate must be positive, not {self.learning_rate}")
