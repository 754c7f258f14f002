"""Words for questions about two tables: what is said of the other table's rows goes through their noun."""

from typing import Any, Final

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import plural_of, with_article
from neural_enquirer.synthesis.open.pairs import FACTS, Pair, View
from neural_enquirer.synthesis.open.plans import Plan
from neural_enquirer.synthesis.open.row_filters import Filter
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.shapes import JOINS
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording

_LONG: Final = 3
"""Descriptions of more words than these take no "'s"."""


class JoinWording(Wording):
    """Finds words for one question about a pair of tables."""

    def __init__(self, draw: Draw, table: DrawnTable, natural: bool, pair: Pair, side: int) -> None:
        """Prepares words.

        Args:
            draw: where choices come from.
            table: all columns that a phrase must not be mistaken for.
            natural: whether a family's own phrases may be used.
            pair: the two tables.
            side: whose rows the question is about.
        """
        super().__init__(draw, table, natural)
        self.view: View | None = None
        """The join, where the question needs both tables."""
        self._side = side
        self._own, self.other = pair.nouns if side == FACTS else pair.nouns[::-1]
        self._leads = JOINS["to_one"] if side == FACTS else JOINS["to_many"]

    def far(self, column: Column) -> bool:
        """Whether a column belongs to the other table than the one whose rows the question is about."""
        side = None if self.view is None else self.view.side(column)
        return side is not None and side != self._side

    def name(self, column: Column) -> str:
        """What the question calls a field."""
        name = super().name(column)
        if not self.far(column) or self.other in name or not self.draw.chance(0.35):
            return name
        return self.draw.of(JOINS["field_of"]).replace("{n}", self.other).replace("{f}", name)

    def value(self, column: Column, value: Any, units: bool = True) -> str:
        """A value as the question writes it."""
        if column.key and column.kind == "number" and not column.year:
            shape = self.draw.of(JOINS["numbered"])
            return shape.replace("{n}", self._own).replace("{v}", str(value))
        return super().value(column, value, units)

    def condition(self, each: Filter) -> str:
        """A filter behind a noun."""
        said = super().condition(each)
        return self._led(said) if self.far(each.column) else said

    def adjective(self, column: Column, most: bool) -> str | None:
        """A family's word before the noun; the oldest customer's order is not the oldest order."""
        return None if self.far(column) else super().adjective(column, most)

    def extreme_after(self, column: Column, most: bool, plain: bool = False) -> str:
        """A superlative behind the noun."""
        if not self.far(column):
            return super().extreme_after(column, most, plain)
        adjective = super().adjective(column, most) if self.draw.chance(0.6) else None
        if adjective is not None:
            lead = self.draw.of(self._leads)
            return self._named(lead.replace("{n}", f"{adjective} {{n}}").replace("a ", "the ", 1))
        return self._led(super().extreme_after(column, most, plain))

    def extreme_does(self, column: Column, most: bool, plain: bool = False) -> str:
        """The same as what the thing does."""
        if not self.far(column):
            return super().extreme_does(column, most, plain)
        adjective = super().adjective(column, most) if self.draw.chance(0.6) else None
        has = self.draw.of(JOINS["has"])
        if adjective is not None:
            return self._named(has.replace("{n}", f"{adjective} {{n}}").replace("a ", "the ", 1))
        if self.draw.chance(0.5):
            return self._named(f"{has} {super().extreme_after(column, most, plain)}")
        return super().extreme_does(column, most, plain=True)

    def _led(self, said: str) -> str:
        """What is said of the other table's row, led to by its noun; often left out, as people do."""
        if not self.draw.chance(0.55):
            return said
        return self._named(f"{self.draw.of(self._leads)} {said}")

    def _named(self, text: str) -> str:
        many = text.replace("{n}s", plural_of(self.other))
        return with_article(f" {many.replace('{n}', self.other)}").strip()


class JoinSentence(Sentence):
    """Writes one plan as a question; a field of the other table is one of the row that belongs to this."""

    def __init__(self, table: DrawnTable, plan: Plan, words: JoinWording) -> None:
        super().__init__(table, plan, words)
        self._other = words.other if words.far(plan.target) and plan.compared is None else None

    def _with_noun(self, name: str) -> str:
        return self._through(super()._with_noun(name))

    def _description(self, noun: str) -> str:
        said = super()._description(noun)
        return self._through(said) if noun == self.nouns.one else said

    def _through(self, said: str) -> str:
        """The row of the other table that belongs to what is said; often left out, as people do."""
        if self._other is None or not self.draw.chance(0.6):
            return said
        short = said.count(" ") < _LONG
        shape = self.draw.of(JOINS["through"] if short else JOINS["through"][:-1])
        return shape.replace("{n}", self._other).replace("{d}", said)
