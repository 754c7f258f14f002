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
    return _Parser(text, _TOKEN, _unquoted).program()


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"')


class _Parser(TokenReader):
    """Reads the tokens from left to right; each method takes one part of a form."""

    def program(self) -> Cells:
        """All of the text as one form."""
        if self.keyword("select"):
            select, conditions = self._selected()
            program = select_where(select, *conditions)
        else:
            program = self._superlative()
        self.expect_end()
        return program

    def _selected(self) -> tuple[str, list[Compare]]:
        """What is selected, and by which conditions."""
        select = self._name()
        self.expect(",")
        if not self.keyword("where"):
            raise self.error("'where'")
        return select, self._conditions()

    def _superlative(self) -> Cells:
        conditions: list[Compare] = []
        if self.keyword("where"):
            conditions = self._conditions()
            self.expect(",")
        for direction, word in SUPERLATIVES.items():
            if self.keyword(word):
                self.expect("(")
                select = self._name()
                self.expect(",")
                by = self._name()
                self.expect(")")
                return superlative(select, direction, by, *conditions)
        raise self.error("'argmax' or 'argmin'" if conditions else "'select', 'where', 'argmax' or 'argmin'")

    def _conditions(self) -> list[Compare]:
        """The conditions, of which the first may name a row to compare with."""
        field, comparison = self._name(), self._comparison()
        if self.mark("("):
            conditions = [against(field, comparison, self._named(field))]
        else:
            conditions = [self._with_value(field, comparison)]
        while self.keyword("and"):
            conditions.append(self._with_value(self._name(), self._comparison()))
        return conditions

    def _named(self, field: str) -> Compare:
        """The condition of the inner form, whose opening bracket has been read."""
        if not self.keyword("select"):
            raise self.error("'select'")
        select, conditions = self._selected()
        if select != field:
            raise ProgramError(
                f"the inner program must select {field!r}, which it is compared with: {self.text}"
            )
        if len(conditions) != 1 or not isinstance(conditions[0].operand, Constant):
            raise ProgramError(f"the inner program may have one plain condition only: {self.text}")
        self.expect(")")
        return conditions[0]

    def _with_value(self, field: str, comparison: Comparison) -> Compare:
        token = self.take("a value", "quoted", "word")
        return (condition if token.kind == "quoted" else spelled)(field, comparison, token.text)

    def _name(self) -> str:
        return self.take("a field", "quoted", "word").text

    def _comparison(self) -> Comparison:
        if self.mark("="):
            return Comparison.EQUAL
        if self.mark("<"):
            return Comparison.DIFFERS if self.mark(">") else Comparison.LESS
        if self.mark(">"):
            return Comparison.MORE
        raise self.error("'=', '<', '>' or '<>'")
