"""Tables where they are: what stands for one behind FROM, and how each of its columns is read."""

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from sqlglot import exp

from neural_enquirer.tables import Field, FieldType, Table
from neural_enquirer.tables.cell_types import MISSING_AMONG_TEXT

ROW_NUMBER: Final = "row number"
"""What the column is called that counts the rows of a table with an order."""


_Type = exp.DType
_NUMBERS: Final = exp.DataType.NUMERIC_TYPES - {_Type.BIT, _Type.MONEY, _Type.SMALLMONEY}
_MOMENTS: Final = exp.DataType.TEMPORAL_TYPES - {_Type.TIME, _Type.TIMETZ}
_ZONED: Final = (_Type.TIMESTAMPTZ, _Type.TIMESTAMPLTZ)


class Cast(enum.Enum):
    """How a column is read."""

    AS_IT_IS = "as it is"
    AS_TEXT = "as text"
    TRUTH = "truth"
    """Yes and no, which are the texts true and false in every table."""
    IN_UTC = "in UTC"
    AS_DAY = "as day"
    """A point in time of which only the day counts."""
    TIDIED = "tidied"
    """Text without the blanks around it, or nothing where it says that there is nothing."""
    FINITE = "finite"
    """A number, or nothing where it is none or infinite."""


@dataclass(frozen=True)
class Column:
    """A column of a table that is elsewhere.

    Attributes:
        source: what the engine calls it.
        field: what questions call it, and what its cells are.
        cast: how it is read.
        doubt: how else it may have to be read, which its cells tell.
    """

    source: str
    field: Field
    cast: Cast = Cast.AS_IT_IS
    doubt: Cast | None = None

    def tree(self, dialect: str) -> exp.Expr:
        """The cells in SQL."""
        own = _read(self._cells, self.cast, dialect)
        if dialect != "postgres" or self.field.type is not FieldType.TEXT:
            return own
        # Texts compare by their letters everywhere, whatever the language of the server.
        return exp.Collate(this=exp.Paren(this=own), expression=exp.to_identifier("C", quoted=True))

    def doubtful(self) -> exp.Expr | None:
        """What holds of cells that are not as the column would like them; None where nothing can."""
        own = self._cells
        match self.doubt:
            case Cast.TIDIED:
                return exp.or_(exp.NEQ(this=own, expression=exp.Trim(this=own.copy())), _is_blank(own))
            case Cast.AS_DAY:
                day = exp.cast(exp.cast(own.copy(), "date"), "timestamp")
                return exp.NEQ(this=own, expression=day)
            case Cast.FINITE:
                return exp.not_(_is_finite(own))
        return None

    def decided(self, some_are: bool) -> "Column":
        """The column as its cells have it: whether some of them are doubtful."""
        needed = some_are if self.doubt is not Cast.AS_DAY else not some_are
        return replace(self, cast=self.doubt if needed and self.doubt else self.cast, doubt=None)

    @property
    def _cells(self) -> exp.Expr:
        return exp.column(self.source, quoted=True)


def _read(own: exp.Expr, cast: Cast, dialect: str) -> exp.Expr:
    match cast:
        case Cast.AS_TEXT:
            return exp.cast(own, "text")
        case Cast.TRUTH:
            yes, no = (exp.Literal.string(word) for word in ("true", "false"))
            return exp.Case().when(own, yes).when(exp.not_(own.copy()), no)
        case Cast.IN_UTC if dialect == "spark":
            here = exp.Anonymous(this="CURRENT_TIMEZONE")
            moment = exp.Anonymous(this="TO_UTC_TIMESTAMP", expressions=[own, here])
            return exp.cast(moment, exp.DataType.build("timestamp_ntz", dialect="spark"))
        case Cast.IN_UTC:
            return exp.Anonymous(this="TIMEZONE", expressions=[exp.Literal.string("UTC"), own])
        case Cast.AS_DAY:
            return exp.cast(own, "date")
        case Cast.TIDIED:
            return exp.Case().when(exp.not_(_is_blank(own)), exp.Trim(this=own.copy()))
        case Cast.FINITE:
            return exp.Case().when(_is_finite(own), own.copy())
    return own


def _is_finite(own: exp.Expr) -> exp.Expr:
    infinite = exp.cast(exp.Literal.string("Infinity"), "double")
    return exp.LT(this=exp.Abs(this=own.copy()), expression=infinite)


def _is_blank(own: exp.Expr) -> exp.Expr:
    word = exp.Lower(this=exp.Trim(this=own.copy()))
    return exp.In(this=word, expressions=[exp.Literal.string(each) for each in sorted(MISSING_AMONG_TEXT)])


@dataclass(frozen=True)
class Relation:
    """A table where it is.

    Attributes:
        source: what stands for it behind FROM.
        columns: its columns.
        order: what its rows are in the order of; nothing in there for the order in which they are stored;
            None where they have none.
        paths: the files that it is read from, if it is.
    """

    source: exp.Expr
    columns: tuple[Column, ...]
    order: tuple[str, ...] | None = None
    paths: tuple[Path, ...] = ()

    def tree(self, name: str, dialect: str, numbered: bool = False) -> exp.Subquery:
        """The table in SQL, under its name, with its fields under theirs."""
        fields = [exp.alias_(column.tree(dialect), column.field.name, quoted=True) for column in self.columns]
        if numbered:
            fields.append(exp.alias_(self._number(), ROW_NUMBER, quoted=True))
        select = exp.Select().select(*fields, copy=False).from_(self.source.copy(), copy=False)
        return select.subquery(exp.to_identifier(name, quoted=True), copy=False)

    def _number(self) -> exp.Expr:
        assert self.order is not None
        keys = [exp.Ordered(this=exp.column(key, quoted=True)) for key in self.order]
        return exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=keys) if keys else None)


def columns_of(described: Iterable[Sequence[str]], dialect: str | None = None) -> tuple[Column, ...]:
    """The columns of a table, from their names and types in SQL; blank and double names are repaired."""
    known = [(str(name), exp.DataType.build(kind, dialect=dialect, udt=True)) for name, kind, *_ in described]
    names = Table.of_columns([name for name, _ in known], [()] * len(known)).field_names
    return tuple(_column(source, name, kind.this) for name, (source, kind) in zip(names, known, strict=True))


def _column(source: str, name: str, kind: exp.DType) -> Column:
    if kind in _NUMBERS:
        doubt = Cast.FINITE if kind in exp.DataType.FLOAT_TYPES else None
        return Column(source, Field(name, FieldType.NUMBER), doubt=doubt)
    if kind in _ZONED:
        return Column(source, Field(name, FieldType.DATE), Cast.IN_UTC)
    if kind in _MOMENTS:
        doubt = None if kind is _Type.DATE else Cast.AS_DAY
        return Column(source, Field(name, FieldType.DATE), doubt=doubt)
    if kind in exp.DataType.TEXT_TYPES:
        return Column(source, Field(name, FieldType.TEXT), doubt=Cast.TIDIED)
    cast = Cast.TRUTH if kind is _Type.BOOLEAN else Cast.AS_TEXT
    return Column(source, Field(name, FieldType.TEXT), cast)
