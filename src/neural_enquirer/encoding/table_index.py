"""TableIndex: all that linking and encoding need to know of a table, computed once for all its questions.

Behind the fields of the table stands one more, the order of its rows: people ask for the last one, or for the
one after another. It can be read like any field, and its cells never answer.
"""

import functools
import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.cell_index import CellIndex
from neural_enquirer.encoding.field_features import field_features
from neural_enquirer.encoding.quantities import FIRST_YEAR, LAST_YEAR, Quantity, day_number
from neural_enquirer.encoding.row_noun import RowNoun, row_noun_of
from neural_enquirer.encoding.text import phrases_of
from neural_enquirer.encoding.unsaid import Unsaid, unsaid_values
from neural_enquirer.encoding.word_index import FieldName, WordIndex
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.arrays import Column
from neural_enquirer.tables.readings import unit_in_name
from neural_enquirer.tables.units import Kind

MISSING, RANKED, LEAST, MOST = 1, 2, 4, 8
"""The flags of a cell: it is missing; it has a rank in its field; it holds the least or greatest value."""

_NOTHING: frozenset[str] = frozenset()
_RANKED_AT_ONCE = 65_536
"""Cells that are ranked together: of long tables a field after the other, which takes less memory."""


@dataclass(frozen=True)
class FieldPhrases:
    """The folded phrases of a field's cells.

    Attributes:
        different: the phrases, each once, in the order of the alphabet; "" is the phrase of missing cells.
        codes: the place of each cell's phrase among them.
    """

    different: tuple[str, ...]
    codes: npt.NDArray[np.intp]

    @classmethod
    def all_of(cls, columns: Sequence[Column]) -> list["FieldPhrases"]:
        """Folds the texts of columns, those of each column once, and all at once, which is faster."""
        folded = iter(phrases_of([word for column in columns for word in column.words]))
        return [cls.of(column, list(itertools.islice(folded, len(column.words)))) for column in columns]

    @classmethod
    def of(cls, column: Column, folded: list[str]) -> "FieldPhrases":
        """Takes the texts of a column, and each of them folded."""
        codes = column.keys
        if not column.present.all():
            folded.append("")
            codes = np.where(column.present, codes, len(column.words))
        words = sorted(dict.fromkeys(folded))  # which are in order but for those that folding has changed
        if words == folded:
            return cls(tuple(words), codes)
        place_of = dict(zip(words, range(len(words)), strict=True))
        return cls(tuple(words), np.fromiter(map(place_of.__getitem__, folded), np.intp, len(folded))[codes])

    def take(self, rows: npt.NDArray[np.intp]) -> "FieldPhrases":
        """Those of some rows."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        return FieldPhrases(tuple(self.different[place] for place in used.tolist()), codes)

    @functools.cached_property
    def distinct(self) -> frozenset[str]:
        """The same without an order."""
        return frozenset(self.different)

    @functools.cached_property
    def _place_of(self) -> dict[str, int]:
        return dict(zip(self.different, range(len(self.different)), strict=True))

    def rows_with(self, phrases: Collection[str]) -> npt.NDArray[np.intp]:
        """The rows that have one of some phrases."""
        wanted = np.zeros(len(self.different), np.bool_)
        wanted[[self._place_of[phrase] for phrase in phrases if phrase in self._place_of]] = True
        return np.flatnonzero(wanted[self.codes])

    def ranked(self) -> npt.NDArray[np.float64]:
        """The place of each cell's phrase in the alphabet; NaN where it is missing."""
        if self.different[:1] == ("",):
            return np.where(self.codes == 0, np.nan, self.codes)
        return self.codes.astype(np.float64)


@dataclass(frozen=True)
class TableIndex(WordIndex):
    """A table, ready to be asked. The last field of every attribute is the order of rows.

    Attributes:
        names: the fields' names.
        is_date: for each field, whether its numbers are days.
        numbers: the cells of number and date fields, and of fields of text that can be read
            as amounts or dates (see `Table.reading`), as numbers; NaN in other fields and where missing.
        phrases: for each field of text, the folded phrases of its cells; None for others.
        features: numbers about each field (see `field_features`).
        ranks: for each cell its rank among the distinct values of its field, from 0 (least) to 1.
        flags: for each cell the sum of the flags that hold.
        unsaid: values that may be meant though nobody says them.
        whole: of all values of the table, where these are a few of its rows (see `Table.whole`).
        row_noun: what the title calls a row.
        kinds: what the cells of each field are amounts of, where their unit is known.
    """

    names: tuple[FieldName, ...]
    is_date: npt.NDArray[np.bool_]
    numbers: npt.NDArray[np.float64]
    phrases: tuple[FieldPhrases | None, ...]
    features: npt.NDArray[np.float32]
    ranks: npt.NDArray[np.float32]
    flags: npt.NDArray[np.uint8]
    unsaid: tuple[Unsaid, ...] = ()
    whole: "TableIndex | None" = None
    row_noun: RowNoun | None = None
    kinds: tuple[Kind | None, ...] = ()

    @classmethod
    def of(cls, table: Table, whole: "TableIndex | None" = None) -> "TableIndex":
        """Indexes a table; `whole` is the index of `table.whole`, where it has one."""
        rows, columns = table.row_count, len(table.fields)
        numbers = np.full((rows, columns + 1), np.nan)
        numbers[:, -1] = np.arange(rows)
        phrases: list[FieldPhrases | None] = []
        missing = np.zeros((rows, columns + 1), dtype=bool)
        missing[:, -1] = True  # so that it never answers
        days = [field.type is FieldType.DATE for field in table.fields]
        texts = [n for n, field in enumerate(table.fields) if field.type is FieldType.TEXT]
        folded = iter(FieldPhrases.all_of([table.array(n) for n in texts]))
        for n, (field, column) in enumerate(zip(table.fields, table.columns, strict=True)):
            gaps = None in column
            if gaps:
                missing[:, n] = [value is None for value in column]
            if field.type is FieldType.TEXT:
                phrases.append(next(folded))
                if (reading := table.reading(n)) is not None:
                    numbers[:, n], days[n] = reading.values, reading.is_date
                continue
            phrases.append(None)
            numbers[:, n] = _as_numbers(column, field.type)
        ranks, flags, distinct = _ranks(numbers, phrases)
        return cls(
            names=(*(FieldName.of(field.name) for field in table.fields), FieldName((), (), ())),
            is_date=np.array([*days, False]),
            numbers=numbers,
            phrases=(*phrases, None),
            features=field_features(table, numbers, distinct, missing),
            ranks=ranks,
            flags=flags | missing.view(np.uint8) * np.uint8(MISSING),
            unsaid=unsaid_values(table),
            whole=whole,
            row_noun=row_noun_of(table),
            kinds=tuple(_kind_of(table, n) for n in range(columns)),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and fields, the order of rows included."""
        rows, fields = self.numbers.shape
        return rows, fields

    def select(self, rows: npt.NDArray[np.intp]) -> "TableIndex":
        """Returns the index of some rows only, ranked among themselves."""
        numbers = self.numbers[rows]
        phrases = tuple(None if column is None else column.take(rows) for column in self.phrases)
        ranks, flags, _ = _ranks(numbers, phrases)
        missing = (self.flags[rows] & MISSING).astype(np.uint8)
        return replace(self, numbers=numbers, phrases=phrases, ranks=ranks, flags=flags | missing)

    @functools.cached_property
    def cells(self) -> CellIndex:
        """The different phrases of each field; none where it has numbers or dates."""
        fields = [column.distinct if column else _NOTHING for column in self.phrases]
        if self.whole is not None:
            known = self.whole.cells
            listed = [len(own) > 1 or "" not in own for own in known.fields]
            if all(is_listed or not own for is_listed, own in zip(listed, fields, strict=True)):
                return known
            each = zip(listed, known.fields, fields, strict=True)
            fields = [all_of if is_listed else own for is_listed, all_of, own in each]
        return CellIndex(fields, [n for n in self._flags.tolist() if self.phrases[n] is None])

    @functools.cached_property
    def _flags(self) -> npt.NDArray[np.intp]:
        """The fields that have ones and zeros, and nothing else."""
        numbers = self.numbers[:, :-1]  # without the order of rows
        zeros, ones, gaps = numbers == 0, numbers == 1, np.isnan(numbers)
        return np.flatnonzero(zeros.any(axis=0) & ones.any(axis=0) & (zeros | ones | gaps).all(axis=0))

    def rows_with(self, n: int, phrases: Collection[str]) -> npt.NDArray[np.intp]:
        """The rows whose cell of a field has one of some phrases."""
        column = self.phrases[n]
        if column is None:
            return np.flatnonzero(self.numbers[:, n] == 1)
        return column.rows_with(phrases)

    def day_of_a_year(self, quantity: Quantity, n: int) -> tuple[float, float]:
        """What the cells of a field are compared with, for a day without a year; NaN where with nothing."""
        found = None
        if self.is_date[n]:
            numbers = self.numbers[:, n]
            found = quantity.days_among(set(map(int, numbers[np.isfinite(numbers)].tolist())))
        elif self.phrases[n] is None and (number := quantity.part_named(self.names[n].words)) is not None:
            found = float(number), float(number)
        return found or (np.nan, np.nan)

    @functools.cached_property
    def is_ordered(self) -> npt.NDArray[np.bool_]:
        """For each field whether it has a largest value: its cells are read as numbers or dates."""
        return np.asarray(np.isfinite(self.numbers).any(axis=0))

    @functools.cached_property
    def orders(self) -> dict[int, npt.NDArray[np.intp]]:
        """For each field that has a largest value, the rows with a value, from the least to the greatest."""
        return {
            n: order[np.isfinite(self.numbers[order, n])]
            for n in np.flatnonzero(self.is_ordered).tolist()
            for order in (self.numbers[:, n].argsort(kind="stable"),)
        }

    @functools.cached_property
    def has_years(self) -> npt.NDArray[np.bool_]:
        """For each field whether its numbers can be nothing but years."""
        least = np.fmin.reduce(self.numbers, axis=0, initial=np.inf)
        return np.asarray((least >= FIRST_YEAR) & (self.largest <= LAST_YEAR) & ~self.is_date)

    @functools.cached_property
    def largest(self) -> npt.NDArray[np.float64]:
        """The largest number of each field, its sign aside; 0 where it has none."""
        return np.asarray(np.nan_to_num(np.fmax.reduce(np.abs(self.numbers), axis=0, initial=0.0)))


def _as_numbers(column: Sequence[Any], kind: FieldType) -> Sequence[float] | npt.NDArray[np.float64]:
    if kind is FieldType.DATE:
        return [np.nan if value is None else day_number(value) for value in column]
    try:
        return np.array(column, dtype=np.float64)  # makes None NaN
    except OverflowError:
        return [np.nan if value is None else _as_float(value) for value in column]


def _as_float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:  # an integer of more than 300 digits
        return float("inf") if value > 0 else float("-inf")  # type: ignore[operator]


def _kind_of(table: Table, n: int) -> Kind | None:
    """What a field has amounts of: as its texts are read, or as the unit in its name says."""
    if table.fields[n].type is FieldType.TEXT:
        reading = table.reading(n)
        return None if reading is None else reading.kind
    unit = unit_in_name(table.fields[n].name)
    return None if unit is None else unit.kind


def _ranks(
    numbers: npt.NDArray[np.float64], phrases: Sequence[FieldPhrases | None]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8], list[int]]:
    """Ranks the cells of each field among its distinct values; equal cells have equal ranks.

    Text without another order is ranked by the alphabet: what counts is that two rows with the same text can
    be seen to be alike.

    Returns:
        Ranks, flags, and how many distinct values each field has.
    """
    values = numbers.T.copy()
    has_numbers = np.asarray((~np.isnan(values)).any(axis=1))
    texts = {n: column for n, column in enumerate(phrases) if column is not None}
    alphabetic = {n: column for n, column in texts.items() if not has_numbers[n]}
    for n, column in alphabetic.items():
        values[n] = column.ranked()
    ranks, flags = np.empty(numbers.shape, np.float32), np.empty(numbers.shape, np.uint8)
    distinct: list[int] = []
    fields, height = len(values), max(1, _RANKED_AT_ONCE // max(1, len(numbers)))
    for start in range(0, fields, height):
        some = slice(start, start + height)
        place, present = _places(values[some]), ~np.isnan(values[some])
        ordered = has_numbers[some, None]
        last = place.max(axis=1, initial=0, where=present)[:, None]
        ranks[:, some] = (np.where(last > 0, place / np.maximum(last, 1), 0.5 * ordered) * present).T
        ends = np.where(ordered, LEAST * (place == 0) + MOST * (place == last) + RANKED, RANKED)
        flags[:, some] = (ends * present).T
        distinct += ((last[:, 0] + 1) * present.any(axis=1)).tolist()
    for n in texts.keys() - alphabetic.keys():
        distinct[n] = len(texts[n].distinct - {""})
    return ranks, flags, distinct


def _places(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Returns for each value how many distinct ones of its row are less; any number where it is NaN."""
    order = values.argsort(axis=1)  # NaN comes last
    order += values.shape[1] * np.arange(len(values))[:, None]
    ordered = values.ravel()[order]
    steps = np.zeros(values.shape, dtype=np.int64)
    np.cumsum(ordered[:, 1:] > ordered[:, :-1], axis=1, out=steps[:, 1:])
    places = np.empty_like(steps)
    places.ravel()[order] = steps
    return places
