"""Asked: a question with its tables and links, and what pointing at them means in programs."""

import datetime
import functools
import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from neural_enquirer.encoding.actions.joins import find_join
from neural_enquirer.encoding.candidates import mentioned
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.quantities import FIRST_YEAR, LAST_YEAR, MONTHS, Quantity, quantities_in
from neural_enquirer.encoding.text import fold, header_words, places_of, stem
from neural_enquirer.encoding.unsaid import Unsaid
from neural_enquirer.programs.enumeration import Columns, columns_of, order_by, plain_number
from neural_enquirer.programs.language import (
    Between,
    Compare,
    Comparison,
    Condition,
    Constant,
    Field,
    Join,
    Not,
    Part,
    PartOf,
    Term,
)
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.readings import read_quantity
from neural_enquirer.tables.units import Kind, meanings
from neural_enquirer.tables.wording import nth

__all__ = ["Asked", "Place", "Said", "spelled_ranks"]

_BEHIND = re.compile(r"\s?(?P<word>[^\W\d_]+(?:/[^\W\d_]+)?|%|°\s?[^\W\d_]?)(?:\s[^\W\d_]+)?")
"""The letters or signs behind a number, among which its unit is looked for."""
_DIGITS = re.compile(r"\d[\d.,]*")
_BY_THE_FIRST = (Comparison.LESS, Comparison.AT_LEAST)
"""What comes before several days or years, or not before them, is told by the first."""


@dataclass(frozen=True)
class Place:
    """Where a field stands: the number of its table and of its column there."""

    table: int
    column: int


@dataclass(frozen=True)
class Said:
    """A number, date or month that the question says, and the words that say it."""

    quantity: Quantity
    words: tuple[int, int]
    is_month: bool = False


class Asked:
    """What a decoder can point at.

    Attributes:
        question: as it was typed.
        tables: what is asked.
        links: those between the question and each table; all have the same words, mentions and quantities.
        places: for each field of the encoded tables where it stands; None for the order of rows.
        said: the quantities, those that linking found first, and then the months.
    """

    def __init__(self, question: str, tables: Sequence[Table], links: Sequence[Links]) -> None:
        """Looks up what the links stand for."""
        self.question, self.tables, self.links = question, tuple(tables), tuple(links)
        self.places: list[Place | None] = []
        for number, table in enumerate(tables):
            self.places += [*(Place(number, column) for column in range(len(table.fields))), None]
        self._folded = fold(question)
        self.said = _said(self._folded, links[0])
        self._joins: dict[tuple[int, int], Join | None] = {}

    # Fields.

    def kind(self, place: Place) -> FieldType:
        """What the cells of a field are."""
        return self.tables[place.table].fields[place.column].type

    def field(self, place: Place) -> Field:
        """A field as programs name it."""
        table = self.tables[place.table]
        return Field(table.field_names[place.column], table.name if len(self.tables) > 1 else None)

    def term(self, place: Place, ordered: bool = False) -> Term:
        """A field as a term; where an order is wanted, what a text amounts to, or the number in it."""
        own = self.field(place)
        if not ordered or self.kind(place) is not FieldType.TEXT:
            return own
        return PartOf(order_by(self.tables[place.table], place.column), own)

    def is_date(self, place: Place) -> bool:
        """Whether the cells of a field are dates, or texts that are read as such."""
        amounts = self.tables[place.table].amounts(place.column)
        return (self.kind(place) if amounts is None else amounts.type) is FieldType.DATE

    def columns(self, table: int) -> Columns:
        """What programs over one of the tables are made of."""
        own = self.tables[table]
        return columns_of(own, own.name if len(self.tables) > 1 else None)

    def pointer(self, field: Field, tables: Collection[str] = ()) -> int:
        """The number of a field among all; of fields of one name, that of the tables named comes first.

        Raises:
            ValueError: if no table has it.
        """
        found = [
            (self.tables[place.table].name not in tables, number)
            for number, place in enumerate(self.places)
            if place is not None and self._is(place, field)
        ]
        if not found:
            raise ValueError(f"no table has the field {field.name}")
        return min(found)[1]

    def _is(self, place: Place, field: Field) -> bool:
        table = self.tables[place.table]
        return table.field_names[place.column] == field.name and field.table in (None, table.name)

    def join(self, left: int, right: int) -> Join | None:
        """How two of the tables go together."""
        if (left, right) not in self._joins:
            words = {stem(word) for word in self.links[0].words}
            self._joins[left, right] = find_join(self.tables, left, right, words)
        return self._joins[left, right]

    def spelled_as(self, value: Value, place: Place) -> Value:
        """A number as the texts of a field spell it: 1 as 1st; itself where the field has other cells."""
        if self.kind(place) is not FieldType.TEXT or not isinstance(value, int):
            return value
        cells = set(self.tables[place.table].different(place.column))
        return next((text for text in spelled_ranks(value) if text in cells), str(value))

    # Mentions.

    @property
    def mention_count(self) -> int:
        """How many mentions there are, those that nobody says included: they come last."""
        return self.spoken_count + len(self.unsaid)

    @property
    def spoken_count(self) -> int:
        """How many mentions the question says."""
        return len(self.links[0].mentions)

    @functools.cached_property
    def unsaid(self) -> tuple[tuple[int, Unsaid], ...]:
        """Values that may be meant though no word stands for them, each with the number of its field."""
        known = {(pointer, condition) for (_, pointer), condition in self._spoken.items()}
        found, first = [], 0
        for table, links in zip(self.tables, self.links, strict=True):
            for one in links.unsaid:
                pointer = first + one.field
                if (pointer, self._is_unsaid(pointer, one)) not in known:
                    found.append((pointer, one))
            first += len(table.fields) + 1
        return tuple(found)

    def _is_unsaid(self, pointer: int, one: Unsaid) -> Compare:
        place = self.places[pointer]
        assert place is not None
        return Compare(self.field(place), Comparison.EQUAL, Constant(one.value))

    @functools.cached_property
    def named(self) -> dict[tuple[int, int], Condition]:
        """For each mention and field that has it in a cell: the rows that are meant."""
        unsaid = {
            (number, pointer): self._is_unsaid(pointer, one)
            for number, (pointer, one) in enumerate(self.unsaid, start=self.spoken_count)
        }
        return self._spoken | unsaid

    @functools.cached_property
    def _spoken(self) -> dict[tuple[int, int], Condition]:
        """The same for what the question says."""
        found: dict[tuple[int, int], Condition] = {}
        first = 0
        for table, links in zip(self.tables, self.links, strict=True):
            source = table.name if len(self.tables) > 1 else None
            for number in range(len(links.mentions)):
                for condition in mentioned(number, links, table, source):
                    assert isinstance(condition.term, Field)
                    pointer = first + table.field_names.index(condition.term.name)
                    found.setdefault((number, pointer), condition)
            first += len(table.fields) + 1
        return found

    def mention_text(self, number: int) -> str:
        """A mention as its cell spells it, or as the question says it."""
        for (mention, _), condition in self.named.items():
            if (
                mention == number
                and isinstance(condition, Compare)
                and isinstance(condition.operand, Constant)
            ):
                return str(condition.operand.value)
        start, end = self.links[0].mentions[number]
        return " ".join(self.links[0].words[start:end])

    # Quantities.

    @functools.cached_property
    def comparable(self) -> dict[int, tuple[int, ...]]:
        """For each quantity the fields that it compares with."""
        lies = np.concatenate([links.quantity_fields for links in self.links], axis=1)
        found: dict[int, tuple[int, ...]] = {}
        for number, said in enumerate(self.said):
            if said.is_month:
                found[number] = tuple(
                    pointer
                    for pointer, place in enumerate(self.places)
                    if place is not None and (self.is_date(place) or self._counts_months(place))
                )
            else:
                found[number] = tuple(np.flatnonzero(lies[number]).tolist())
        return found

    def number(self, said: int) -> int | float | None:
        """A quantity as a number; None where it is a date."""
        number = self.said[said].quantity.number
        return None if number is None else plain_number(number)

    def compared(self, comparison: Comparison, said: int, place: Place) -> Condition | None:
        """A field compared with a quantity; None where that means nothing."""
        own, quantity = self.term(place, ordered=True), self.said[said].quantity
        if self.is_date(place):
            if self.said[said].is_month and quantity.number is not None:
                return Compare(PartOf(Part.MONTH, own), comparison, Constant(int(quantity.number)))
            return _dated(own, comparison, quantity, self._days(quantity, place))
        if quantity.of_a_year is not None:
            part = quantity.part_named(self._header(place)) if self._is_number(place) else None
            return None if part is None else Compare(own, comparison, Constant(part))
        number = self._amount(quantity, place, self._unit_behind(quantity))
        if number is None or quantity.last is None:
            return None if number is None else Compare(own, comparison, number)
        assert isinstance(number.value, int | float)
        return _ranged(own, comparison, number, Constant(plain_number(quantity.last_from(number.value))))

    def within(self, low: int, high: int, place: Place) -> Condition | None:
        """A field between two quantities; None where that means nothing."""
        own, first, last = self.term(place, ordered=True), self.said[low].quantity, self.said[high].quantity
        if self.is_date(place):
            one, other = self._days(first, place), self._days(last, place)
            if one is None or other is None:
                return None
            return Between(own, Constant(_day(one[0])), Constant(_day(other[1])))
        unit = self._unit_behind(last)  # which the first may share: between 5 and 10 km
        low_end = self._amount(first, place, self._unit_behind(first) or unit)
        high_end = self._amount(last, place, unit)
        return None if low_end is None or high_end is None else Between(own, low_end, high_end)

    def _is_number(self, place: Place) -> bool:
        return self.kind(place) is FieldType.NUMBER

    def _header(self, place: Place) -> tuple[str, ...]:
        """The words of a field's name."""
        main, asides = header_words(self.tables[place.table].field_names[place.column])
        return main + asides

    def _counts_months(self, place: Place) -> bool:
        """Whether a field has months as numbers."""
        return self._is_number(place) and "month" in self._header(place)

    def _days(self, quantity: Quantity, place: Place) -> tuple[float, float] | None:
        """The days that the dates of a field are compared with."""
        if quantity.of_a_year is None:
            return quantity.days
        table = self.tables[place.table]
        if self.kind(place) is FieldType.DATE:
            cells = (cell for cell in table.columns[place.column] if isinstance(cell, datetime.date))
            return quantity.days_among({cell.toordinal() for cell in cells})
        reading = table.reading(place.column)
        numbers = () if reading is None else reading.values[np.isfinite(reading.values)].tolist()
        return quantity.days_among(set(map(int, numbers)))

    def _unit_behind(self, quantity: Quantity) -> str:
        """The unit of measure behind a quantity, with its word of scale; "" where there is none."""
        written = self.question if len(self.question) == len(self._folded) else self._folded  # MB is no mb
        behind = _BEHIND.match(written, quantity.start + len(_digits(self._folded, quantity)))
        for text in () if behind is None else (behind["word"], behind[0].strip()):
            if any(unit.kind is not Kind.NUMBER for unit, _ in meanings(text)):
                return text
        return ""

    def _amount(self, quantity: Quantity, place: Place, unit: str) -> Constant | None:
        """A quantity in the unit of a field: 5 km are 5000 where it is read in metres."""
        if unit and quantity.number is not None:
            reading = self.tables[place.table].reading(place.column)
            number = quantity.number if quantity.unscaled is None else quantity.unscaled
            spelled = f"{plain_number(number)} {unit}"
            value = None if reading is None or not reading.unit else read_quantity(spelled, reading)
            if value is not None:
                return Constant(plain_number(value), spelled)
        found = self._in_the_fields_unit(quantity, place)
        return None if found is None else Constant(found)

    def _in_the_fields_unit(self, quantity: Quantity, place: Place) -> int | float | None:
        """The number as the field counts.

        8.4 million is 8.4 where its numbers are about that large, and 87 is 1987 where they are years.
        """
        if quantity.number is None:
            return None
        if quantity.unscaled is not None and self.kind(place) is FieldType.NUMBER:
            column = self.tables[place.table].columns[place.column]
            values = [abs(float(value)) for value in column if value is not None]  # type: ignore[arg-type]
            least, largest = min(values, default=0.0), max(values, default=0.0)
            is_year = quantity.unscaled > quantity.number
            are_years = least >= FIRST_YEAR and largest <= LAST_YEAR
            if are_years if is_year else largest**2 < quantity.unscaled * quantity.number:
                return plain_number(quantity.unscaled)
        return plain_number(quantity.number)


def spelled_ranks(number: int) -> tuple[str, ...]:
    """The ways in which tables write who came first, second or tenth."""
    return str(number), nth(number), f"{number}."


def _dated(
    field: Term, comparison: Comparison, quantity: Quantity, days: tuple[float, float] | None
) -> Condition | None:
    """A term of dates compared with a day, a month of a year, a year, or a decade."""
    if days is None:
        return None
    if quantity.number is not None and quantity.last is None:
        year = quantity.number if quantity.unscaled is None else quantity.unscaled  # 87 is 1987
        return Compare(PartOf(Part.YEAR, field), comparison, Constant(plain_number(year)))
    first, last = map(_day, days)
    if first == last:
        return Compare(field, comparison, Constant(first))
    return _ranged(field, comparison, Constant(first), Constant(last))


def _ranged(field: Term, comparison: Comparison, first: Constant, last: Constant) -> Condition:
    """A term compared with a decade, or with the days of a month."""
    if comparison in (Comparison.EQUAL, Comparison.DIFFERS):
        within = Between(field, first, last)
        return within if comparison is Comparison.EQUAL else Not(within)
    return Compare(field, comparison, first if comparison in _BY_THE_FIRST else last)


def _digits(folded: str, quantity: Quantity) -> str:
    """A quantity without its word of scale, which may be a unit: 5m are millions or metres."""
    said = folded[quantity.start : quantity.end]
    match = _DIGITS.search(said)
    return said if match is None else said[: match.end()].rstrip(".,")


def _day(number: float) -> datetime.date:
    return datetime.date.fromordinal(int(number))


def _said(folded: str, links: Links) -> list[Said]:
    places = places_of(folded)
    found = quantities_in(folded)
    ends = [quantity.end for quantity in found]
    said = []
    for first, last in links.quantities:
        own = found[bisect_right(ends, places[first][0])]
        said.append(Said(own, (first, last)))
    taken = {word for one in said for word in range(*one.words)}
    for place, (start, end) in enumerate(places):
        month = MONTHS.get(folded[start:end])
        if month is not None and place not in taken:
            said.append(Said(Quantity(start, end, float(month), None), (place, place + 1), is_month=True))
    return said
