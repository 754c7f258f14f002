"""What comes nearest where nothing answers: the row that a question mentions, and the fields it has."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from neural_enquirer.asking.heard import Heard
from neural_enquirer.tables import Table
from neural_enquirer.tables.wording import cut, listed

_MOST_FIELDS: Final = 8
_MOST_CELLS: Final = 3
_LONGEST: Final = 40


@dataclass(frozen=True)
class Nearest:
    """Something in a table that the question is about, although it is no answer.

    Attributes:
        table: the name of the table.
        row: the first row with most of what is mentioned; None where only fields are named.
        fields: the fields where that was found, and those that the question names.
        message: the same in a sentence.
        count: how many rows have as much of it.
    """

    table: str
    row: int | None
    fields: tuple[str, ...]
    message: str
    count: int = 0

    def to_json(self) -> dict[str, Any]:
        """As an object of the command line's JSON."""
        return vars(self) | {"fields": list(self.fields)}


def nearest_of(heard: Heard) -> Nearest | None:
    """What the words of a question come nearest to; None where they have nothing to do with the tables."""
    if not heard.links:
        return None
    found = [_in_table(heard, number) for number in range(len(heard.tables))]
    known = [each for each in found if each is not None]
    return next((each for each in known if each.row is not None), next(iter(known), None))


def _in_table(heard: Heard, number: int) -> Nearest | None:
    table, mentions = heard.tables[number], heard.links[number].cell_mentions
    named = [name for field, name in enumerate(table.field_names) if heard.naming((number, field))]
    mentions = mentions[:, : len(table.fields)]
    counts = sum(
        ((mentions == one + 1).any(axis=1).astype(int) for one in range(len(heard.links[number].mentions))),
        np.zeros(table.row_count, int),
    )
    most = int(counts.max(initial=0))
    if most == 0:
        return _by_fields(table, named) if named else None
    rows = np.flatnonzero(counts == most)
    cells = np.flatnonzero(mentions[rows[0]]).tolist()
    fields = tuple(dict.fromkeys([*(table.field_names[cell] for cell in cells), *named]))
    # A few rows that stand for a larger table have no numbers that mean anything.
    row = int(rows[0]) if table.whole is None else None
    return Nearest(table.name, row, fields, _told(table, rows.tolist(), cells), len(rows))


def _by_fields(table: Table, named: list[str]) -> Nearest:
    told = listed(cut(name, _LONGEST) for name in named[:_MOST_CELLS])
    message = f"The nearest is the field{'s' * (len(named) > 1)} {told}."
    return Nearest(table.name, None, tuple(named), message)


def _told(table: Table, rows: list[int], cells: list[int]) -> str:
    """In a sentence: Row 4 has name Ada Marsh; its fields are name, department and salary."""
    texts = [
        f"{cut(table.field_names[cell], _LONGEST)} {cut(table.text(rows[0], cell), _LONGEST)}"
        for cell in cells[:_MOST_CELLS]
    ]
    names = [cut(name, _LONGEST) for name in table.field_names[:_MOST_FIELDS]]
    more = len(table.fields) - len(names)
    fields = listed([*names, f"{more:,} more"] if more else names)
    if table.whole is not None:
        return f"A row has {listed(texts)}; its fields are {fields}."
    if len(rows) > 1:
        return (
            f"{len(rows):,} rows have {listed(texts)}, row {rows[0] + 1:,} first; their fields are {fields}."
        )
    return f"Row {rows[0] + 1:,} has {listed(texts)}; its fields are {fields}."
