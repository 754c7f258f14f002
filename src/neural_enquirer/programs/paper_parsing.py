"""Reads the logical forms of the paper from the text that `paper.py` writes."""

import re
from dataclasses import dataclass

from neural_enquirer.programs.language import Cells, Compare, Comparison, Constant, ProgramError
from neural_enquirer.programs.paper import (
    SUPERLATIVES,
    against,
    condition,
    select_where,
    spelled,
    superlative,
)

__all__ = ["parse_paper"]

_TOKEN = re.compile(
    r'\s*(?:("(?:[^"]|"")*")|(-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?!\w|[.,][0-9]))|([^\s(),<>="]+)|([(),<>=]))'
)


def parse_paper(text: str) -> Cells:
    """Reads the SQL-like text of a form.

    Raises:
        ProgramError: if the text is not one of the paper's logical forms.
    """
    return _Parser(text).program()


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
            raise ProgramError(f"cannot read the program from {text[position:].strip()!r} on")
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
    """Reads the tokens from left to right; each method takes one part of a form."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._next = 0

    def program(self) -> Cells:
        program = self._program()
        if self._next < len(self._tokens):
            raise self._error("the end")
        return program

    def _program(self) -> Cells:
        if self._keyword("select"):
            select, conditions = self._selected()
            return select_where(select, *conditions)
        return self._superlative()

    def _selected(self) -> tuple[str, list[Compare]]:
        """What is selected, and by which conditions."""
        select = self._name()
        self._expect(",")
        if not self._keyword("where"):
            raise self._error("'where'")
        return select, self._conditions()

    def _superlative(self) -> Cells:
        conditions: list[Compare] = []
        if self._keyword("where"):
            conditions = self._conditions()
            self._expect(",")
        for direction, word in SUPERLATIVES.items():
            if self._keyword(word):
                self._expect("(")
                select = self._name()
                self._expect(",")
                by = self._name()
                self._expect(")")
                return superlative(select, direction, by, *conditions)
        raise self._error(
            "'select', 'where', 'argmax' or 'argmin'" if self._next == 0 else "'argmax' or 'argmin'"
        )

    def _conditions(self) -> list[Compare]:
        """The conditions, of which the first may name a row to compare with."""
        field, comparison = self._name(), self._comparison()
        if self._mark("("):
            conditions = [against(field, comparison, self._named(field))]
        else:
            conditions = [self._with_value(field, comparison)]
        while self._keyword("and"):
            conditions.append(self._with_value(self._name(), self._comparison()))
        return conditions

    def _named(self, field: str) -> Compare:
        """The condition of the inner form, whose opening bracket has been read."""
        if not self._keyword("select"):
            raise self._error("'select'")
        select, conditions = self._selected()
        if select != field:
            raise ProgramError(
                f"the inner program must select {field!r}, which it is compared with: {self._text}"
            )
        if len(conditions) != 1 or not isinstance(conditions[0].operand, Constant):
            raise ProgramError(f"the inner program may have one plain condition only: {self._text}")
        self._expect(")")
        return conditions[0]

    def _with_value(self, field: str, comparison: Comparison) -> Compare:
        token = self._take("a value", "quoted", "word")
        return (condition if token.kind == "quoted" else spelled)(field, comparison, token.text)

    def _name(self) -> str:
        return self._take("a field", "quoted", "word").text

    def _comparison(self) -> Comparison:
        if self._mark("="):
            return Comparison.EQUAL
        if self._mark("<"):
            return Comparison.DIFFERS if self._mark(">") else Comparison.LESS
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

    def _error(self, wanted: str) -> ProgramError:
        token = self._peek()
        found = "the end" if token is None else repr(token.text)
        return ProgramError(f"expected {wanted} but found {found} in the program: {self._text}")
