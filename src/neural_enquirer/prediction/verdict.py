"""What a model says of a question, and what every model can be asked."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from neural_enquirer.encoding.linking import Links
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.prediction.cells import Prediction, Tables


@dataclass(frozen=True)
class Verdict:
    """What a model says of a question: outcomes, and what they were judged by.

    Attributes:
        prediction: what the cascade says.
        ranked: programs with their results, and refusing, the likeliest first; nothing where the model writes
            no programs, and the cascade's word is the last.
        links: those between the question and each table.
    """

    prediction: Prediction
    ranked: tuple[Ranked, ...] = ()
    links: tuple[Links, ...] = ()


class Predictor(Protocol):
    """Anything that predicts."""

    @property
    def name(self) -> str:
        """Of the model, or the directory it came from."""
        ...

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Says which cells answer questions, each about its tables, which have at least one row each.

        Raises:
            TableError: where it cannot read so many tables, or tables so large, together.
        """
        ...

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Answers the same questions by all that the model can do.

        Raises:
            TableError: as above.
        """
        ...


class CellPredictor(ABC):
    """A model that answers with a cell and writes no programs."""

    name: str

    @abstractmethod
    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Says which cells answer questions."""

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Leaves it at that."""
        return [Verdict(prediction) for prediction in self.predict(questions)]
