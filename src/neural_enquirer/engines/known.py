"""What is known of a table that is elsewhere, found out once, and the table that asking makes of it."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from neural_enquirer.engines.engine import Engine
from neural_enquirer.engines.relations import Column, Relation
from neural_enquirer.tables import Field, FieldType, Table, Value, spelling
from neural_enquirer.tables.profile import FieldProfile, TableProfile

WHOLE_ROWS: Final = 5_000
"""A table of so many rows is looked at as a whole."""
MOST_LISTED: Final = 10_000
"""So many different texts of a field are listed; of more, those that a question may mean are looked up."""
MOST_LETTERS: Final = 2_000_000
"""The texts that are listed of a field have at most so many letters together."""
MOST_LETTERS_TOGETHER: Final = 20_000_000
"""The texts that are listed of a table have at most so many letters; of further fields, none are listed."""
_EXAMPLES: Final = 4


@dataclass(frozen=True)
class KnownField:
    """What is known of a field.

    Attributes:
        column: how it is read.
        distinct: how many different values there are, nearly so where they are many.
        missing: how many cells have none.
        smallest: the least value; None where there is none.
        largest: the greatest.
        listed: all different texts of a field of text; None where they are too many.
    """

    column: Column
    distinct: int
    missing: int
    smallest: Value | None
    largest: Value | None
    listed: tuple[str, ...] | None


@dataclass(frozen=True)
class Known:
    """What is known of a table.

    Attributes:
        rows: how many there are.
        fields: its fields.
        sample: some rows, column by column; all of them where they are few.
        order: what its rows are in the order of (see `Relation.order`).
    """

    rows: int
    fields: tuple[KnownField, ...]
    sample: tuple[tuple[Value | None, ...], ...]
    order: tuple[str, ...] | None

    @property
    def is_whole(self) -> bool:
        """Whether the sample has every row."""
        return self.rows <= WHOLE_ROWS


@dataclass(frozen=True, eq=False)
class EngineTable(Table):
    """A table that is elsewhere; its own rows are a few of that."""

    is_elsewhere: ClassVar[bool] = True
    engine: Engine = None  # type: ignore[assignment]  # fields of Table before it have defaults
    known: Known = None  # type: ignore[assignment]
    relation: Relation = None  # type: ignore[assignment]

    @classmethod
    def at(cls, engine: Engine, name: str, relation: Relation, known: Known) -> "EngineTable":
        """The table that an engine has."""
        fields = tuple(field.column.field for field in known.fields)
        decided = dataclasses.replace(
            relation, columns=tuple(field.column for field in known.fields), order=known.order
        )
        whole = _values(name, fields, known)
        return cls(fields, known.sample, name, None, whole, engine, known, decided)

    @property
    def rows_there(self) -> int:
        """How many rows there are where it is."""
        return self.known.rows

    def with_rows(self, columns: Sequence[Sequence[Value | None]]) -> Table:
        """A table in memory of some of its rows, which stands in for it."""
        whole = None if self.known.is_whole else self.whole
        texts = self.texts if columns is self.columns else None
        return Table(self.fields, tuple(map(tuple, columns)), self.name, texts, whole)

    def spelled_as(self, table: Table) -> "EngineTable":
        """The table with its cells spelled as in the table that it was made of, where it has all rows."""
        return dataclasses.replace(self, texts=table.texts) if self.known.is_whole else self

    @property
    def profile(self) -> TableProfile:
        """What people are told of it."""
        fields = tuple(self._told(number) for number in range(len(self.fields)))
        return TableProfile(self.name, self.known.rows, fields)

    def _told(self, number: int) -> FieldProfile:
        known, field = self.known.fields[number], self.fields[number]
        assert self.whole is not None
        reading = self.whole.reading(number)
        ends = None if field.type is FieldType.TEXT else (known.smallest, known.largest)
        seen = dict.fromkeys(cell for cell in self.columns[number] if cell is not None)
        return FieldProfile(
            name=field.name,
            type=field.type.value,
            read_as=None if reading is None else reading.kind.value,
            unit="" if reading is None or reading.is_date else reading.unit,
            distinct=known.distinct,
            missing=known.missing,
            smallest=None if ends is None or ends[0] is None else spelling(ends[0]),
            largest=None if ends is None or ends[1] is None else spelling(ends[1]),
            examples=tuple(spelling(cell) for cell in list(seen)[:_EXAMPLES]),
        )


def _values(name: str, fields: Sequence[Field], known: Known) -> Table:
    """The different values of each field, as far as they are known; none of a text with too many."""
    columns = [_values_of(field, cells) for field, cells in zip(known.fields, known.sample, strict=True)]
    longest = max(map(len, columns)) + 1  # so that each has a gap, as the cells elsewhere may
    padded = tuple((*column, *([None] * (longest - len(column)))) for column in columns)
    return Table(tuple(fields), padded, name)


def _values_of(field: KnownField, sample: Sequence[Value | None]) -> tuple[Value, ...]:
    if field.column.field.type is FieldType.TEXT:
        return field.listed or ()
    ends = (field.smallest, field.largest)
    return tuple(dict.fromkeys(value for value in (*ends, *sample) if value is not None))
