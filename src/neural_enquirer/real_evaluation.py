"""How well a model answers real questions, as the field measures it: the share of right denotations.

The model answers with one cell. A question whose answer is computed, or made of several cells, counts as
wrong in `overall`; `one_cell` looks at the others alone.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from neural_enquirer.encoding.linking import SHARED, WEAK, link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.prediction import Prediction
from neural_enquirer.predictor import Predictor
from neural_enquirer.real_questions import RealExample, right

QUESTIONS_AT_ONCE = 512
MANY_CONDITIONS = 4
TABLE_SIZES = (50, 100, 200, 400)
"""The cells of a table up to which it belongs to a class of sizes."""

_NO_WORDS = Vocabulary((), frozenset())


@dataclass(frozen=True)
class RealAnswer:
    """What a model answered to a question.

    Attributes:
        example: the question.
        cell: row and field of the answer; None where the model says that the table has none.
        probability: of the answer.
        is_right: whether it is the right answer.
    """

    example: RealExample
    cell: tuple[int, int] | None
    probability: float
    is_right: bool

    @property
    def text(self) -> str | None:
        """The answer as the table spells it."""
        return None if self.cell is None else self.example.table.text(*self.cell)


@dataclass(frozen=True)
class Share:
    """A share of right answers, and of how many questions."""

    accuracy: float
    examples: int

    @classmethod
    def of(cls, answers: Sequence[RealAnswer]) -> "Share":
        """Counts the right answers."""
        return cls(sum(answer.is_right for answer in answers) / max(len(answers), 1), len(answers))


@dataclass(frozen=True)
class RealAccuracy:
    """Accuracies between 0 and 1.

    Attributes:
        overall: over all questions.
        one_cell: over those that one cell answers, by the data set's own count.
        one_cell_no_aggregation: over those of them whose query selects a cell as it is; None without queries.
        refused: the share of all questions that the model says the table cannot answer.
        examples: how many questions there are.
        breakdown: by number of conditions, by how the question names the field of the answer, by table size.
    """

    overall: float
    one_cell: float
    one_cell_no_aggregation: float | None
    refused: float
    examples: int
    breakdown: dict[str, dict[str, Share]]

    @classmethod
    def of(cls, answers: Sequence[RealAnswer]) -> "RealAccuracy":
        """Sums up answers."""
        single = [answer for answer in answers if answer.example.one_cell]
        plain = [answer for answer in single if answer.example.aggregation == "none"]
        has_queries = any(answer.example.query is not None for answer in answers)
        refused = sum(answer.cell is None for answer in answers)
        return cls(
            overall=Share.of(answers).accuracy,
            one_cell=Share.of(single).accuracy,
            one_cell_no_aggregation=Share.of(plain).accuracy if has_queries else None,
            refused=refused / max(len(answers), 1),
            examples=len(answers),
            breakdown=_breakdown(answers),
        )

    def to_json(self) -> dict[str, Any]:
        """The accuracies as the command line's JSON; what a data set does not tell is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def answer_real(
    predictor: Predictor, examples: Sequence[RealExample], progress: Callable[[int], None] | None = None
) -> list[RealAnswer]:
    """Asks a model all questions; `progress` hears how many were answered at a time."""
    answers: list[RealAnswer] = []
    for start in range(0, len(examples), QUESTIONS_AT_ONCE):
        some = examples[start : start + QUESTIONS_AT_ONCE]
        asked = [example for example in some if example.table.row_count]
        found = iter(predictor.predict([((example.table,), example.question) for example in asked]))
        answers += [
            _answer(example, next(found))
            if example.table.row_count
            else RealAnswer(example, None, 1.0, False)
            for example in some
        ]
        if progress is not None:
            progress(len(some))
    return answers


def _answer(example: RealExample, prediction: Prediction) -> RealAnswer:
    if prediction.is_refusal:
        return RealAnswer(example, None, prediction.none_probability, right(example, ()))
    _, row, field = prediction.best
    text = example.table.text(row, field)
    return RealAnswer(example, (row, field), prediction.best_probability, right(example, (text,)))


def _breakdown(answers: Sequence[RealAnswer]) -> dict[str, dict[str, Share]]:
    return {
        "conditions": _shares(answers, _conditions),
        "header": _shares(answers, header_naming),
        "table": _shares(answers, _table_size),
    }


def _shares(answers: Iterable[RealAnswer], name: Callable[[RealExample], str | None]) -> dict[str, Share]:
    groups: dict[str, list[RealAnswer]] = {}
    for answer in answers:
        group = name(answer.example)
        if group is not None:
            groups.setdefault(group, []).append(answer)
    return {group: Share.of(groups[group]) for group in sorted(groups, key=_order)}


def _order(group: str) -> tuple[int, str]:
    """Puts groups that begin with a number in the order of their numbers."""
    number = re.match(r"\d+", group)
    return (int(number[0]) if number else 0, group)


def _conditions(example: RealExample) -> str | None:
    count = example.conditions
    return None if count is None else str(count) if count < MANY_CONDITIONS else f"{MANY_CONDITIONS}+"


def header_naming(example: RealExample) -> str | None:
    """Says how the question has the answer's field: `named`, `hinted` or `not named`; None if unknown."""
    if example.query is not None:
        fields = {example.query.select}
    elif example.cells is not None:
        fields = {field for _, field in example.cells}
    else:
        return None
    levels = link(example.question, TableIndex.of(example.table), _NO_WORDS).levels[:, sorted(fields)]
    best = int(levels.max(initial=0))
    return "named" if best >= SHARED else "hinted" if best == WEAK else "not named"


def _table_size(example: RealExample) -> str:
    cells = example.table.row_count * len(example.table.fields)
    least = 1
    for most in TABLE_SIZES:
        if cells <= most:
            return f"{least}-{most} cells"
        least = most + 1
    return f"{least}+ cells"
