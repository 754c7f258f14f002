"""Programs in one readable line, and back.

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
from dataclasses import dataclass
from typing import Final, TypeVar

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    And,
    Arithmetic,
    Beside,
    Between,
    Cells,
    Combination,
    Compare,
    Comparison,
    Condition,
    Constant,
    Direction,
    Exists,
    Extreme,
    Field,
    Groups,
    Holds,
    Join,
    Measure,
    Missing,
    Not,
    OneOf,
    Operand,
    Operation,
    Or,
    Part,
    PartOf,
    Program,
    ProgramError,
    Rows,
    Single,
    Source,
    Step,
    Term,
    Where,
)
from neural_enquirer.tables import Value

__all__ = ["condition_text", "parse", "term_text", "to_text"]

_ENDS: Final = {Direction.SMALLEST: "first", Direction.LARGEST: "last"}
_EXTREMES: Final = {direction.value: (direction, True) for direction in Direction} | {
    word: (direction, False) for direction, word in _ENDS.items()
}
"""The words of superlatives: the direction, and whether they are by a term or by the order of rows."""
_NTH: Final = "nth_"
_STEPS: Final = {step.value: step for step in Step}
_PARTS: Final = {part.value: part for part in Part}
_OPERATIONS: Final = {operation.value: operation for operation in Operation}
_AGGREGATIONS: Final = {aggregation.value: aggregation for aggregation in Aggregation}
_ROWS: Final = frozenset(
    {"rows", "groups", "join", *_EXTREMES, *(_NTH + word for word in _EXTREMES), *_STEPS}
)
_SINGLES: Final = frozenset({"cells", "distinct", *_AGGREGATIONS, *_OPERATIONS})
_KEYWORDS: Final = frozenset(
    [
        "and",
        "or",
        "not",
        "is",
        "missing",
        "between",
        "one",
        "of",
        "contains",
        "starts",
        "ends",
        "with",
        "measure",
        "its",
        "exists",
        "holds",
    ]
) | {*_ROWS, *_SINGLES, *_PARTS}

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+)?")
_PLAIN = re.compile(r'[^\s(),<>=".\\\x00-\x1f\x7f-\x9f]+')
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<quoted>"(?:[^"\\]|\\.)*")
    |(?P<literal>[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:]+(?:\.[0-9]+)?)?(?![^\s(),<>="])
        |-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?![^\s(),<>="]))
    |(?P<word>[^\s(),<>=".]+)
    |(?P<mark><=|>=|<>|[(),<>=.])
    )""",
    re.VERBOSE,
)
_BROKEN = re.compile(r"[\x7f-\x9f\u2028\u2029]")
"""Signs that JSON leaves as they are and that would end a line, or be seen by nobody."""

_T = TypeVar("_T")


# Writing.


def to_text(program: Program) -> str:
    """The program in one line."""
    match program:
        case Exists(rows):
            return f"exists({_rows(rows)})"
        case Holds(left, comparison, right):
            return f"holds({_single(left)} {comparison.value} {_operand(right)})"
    return _single(program)


def condition_text(condition: Condition) -> str:
    """A condition as it stands in a program."""
    match condition:
        case Compare(term, Comparison.EQUAL, OneOf() as choice):
            return f"{term_text(term)} {_operand(choice)}"
        case Compare(term, comparison, operand):
            return f"{term_text(term)} {comparison.value} {_operand(operand)}"
        case Between(term, low, high):
            return f"{term_text(term)} between {_value(low.value)} and {_value(high.value)}"
        case Missing(term):
            return f"{term_text(term)} is missing"
        case Not(part):
            return f"not {_bracketed(part)}"
        case And(parts):
            return " and ".join(map(_bracketed, parts))
        case Or(parts):
            return " or ".join(map(_bracketed, parts))


def term_text(term: Term) -> str:
    """A term as it stands in a program."""
    match term:
        case Field(name, table):
            return _name(name) if table is None else f"{_name(table)}.{_name(name)}"
        case Measure():
            return "measure"
        case Constant(value):
            return _value(value)
        case PartOf(part, inner):
            return f"{part.value}({term_text(inner)})"
        case Arithmetic(operation, left, right):
            return f"{operation.value}({term_text(left)}, {term_text(right)})"


def _bracketed(condition: Condition) -> str:
    text = condition_text(condition)
    return f"({text})" if isinstance(condition, And | Or) else text


def _single(single: Single) -> str:
    match single:
        case Constant(value):
            return _value(value)
        case Cells(terms, rows, distinct):
            return _call("distinct" if distinct else "cells", *map(term_text, terms), *_further(rows))
        case Aggregate(aggregation, None, rows):
            return f"{aggregation.value}({_rows(rows)})"
        case Aggregate(aggregation, term, rows):
            return _call(aggregation.value, term_text(term), *_further(rows))
        case Combination(operation, left, right):
            return _call(operation.value, _single(left), _single(right))


def _operand(operand: Operand) -> str:
    match operand:
        case OneOf(values):
            return f"one of ({', '.join(_value(each.value) for each in values)})"
        case Field() | Measure() | PartOf() | Arithmetic():
            return f"its({term_text(operand)})"
    return _single(operand)


def _rows(rows: Rows) -> str:
    match rows:
        case All(str() | None as table):
            return f"rows({_name(table) if table is not None else ''})"
        case All(source):
            return _source(source)
        case Where(All(str(table)), condition):
            return _call("rows", condition_text(condition), _name(table))
        case Where(inner, condition):
            return _call("rows", condition_text(condition), *_further(inner))
        case Beside(step, inner):
            return f"{step.value}({_rows(inner)})"
        case Extreme(direction, by, inner, nth, count):
            word = direction.value if by is not None else _ENDS[direction]
            number = [str(max(nth, count))] if max(nth, count) > 1 else []
            key = [term_text(by)] if by is not None else []
            return _call((_NTH if nth > 1 else "") + word, *number, *key, *_further(inner))


def _further(rows: Rows) -> list[str]:
    """Rows as a last argument: all rows of the only table go without saying."""
    return [] if rows == All() else [_rows(rows)]


def _source(source: Source) -> str:
    match source:
        case Join(left, right, on):
            pairs = " and ".join(f"{term_text(one)} = {term_text(other)}" for one, other in on)
            return _call("join", _source(left), _name(right), pairs)
        case Groups(by, aggregation, term, rows):
            measured = aggregation.value + (f"({term_text(term)})" if term is not None else "")
            return _call("groups", term_text(by), measured, *_further(rows))
    return _name(source or "")


def _call(name: str, *arguments: str) -> str:
    return f"{name}({', '.join(arguments)})"


@functools.lru_cache(maxsize=4096)
def _name(name: str) -> str:
    """A name, in quotes where it could be mistaken for something else."""
    plain = _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS and isinstance(_read(name), str)
    return name if plain else _quoted(name)


def _value(value: Value) -> str:
    """A value; text that would be read as something else is in quotes."""
    if isinstance(value, str):
        return _name(value)
    return value.isoformat() if isinstance(value, datetime.date) else repr(value)


def _quoted(text: str) -> str:
    return _BROKEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def _read(word: str) -> Value:
    """The value that an unquoted word stands for: a number or date if it looks like one, else text."""
    if _NUMBER.fullmatch(word):
        return float(word) if set(word) & set(".e") else int(word)
    if _DATE.fullmatch(word):
        try:
            return datetime.datetime.fromisoformat(word) if "T" in word else datetime.date.fromisoformat(word)
        except ValueError:
            return word
    return word


# Reading.


def parse(text: str) -> Program:
    """The program that :func:`to_text` wrote.

    Raises:
        ProgramError: if the text is not a program.
    """
    return _Parser(text).program()


@dataclass(frozen=True)
class _Token:
    """A piece of the text; quoted ones are never keywords and always text."""

    text: str
    kind: str  # quoted, literal, word or mark


def _tokens(text: str) -> list[_Token]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise ProgramError(f"cannot read the program from {text[position:].strip()!r} on")
        found = match[match.lastgroup]
        tokens.append(_Token(json.loads(found) if match.lastgroup == "quoted" else found, match.lastgroup))
        position = match.end()
    return tokens


class _Parser:
    """Reads the tokens from left to right; each method takes one part of a program."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0

    def program(self) -> Program:
        program = self._program()
        if self._next < len(self._tokens):
            raise self._error("the end")
        return program

    def _program(self) -> Program:
        if self._call("exists"):
            return self._closed(Exists(self._rows()))
        if self._call("holds"):
            return self._closed(self._holds())
        single = self._single()
        if isinstance(single, Constant):
            raise ProgramError(f"a value alone is no program: {self._text}")
        return single

    def _holds(self) -> Holds:
        left = self._single()
        comparison = self._comparison()
        right = self._choice() or self._single()
        return Holds(left, comparison, right)

    def _single(self) -> Single:
        name = self._called(_SINGLES)
        if name is None:
            return self._constant()
        if name in ("cells", "distinct"):
            terms = self._terms()
            return self._closed(Cells(terms, self._last_rows(), distinct=name == "distinct"))
        if name in _OPERATIONS:
            left, _, right = self._single(), self._expect(","), self._single()
            return self._closed(Combination(_OPERATIONS[name], left, right))
        term = None if name == Aggregation.COUNT.value else self._term()
        rows = self._rows() if term is None else self._last_rows()
        return self._closed(Aggregate(_AGGREGATIONS[name], term, rows))

    def _terms(self) -> tuple[Term, ...]:
        """The terms before the rows, or before the end."""
        terms = [self._term()]
        while self._peeks_mark(",") and not self._is_called(_ROWS, ahead=1):
            self._expect(",")
            terms.append(self._term())
        return tuple(terms)

    # Rows.

    def _last_rows(self) -> Rows:
        """Rows as a last argument; all rows where there is none."""
        return self._rows() if self._mark(",") else All()

    def _rows(self) -> Rows:
        name = self._called(_ROWS)
        if name is None:
            return All(self._name())
        if name in ("join", "groups"):
            return All(self._closed(self._join() if name == "join" else self._groups()))
        if name in _STEPS:
            return self._closed(Beside(_STEPS[name], self._rows()))
        return self._closed(self._where() if name == "rows" else self._extreme(name))

    def _where(self) -> Rows:
        if self._peeks_mark(")"):
            return All()
        if self._peeks_mark(")", ahead=1):
            return All(self._name())
        condition = self._condition()
        return Where(self._last_rows(), condition)

    def _extreme(self, name: str) -> Extreme:
        direction, by_term = _EXTREMES[name.removeprefix(_NTH)]
        numbered = self._peeks("literal")
        number = self._whole_number() if numbered else 1
        by = None
        if by_term:
            if numbered:
                self._expect(",")
            by = self._term()
        bare = by is None and not numbered and not self._peeks_mark(")")
        rows = self._rows() if bare else self._last_rows()
        return Extreme(direction, by, rows, **{"nth" if name.startswith(_NTH) else "count": number})

    def _join(self) -> Join:
        left = self._source()
        self._expect(",")
        right = self._name()
        self._expect(",")
        on = [self._shared()]
        while self._keyword("and"):
            on.append(self._shared())
        return Join(left, right, tuple(on))

    def _source(self) -> Source:
        name = self._called(frozenset({"join", "groups"}))
        if name is None:
            return self._name()
        return self._closed(self._join() if name == "join" else self._groups())

    def _shared(self) -> tuple[Field, Field]:
        left, _, right = self._field(), self._expect("="), self._field()
        return left, right

    def _groups(self) -> Groups:
        by = self._term()
        self._expect(",")
        name = self._called(frozenset(_AGGREGATIONS))
        if name is not None:
            term: Term | None = self._closed(self._term())
        else:
            name, term = Aggregation.COUNT.value, None
            if not self._keyword(name):
                raise self._error("what to measure")
        return Groups(by, _AGGREGATIONS[name], term, self._last_rows())

    # Conditions.

    def _condition(self) -> Condition:
        parts = [self._part()]
        for word, kind in (("and", And), ("or", Or)):
            while self._keyword(word):
                parts.append(self._part())
            if len(parts) > 1:
                return kind(tuple(parts))
        return parts[0]

    def _part(self) -> Condition:
        if self._keyword("not"):
            return Not(self._part())
        if self._mark("("):
            return self._closed(self._condition())
        term = self._term()
        if self._keyword("is"):
            self._expect_word("missing")
            return Missing(term)
        if self._keyword("between"):
            low = self._constant()
            self._expect_word("and")
            return Between(term, low, self._constant())
        choice = self._choice()
        if choice is not None:
            return Compare(term, Comparison.EQUAL, choice)
        comparison = self._comparison()
        return Compare(term, comparison, self._operand())

    def _operand(self) -> Operand:
        if self._call("its"):
            return self._closed(self._term())
        return self._choice() or self._single()

    def _choice(self) -> OneOf | None:
        if not self._keyword("one"):
            return None
        self._expect_word("of")
        self._expect("(")
        values = [self._constant()]
        while self._mark(","):
            values.append(self._constant())
        return self._closed(OneOf(tuple(values)))

    def _comparison(self) -> Comparison:
        token = self._peek()
        words = {comparison.value.split()[0]: comparison for comparison in Comparison}
        if token is None or token.kind not in ("mark", "word") or token.text not in words:
            raise self._error("a comparison")
        self._next += 1
        comparison = words[token.text]
        for word in comparison.value.split()[1:]:
            self._expect_word(word)
        return comparison

    # Terms and values.

    def _term(self) -> Term:
        if self._keyword("measure"):
            return Measure()
        name = self._called(frozenset(_PARTS) | frozenset(_OPERATIONS))
        if name in _PARTS:
            return self._closed(PartOf(_PARTS[name], self._term()))
        if name is not None:
            left, _, right = self._term(), self._expect(","), self._term()
            return self._closed(Arithmetic(_OPERATIONS[name], left, right))
        return self._constant() if self._peeks("literal") else self._field()

    def _field(self) -> Field:
        name = self._name()
        return Field(self._name(), name) if self._mark(".") else Field(name)

    def _constant(self) -> Constant:
        token = self._take("a value", "quoted", "literal", "word")
        return Constant(token.text if token.kind == "quoted" else _read(token.text))

    def _whole_number(self) -> int:
        value = self._constant().value
        if not isinstance(value, int):
            raise ProgramError(f"expected a whole number, not {value}, in the program: {self._text}")
        return value

    def _name(self) -> str:
        return self._take("a name", "quoted", "word").text

    # Tokens.

    def _closed(self, inner: _T) -> _T:
        self._expect(")")
        return inner

    def _called(self, names: frozenset[str]) -> str | None:
        """Takes the name and opening bracket of a call of one of these names."""
        if not self._is_called(names):
            return None
        self._next += 2
        return self._tokens[self._next - 2].text

    def _call(self, name: str) -> bool:
        return self._called(frozenset({name})) is not None

    def _is_called(self, names: frozenset[str], ahead: int = 0) -> bool:
        token = self._peek(ahead)
        named = token is not None and token.kind == "word" and token.text in names
        return named and self._peeks_mark("(", ahead + 1)

    def _keyword(self, word: str) -> bool:
        found = self._peek() == _Token(word, "word")
        self._next += found
        return found

    def _expect_word(self, word: str) -> None:
        if not self._keyword(word):
            raise self._error(f"'{word}'")

    def _mark(self, mark: str) -> bool:
        found = self._peeks_mark(mark)
        self._next += found
        return found

    def _expect(self, mark: str) -> bool:
        if not self._mark(mark):
            raise self._error(f"'{mark}'")
        return True

    def _take(self, wanted: str, *kinds: str) -> _Token:
        token = self._peek()
        if token is None or token.kind not in kinds:
            raise self._error(wanted)
        self._next += 1
        return token

    def _peeks(self, kind: str) -> bool:
        token = self._peek()
        return token is not None and token.kind == kind

    def _peeks_mark(self, mark: str, ahead: int = 0) -> bool:
        return self._peek(ahead) == _Token(mark, "mark")

    def _peek(self, ahead: int = 0) -> _Token | None:
        place = self._next + ahead
        return self._tokens[place] if place < len(self._tokens) else None

    def _error(self, wanted: str) -> ProgramError:
        token = self._peek()
        found = "the end" if token is None else f"'{token.text}'"
        return ProgramError(f"expected {wanted} but found {found} in the program: {self._text}")
