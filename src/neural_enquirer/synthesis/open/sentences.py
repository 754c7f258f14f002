"""Puts the parts of a question together: questions, requests, key words."""

from itertools import pairwise
from typing import Final

from neural_enquirer.programs.language import Comparison
from neural_enquirer.synthesis.open.columns import Column, content_words
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import does, fill, finished, of_many, plural_of
from neural_enquirer.synthesis.open.plans import Plan
from neural_enquirer.synthesis.open.row_filters import Filter
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording, counted

_FRONTS: Final = ("in ", "from ", "at ", "on ", "for ", "among ", "before ", "after ")
_NO_NOUNS: Final = (" by", " in", " at", " on", " from", " to", " with", " for", "ed")
_PERSON_OR_PLACE: Final[dict[str, tuple[str, ...]]] = {
    "person": SHAPES["person_attribute"],
    "city": SHAPES["place_attribute"],
    "country": SHAPES["place_attribute"],
    "region": SHAPES["place_attribute"],
}
_LONG: Final = 4
"""Descriptions of more words than these take no "'s" and do not stand in the middle of a question."""


class Nouns:
    """What the rows of a table are called in one question."""

    one: str
    many: str

    def __init__(self, draw: Draw, table: DrawnTable) -> None:
        topic, key = table.topic, table.key
        self.person = topic is not None and topic.person
        self.says_key = True
        """Whether the noun tells that the key is asked for."""
        if topic is not None and not _taken(topic.noun, table):
            self.one, self.many = topic.noun, topic.plural
        elif topic is not None or draw.chance(0.3):
            self.one = draw.of(SHAPES["things"])
            self.many = plural_of(self.one)
            self.says_key = False
        else:
            self.one, self.many = key.name, plural_of(key.name)
        self.row = self.one if self.says_key else key.name
        """What a row is called where the noun must tell it."""


def _taken(noun: str, table: DrawnTable) -> bool:
    """Whether another column than the key goes by this noun."""
    words = content_words(noun)
    return any(words == column.words for column in table.columns if not column.key)


class Sentence:
    """Writes one plan as a question."""

    def __init__(self, table: DrawnTable, plan: Plan, words: Wording) -> None:
        draw = self.draw = words.draw
        self.table = table
        self.plan = plan
        self.words = words
        self.nouns = Nouns(draw, table)
        named = [each for each in plan.filters if each.column.key and each.form == "equal"]
        self.named: Filter | None = named[0] if named and plan.by is None and plan.compared is None else None
        self.filters = [each for each in plan.filters if each is not self.named]
        self.heads = True
        """Whether a field other than the key may be the noun that is asked for: "which team"."""
        self.apart = False
        """Whether the noun is not the thing that has the fields: the tallest is the player, not the team."""

    def write(self, filler: str = "", whole: bool = False) -> str:
        """The finished question, with what may follow it; only a `whole` one is never just key words."""
        if not whole and self.draw.chance(0.13):
            return finished(self.draw, f"{self._key_words()} {filler}", plain=True)
        return finished(self.draw, f"{self._sentence()} {filler}")

    # Which kind of sentence.

    def _sentence(self) -> str:
        plan, draw = self.plan, self.draw
        if plan.target is plan.by and draw.chance(0.7):
            return self._extreme_value()
        if plan.compared is None and draw.chance(0.04 if self.words.natural else 0.18):
            return self._without_thing()
        head = self._head()
        if head is not None:
            return self._about_head(*head)
        if self.named is not None:
            return self._about_name()
        return self._about_description()

    def _head(self) -> tuple[str, str] | None:
        """The noun and its plural where the answer is the thing itself: "which building", "which country"."""
        target = self.plan.target
        if target.key:
            if self.nouns.says_key:
                return self.nouns.one, self.nouns.many
            return target.name, plural_of(target.name)
        share = 0.12 if self.words.natural else 0.35
        if target.kind == "text" and self.heads and self.named is None and self.draw.chance(share):
            name = self.words.name(target)
            if not name.endswith(_NO_NOUNS):
                self.apart = True
                return name, plural_of(name)
        return None

    # The thing itself is asked for.

    def _about_head(self, noun: str, plural: str) -> str:
        draw = self.draw
        if self.named is not None:  # the key is asked for by itself: cannot be
            return self._about_name()
        kind = draw.random()
        if kind < 0.62:
            return self._head_question(noun, plural)
        description = self._description(noun)
        if kind < 0.7 and self.plan.target.key and self.table.topic is not None:
            return draw.of(SHAPES["key_questions"]).replace("{D}", description)
        return draw.of(SHAPES["imperatives"]).replace("{x}", description)

    def _head_question(self, noun: str, plural: str) -> str:
        draw, plan = self.draw, self.plan
        if plan.target.year and plan.by is not None and draw.chance(0.4):
            extreme = self.words.extreme_value(plan.by, plan.most)
            rest = self._joined(self._conditions())
            return fill(draw.of(SHAPES["year_questions"]), n=noun, m=rest, x=extreme)
        person = self.nouns.person and self.plan.target.key
        shape = draw.of(SHAPES["person_questions" if person and draw.chance(0.75) else "head_questions"])
        if "{D}" in shape:
            return shape.replace("{D}", self._description(noun))
        action, modifiers = self._action()
        if len(modifiers) == 1 and modifiers[0].startswith(_FRONTS) and draw.chance(0.3):
            shape = draw.of(SHAPES["fronted"])
        if self.plan.compared is not None and self._is_other():
            noun = f"{draw.of(SHAPES['others'])} {noun}"
            shape = shape if "{p}" not in shape else "which {n} {vp} {m}"
        rest = self._joined(modifiers)
        if "{p}" in shape:
            rest = of_many(rest)
        return fill(shape, n=noun, p=plural, vp=action, m=rest)

    def _action(self) -> tuple[str, list[str]]:
        """What the thing does, and what else is known of it."""
        plan, words = self.plan, self.words
        modifiers = self._conditions()
        if plan.by is not None:
            return words.extreme_does(plan.by, plan.most, self.apart), modifiers
        last = modifiers.pop()
        return does(self.draw, last), modifiers

    def _conditions(self) -> list[str]:
        """All conditions, each as it follows a noun."""
        plan, words = self.plan, self.words
        conditions = [words.condition(each) for each in self.filters]
        if plan.compared is not None:
            conditions.append(words.beyond(plan.compared, plan.comparison, self._compared_thing()))
        return conditions

    def _modifiers(self, extreme: bool = True) -> str:
        """All that follows a noun: the conditions and, where wanted, the superlative."""
        plan = self.plan
        conditions = self._joined(self._conditions())
        if not extreme or plan.by is None:
            return conditions
        after = self.words.extreme_after(plan.by, plan.most, self.apart)
        last = after.startswith(("whose", "where")) or self.draw.chance(0.6)
        return f"{conditions} {after}" if last else f"{after} {conditions}"

    def _joined(self, conditions: list[str]) -> str:
        """Conditions one after another, often with "and"; the same opening need not be said twice."""
        parts = conditions[:1]
        for before, condition in pairwise(conditions):
            first, _, rest = condition.partition(" ")
            if before.startswith(first + " ") and first in ("with", "whose", "where"):
                parts.append(f"and {rest if self.draw.chance(0.5) else condition}")
            else:
                parts.append(f"and {condition}" if self.draw.chance(0.5) else condition)
        return " ".join(parts)

    def _compared_thing(self) -> str:
        """The thing that rows are compared with, by its name or by another cell."""
        named = self.plan.named
        assert named is not None
        if named.column.key:
            return self._with_noun(self.words.value(named.column, named.value))
        shape = self.draw.of(SHAPES["named_by"][:3])
        return fill(shape, n=self.nouns.one, m=self.words.condition(named))

    def _with_noun(self, name: str) -> str:
        if self.nouns.says_key and self.draw.chance(0.06):
            return fill(self.draw.of(SHAPES["short_names"]), n=self.nouns.one, e=name)
        return name

    def _is_other(self) -> bool:
        """Whether the row that is named must be told from the one that is meant."""
        return self.plan.by is None and self.plan.comparison is Comparison.EQUAL

    def _description(self, noun: str) -> str:
        """The thing with all that is known of it: "the tallest building in Spain"."""
        plan, draw = self.plan, self.draw
        adjective = None
        if plan.by is not None and not self.apart and draw.chance(0.65):
            adjective = self.words.adjective(plan.by, plan.most)
        modifiers = self._modifiers(extreme=adjective is None)
        if plan.compared is not None and self._is_other():
            noun = f"{draw.of(SHAPES['others'])} {noun}"
        article = "the " if draw.chance(0.93) else ""
        return f"{article}{adjective + ' ' if adjective else ''}{noun} {modifiers}".strip()

    # A field of a thing is asked for.

    def _about_name(self) -> str:
        """A field of a thing that is called by its name."""
        named, draw, target = self.named, self.draw, self.plan.target
        assert named is not None
        name = self._with_noun(self.words.value(named.column, named.value))
        rest = self._modifiers()
        if target.family is not None and draw.chance(0.75):
            ask = self.words.of_family(target, target.family.asks)
            if ask is not None:
                return f"{ask.replace('{e}', name)} {rest}"
        field = self.words.name(target)
        if named.column.year and draw.chance(0.85):
            return f"{fill(draw.of(SHAPES['year_attribute']), e=name, t=field)} {rest}"
        thing = f"{name} {rest}".strip()
        if not rest and draw.chance(0.25):
            return fill(draw.of(SHAPES["name_attribute"]), e=name, t=field)
        return self._attribute(field, thing)

    def _about_description(self) -> str:
        """A field of a thing that is described."""
        draw, target = self.draw, self.plan.target
        description = self._description(self.nouns.one)
        if target.family is not None and draw.chance(0.75):
            opener = self.words.of_family(target, target.family.openers)
            if opener is not None:
                return opener.replace("{d}", description).replace("{e}", description)
        return self._attribute(self.words.name(target), description)

    def _attribute(self, field: str, thing: str) -> str:
        draw, question = self.draw, self.draw.chance(0.6)
        group: tuple[str, ...] = SHAPES["attribute_questions" if question else "attribute_phrases"]
        if question and draw.chance(0.25):
            group = _own_questions(self.plan.target, field) or group
        shape = draw.of(group)
        if thing.count(" ") >= _LONG and ("{D}'s" in shape or not shape.endswith("{D}")):
            shape = group[0] if group[0].endswith("{D}") else SHAPES["attribute_questions"][0]
        filled = fill(shape, t=field, D=thing)
        return filled if question else draw.of(SHAPES["imperatives"]).replace("{x}", filled)

    def _extreme_value(self) -> str:
        """The greatest or least value itself is asked for."""
        plan, draw = self.plan, self.draw
        assert plan.by is not None
        value = self.words.extreme_value(plan.by, plan.most)
        modifiers = self._modifiers(extreme=False)
        among = fill(draw.of(SHAPES["among"]), p=self.nouns.many, m=of_many(modifiers))
        shape = draw.of(SHAPES["extreme_questions"])
        if modifiers and "{m}" in shape and not _stands_alone(modifiers):
            shape = shape.replace("{m}", "{a}")
        return fill(shape, x=value, a=among, m=modifiers)

    def _without_thing(self) -> str:
        """A field under conditions, as if there were no thing: "what is the price when the city is Rome"."""
        plan, draw, words = self.plan, self.draw, self.words
        field = words.name(plan.target)
        if self.named is None and draw.chance(0.4):
            return fill(draw.of(SHAPES["thingless"]), t=field, m=self._modifiers())
        clauses = [words.clause(each) for each in plan.filters]
        if plan.by is not None:
            clauses.append(words.extreme_clause(plan.by, plan.most))
        return fill(draw.of(SHAPES["when"]), t=field, c=" and ".join(clauses))

    # Key words only.

    def _key_words(self) -> str:
        plan, draw, words = self.plan, self.draw, self.words
        parts: list[str] = []
        if self.named is not None:
            parts = [words.value(self.named.column, self.named.value), words.name(plan.target)]
            parts = parts if draw.chance(0.5) else parts[::-1]
            return " ".join((*parts, *map(self._brief, self.filters)))
        wants_value = plan.target is plan.by
        if not plan.target.key and not wants_value:
            parts.append(words.name(plan.target))
        if plan.by is not None:
            parts.append(self._brief_extreme(plan.by, wants_value))
        elif plan.target.key:
            parts.append(self.nouns.one if self.nouns.says_key else plan.target.name)
        briefs = [self._brief(each) for each in self.filters]
        if plan.compared is not None:
            briefs.append(self._brief_comparison())
        return " ".join((*parts, *briefs))

    def _brief(self, each: Filter) -> str:
        column, words = each.column, self.words
        if column.kind == "text":
            text = words.value(column, each.value)
            if words.bare(column, str(each.value)) and self.draw.chance(0.5):
                return text
            sign = self.draw.of((" ", " ", " ", " = ", ": "))
            return f"{words.name(column)}{sign}{text}"
        modifier = words.condition(each)
        first, _, rest = modifier.partition(" ")
        if first in ("with", "whose", "where", "having") and self.draw.chance(0.8):
            return rest.removeprefix("a ").removeprefix("an ").removeprefix("the ").replace(" is ", " ", 1)
        return modifier

    def _brief_extreme(self, by: Column, wants_value: bool) -> str:
        plan, words = self.plan, self.words
        if wants_value:
            word = words.superlative(by, plan.most)
            # "Most goals" are the one's who scored them; "most number of goals" is nothing that is said.
            word = {"most": "highest", "fewest": "lowest"}.get(word, word)
            return f"{word} {words.name(by)}"
        noun = self.nouns.one if self.nouns.says_key or not plan.target.key else plan.target.name
        adjective = words.adjective(by, plan.most)
        if adjective is not None:
            return f"{adjective} {noun}"
        extreme = f"{words.superlative(by, plan.most)} {words.name(by)}"
        if not plan.target.key and (not self.nouns.says_key or self.draw.chance(0.5)):
            return extreme
        return f"{noun} {extreme}" if self.draw.chance(0.6) else f"{noun} with {extreme}"

    def _brief_comparison(self) -> str:
        plan = self.plan
        assert plan.compared is not None
        modifier = self.words.beyond(plan.compared, plan.comparison, self._compared_thing())
        first, _, rest = modifier.partition(" ")
        if first in ("with", "having") and self.draw.chance(0.6):
            return rest.removeprefix("a ").removeprefix("an ").removeprefix("the ")
        return modifier


def _own_questions(target: Column, field: str) -> tuple[str, ...]:
    """Questions that fit fields of one kind only: how many goals, when was the start."""
    if field == target.name and counted(target):
        return SHAPES["count_questions"]
    if target.kind == "date":
        return SHAPES["date_questions"]
    if target.kind == "text":
        return _PERSON_OR_PLACE.get(target.maker, ()) if isinstance(target.maker, str) else ()
    return SHAPES["number_questions"] if target.kind == "number" and not target.year else ()


def _stands_alone(modifiers: str) -> bool:
    """Whether modifiers can follow a value: "the highest price in Rome", but not "... whose owner is Ann"."""
    return modifiers.split(" ", 1)[0] in ("in", "from", "for", "among", "at", "where", "by", "on")
