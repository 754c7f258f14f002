"""From the numbers of what the chart found to the program that they stand for."""

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.chart import COMPARISON, FILTER
from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, DIRECTIONS
from neural_enquirer.baselines.semantic_parser.problems import Problems
from neural_enquirer.programs.language import All, And, Cells, Compare, Condition, Extreme, Field, Rows, Where
from neural_enquirer.programs.paper import condition, spelled
from neural_enquirer.tables import FieldType, Table

Ints = npt.NDArray[np.int64]


def program_of(table: Table, problems: Problems, kinds: Ints, operations: Ints, field: int) -> Cells:
    """The program that the chart holds as numbers.

    Args:
        table: what the question is asked of.
        problems: that one question.
        kinds: of its operations, as in :class:`~.chart.Cell`, the first, which makes all rows, included.
        operations: their numbers.
        field: the selected one, in the order of `problems`.
    """
    names = [table.field_names[column] for column in problems.columns[0]]
    rows: Rows = All()
    for kind, number in zip(kinds[1:].tolist(), operations[1:].tolist(), strict=True):
        anchor, at, way = _taken_apart(kind, number, len(names))
        term = Field(names[at])
        if kind == FILTER:
            rows = _where(rows, _condition(table, problems, at, way, anchor))
        elif kind == COMPARISON:
            rows = Where(All(), Compare(term, COMPARISONS[way], Cells((term,), rows)))
        else:
            rows = Extreme(DIRECTIONS[way], term, rows)
    return Cells((Field(names[field]),), rows)


def fields_read(kinds: Ints, operations: Ints, width: int) -> list[int]:
    """The field that each operation reads, in the order of the problem's fields."""
    numbered = zip(kinds[1:].tolist(), operations[1:].tolist(), strict=True)
    return [_taken_apart(kind, number, width)[1] for kind, number in numbered]


def _taken_apart(kind: int, number: int, width: int) -> tuple[int, int, int]:
    """The anchor, the field, and the comparison or direction of a numbered operation."""
    rest, way = divmod(number, len(COMPARISONS) if kind in (FILTER, COMPARISON) else len(DIRECTIONS))
    return (*divmod(rest, width), way)


def _where(rows: Rows, further: Condition) -> Where:
    """Conditions one after another are one condition with several parts."""
    if not isinstance(rows, Where):
        return Where(rows, further)
    parts = rows.condition.parts if isinstance(rows.condition, And) else (rows.condition,)
    return Where(rows.rows, And((*parts, further)))


def _condition(table: Table, problems: Problems, at: int, way: int, anchor: int) -> Compare:
    """A filter's condition: a number as the question spells it, anything else as its cell holds it."""
    column = int(problems.columns[0, at])
    field, comparison = table.fields[column], COMPARISONS[way]
    if field.type is FieldType.NUMBER:
        return spelled(field.name, comparison, problems.questions[0].anchors[anchor].text)
    row = int(np.flatnonzero(problems.keys[0, :, at] == problems.values[0, anchor, at])[0])
    value = table.columns[column][row]
    assert value is not None  # Its key is a number, so that its cell is not missing.
    return condition(field.name, comparison, value)
