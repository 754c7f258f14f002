"""Rows that people want to see of a table: those with certain texts, within certain ends, in an order."""

import dataclasses
import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from neural_enquirer.engines.engine import EngineError
from neural_enquirer.engines.values import folded
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Comparison, Part
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.measures import number
from neural_enquirer.tables.moments import moment
from neural_enquirer.tables.readings import Reading, read_quantity

_LAST_DAY: Final = datetime.date.max.toordinal()
_COMPARISONS: Final = {
    "~": Comparison.CONTAINS,
    "=": Comparison.EQUAL,
    ">=": Comparison.AT_LEAST,
    "<=": Comparison.AT_MOST,
}


@dataclass(frozen=True)
class Filter:
    """What the cells of a field must be like.

    Attributes:
        field: the field's number.
        test: how cells are compared; texts, case and accents aside.
        text: what with, as it was typed.
    """

    field: int
    test: Comparison
    text: str

    def condition(self, table: Table) -> lang.Condition | None:
        """The same as a condition of programs; None where it is about texts.

        Raises:
            EngineError: if it is about numbers or dates, and the text is none.
        """
        field = table.fields[self.field]
        if self.test is Comparison.EQUAL and not self.text:
            return lang.Missing(lang.Field(field.name))
        if self.test is Comparison.CONTAINS:
            return None
        reading = table.listed.reading(self.field)
        if field.type is FieldType.TEXT and (reading is None or self.test is Comparison.EQUAL):
            return None
        term = lang.Field(field.name)
        value = _read(self.text, field.type, reading)
        if value is None:
            what = "date" if field.type is FieldType.DATE else "number"
            raise EngineError(f"{field.name} is compared with a {what}, and '{self.text[:40]}' is none")
        own = term if field.type is not FieldType.TEXT else lang.PartOf(Part.AMOUNT, term)
        return lang.Compare(own, self.test, lang.Constant(value))


def _read(text: str, kind: FieldType, reading: Reading | None) -> Value | None:
    if kind is FieldType.DATE or (reading is not None and reading.is_date):
        found = moment(text.strip())
        is_there = found is not None and 1 <= found.day < _LAST_DAY
        return datetime.date.fromordinal(int(found.day)) if found is not None and is_there else None
    plain = number(text.strip().replace(",", ""))
    return plain if plain is not None or reading is None else read_quantity(text, reading)


@dataclass(frozen=True)
class Kept:
    """The rows of one table that a step of a program keeps.

    Attributes:
        step: the step.
        number: which of the tables is looked at.
        ids: what stands for the tables that the program is about; equal ids are equal tables.
        tables: those tables.
    """

    step: lang.Rows
    number: int
    ids: tuple[str, ...]
    tables: tuple[Table, ...] = dataclasses.field(compare=False, repr=False)


@dataclass(frozen=True)
class Wanted:
    """Which rows are wanted, and in which order.

    Attributes:
        sort: the number of the field that they are in the order of; None for the table's own order.
        descending: whether the largest comes first; cells that are missing always come last.
        search: words that a row must have somewhere, case and accents aside.
        filters: what some of its cells must be like.
        kept: the rows that a step of a program keeps; None for every row.
        others: whether the other rows come too, after those; engines elsewhere leave them out.
    """

    sort: int | None = None
    descending: bool = False
    search: str = ""
    filters: tuple[Filter, ...] = ()
    kept: Kept | None = None
    others: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether no row is left out."""
        return not (self.words or self.filters or self.kept)

    @property
    def words(self) -> list[str]:
        """What a row must have somewhere, in small letters without accents."""
        return folded(self.search).split()


@dataclass(frozen=True)
class Page:
    """Some of the rows that are wanted.

    Attributes:
        numbers: their numbers in the table; None where the engine does not tell.
        cells: their cells, row by row, as the table spells them.
    """

    numbers: tuple[int | None, ...]
    cells: tuple[tuple[str, ...], ...]


class View(Protocol):
    """The rows of a table, as people look at them."""

    def count(self, wanted: Wanted) -> int:
        """How many rows are wanted.

        Raises:
            EngineError: if a filter cannot be read.
        """
        ...

    def page(self, wanted: Wanted, start: int, count: int) -> Page:
        """Some of them."""
        ...


def filter_of(text: str, names: Sequence[str]) -> Filter:
    """Reads a filter: the name of a field, ``~``, ``=``, ``>=`` or ``<=``, and a text.

    Raises:
        EngineError: if there is no such field, or nothing to compare by.
    """
    found = max(_readings(text, names), default=None, key=lambda each: len(names[each.field]))
    if found is None:
        raise EngineError(f"'{text[:40]}' is no filter: write FIELD~TEXT, FIELD=TEXT, FIELD>=X or FIELD<=X")
    return found


def _readings(text: str, names: Sequence[str]) -> Iterator[Filter]:
    for place, name in enumerate(names):
        rest = text.removeprefix(name)
        for mark, test in _COMPARISONS.items():
            if text.startswith(name) and rest.startswith(mark):
                yield Filter(place, test, rest[len(mark) :])
