"""What is known of a table before any question: how each field is read, its values, its ends, its gaps."""

from dataclasses import dataclass

import numpy as np

from neural_enquirer.tables.table import Table

_EXAMPLES = 4


@dataclass(frozen=True)
class FieldProfile:
    """What is known of a field.

    Attributes:
        name: its name.
        type: text, number or date.
        read_as: what its cells are amounts of (length, money, …); None for mere text.
        unit: the unit that they are compared in; "" where there is none.
        distinct: how many different values there are.
        missing: how many cells have none.
        smallest: the cell at the lower end, as the table spells it; None where nothing is put in order.
        largest: the cell at the upper end.
        examples: the first different cells.
    """

    name: str
    type: str
    read_as: str | None
    unit: str
    distinct: int
    missing: int
    smallest: str | None
    largest: str | None
    examples: tuple[str, ...]


@dataclass(frozen=True)
class TableProfile:
    """What is known of a table."""

    table: str
    rows: int
    fields: tuple[FieldProfile, ...]


def profile(table: Table) -> TableProfile:
    """Looks at every field of a table."""
    fields = tuple(_field(table, index) for index in range(len(table.fields)))
    return TableProfile(table.name, table.row_count, fields)


def _field(table: Table, index: int) -> FieldProfile:
    field, cells, reading = table.fields[index], table.columns[index], table.reading(index)
    first_rows = {cell: row for row, cell in reversed(list(enumerate(cells))) if cell is not None}
    examples = sorted(first_rows.values())[:_EXAMPLES]
    smallest = largest = None
    if reading is not None and not np.isnan(reading.values).all():
        ends = int(np.nanargmin(reading.values)), int(np.nanargmax(reading.values))
        smallest, largest = (table.text(row, index) for row in ends)
    return FieldProfile(
        name=field.name,
        type=field.type.value,
        read_as=None if reading is None else reading.kind.value,
        unit="" if reading is None or reading.is_date else reading.unit,
        distinct=len(first_rows),
        missing=cells.count(None),
        smallest=smallest,
        largest=largest,
        examples=tuple(table.text(row, index) for row in examples),
    )
