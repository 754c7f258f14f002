"""Names, values and terms in the SQL of one dialect, as sqlglot's tree."""

import datetime
import functools
import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.frames import NUMBER_PATTERN
from neural_enquirer.programs.language import Aggregation, Comparison, Operation, Part, ProgramError
from neural_enquirer.programs.types import Scope, TableScope, amounts_of
from neural_enquirer.tables import FieldType, Value
from neural_enquirer.tables.arrays import first_moment, plain

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOLDED: Final = re.compile(r"[a-z_][a-z0-9_]*")
_FOLDS: Final = frozenset({"postgres", "redshift", "snowflake", "oracle"})
"""Dialects in which a name without quotes is folded to small or to large letters."""
_ALSO_RESERVED: Final = frozenset(
    (
        *("ADD", "ANALYSE", "ANALYZE", "ASYMMETRIC", "AT", "AUTHORIZATION"),
        *("BINARY", "BOTH", "CAST", "CHECK", "COLLATION", "COLUMNS"),
        *("CONCURRENTLY", "CURRENT_ROLE", "CURRENT_USER", "DEFERRABLE", "DO", "FREEZE"),
        *("GENERATED", "INITIALLY", "LAMBDA", "LEADING", "LOCALTIME", "LOCALTIMESTAMP"),
        *("NOTHING", "PIVOT_LONGER", "PLACING", "RAISE", "SESSION_USER", "SYMMETRIC"),
        *("TABLESAMPLE", "TRAILING", "TRANSACTION", "TRY_CAST", "TUPLE", "UNPACK"),
        *("USER", "VARIADIC", "VERBOSE"),
    )
)
"""Words that some database reserves and sqlglot does not list."""
COMPARISONS: Final[dict[Comparison, type[exp.Binary]]] = {
    Comparison.EQUAL: exp.EQ,
    Comparison.DIFFERS: exp.NEQ,
    Comparison.LESS: exp.LT,
    Comparison.MORE: exp.GT,
    Comparison.AT_MOST: exp.LTE,
    Comparison.AT_LEAST: exp.GTE,
}
AGGREGATIONS: Final[dict[Aggregation, type[exp.Func]]] = {
    Aggregation.SUM: exp.Sum,
    Aggregation.AVERAGE: exp.Avg,
    Aggregation.MEDIAN: exp.Median,
    Aggregation.MINIMUM: exp.Min,
    Aggregation.MAXIMUM: exp.Max,
}
_MOST_AMOUNTS: Final = 1000
_STRFTIME: Final = {Part.YEAR: "%Y", Part.MONTH: "%m", Part.DAY: "%d"}


@dataclass(frozen=True)
class Term:
    """A term in SQL, with what is needed to write what it is compared with."""

    tree: exp.Expr
    type: FieldType
    timed: bool = False
    """For dates: whether it has a time of day."""
    gaps: bool = True
    """Whether it may be missing."""


@functools.lru_cache(maxsize=64)
def _reserved(dialect: str) -> frozenset[str]:
    tokenizer = Dialect.get_or_raise(dialect).tokenizer_class
    return _ALSO_RESERVED | {word for keyword in tokenizer.KEYWORDS for word in keyword.upper().split()}


def identifier(name: str, dialect: str) -> exp.Identifier:
    """A name, in quotes where it needs them."""
    plain = (_FOLDED if dialect in _FOLDS else _PLAIN).fullmatch(name)
    safe = plain is not None and name.upper() not in _reserved(dialect)
    return exp.to_identifier(name, quoted=not safe)


def literal(value: Value, dialect: str, timed: bool = False) -> exp.Expr:
    """A value; a date is a point in time where it is compared with one."""
    if isinstance(value, str):
        return exp.Literal.string(value)
    if not isinstance(value, datetime.date):
        number = exp.Literal.number(repr(abs(value)))
        return exp.Neg(this=number) if value < 0 else number
    if timed and not isinstance(value, datetime.datetime):
        value = first_moment(value)
    if isinstance(value, datetime.datetime) and dialect == "sqlite" and not timed:
        value = value.date() if value.time() == datetime.time() else value  # as SQLite keeps days
    kind = "timestamp" if isinstance(value, datetime.datetime) else "date"
    text = exp.Literal.string(str(value))
    return text if dialect == "sqlite" else exp.cast(text, kind)


def compare(left: exp.Expr, comparison: Comparison, right: exp.Expr) -> exp.Expr:
    """A comparison of two trees."""
    return COMPARISONS[comparison](this=left, expression=right)


def alike(left: Term, right: Term, dialect: str) -> tuple[exp.Expr, exp.Expr]:
    """Two terms as they compare: SQLite keeps dates as texts, where a day needs its midnight."""
    if dialect != "sqlite" or left.type is not FieldType.DATE:
        return left.tree, right.tree
    timed = left.timed or right.timed
    first, second = (
        exp.Anonymous(this="DATETIME", expressions=[term.tree]) if timed and not term.timed else term.tree
        for term in (left, right)
    )
    return first, second


def like(text: exp.Expr, comparison: Comparison, part: str, dialect: str) -> exp.Expr:
    """Whether a text has a part; letters count with their case, which LIKE of SQLite ignores."""
    before = "" if comparison is Comparison.STARTS else "*"
    after = "" if comparison is Comparison.ENDS else "*"
    if dialect == "sqlite":
        pattern = before + re.sub(r"([*?\[])", r"[\1]", part) + after
        return exp.Glob(this=text, expression=exp.Literal.string(pattern))
    escaped = re.sub(r"([%_!])", r"!\1", part)
    pattern = before.replace("*", "%") + escaped + after.replace("*", "%")
    found = exp.Like(this=text, expression=exp.Literal.string(pattern))
    if escaped == part and "\\" not in part:
        return found
    return exp.Escape(this=found, expression=exp.Literal.string("!"))


def is_present(tree: exp.Expr) -> exp.Expr:
    """That a term is not missing."""
    return exp.Is(this=tree, expression=exp.Not(this=exp.Null()))


def part(which: Part, inner: Term, dialect: str) -> Term:
    """The year, month or day of a date, or the first number in a text."""
    if which is Part.NUMBER:
        return Term(_number_in(inner.tree, dialect), FieldType.NUMBER)
    if dialect == "sqlite":
        text = exp.Anonymous(this="STRFTIME", expressions=[exp.Literal.string(_STRFTIME[which]), inner.tree])
        tree: exp.Expr = exp.cast(text, "int")
    else:
        tree = exp.Extract(this=exp.var(which.name), expression=inner.tree)
    return Term(tree, FieldType.NUMBER, gaps=inner.gaps)


def _number_in(text: exp.Expr, dialect: str) -> exp.Expr:
    pattern = exp.Literal.string(NUMBER_PATTERN)
    if dialect in ("postgres", "redshift"):
        found: exp.Expr = exp.Anonymous(this="SUBSTRING", expressions=[text, pattern])
    else:
        found = exp.RegexpExtract(this=text, expression=pattern, group=exp.Literal.number(0))
    digits = exp.func("REPLACE", found, exp.Literal.string(","), exp.Literal.string(""))
    return exp.cast(exp.Nullif(this=digits, expression=exp.Literal.string("")), "double")


def amount(text: Term, field: lang.Field, scope: Scope, dialect: str) -> Term:
    """What each text of a field amounts to, text by text: no SQL reads "2h 15m".

    Raises:
        ProgramError: if there are too many different texts.
    """
    values = amounts_of(field, scope)
    assert isinstance(scope, TableScope)
    home = scope.home(field)
    texts = scope.tables[home.table].array(home.column)
    there = np.flatnonzero(texts.present & values.present)
    value_of = dict(zip(texts.keys[there].tolist(), values.keys[there].tolist(), strict=True))
    if len(value_of) > _MOST_AMOUNTS:
        raise ProgramError(f"SQL cannot say what {len(value_of):,} different texts of {field.name} amount to")
    choices = [
        exp.If(
            this=exp.Literal.string(texts.words[word]),
            true=literal(plain(values.exact_of(key)), dialect, values.timed),
        )
        for word, key in value_of.items()
    ]
    tree: exp.Expr = exp.Case(this=text.tree, ifs=choices)
    if values.type is FieldType.NUMBER:
        tree = exp.cast(tree, "double")
    return Term(tree, values.type, values.timed)


def combined(operation: Operation, left: Term, right: Term) -> Term:
    """Two terms taken together."""
    gaps = left.gaps or right.gaps
    one, other = _bracketed(left.tree), _bracketed(right.tree)
    match operation:
        case Operation.DIFFERENCE | Operation.DISTANCE:
            tree = _days(left, right) if left.type is FieldType.DATE else exp.Sub(this=one, expression=other)
            if operation is Operation.DISTANCE:
                tree = exp.Abs(this=tree)
        case Operation.TOTAL:
            tree = exp.Add(this=one, expression=other)
        case Operation.PRODUCT:
            tree = exp.Mul(this=one, expression=other)
        case _:
            factor = "100.0" if operation is Operation.PERCENTAGE else "1.0"
            above = exp.Mul(this=exp.Literal.number(factor), expression=one)
            below = exp.Nullif(this=other, expression=exp.Literal.number(0))
            tree, gaps = exp.Div(this=above, expression=below, typed=True), True
    return Term(tree, FieldType.NUMBER, gaps=gaps)


def _bracketed(tree: exp.Expr) -> exp.Expr:
    return exp.Paren(this=tree) if isinstance(tree, exp.Binary) else tree


def _days(left: Term, right: Term) -> exp.Expr:
    """Whole days between two dates, the time of day aside."""
    days = [exp.cast(term.tree, "date") if term.timed else term.tree for term in (left, right)]
    return exp.DateDiff(this=days[0], expression=days[1], unit=exp.var("DAY"))


def aggregation(which: Aggregation, term: Term | None, dialect: str) -> exp.Expr:
    """What is made of a term's values."""
    if term is None:
        return exp.Count(this=exp.Star())
    match which:
        case Aggregation.COUNT_DISTINCT:
            return exp.Count(this=exp.Distinct(expressions=[term.tree]))
        case Aggregation.RANGE:
            most, least = (
                Term(kind(this=term.tree.copy()), term.type, term.timed) for kind in (exp.Max, exp.Min)
            )
            return combined(Operation.DIFFERENCE, most, least).tree
        case Aggregation.MEDIAN if dialect == "sqlite":
            return exp.Anonymous(this="MEDIAN", expressions=[term.tree])
    return AGGREGATIONS[which](this=term.tree)
