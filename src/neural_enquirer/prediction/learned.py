"""The predictor of a model that has learned corrections: of what they are about, it knows more.

What was learned about a table is used for tables with its fields; of the questions about these, for those
that were corrected, and for those that the decoder has since learned to read in a way that it is sure of. All
others are answered as if nothing had been learned, so that nothing is lost there.
"""

import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from neural_enquirer.checkpoint_files import CheckpointError
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.text import fold
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.prediction.cells import Prediction, Tables
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.prediction.verdict import Verdict
from neural_enquirer.tables import Table

KEY: Final = "learned"
"""Of config.json: what was learned is about tables with these fields."""
WEIGHTS_FILE: Final = "learned.safetensors"
JUDGE_FILE: Final = "learned-judge.safetensors"
_ALIKE: Final = 0.8
"""The share of fields that a table must have in common with another to be asked as that one is."""
_SURE: Final = 0.5
_RISEN: Final = 2.0
"""How probable the decoder must find what it has learned to say, and how many times as probable as before."""

Fields = frozenset[str]


class LearnedPredictor:
    """Two models, the one for what corrections have taught, the other for the rest."""

    def __init__(
        self,
        general: OpenPredictor,
        learned: Callable[[], OpenPredictor],
        fields: Sequence[Fields],
        corrected: Collection[str] = (),
    ) -> None:
        """Takes both models; the one that has learned is only loaded when it is asked.

        Args:
            general: the model as it was.
            learned: loads the one that has learned.
            fields: of the tables that it has learned about.
            corrected: the questions that were corrected.
        """
        self.name = general.name
        self._general, self._fields = general, fields
        self._learned = functools.cache(learned)
        self._corrected = {_plain(question) for question in corrected}

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Answers questions by all that the model that knows them can do."""
        known = [place for place, (tables, _) in enumerate(questions) if self.knows(tables)]
        verdicts = self._general.judge(questions)
        if known:
            again = self._learned().judge([questions[place] for place in known])
            for place, verdict in zip(known, again, strict=True):
                tables, question = questions[place]
                if _plain(question) in self._corrected or _has_learned(verdicts[place], verdict, tables):
                    verdicts[place] = verdict
        return verdicts

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions by the cascade alone, which learns no corrections."""
        return self._general.predict(questions)

    def link(self, tables: Tables, question: str) -> list[Links]:
        """Links a question to tables, for which nothing of it is answered."""
        return self._general.link(tables, question)

    def knows(self, tables: Iterable[Table]) -> bool:
        """Whether corrections were about such tables."""
        return any(_are_alike(fields_of(table), own) for table in tables for own in self._fields)


def _plain(question: str) -> str:
    """A question without what makes no other one of it: case, spaces, the mark at its end."""
    return " ".join(fold(question).split()).rstrip(" ?.!")


def _has_learned(before: Verdict, after: Verdict, tables: Tables) -> bool:
    """Whether a decoder has learned to say what it says: it is sure of it, and was not before."""
    best = after.ranked[0]
    was = sum(one.written for one in before.ranked if _outcome(one, tables) == _outcome(best, tables))
    return best.written >= max(_SURE, _RISEN * was)


def _outcome(one: Ranked, tables: Tables) -> tuple[str, ...] | None:
    return None if one.result is None else one.result.texts(tables)


def fields_of(table: Table) -> Fields:
    """The names of a table's fields, by which it is known."""
    return frozenset(map(fold, table.field_names))


def _are_alike(one: Fields, other: Fields) -> bool:
    return len(one & other) >= _ALIKE * len(one | other)


def corrected_questions(config: dict[str, Any]) -> list[str]:
    """The questions by whose corrections a model has learned."""
    return list(map(str, config.get("about", {}).get("learned_from", {}).get("questions", ())))


def learned_fields(config: dict[str, Any], directory: Path) -> list[Fields]:
    """The fields of the tables that a model has learned about; none where it has learned nothing.

    Raises:
        CheckpointError: if its config says so in no known way.
    """
    try:
        return [frozenset(map(str, fields)) for fields in config.get(KEY, ())]
    except TypeError:
        raise CheckpointError(f"config.json in {directory} does not say what was learned") from None
