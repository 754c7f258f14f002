"""Logical forms to read: the text of what the chart found, as `query` writes it where it has such a form."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.chart import COMPARISON, FILTER
from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, DIRECTIONS
from neural_enquirer.baselines.semantic_parser.problems import Problems
from neural_enquirer.query import Comparison, Condition, Direction, Superlative, name_text
from neural_enquirer.tables import FieldType, Table

__all__ = ["Compared", "Extreme", "Filtered", "Form", "Operation", "form_of"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Filtered:
    """Keeps the rows that compare with a value of the question."""

    condition: Condition

    @property
    def field(self) -> str:
        """The field that is read."""
        return self.condition.field


@dataclass(frozen=True)
class Extreme:
    """Keeps the rows at one end of a field."""

    direction: Direction
    field: str


@dataclass(frozen=True)
class Compared:
    """All rows that compare in a field with the one row that is left."""

    field: str
    comparison: Comparison


Operation = Filtered | Extreme | Compared


@dataclass(frozen=True)
class Form:
    """Operations on rows, the first of them on all rows, and the field that is selected at the end."""

    operations: tuple[Operation, ...]
    select: str

    def to_text(self) -> str:
        """The SQL-like text of :mod:`neural_enquirer.query`.

        A form that is none of the kinds there is written in the same way: a superlative that is not the last
        operation stands among the conditions as ``argmax(year)``.
        """
        return _text(self.operations, self.select)


def _text(operations: tuple[Operation, ...], select: str) -> str:
    *first, last = operations
    if isinstance(last, Extreme):
        conditions = _conditions(tuple(first))
        superlative = Superlative(select, last.direction, last.field).to_text()
        return f"where {conditions}, {superlative}" if conditions else superlative
    return f"select {name_text(select)}, where {_conditions(operations)}"


def _conditions(operations: tuple[Operation, ...]) -> str:
    """What the rows fulfil that the operations leave; a comparison says what its row was found by."""
    written: list[str] = []
    for index, operation in enumerate(operations):
        match operation:
            case Filtered(condition):
                written.append(condition.to_text())
            case Extreme(direction, field):
                written.append(f"{direction.value}({name_text(field)})")
            case Compared(field, comparison):
                named = _text(operations[:index], field)
                written = [f"{name_text(field)} {comparison.value} ({named})"]
    return " and ".join(written)


def form_of(table: Table, problems: Problems, kinds: Ints, operations: Ints, field: int) -> Form:
    """The form that the chart holds as numbers.

    Args:
        table: what the question is asked of.
        problems: that one question.
        kinds: of its operations, as in :class:`~.chart.Cell`, the first, which makes all rows, included.
        operations: their numbers.
        field: the selected one, in the order of `problems`.
    """
    names = [table.field_names[column] for column in problems.columns[0]]
    steps: list[Operation] = []
    for kind, number in zip(kinds[1:].tolist(), operations[1:].tolist(), strict=True):
        if kind == FILTER:
            anchored, way = divmod(number, len(COMPARISONS))
            anchor, at = divmod(anchored, len(names))
            steps.append(Filtered(_condition(table, problems, names[at], COMPARISONS[way], anchor)))
        elif kind == COMPARISON:
            at, way = divmod(number, len(COMPARISONS))
            steps.append(Compared(names[at], COMPARISONS[way]))
        else:
            at, way = divmod(number, len(DIRECTIONS))
            steps.append(Extreme(DIRECTIONS[way], names[at]))
    return Form(tuple(steps), names[field])


def _condition(
    table: Table, problems: Problems, field: str, comparison: Comparison, anchor: int
) -> Condition:
    """A filter's condition: a number as the question spells it, anything else as its cell holds it."""
    column = table.field_index(field)
    if table.fields[column].type is FieldType.NUMBER:
        return Condition.spelled(field, comparison, problems.questions[0].anchors[anchor].text)
    at = int(np.flatnonzero(problems.columns[0] == column)[0])
    row = int(np.flatnonzero(problems.keys[0, :, at] == problems.values[0, anchor, at])[0])
    value = table.columns[column][row]
    assert value is not None  # Its key is a number, so that its cell is not missing.
    return Condition(field, comparison, value)
