"""The four logical forms a question can have, with their SQL-like text and their standard SQL.

The SQL-like text is the one people read in data sets and traces::

    select #_participants, where host_city = Beijing
    argmax(host_city, year)
    where #_participants < 3,000, argmax(#_duration, #_medals)
    where year < (select year, where host_city = Athens), argmax(host_country, #_duration)

Further conditions follow with ``and``; a nested question may also select without a superlative::

    where continent = Asia and year > 1980, argmax(host_city, year)
    select host_city, where year > (select year, where host_city = Athens) and host_city <> Athens

Names and values are single words; those that are not, or that could be mistaken for a keyword or a number,
stand in double quotes. :func:`parse` reads what :meth:`to_text` writes.
"""

import dataclasses
import datetime
import enum
import functools
import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from neural_enquirer.tables import Value

__all__ = [
    "Comparison",
    "Condition",
    "Direction",
    "Nest",
    "Query",
    "QueryError",
    "SelectNest",
    "SelectWhere",
    "Superlative",
    "WhereSuperlative",
    "name_text",
    "parse",
]


class QueryError(ValueError):
    """A logical form that cannot be written or read; the message is one line for people."""


class Comparison(enum.Enum):
    """How a condition compares a cell with its value."""

    EQUAL = "="
    LESS = "<"
    MORE = ">"
    OTHER = "<>"


class Direction(enum.Enum):
    """Which end of a column a superlative asks for."""

    ARGMAX = "argmax"
    ARGMIN = "argmin"


_KEYWORDS = {"select", "where", "and", "argmax", "argmin"}
_NUMBER = re.compile(r"-?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]+)?(e[+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.+-]+)?")
_PLAIN = re.compile(r'[^\s(),<>="]+')
_TOKEN = re.compile(
    r'\s*(?:("(?:[^"]|"")*")|(-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?!\w|[.,][0-9]))|([^\s(),<>="]+)|([(),<>=]))'
)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@functools.lru_cache(maxsize=4096)
def name_text(name: str) -> str:
    """The word that stands for a field's name, in quotes where it could be mistaken for something else."""
    plain = _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS
    return name if plain else _quoted(name)


@functools.lru_cache(maxsize=4096)
def _read_value(word: str) -> Value:
    """The value that an unquoted word stands for: a number or date if it looks like one, else text."""
    if _NUMBER.fullmatch(word):
        digits = word.replace(",", "")
        return float(digits) if "." in digits or "e" in digits else int(digits)
    if _DATE.fullmatch(word):
        try:
            return datetime.datetime.fromisoformat(word) if "T" in word else datetime.date.fromisoformat(word)
        except ValueError:
            return word
    return word


def _value_text(value: Value) -> str:
    """The word that stands for a value; text that would be read as something else is quoted."""
    if isinstance(value, str):
        return name_text(value) if isinstance(_read_value(value), str) else _quoted(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return repr(value)


def _identifier(name: str) -> str:
    return _quoted(name)


def _literal(value: Value) -> str:
    """A value in standard SQL."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, datetime.datetime):
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, datetime.date):
        return f"DATE '{value.isoformat()}'"
    return repr(value)


@dataclass(frozen=True)
class Condition:
    """A field's cell compared with a value that the question names."""

    field: str
    comparison: Comparison
    value: Value
    spelling: str | None = dataclasses.field(default=None, compare=False)
    """How the value is written (``3,500``) where that differs from its plain form; no part of its
    identity."""

    def __post_init__(self) -> None:
        if isinstance(self.value, float) and not math.isfinite(self.value):
            raise QueryError(f"a condition on {self.field} needs a finite number, not {self.value}")
        if self.spelling is not None and _read_value(self.spelling) != self.value:
            raise QueryError(f"{self.spelling!r} is not a spelling of {self.value!r}")

    @classmethod
    def spelled(cls, field: str, comparison: Comparison, word: str) -> "Condition":
        """A condition on the value that `word` stands for, keeping the word as it is written."""
        value = _read_value(word)
        return cls(field, comparison, value, None if isinstance(value, str) else word)

    def to_text(self) -> str:
        """The SQL-like text, such as ``#_participants < 3,000``."""
        value = self.spelling if self.spelling is not None else _value_text(self.value)
        return f"{name_text(self.field)} {self.comparison.value} {value}"

    def to_sql(self, table: str | None = None) -> str:
        """The condition in standard SQL, its field qualified by `table` if one is given."""
        column = (
            _identifier(self.field) if table is None else f"{_identifier(table)}.{_identifier(self.field)}"
        )
        return f"{column} {self.comparison.value} {_literal(self.value)}"


def _fields(conditions: tuple[Condition, ...]) -> tuple[str, ...]:
    return tuple(condition.field for condition in conditions)


def _and_text(conditions: tuple[Condition, ...]) -> str:
    return "".join(f" and {condition.to_text()}" for condition in conditions)


def _to_sql(conditions: tuple[Condition, ...]) -> tuple[str, ...]:
    return tuple(condition.to_sql() for condition in conditions)


@dataclass(frozen=True)
class SelectWhere:
    """The selected field of the row that fulfils a condition."""

    select: str
    condition: Condition
    also: tuple[Condition, ...] = ()
    """Further conditions that the row fulfils."""

    def fields(self) -> tuple[str, ...]:
        """The names of the fields the query uses, in the order in which they are read."""
        return (self.condition.field, *_fields(self.also), self.select)

    def to_text(self) -> str:
        """The SQL-like text."""
        return f"select {name_text(self.select)}, where {self.condition.to_text()}{_and_text(self.also)}"

    def to_sql(self, table: str) -> str:
        """Standard SQL; it returns one row for every row that fulfils the conditions."""
        filters = " AND ".join((self.condition.to_sql(), *_to_sql(self.also)))
        return f"SELECT {_identifier(self.select)} FROM {_identifier(table)} WHERE {filters}"

    def to_join_sql(self, select_table: str, condition_table: str, on: str) -> str:
        """Standard SQL where the two fields stand in two tables that share the field `on`.

        Raises:
            QueryError: if there is more than one condition.
        """
        if self.also:
            raise QueryError(f"only one condition can be joined across tables, not {self.to_text()}")
        left, right, key = _identifier(select_table), _identifier(condition_table), _identifier(on)
        return (
            f"SELECT {left}.{_identifier(self.select)} FROM {left} JOIN {right} "
            f"ON {left}.{key} = {right}.{key} WHERE {self.condition.to_sql(condition_table)}"
        )


@dataclass(frozen=True)
class Superlative:
    """The selected field of the row at one end of another field."""

    select: str
    direction: Direction
    by: str

    def fields(self) -> tuple[str, ...]:
        """The names of the fields the query uses, in the order in which they are read."""
        return (self.by, self.select)

    def to_text(self) -> str:
        """The SQL-like text."""
        return f"{self.direction.value}({name_text(self.select)}, {name_text(self.by)})"

    def to_sql(self, table: str) -> str:
        """Standard SQL; ties all appear, so that one answer can be told from several."""
        return self._to_sql(table, ())

    def _to_sql(self, table: str, filters: tuple[str, ...]) -> str:
        best = "max" if self.direction is Direction.ARGMAX else "min"
        by, source = _identifier(self.by), _identifier(table)
        where = f" WHERE {' AND '.join(filters)}" if filters else ""
        extreme = f"{by} = (SELECT {best}({by}) FROM {source}{where})"
        return f"SELECT {_identifier(self.select)} FROM {source} WHERE " + " AND ".join((*filters, extreme))


@dataclass(frozen=True)
class WhereSuperlative:
    """A superlative among the rows that fulfil a condition."""

    condition: Condition
    superlative: Superlative
    also: tuple[Condition, ...] = ()
    """Further conditions that the rows fulfil."""

    def fields(self) -> tuple[str, ...]:
        """The names of the fields the query uses, in the order in which they are read."""
        return (self.condition.field, *_fields(self.also), *self.superlative.fields())

    def to_text(self) -> str:
        """The SQL-like text."""
        return f"where {self.condition.to_text()}{_and_text(self.also)}, {self.superlative.to_text()}"

    def to_sql(self, table: str) -> str:
        """Standard SQL; ties all appear."""
        return self.superlative._to_sql(table, (self.condition.to_sql(), *_to_sql(self.also)))


@dataclass(frozen=True)
class Nest:
    """A superlative among the rows that compare in one field with a row that a condition names."""

    compared: str
    comparison: Comparison
    condition: Condition
    superlative: Superlative
    also: tuple[Condition, ...] = ()
    """Further conditions that the rows fulfil, but not necessarily the one that they are compared with."""

    @property
    def named(self) -> SelectWhere:
        """The inner query, whose answer the rows are compared with."""
        return SelectWhere(self.compared, self.condition)

    def fields(self) -> tuple[str, ...]:
        """The names of the fields the query uses, in the order in which they are read."""
        read = (self.condition.field, self.compared, self.compared, *_fields(self.also))
        return (*read, *self.superlative.fields())

    def to_text(self) -> str:
        """The SQL-like text."""
        compared = _compared_text(self.named, self.comparison)
        return f"where {compared}{_and_text(self.also)}, {self.superlative.to_text()}"

    def to_sql(self, table: str) -> str:
        """Standard SQL; ties all appear, and a condition that names several rows is an error."""
        compared = _compared_sql(self.named, self.comparison, table)
        return self.superlative._to_sql(table, (compared, *_to_sql(self.also)))


@dataclass(frozen=True)
class SelectNest:
    """The selected field of the row that compares in one field with a row that a condition names."""

    select: str
    compared: str
    comparison: Comparison
    condition: Condition
    also: tuple[Condition, ...] = ()
    """Further conditions that the row fulfils, such as not to be the one it is compared with."""

    @property
    def named(self) -> SelectWhere:
        """The inner query, whose answer the rows are compared with."""
        return SelectWhere(self.compared, self.condition)

    def fields(self) -> tuple[str, ...]:
        """The names of the fields the query uses, in the order in which they are read."""
        return (self.condition.field, self.compared, self.compared, *_fields(self.also), self.select)

    def to_text(self) -> str:
        """The SQL-like text."""
        compared = _compared_text(self.named, self.comparison)
        return f"select {name_text(self.select)}, where {compared}{_and_text(self.also)}"

    def to_sql(self, table: str) -> str:
        """Standard SQL; it returns one row for every row that fulfils the conditions."""
        filters = " AND ".join((_compared_sql(self.named, self.comparison, table), *_to_sql(self.also)))
        return f"SELECT {_identifier(self.select)} FROM {_identifier(table)} WHERE {filters}"


def _compared_text(named: SelectWhere, comparison: Comparison) -> str:
    return f"{name_text(named.select)} {comparison.value} ({named.to_text()})"


def _compared_sql(named: SelectWhere, comparison: Comparison, table: str) -> str:
    return f"{_identifier(named.select)} {comparison.value} ({named.to_sql(table)})"


Query: TypeAlias = SelectWhere | Superlative | WhereSuperlative | Nest | SelectNest


def parse(text: str) -> Query:
    """Read the SQL-like text of a query.

    Raises:
        QueryError: if the text is not one of the four logical forms.
    """
    return _Parser(text).query()


@dataclass(frozen=True)
class _Token:
    """A word of the text; quoted words are never keywords and always text."""

    text: str
    kind: str  # quoted, word, or mark


def _tokens(text: str) -> list[_Token]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise QueryError(f"cannot read the query from {text[position:].strip()!r} on")
        quoted, number, word, mark = match.groups()
        if quoted is not None:
            tokens.append(_Token(quoted[1:-1].replace('""', '"'), "quoted"))
        elif mark is not None:
            tokens.append(_Token(mark, "mark"))
        else:
            tokens.append(_Token(number or word, "word"))
        position = match.end()
    return tokens


class _Parser:
    """Reads the tokens from left to right; each method takes one part of a query."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0

    def query(self) -> Query:
        query = self._query()
        if self._next < len(self._tokens):
            raise self._error("the end")
        return query

    def _query(self) -> Query:
        if self._keyword("select"):
            return self._select()
        if not self._keyword("where"):
            return self._superlative()
        compared, comparison = self._name(), self._comparison()
        if self._mark("("):
            named = self._named(compared)
            also = self._further()
            self._expect(",")
            return Nest(compared, comparison, named, self._superlative(), also)
        condition = self._condition_value(compared, comparison)
        also = self._further()
        self._expect(",")
        return WhereSuperlative(condition, self._superlative(), also)

    def _select(self) -> SelectWhere | SelectNest:
        select = self._name()
        self._expect(",")
        if not self._keyword("where"):
            raise self._error("'where'")
        compared, comparison = self._name(), self._comparison()
        if self._mark("("):
            return SelectNest(select, compared, comparison, self._named(compared), self._further())
        return SelectWhere(select, self._condition_value(compared, comparison), self._further())

    def _further(self) -> tuple[Condition, ...]:
        """The conditions after the first."""
        conditions = []
        while self._keyword("and"):
            conditions.append(self._condition_value(self._name(), self._comparison()))
        return tuple(conditions)

    def _named(self, compared: str) -> Condition:
        """The condition of the inner query, whose opening bracket has been read."""
        if not self._keyword("select"):
            raise self._error("'select'")
        inner = self._select()
        if inner.select != compared:
            raise QueryError(
                f"the inner query must select {compared!r}, which it is compared with: {self._text}"
            )
        if not isinstance(inner, SelectWhere) or inner.also:
            raise QueryError(f"the inner query may have one plain condition only: {self._text}")
        self._expect(")")
        return inner.condition

    def _superlative(self) -> Superlative:
        for direction in Direction:
            if self._keyword(direction.value):
                self._expect("(")
                select = self._name()
                self._expect(",")
                by = self._name()
                self._expect(")")
                return Superlative(select, direction, by)
        raise self._error(
            "'select', 'where', 'argmax' or 'argmin'" if self._next == 0 else "'argmax' or 'argmin'"
        )

    def _condition_value(self, name: str, comparison: Comparison) -> Condition:
        token = self._take("a value", "quoted", "word")
        if token.kind == "quoted":
            return Condition(name, comparison, token.text)
        return Condition.spelled(name, comparison, token.text)

    def _name(self) -> str:
        return self._take("a field", "quoted", "word").text

    def _comparison(self) -> Comparison:
        if self._mark("="):
            return Comparison.EQUAL
        if self._mark("<"):
            return Comparison.OTHER if self._mark(">") else Comparison.LESS
        if self._mark(">"):
            return Comparison.MORE
        raise self._error("'=', '<', '>' or '<>'")

    def _take(self, wanted: str, *kinds: str) -> _Token:
        token = self._peek()
        if token is None or token.kind not in kinds:
            raise self._error(wanted)
        self._next += 1
        return token

    def _keyword(self, word: str) -> bool:
        token = self._peek()
        found = token is not None and token.kind == "word" and token.text.lower() == word
        self._next += found
        return found

    def _mark(self, mark: str) -> bool:
        found = self._peek() == _Token(mark, "mark")
        self._next += found
        return found

    def _expect(self, mark: str) -> None:
        if not self._mark(mark):
            raise self._error(f"{mark!r}")

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _error(self, wanted: str) -> QueryError:
        token = self._peek()
        found = "the end" if token is None else repr(token.text)
        return QueryError(f"expected {wanted} but found {found} in the query: {self._text}")
