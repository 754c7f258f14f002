"""Reads programs from the one line that `text.py` writes."""

import json
import re
from collections.abc import Callable
from typing import Final, TypeVar

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import (
    Aggregation,
    Comparison,
    Direction,
    Operation,
    Part,
    ProgramError,
    Step,
)
from neural_enquirer.programs.text import ENDS, NTH, read_value
from neural_enquirer.programs.tokens import TokenReader

_EXTREMES: Final = {direction.value: (direction, True) for direction in Direction} | {
    word: (direction, False) for direction, word in ENDS.items()
}
"""The words of superlatives: the direction, and whether they are by a term or by the order of rows."""
_STEPS: Final = {step.value: step for step in Step}
_PARTS: Final = {part.value: part for part in Part}
_OPERATIONS: Final = {operation.value: operation for operation in Operation}
_AGGREGATIONS: Final = {aggregation.value: aggregation for aggregation in Aggregation}
_SOURCES: Final = frozenset({"groups", "join"})
_ROWS: Final = frozenset({"rows", *_EXTREMES, *(NTH + word for word in _EXTREMES), *_STEPS})
_ANSWERS: Final = ("cells", "distinct", *_AGGREGATIONS, *_OPERATIONS, "exists", "holds")
_SINGLES: Final = frozenset(_ANSWERS) - {"exists", "holds"}

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

_T = TypeVar("_T")


def parse(text: str) -> lang.Program:
    """The program that :func:`~neural_enquirer.programs.text.to_text` wrote.

    Raises:
        ProgramError: if the text is not a program.
    """
    try:
        return _Parser(text, _TOKEN, json.loads).program()
    except RecursionError:
        raise ProgramError("the program has too many brackets within brackets") from None


class _Parser(TokenReader):
    """Reads the tokens from left to right; each method takes one part of a program."""

    def program(self) -> lang.Program:
        """All of the text as one program."""
        program = self._program()
        self.expect_end()
        return program

    def _program(self) -> lang.Program:
        if self._call("exists"):
            return self._closed(lang.Exists(self._rows()))
        if self._call("holds"):
            left, comparison = self._single(), self._comparison()
            return self._closed(lang.Holds(left, comparison, self._choice() or self._single()))
        if self._is_called(_ROWS | _SOURCES):
            raise ProgramError(f"rows alone are no program; ask for their cells or count: {self.text}")
        name = self.peek()
        if name is not None and self.peeks_mark("(", 1) and not self._is_called(_SINGLES):
            raise ProgramError(f"'{name.text}' gives no answer; a program begins with {', '.join(_ANSWERS)}")
        single = self._single()
        if isinstance(single, lang.Constant):
            raise ProgramError(f"a value alone is no program: {self.text}")
        return single

    def _single(self) -> lang.Single:
        name = self._called(_SINGLES)
        if name is None:
            return self._constant()
        if name in ("cells", "distinct"):
            terms = self._terms()
            return self._closed(lang.Cells(terms, self._last_rows(), distinct=name == "distinct"))
        if name in _OPERATIONS:
            return self._closed(lang.Combination(_OPERATIONS[name], *self._pair(self._single)))
        term = None if name == Aggregation.COUNT.value else self._term()
        rows = self._rows() if term is None else self._last_rows()
        return self._closed(lang.Aggregate(_AGGREGATIONS[name], term, rows))

    def _terms(self) -> tuple[lang.Term, ...]:
        """The terms before the rows, or before the end."""
        terms = [self._term()]
        while self.peeks_mark(",") and not self._is_called(_ROWS | _SOURCES, ahead=1):
            self.expect(",")
            terms.append(self._term())
        return tuple(terms)

    # Rows.

    def _last_rows(self) -> lang.Rows:
        """Rows as a last argument; all rows where there is none."""
        return self._rows() if self.mark(",") else lang.All()

    def _rows(self) -> lang.Rows:
        name = self._called(_ROWS)
        if name is None:
            return lang.All(self._source())
        if name in _STEPS:
            return self._closed(lang.Beside(_STEPS[name], self._rows()))
        return self._closed(self._where() if name == "rows" else self._extreme(name))

    def _where(self) -> lang.Rows:
        if self.peeks_mark(")"):
            return lang.All()
        if self.peeks_mark(")", ahead=1):
            return lang.All(self._name())
        condition = self._condition()
        return lang.Where(self._last_rows(), condition)

    def _extreme(self, name: str) -> lang.Extreme:
        direction, by_term = _EXTREMES[name.removeprefix(NTH)]
        numbered = self.peeks("literal")
        number = self._whole_number() if numbered else 1
        by = None
        if by_term:
            if numbered:
                self.expect(",")
            by = self._term()
        bare = by is None and not numbered and not self.peeks_mark(")")
        rows = self._rows() if bare else self._last_rows()
        return lang.Extreme(direction, by, rows, **{"nth" if name.startswith(NTH) else "count": number})

    def _join(self) -> lang.Join:
        left = self._source()
        self.expect(",")
        right = self._name()
        self.expect(",")
        on = [self._pair(self._field, "=")]
        while self.keyword("and"):
            on.append(self._pair(self._field, "="))
        return lang.Join(left, right, tuple(on))

    def _source(self) -> lang.Source:
        name = self._called(_SOURCES)
        if name is None:
            return self._name()
        return self._closed(self._join() if name == "join" else self._groups())

    def _groups(self) -> lang.Groups:
        by = self._term()
        self.expect(",")
        name = self._called(frozenset(_AGGREGATIONS))
        if name is not None:
            term: lang.Term | None = self._closed(self._term())
        else:
            name, term = Aggregation.COUNT.value, None
            if not self.keyword(name):
                raise self.error("what to measure")
        return lang.Groups(by, _AGGREGATIONS[name], term, self._last_rows())

    # Conditions.

    def _condition(self) -> lang.Condition:
        parts = [self._part()]
        for word, kind in (("and", lang.And), ("or", lang.Or)):
            while self.keyword(word):
                parts.append(self._part())
            if len(parts) > 1:
                return kind(tuple(parts))
        return parts[0]

    def _part(self) -> lang.Condition:
        if self.keyword("not"):
            return lang.Not(self._part())
        if self.mark("("):
            return self._closed(self._condition())
        term = self._term()
        if self.keyword("is"):
            self.expect_word("missing")
            return lang.Missing(term)
        if self.keyword("between"):
            low = self._constant()
            self.expect_word("and")
            return lang.Between(term, low, self._constant())
        choice = self._choice()
        if choice is not None:
            return lang.Compare(term, Comparison.EQUAL, choice)
        comparison = self._comparison()
        if self._call("its"):
            return lang.Compare(term, comparison, self._closed(self._term()))
        return lang.Compare(term, comparison, self._choice() or self._single())

    def _choice(self) -> lang.OneOf | None:
        if not self.keyword("one"):
            return None
        self.expect_word("of")
        self.expect("(")
        values = [self._constant()]
        while self.mark(","):
            values.append(self._constant())
        return self._closed(lang.OneOf(tuple(values)))

    def _comparison(self) -> Comparison:
        token = self.peek()
        words = {comparison.value.split()[0]: comparison for comparison in Comparison}
        if token is None or token.kind not in ("mark", "word") or token.text not in words:
            raise self.error("a comparison")
        self.skip()
        comparison = words[token.text]
        for word in comparison.value.split()[1:]:
            self.expect_word(word)
        return comparison

    # Terms and values.

    def _term(self) -> lang.Term:
        if self.keyword("measure"):
            return lang.Measure()
        name = self._called(frozenset(_PARTS) | frozenset(_OPERATIONS))
        if name in _PARTS:
            return self._closed(lang.PartOf(_PARTS[name], self._term()))
        if name is not None:
            return self._closed(lang.Arithmetic(_OPERATIONS[name], *self._pair(self._term)))
        return self._constant() if self.peeks("literal") else self._field()

    def _field(self) -> lang.Field:
        name = self._name()
        return lang.Field(self._name(), name) if self.mark(".") else lang.Field(name)

    def _constant(self) -> lang.Constant:
        token = self.take("a value", "quoted", "literal", "word")
        return lang.Constant(token.text if token.kind == "quoted" else read_value(token.text))

    def _whole_number(self) -> int:
        value = self._constant().value
        if not isinstance(value, int):
            raise ProgramError(f"expected a whole number, not {value}, in the program: {self.text}")
        return value

    def _name(self) -> str:
        return self.take("a name", "quoted", "word").text

    # Tokens.

    def _pair(self, part: Callable[[], _T], mark: str = ",") -> tuple[_T, _T]:
        first = part()
        self.expect(mark)
        return first, part()

    def _closed(self, inner: _T) -> _T:
        self.expect(")")
        return inner

    def _called(self, names: frozenset[str]) -> str | None:
        """Takes the name and opening bracket of a call of one of these names."""
        if not self._is_called(names):
            return None
        name = self.take("a name", "word").text
        self.expect("(")
        return name

    def _call(self, name: str) -> bool:
        return self._called(frozenset({name})) is not None

    def _is_called(self, names: frozenset[str], ahead: int = 0) -> bool:
        token = self.peek(ahead)
        named = token is not None and token.kind == "word" and token.text in names
        return named and self.peeks_mark("(", ahead + 1)
