"""Words for the parts of a question: fields, values, conditions, superlatives, comparisons.

A phrase is used only where no other column of the table could be meant by it.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from neural_enquirer.programs.language import Comparison
from neural_enquirer.synthesis.open.amounts import written_date, written_month, written_number
from neural_enquirer.synthesis.open.columns import (
    Column,
    content_words,
    is_place,
    is_rank,
    phrases_of,
    positives,
    stem,
    tellings_of,
)
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import does, is_plural, with_article
from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.open.row_filters import Filter
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES, VALUES
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.vocabulary import phrase_words

_SHORTEST_PART: Final = 4
_BEFORE_BETWEEN: Final = {"than": 2, "over": 1, "after": 1}
"""How many words "between" takes the place of."""
_COUNTING: Final = re.compile(r"(.*\b(?:more|fewer|less)) ((?:\w+ )?(?:\w+s|people)) than")
"""Comparisons of what can be counted: "with more votes than"."""


class Wording:
    """Finds words for one question about one table."""

    def __init__(self, draw: Draw, table: DrawnTable, natural: bool, parts: bool = True) -> None:
        self.draw = draw
        self.table = table
        self.natural = natural
        self.parts = parts
        self.used_family = False
        """Whether something was said that only knowing the family can tell."""
        self.unclear = False
        """Whether something was said that may mean two things, such as the highest rank."""

    def compares(self, column: Column) -> None:
        """Notes that a column was compared in words that fit any field."""
        if is_rank(column):
            self.unclear = True

    # Fields.

    def name(self, column: Column) -> str:
        """What the question calls a field."""
        draw, family = self.draw, column.family
        if self.natural and family is not None and draw.chance(0.4):
            noun = draw.of(family.nouns)
            if noun != column.name and self.clear(noun, column):
                self.used_family = True
                return noun
        if draw.chance(0.12) and " " in column.name:
            part = self._part_of_name(column)
            if part is not None:
                return part
        if counted(column) and draw.chance(0.08):
            return draw.of(SHAPES["count_of"]).replace("{f}", column.name)
        return column.name

    def _part_of_name(self, column: Column) -> str | None:
        """One word of a name that no other header has, such as the city of `host city`."""
        word = self.draw.of(column.name.split())
        root = stem(word)
        if len(word) < _SHORTEST_PART or root not in column.words or not word.isalpha():
            return None
        noun = self.table.topic.noun if self.table.topic else ""
        if root in content_words(noun) or word in SHAPES["qualifiers"]:
            return None
        return (
            None if any(root in other.words for other in self.table.columns if other is not column) else word
        )

    def clear(self, phrase: str, column: Column) -> bool:
        """Whether a phrase of a column's family can mean no other column."""
        telling = content_words(phrase)
        asks_where = phrase.startswith("where ") and telling <= KINDS["where"]
        for other in self.table.columns:
            if other is column:
                continue
            if other.family is not None and _said_of(other.family, phrase):
                return False
            if asks_where and not other.key and other.maker in KINDS["place_makers"]:
                return False
            shared = telling & other.words
            if shared and (not shared <= column.words or other.words <= telling):
                return False
        return True

    def of_family(self, column: Column, phrases: Sequence[str]) -> str | None:
        """One of a family's phrases, if the question is a natural one and the phrase is clear."""
        if not self.natural or column.family is None or not phrases:
            return None
        phrase = self.draw.of(phrases)
        if not self.clear(phrase, column):
            return None
        self.used_family = True
        return phrase

    # Values.

    def value(self, column: Column, value: Any, units: bool = True) -> str:
        """A value as the question writes it."""
        if column.kind == "text":
            return self._text(column, str(value))
        if column.kind == "date":
            return written_date(self.draw, value)
        return written_number(self.draw, value, column, units)

    def _text(self, column: Column, text: str) -> str:
        """A text, rarely only the word of it that no other cell has: a surname."""
        if not self.parts or " " not in text or not self.draw.chance(0.06):
            return text
        if column.maker != "person":
            return self.short(text)
        if "," in text:
            return text
        word = text.split()[-1]
        if len(word) < _SHORTEST_PART or not word.isalpha() or word.lower() in phrase_words():
            return text
        low = word.casefold()
        return text if sum(low in other for other in self.table.homes) != 1 else word

    def short(self, text: str) -> str:
        """A title without its article, a company without its legal form, if that is in no other cell."""
        first, _, rest = text.partition(" ")
        before, _, last = text.rpartition(" ")
        short = rest if first == "The" else before if last in VALUES["company_endings"] else ""
        low = short.casefold()
        if len(short) < _SHORTEST_PART or low in phrase_words():
            return text
        return text if sum(low in other for other in self.table.homes) != 1 else short

    def bare(self, column: Column, text: str) -> bool:
        """Whether a text says by itself which field it belongs to."""
        if column.kind != "text":
            return False
        low = text.casefold()
        return self.table.homes.get(low, 0) <= 1 and all(low != other.name for other in self.table.columns)

    # Conditions, as they follow a noun.

    def condition(self, each: Filter) -> str:
        """A filter behind a noun: "in Spain", "whose price is over 20"."""
        column = each.column
        if column.kind == "text":
            return self._equal_text(each)
        if column.kind == "date":
            return self._date(each)
        return self._number(each)

    def _equal_text(self, each: Filter) -> str:
        draw, column = self.draw, each.column
        text = self.value(column, each.value)
        bare = self.bare(column, str(each.value))
        if bare and column.family is not None and draw.chance(0.75):
            phrase = self.of_family(column, column.family.equal)
            if phrase is not None:
                return phrase.replace("{v}", text)
            if self.natural and is_place(column.family) and draw.chance(0.5):
                return draw.of(SHAPES["equal_place"]).replace("{v}", text)
        if bare and draw.chance(0.15):
            return draw.of(SHAPES["equal_bare"]).replace("{v}", text)
        return draw.of(SHAPES["equal_text"]).replace("{f}", self.name(column)).replace("{v}", text)

    def _number(self, each: Filter) -> str:
        if each.form == "between":
            low, high = (self.value(each.column, bound, units=False) for bound in (each.value, each.until))
            return self._between(each.column, SHAPES["between"], low, high)
        return self._equal_number(each) if each.form == "equal" else self._compared_number(each)

    def _between(self, column: Column, generic: Sequence[str], low: str, high: str) -> str:
        if column.family is not None and self.draw.chance(0.6):
            phrase = self.of_family(column, _before_between(column.family.more))
            if phrase is not None:
                return (
                    f"{phrase.rsplit(' ', _BEFORE_BETWEEN[phrase.split()[-1]])[0]} between {low} and {high}"
                )
        return self._filled(self.draw.of(generic), column, low).replace("{w}", high)

    def _equal_number(self, each: Filter) -> str:
        draw, column = self.draw, each.column
        if column.family is not None and draw.chance(0.7):
            phrase = self.of_family(column, column.family.equal)
            if phrase is not None:
                return phrase.replace("{v}", self.value(column, each.value))
        if counted(column) and draw.chance(0.4):
            return self._counted(draw.of(SHAPES["equal_count"]), column, each.value)
        return self._filled(draw.of(SHAPES["equal_number"]), column, self.value(column, each.value))

    def _compared_number(self, each: Filter) -> str:
        draw, column, more = self.draw, each.column, each.form == "more"
        if column.family is not None and draw.chance(0.7):
            phrase = self.of_family(
                column, _strict(column.family.more if more else column.family.less, each.met)
            )
            if phrase is not None:
                return self._more_than(phrase, column, each.value)
        counts = SHAPES["more_count" if more else "less_count"]
        loosely = not each.met and draw.chance(0.12)  # nothing equals the bound: "at least" means the same
        if loosely:
            counts = SHAPES["at_least" if more else "at_most"]
        if counted(column) and draw.chance(0.4):
            shape = draw.of(SHAPES["compared_count"])
            return self._counted(shape, column, each.value).replace("{q}", draw.of(counts))
        shape = draw.of(SHAPES["compared_loosely" if loosely else "compared_number"])
        return self._compared(shape, column, each.value, more).replace("{q}", draw.of(counts))

    def _more_than(self, phrase: str, column: Column, number: Any) -> str:
        """A family's comparison with a number: "with more votes than 10", or "with more than 10 votes"."""
        counting = _COUNTING.fullmatch(phrase)
        if counting is None or not self.draw.chance(0.7):
            return f"{phrase} {self.value(column, number)}"
        opening, things = counting.groups()
        return f"{opening} than {self.value(column, number, units=False)} {things}"

    def _date(self, each: Filter) -> str:
        draw, column, form, family = self.draw, each.column, each.form, each.column.family
        if form == "between":
            low, high = written_date(draw, each.value), written_date(draw, each.until)
            return self._between(column, SHAPES["between_dates"], low, high)
        said = self._said_date(each)
        if form in ("equal", "month", "year"):
            phrase = (
                self.of_family(column, _fitting(family.equal, form)) if family and draw.chance(0.7) else None
            )
            if phrase is not None:
                return phrase.replace("{v}", said)
            return self._filled(draw.of(SHAPES["equal_date" if form == "equal" else "during"]), column, said)
        more = form in ("more", "after year")
        if family is not None and draw.chance(0.7):
            # Cells of the very year would be "since" but not "after" it.
            phrases = _strict(family.more if more else family.less, each.met or "year" in form)
            phrase = self.of_family(column, phrases)
            if phrase is not None:
                return f"{phrase} {said}"
        words = draw.of(SHAPES["after_words" if more else "before_words"])
        filled = self._filled(draw.of(SHAPES["compared_date"]), column, said).replace("{o}", words)
        return filled.replace("{g}", ">" if more else "<")

    def _said_date(self, each: Filter) -> str:
        if "year" in each.form:
            return str(each.value)
        return (
            written_month(self.draw, each.value)
            if each.form == "month"
            else written_date(self.draw, each.value)
        )

    def _filled(self, shape: str, column: Column, said: str) -> str:
        name = self.name(column)
        if is_plural(name):
            shape = shape.replace(" a {f} of", " {f} of").replace(" a {f}", " {f}")
            shape = shape.replace("{f} is", "{f} are").replace("{f} was", "{f} were")
        return with_article(shape.replace("{f}", name)).replace("{v}", said)

    def _counted(self, shape: str, column: Column, number: Any) -> str:
        said = written_number(self.draw, number, column, units=False)
        return shape.replace("{v}", said).replace("{f}", column.name)

    def _compared(self, shape: str, column: Column, number: Any, more: bool) -> str:
        draw = self.draw
        words = draw.of(SHAPES["more_words" if more else "less_words"])
        if column.year and draw.chance(0.7):
            words = draw.of(SHAPES["after_words" if more else "before_words"])
        signs = ">" if more else "<"
        filled = self._filled(shape, column, self.value(column, number, units="{g}" not in shape))
        return filled.replace("{o}", words).replace("{g}", signs)

    # Conditions as clauses.

    def clause(self, each: Filter) -> str:
        """A filter as a sentence of its own: "the price is over 20"."""
        draw, column, form = self.draw, each.column, each.form
        if form == "between":
            low, high = (self.value(column, bound, units=False) for bound in (each.value, each.until))
            return self._filled(draw.of(SHAPES["clause_between"]), column, low).replace("{w}", high)
        said = self._said_date(each) if column.kind == "date" else self.value(column, each.value)
        if form in ("month", "year"):
            return self._filled(draw.of(SHAPES["clause_during"]), column, said)
        if form == "equal":
            return self._filled(draw.of(SHAPES["clause_equal"]), column, said)
        more = form in ("more", "after year")
        filled = self._filled(draw.of(SHAPES["clause_compared"]), column, said)
        filled = filled.replace("{o}", draw.of(_operators(column, more)))
        return filled.replace("{g}", ">" if more else "<")

    def extreme_clause(self, column: Column, most: bool) -> str:
        """A superlative as a sentence of its own: "the price is the highest"."""
        return self._extreme(self.draw.of(SHAPES["clause_extreme"]), column, most)

    # Superlatives.

    def adjective(self, column: Column, most: bool) -> str | None:
        """A family's word before the noun: "tallest"."""
        family = column.family
        return None if family is None else self.of_family(column, family.most if most else family.least)

    def extreme_after(self, column: Column, most: bool, plain: bool = False) -> str:
        """A superlative behind the noun: "that costs the most", "with the highest price"."""
        family = column.family
        if family is not None and not plain and self.draw.chance(0.6):
            phrase = self.of_family(column, family.most_after if most else family.least_after)
            if phrase is not None:
                return phrase
        return self._extreme(self.draw.of(SHAPES["superlative_after"]), column, most)

    def extreme_does(self, column: Column, most: bool, plain: bool = False) -> str:
        """The same as what the thing does: "costs the most", "has the highest price"."""
        family = column.family
        if family is not None and not plain:
            kind = self.draw.random()
            if kind < 0.45:
                adjective = self.adjective(column, most)
                if adjective is not None:
                    return self.draw.of(SHAPES["is_the_most"]).replace("{a}", adjective)
            elif kind < 0.75:
                phrase = self.of_family(column, family.most_after if most else family.least_after)
                if phrase is not None:
                    return does(self.draw, phrase)
        return self._extreme(self.draw.of(SHAPES["superlative_does"]), column, most)

    def extreme_value(self, column: Column, most: bool) -> str:
        """The value itself: "the highest price"."""
        return self._extreme(self.draw.of(SHAPES["extreme_value"]), column, most)

    def _extreme(self, shape: str, column: Column, most: bool) -> str:
        name, predicate = self.name(column), "the {s} {f}" not in shape
        if is_plural(name):
            shape = shape.replace("{f} is", "{f} are")
        return shape.replace("{s}", self.superlative(column, most, predicate)).replace("{f}", name)

    def superlative(self, column: Column, most: bool, predicate: bool = False) -> str:
        """A superlative that fits any field of a kind; fewer can stand behind "is"."""
        self.compares(column)
        kind = "year" if column.year else column.kind
        if predicate:
            return self.draw.of(SHAPES[f"{'plain_most' if most else 'plain_least'}.{kind}"])
        words = SHAPES[f"{'most' if most else 'least'}.{kind}"]
        word = self.draw.of(words)
        if word in ("most", "fewest") and not counted(column):
            return words[0]
        return word

    # Comparison with a named row.

    def beyond(self, column: Column, comparison: Comparison, thing: str) -> str:
        """A comparison with a thing, behind a noun: "taller than the Ritz", "with a lower price than ..."."""
        draw, family = self.draw, column.family
        if comparison is Comparison.EQUAL:
            return self._filled(draw.of(SHAPES["same_as_thing"]).replace("{e}", thing), column, "")
        more = comparison is Comparison.MORE
        if family is not None and draw.chance(0.75):
            phrase = self.of_family(column, _before_names(family.more if more else family.less))
            if phrase is not None:
                return f"{phrase} {thing}"
        if counted(column) and draw.chance(0.4):
            shape = draw.of(SHAPES["count_than_thing"]).replace("{e}", thing).replace("{f}", column.name)
            return shape.replace("{q}", draw.of(SHAPES["more_of" if more else "less_of"]))
        shape = draw.of(SHAPES["more_than_thing"]).replace("{c}", self.comparative(column, more))
        shape = shape.replace("{g}", ">" if more else "<")
        return self._filled(shape, column, "").replace("{e}", thing)

    def comparative(self, column: Column, more: bool) -> str:
        """A comparative that fits any field of a kind."""
        self.compares(column)
        if column.kind == "date" or (column.year and self.draw.chance(0.7)):
            return self.draw.of(SHAPES["later" if more else "earlier"])
        return self.draw.of(SHAPES["higher" if more else "lower"])


def counted(column: Column) -> bool:
    """Whether a field's name can follow its number: "20 goals"."""
    return (
        column.kind == "number"
        and not column.year
        and is_plural(column.name)
        and " " not in column.name
        and isinstance(column.cells[0], int)
    )


def _said_of(family: Family, phrase: str) -> bool:
    """Whether a phrase is one of a family's; a value says which field it belongs to by itself."""
    return phrase in phrases_of(family) if "{v}" in phrase else positives(phrase) in tellings_of(family)


def _operators(column: Column, more: bool) -> tuple[str, ...]:
    if column.kind == "date" or column.year:
        return SHAPES["after_words" if more else "before_words"]
    return SHAPES["more_words" if more else "less_words"]


def _strict(phrases: tuple[str, ...], met: bool) -> tuple[str, ...]:
    """Phrases that leave the bound itself out, if that makes a difference."""
    return (
        tuple(phrase for phrase in phrases if KINDS["not_strict"].isdisjoint(phrase.split()))
        if met
        else phrases
    )


def _before_between(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Phrases whose end can give way to "between": "costing more than", "built after"."""
    return tuple(
        phrase
        for phrase in phrases
        if " " in phrase and phrase.endswith((" more than", " over", " after")) and phrase != "more than"
    )


def _fitting(phrases: tuple[str, ...], form: str) -> tuple[str, ...]:
    """Phrases for a day ("on ...") or for a month or a year ("in ...")."""
    if form == "equal":
        return tuple(phrase for phrase in phrases if "in {v}" not in phrase)
    return tuple(phrase for phrase in phrases if "on {v}" not in phrase)


def _before_names(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(phrase for phrase in phrases if phrase.rsplit(" ", 1)[-1] not in KINDS["not_before_names"])
