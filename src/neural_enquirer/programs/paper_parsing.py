"""Reads the logical forms of the paper from the text that `paper.py` writes."""

import re

from neural_enquirer.programs.language import Cells, Compare, Comparison, Constant, ProgramError
from neural_enquirer.programs.paper import (
    SUPERLATIVES,
    against,
    condition,
    select_where,
    spelled,
    superlative,
)
from neural_enquirer.programs.tokens import TokenReader

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<quoted>"(?:[^"]|"")*")
    |(?P<word>-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?!\w|[.,][0-9])|[^\s(),<>="]+)
    |(?P<mark>[(),<>=])
    )""",
    re.VERBOSE,
)


def parse_paper(text: str) -> Cells:
    """Reads the SQL-like text of a form.

    Raises:
        ProgramError: if the text is not one of the paper's logical forms.
    """
    return _Parser(text).program()


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"')


class _Parser:
    """Reads the tokens from left to right; each method takes one part of a form."""

    def __init__(self, text: str) -> None:
        self._tokens = TokenReader(text, _TOKEN, _unquoted)

    def program(self) -> Cells:
        program = self._program()
        self._tokens.expect_end()
        return program

    def _program(self) -> Cells:
        if self._tokens.keyword("select"):
            select, conditions = self._selected()
            return select_where(select, *conditions)
        return self._superlative()

    def _selected(self) -> tuple[str, list[Compare]]:
        """What is selected, and by which conditions."""
        select = self._name()
        self._tokens.expect(",")
        if not self._tokens.keyword("where"):
            raise self._tokens.error("'where'")
        return select, self._conditions()

    def _superlative(self) -> Cells:
        conditions: list[Compare] = []
        if self._tokens.keyword("where"):
            conditions = self._conditions()
            self._tokens.expect(",")
        for direction, word in SUPERLATIVES.items():
            if self._tokens.keyword(word):
                self._tokens.expect("(")
                select = self._name()
                self._tokens.expect(",")
                by = self._name()
                self._tokens.expect(")")
                return superlative(select, direction, by, *conditions)
        raise self._tokens.error(
            "'select', 'where', 'argmax' or 'argmin'" if self._tokens.at_start else "'argmax' or 'argmin'"
        )

    def _conditions(self) -> list[Compare]:
        """The conditions, of which the first may name a row to compare with."""
        field, comparison = self._name(), self._comparison()
        if self._tokens.mark("("):
            conditions = [against(field, comparison, self._named(field))]
        else:
            conditions = [self._with_value(field, comparison)]
        while self._tokens.keyword("and"):
            conditions.append(self._with_value(self._name(), self._comparison()))
        return conditions

    def _named(self, field: str) -> Compare:
        """The condition of the inner form, whose opening bracket has been read."""
        if not self._tokens.keyword("select"):
            raise self._tokens.error("'select'")
        select, conditions = self._selected()
        if select != field:
            raise ProgramError(
                f"the inner program must select {field!r}, which it is compared with: {self._tokens.text}"
            )
        if len(conditions) != 1 or not isinstance(conditions[0].operand, Constant):
            raise ProgramError(f"the inner program may have one plain condition only: {self._tokens.text}")
        self._tokens.expect(")")
        return conditions[0]

    def _with_value(self, field: str, comparison: Comparison) -> Compare:
        token = self._tokens.take("a value", "quoted", "word")
        return (condition if token.kind == "quoted" else spelled)(field, comparison, token.text)

    def _name(self) -> str:
        return self._tokens.take("a field", "quoted", "word").text

    def _comparison(self) -> Comparison:
        if self._tokens.mark("="):
            return Comparison.EQUAL
        if self._tokens.mark("<"):
            return Comparison.DIFFERS if self._tokens.mark(">") else Comparison.LESS
        if self._tokens.mark(">"):
            return Comparison.MORE
        raise self._tokens.error("'=', '<', '>' or '<>'")
