"""The choices of the semantic parser."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ParserConfig:
    """How programs are searched for and learned.

    Attributes:
        beam: candidates kept in each cell of the chart.
    """

    beam: int = 200

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise ValueError(f"model.beam must be at least 1, not {self.beam}")
