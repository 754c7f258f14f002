"""The predictor of a model that has learned corrections: of what they are about, it knows more.

What was learned about a table is used for tables with its fields. All others are asked as if nothing had been
learned, so that nothing is lost there.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from neural_enquirer.checkpoint_files import CheckpointError
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.text import fold
from neural_enquirer.prediction.cells import Prediction, Tables
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.prediction.verdict import Verdict
from neural_enquirer.tables import Table

__all__ = ["JUDGE_FILE", "KEY", "WEIGHTS_FILE", "LearnedPredictor", "learned_fields"]

KEY: Final = "learned"
"""Of config.json: what was learned is about tables with these fields."""
WEIGHTS_FILE: Final = "learned.safetensors"
JUDGE_FILE: Final = "learned-judge.safetensors"
_ALIKE: Final = 0.8
"""The share of fields that a table must have in common with another to be asked as that one is."""

Fields = frozenset[str]


class LearnedPredictor:
    """Two models, the one for tables that corrections are about, the other for the rest."""

    def __init__(
        self, general: OpenPredictor, learned: Callable[[], OpenPredictor], fields: Sequence[Fields]
    ) -> None:
        """Takes both models; the one that has learned is only loaded when it is asked."""
        self.name = general.name
        self._general, self._fields = general, fields
        self._learned = functools.cache(learned)

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Answers questions by all that the model for their tables can do."""
        return self._by_each(questions, lambda model, some: model.judge(some))

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions by the cascade alone."""
        return self._by_each(questions, lambda model, some: model.predict(some))

    def link(self, tables: Tables, question: str) -> list[Links]:
        """Links a question to tables, for which nothing of it is answered."""
        return self._general.link(tables, question)

    def _by_each(
        self,
        questions: Sequence[tuple[Tables, str]],
        answer: Callable[[OpenPredictor, Sequence[tuple[Tables, str]]], list[Any]],
    ) -> list[Any]:
        known = [self.knows(tables) for tables, _ in questions]
        answers = {}
        for side in set(known):
            some = [one for one, own in zip(questions, known, strict=True) if own == side]
            answers[side] = iter(answer(self._learned() if side else self._general, some))
        return [next(answers[side]) for side in known]

    def knows(self, tables: Iterable[Table]) -> bool:
        """Whether corrections were about such tables."""
        return any(_are_alike(fields_of(table), own) for table in tables for own in self._fields)


def fields_of(table: Table) -> Fields:
    """The names of a table's fields, by which it is known."""
    return frozenset(map(fold, table.field_names))


def _are_alike(one: Fields, other: Fields) -> bool:
    return len(one & other) >= _ALIKE * len(one | other)


def learned_fields(config: dict[str, Any], directory: Path) -> list[Fields]:
    """The fields of the tables that a model has learned about; none where it has learned nothing.

    Raises:
        CheckpointError: if its config says so in no known way.
    """
    try:
        return [frozenset(map(str, fields)) for fields in config.get(KEY, ())]
    except TypeError:
        raise CheckpointError(f"config.json in {directory} does not say what was learned") from None
