"""Fields, conditions and rows in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.synthesis.open.columns import content_words, family_words
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import does, of_many, without_s
from neural_enquirer.synthesis.programs.filters import Filter
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.subject import Asked, Subject, alternatives
from neural_enquirer.tables import FieldType

_SIGNS: Final = {"more": ">", "less": "<", "at_least": ">=", "at_most": "<="}
_EXACT: Final = frozenset({"equal", "in_year", "on", "in_month"})
_ABOVE: Final = frozenset({"more", "after"})
_BELOW: Final = frozenset({"less", "before"})
_NOT_STRICT: Final = frozenset({"since", "from", "to"})
_VERBS: Final = {"is": "are", "was": "were", "has": "have", "does": "do"}
_PREPOSITIONS: Final = (" by", " in", " at", " from", " on")
_NEVER_DONE: Final = ("whose ", "where ", "for ", "apart ", "except ", "excluding ", "other ")
_SHORTEST_PART: Final = 4
_LONGEST_BEFORE: Final = 2


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one question.

    Attributes:
        draw: the random choices.
        subject: what it is about.
        natural: whether it speaks of fields as people do (tallest), or by their names only.
    """

    draw: Draw
    subject: Subject
    natural: bool

    # Fields.

    def name(self, field: Asked) -> str:
        """What the question calls a field."""
        draw, kind = self.draw, self.draw.random()
        if kind < 0.1 and len(field.header) < 30:
            return field.header
        if kind < 0.3 and alternatives(field.name):
            return draw.of(alternatives(field.name))
        if self.natural and kind < (0.36 if field.type is FieldType.TEXT else 0.5) and field.synonyms:
            noun = draw.of(field.synonyms)
            return noun if self._is_clear(noun, field) else field.name
        if kind > 0.88 and " " in field.name:
            return self._part_of_name(field)
        return field.name

    def _part_of_name(self, field: Asked) -> str:
        word = self.draw.of(field.name.split())
        unclear = any(
            content_words(word) & other.words for other in self.subject.fields if other is not field
        )
        short = len(word) < _SHORTEST_PART or not word.isalpha()
        return field.name if short or unclear or word == self.subject.noun else word

    def own(self, field: Asked, phrases: Sequence[str]) -> str:
        """A phrase that is said of fields of this family only; empty where there is none that is clear."""
        if not self.natural or field.family is None or not phrases:
            return ""
        phrase = self.draw.of(phrases)
        return phrase if self._is_clear(phrase, field) else ""

    def _is_clear(self, phrase: str, field: Asked) -> bool:
        """Whether a phrase that is said of a field can mean no other."""
        telling = content_words(phrase)
        for other in self.subject.fields:
            if other is field:
                continue
            if other.family is field.family or telling & other.words - field.words:
                return False
            if other.family is not None and telling and telling <= family_words(other.family):
                return False
        return True

    # Conditions.

    def after(self, each: Filter) -> str:
        """A condition behind a noun: in Spain, whose price is over 20."""
        return self._condition("after", each)

    def _condition(self, style: str, each: Filter) -> str:
        """A condition behind a noun, as a "clause" (the price is over 20) or in "brief" key words."""
        text = said(self.draw, f"{style}_{each.form}", self._slots(each))
        assert text is not None, each.form
        return text

    def _slots(self, each: Filter) -> dict[str, str]:
        field, value = each.field, each.said[0] if each.said else ""
        number = field.amount is not None or field.rank
        bare = self.is_bare(each)
        return {
            "f": self.name(field) if not field.counted else field.name,
            "v": value,
            "w": each.said[1] if len(each.said) > 1 else "",
            "num": value if number and not field.counted else "",
            "plain": value if field.type is FieldType.TEXT else "",
            "counted": value if field.counted else "",
            "bare": value if bare else "",
            "place": value if bare and field.place else "",
            "person": value if bare and field.person else "",
            "verb": field.name if field.name.endswith(_PREPOSITIONS) else "",
            "own": self._own_condition(each),
            "over": self._over(each),
            "sign": _SIGNS.get(each.form, ""),
        }

    def _over(self, each: Filter) -> str:
        if each.form not in _SIGNS:
            return ""
        counts = each.field.counted and each.form in ("more", "less")
        return said(self.draw, f"over_count_{each.form}" if counts else f"over_{each.form}", {}) or ""

    def _own_condition(self, each: Filter) -> str:
        family = each.field.family
        if family is None or not each.said:
            return ""
        if each.form in _EXACT:
            phrases = [
                phrase for phrase in family.equal if each.form != "on" or " in {v}" not in f" {phrase}"
            ]
            phrase = self.own(each.field, phrases)
            on_month = each.form in ("in_year", "in_month")
            return (phrase.replace("on {v}", "in {v}") if on_month else phrase).replace("{v}", each.said[0])
        if each.form in _ABOVE | _BELOW:
            beyond = family.more if each.form in _ABOVE else family.less
            phrase = self.own(each.field, [one for one in beyond if one.split()[-1] not in _NOT_STRICT])
            return f"{phrase} {each.said[0]}" if phrase else ""
        return ""

    def is_bare(self, each: Filter) -> bool:
        """Whether the value of a filter alone says which field is meant."""
        field = each.field
        if field.type is FieldType.TEXT:
            texts = [text.casefold() for text in each.said]
            names = {other.name for other in self.subject.fields}
            return all(
                self.subject.homes[text] <= 1 and text not in names and len(text) > 1 for text in texts
            )
        times = [other for other in self.subject.fields if other.year or other.type is FieldType.DATE]
        return times == [field]

    # Rows.

    def rows(self, filters: Sequence[Filter], head: Asked | None = None) -> dict[str, str]:
        """Rows with their conditions, as the slots of phrases; called by the field `head`, if it is given."""
        draw = self.draw
        place = draw.below(len(self.subject.nouns[0]))
        one, many = self.subject.nouns[0][place], self.subject.nouns[1][place]
        if head is not None and head is not self.subject.key:
            one, many = head.name, head.plural
        known = {"n": one, "p": many, "one": one, "many": many}
        if not filters:
            return known
        first = self._before(filters)
        rest = [each for each in filters if each is not first]
        front = f"{first.said[0]} " if first is not None else ""
        afters = [self.after(each) for each in draw.shuffled(rest)]
        behind = self._joined(afters)
        every = self._joined([self.after(each) for each in draw.shuffled(filters)])
        doing = doing_of(draw, every)
        return known | {
            "one": f"{front}{one} {behind}".strip(),
            "many": f"{front}{many} {of_many(behind)}".strip(),
            "m": every,
            "where": self._listed("clause", filters, (" and ", " and ", ", ")),
            "brief": self._listed("brief", filters, (" ", ", ", " ", " + ")),
            "does": doing,
            "do": of_several(doing),
        }

    def _before(self, filters: Sequence[Filter]) -> Filter | None:
        """A condition that can stand before the noun: Ford cars."""
        if self.subject.noun == "" or not self.draw.chance(0.45):
            return None
        fitting = [
            each
            for each in filters
            if each.form in ("equal", "in_year")
            and (each.field.category or each.field.year)
            and not each.field.person
            and len(each.said[0].split()) <= _LONGEST_BEFORE
            and self.is_bare(each)
        ]
        return self.draw.of(fitting) if fitting else None

    def _joined(self, parts: Sequence[str]) -> str:
        if len(parts) == 1 or not parts:
            return "".join(parts)
        return self.draw.of((" and ", " ", " and ", ", ")).join(parts)

    def _listed(self, style: str, filters: Sequence[Filter], signs: Sequence[str]) -> str:
        sign = self.draw.of(signs)
        return sign.join(self._condition(style, each) for each in self.draw.shuffled(filters))


def doing_of(draw: Draw, modifier: str) -> str:
    """What follows a noun as what the thing does; empty where it cannot be said so."""
    if not modifier[:1].isalpha() or modifier.startswith(_NEVER_DONE):
        return ""
    return does(draw, modifier)


def of_several(doing: str) -> str:
    """What one thing does, done by several: "has a dome" becomes "have a dome"."""
    verb, _, rest = doing.partition(" ")
    if not verb:
        return ""
    plural = _VERBS.get(verb) or (without_s(verb) if verb.endswith("s") else verb)
    return f"{plural} {rest}"
