"""Programs in one readable line; `parsing.py` reads them back.

    count(rows(department = Sales and age > 30))
    cells(city, largest(duration, rows(year < cells(year, rows(city = Moscow)))))
    cells(borough, largest(measure, groups(borough, average(price))))
    sum(orders.total, rows(customers.country = France, join(orders, customers, customer = name)))

Names and values are bare words where nothing else could be meant, else JSON strings. The right side of a
comparison is a value; a field of the same row stands there as ``its(field)``.
"""

import datetime
import functools
import json
import re
from typing import Final

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Comparison, Direction
from neural_enquirer.tables import Value

ENDS: Final = {Direction.SMALLEST: "first", Direction.LARGEST: "last"}
NTH: Final = "nth_"
_KEYWORDS: Final = frozenset({"and", "or", "not", "is", "missing", "between", "one", "of", "measure"}) | {
    word for test in Comparison if test.of_text for word in test.value.split()
}
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+)?")
_MOST_DIGITS: Final = 4000
_PLAIN = re.compile(r'[^\s(),<>=".\\\x00-\x1f\x7f-\x9f]+')
_BROKEN = re.compile(r"[\x7f-\x9f\u2028\u2029]")
"""Signs that JSON leaves as they are and that would end a line, or be seen by nobody."""


def to_text(program: lang.Program) -> str:
    """The program in one line."""
    match program:
        case lang.Exists(rows):
            return f"exists({_rows(rows)})"
        case lang.Holds(left, comparison, right):
            return f"holds({_single(left)} {comparison.value} {_operand(right)})"
    return _single(program)


def condition_text(condition: lang.Condition) -> str:
    """A condition as it stands in a program."""
    match condition:
        case lang.Compare(term, Comparison.EQUAL, lang.OneOf() as choice):
            return f"{term_text(term)} {_operand(choice)}"
        case lang.Compare(term, comparison, operand):
            return f"{term_text(term)} {comparison.value} {_operand(operand)}"
        case lang.Between(term, low, high):
            return f"{term_text(term)} between {_value(low.value)} and {_value(high.value)}"
        case lang.Missing(term):
            return f"{term_text(term)} is missing"
        case lang.Not(part):
            return f"not {_bracketed(part)}"
        case lang.And(parts):
            return " and ".join(map(_bracketed, parts))
        case lang.Or(parts):
            return " or ".join(map(_bracketed, parts))


def term_text(term: lang.Term) -> str:
    """A term as it stands in a program."""
    match term:
        case lang.Field(name, table):
            return _name(name) if table is None else f"{_name(table)}.{_name(name)}"
        case lang.Measure():
            return "measure"
        case lang.Constant(value):
            return _value(value)
        case lang.PartOf(part, inner):
            return f"{part.value}({term_text(inner)})"
        case lang.Arithmetic(operation, left, right):
            return f"{operation.value}({term_text(left)}, {term_text(right)})"


def _bracketed(condition: lang.Condition) -> str:
    text = condition_text(condition)
    return f"({text})" if isinstance(condition, lang.And | lang.Or) else text


def _single(single: lang.Single) -> str:
    match single:
        case lang.Constant(value):
            return _value(value)
        case lang.Cells(terms, rows, distinct):
            return _call("distinct" if distinct else "cells", *map(term_text, terms), *_further(rows))
        case lang.Aggregate(aggregation, term, rows):
            if term is None:
                return f"{aggregation.value}({_rows(rows)})"
            return _call(aggregation.value, term_text(term), *_further(rows))
        case lang.Combination(operation, left, right):
            return _call(operation.value, _single(left), _single(right))


def _operand(operand: lang.Operand) -> str:
    match operand:
        case lang.OneOf(values):
            return f"one of ({', '.join(_value(each.value) for each in values)})"
        case lang.Field() | lang.Measure() | lang.PartOf() | lang.Arithmetic():
            return f"its({term_text(operand)})"
    return _single(operand)


def _rows(rows: lang.Rows) -> str:
    match rows:
        case lang.All(str() | None as table):
            return f"rows({_name(table) if table is not None else ''})"
        case lang.All(source):
            return _source(source)
        case lang.Where(lang.All(str(table)), condition):
            return _call("rows", condition_text(condition), _name(table))
        case lang.Where(inner, condition):
            return _call("rows", condition_text(condition), *_further(inner))
        case lang.Beside(step, inner):
            return f"{step.value}({_rows(inner)})"
        case lang.Extreme(direction, by, inner, nth, count):
            word = direction.value if by is not None else ENDS[direction]
            number = [str(max(nth, count))] if max(nth, count) > 1 else []
            key = [term_text(by)] if by is not None else []
            return _call((NTH if nth > 1 else "") + word, *number, *key, *_further(inner))


def _further(rows: lang.Rows) -> list[str]:
    """Rows as a last argument: all rows of the only table go without saying."""
    return [] if rows == lang.All() else [_rows(rows)]


def _source(source: lang.Source) -> str:
    match source:
        case lang.Join(left, right, on):
            pairs = " and ".join(f"{term_text(one)} = {term_text(other)}" for one, other in on)
            return _call("join", _source(left), _name(right), pairs)
        case lang.Groups(by, aggregation, term, rows):
            measured = aggregation.value + (f"({term_text(term)})" if term is not None else "")
            return _call("groups", term_text(by), measured, *_further(rows))
    return _name(source or "")


def _call(name: str, *arguments: str) -> str:
    return f"{name}({', '.join(arguments)})"


@functools.lru_cache(maxsize=4096)
def _name(name: str) -> str:
    """A name, in quotes where it could be mistaken for something else."""
    literal = _NUMBER.fullmatch(name) or _DATE.fullmatch(name)
    plain = _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS and not literal
    if plain:
        return name
    return _BROKEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(name, ensure_ascii=False))


def _value(value: Value) -> str:
    """A value; text that would be read as something else is in quotes."""
    if isinstance(value, str):
        return _name(value)
    return value.isoformat() if isinstance(value, datetime.date) else repr(value)


def read_value(word: str) -> Value:
    """The value that an unquoted word stands for: a number or date if it looks like one, else text."""
    if _NUMBER.fullmatch(word) and len(word) <= _MOST_DIGITS:
        return float(word) if set(word) & set(".e") else int(word)
    if _DATE.fullmatch(word):
        try:
            return datetime.datetime.fromisoformat(word) if "T" in word else datetime.date.fromisoformat(word)
        except ValueError:
            return word
    return word
