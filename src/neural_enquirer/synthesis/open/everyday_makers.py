"""Makers of everyday questions: each draws a plan of one kind and says it in its own way, where it can."""

from collections.abc import Callable
from typing import Any, Final

from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.paper import condition, select_where
from neural_enquirer.synthesis.open import everyday_words as said
from neural_enquirer.synthesis.open import shapes
from neural_enquirer.synthesis.open.columns import Column, family_words, is_rank
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import does, is_plural, plural_of, without_s
from neural_enquirer.synthesis.open.headers import content_words
from neural_enquirer.synthesis.open.loose_cells import ordinal
from neural_enquirer.synthesis.open.plain_words import field_words
from neural_enquirer.synthesis.open.plans import Plan, draw_plan, extreme_program
from neural_enquirer.synthesis.open.row_filters import (
    Filter,
    any_filter,
    equal_filter,
    extreme_row,
    ordered_column,
)
from neural_enquirer.synthesis.open.sentences import Nouns, Sentence
from neural_enquirer.synthesis.open.surface import finished
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording, counted

__all__ = [
    "Found",
    "Maker",
    "amount",
    "brief",
    "clock",
    "filler",
    "loose_noun",
    "placing",
    "used_columns",
    "value_noun",
    "who",
    "zero",
]

_NOUN_FAMILIES: Final = frozenset(
    (
        "occupation", "position", "format", "genre", "property_type", "state_of_matter", "body_type",
        "ship_class", "breed", "species", "manufacturer", "brand", "aircraft", "fuel_type", "meal",
        "component", "government", "job_title", "airline",
        "server_role", "element_category",
    )
)  # fmt: skip
_ADJECTIVE_FAMILIES: Final = frozenset(
    (
        "color", "nationality", "material", "climate", "genre", "cuisine", "transmission", "fuel_type",
        "architectural_style", "language", "gender", "employment_type", "seniority", "body_type", "status",
        "level", "type", "brand", "manufacturer", "sport", "shape", "meal", "religion",
    )
)  # fmt: skip
_NOUN_MAKERS: Final = frozenset({"brand", "word", "species"})
_NO_NOUNS: Final = frozenset({"yes", "no", "true", "false", "y", "n", "other", "none", "m", "f"})
_RANK_WORDS: Final = frozenset({"rank", "ranking", "place", "placing", "standing", "position"})
_WINNING: Final = frozenset({"winner", "champion", "victor", "runner", "finalist", "first", "second", "won"})
_BEST: Final = frozenset({"best"})
_MEASURES: Final = frozenset(
    ("years", "days", "hours", "minutes", "mins", "seconds", "secs", "metres", "meters", "litres", "liters",
     "tonnes", "tons", "degrees", "miles", "feet", "inches", "dollars", "euros", "kilowatts", "grams")
)  # fmt: skip
_GENERIC: Final = (*shapes.MOST.values(), *shapes.LEAST.values())
"""Superlatives that fit nearly any field: without its name, they may mean another."""
_LONGEST_NOUN: Final = 2
_MANY_ROWS: Final = 2


Found = tuple[Plan, str] | None
Maker = Callable[[Draw, DrawnTable, Wording, str], Found]


def used_columns(plan: Plan) -> list[Column]:
    """The columns by which a plan picks rows."""
    columns = [each.column for each in plan.filters]
    return [*columns, *(each for each in (plan.by, plan.compared) if each is not None)]


def value_noun(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """A cell as the noun: "the rarest mammal"."""
    picked = _noun_of_cell(draw, table, words)
    if picked is None:
        return None
    each, noun, many = picked
    words.used_family = words.natural
    nouns = Nouns(draw, table)
    person = nouns.person or table.key.maker == "person"
    if kind == "select_where":
        row = draw.of([row for row in range(table.rows) if each.rows >> row & 1])
        other = any_filter(draw, table, row, words.natural, (each.column, table.key))
        if other is None or each.rows & other.rows != 1 << row:
            return None
        plan = Plan(
            kind, table.key, row,
            select_where(table.key.header, *each.conditions, *other.conditions),
            [each, other],
        )  # fmt: skip
        after = words.condition(other)
        if draw.chance(0.65):
            shape = draw.of(said.VALUE_DOES_MANY if many and draw.chance(0.2) else said.VALUE_DOES)
            return plan, _say(draw, shape, x=does(draw, after), V=noun, P=many)
        return plan, _say(draw, draw.of(said.VALUE_AFTER), V=noun, m=after)
    by = ordered_column(draw, table, words.natural, (each.column,))
    if by is None or by.key:
        return None
    most = draw.chance(0.55)
    answer = extreme_row(by, each.rows, most)
    if answer is None or (each.rows == 1 << answer and not draw.chance(0.15)):
        return None
    program = extreme_program(table.key, by, most, *each.conditions)
    plan = Plan("where_superlative", table.key, answer, program, [each], by, most)
    adjective = words.adjective(by, most) if draw.chance(0.6) else None
    if adjective is not None:
        group: tuple[str, ...] = said.VALUE_ADJECTIVE
        if person and draw.chance(0.4):
            group = said.VALUE_WHO_ADJECTIVE
        elif many and draw.chance(0.25):
            group = said.VALUE_ADJECTIVE_MANY
        return plan, _say(draw, draw.of(group), a=adjective, V=noun, P=many)
    shape = draw.of(said.VALUE_DOES_MANY if many and draw.chance(0.2) else said.VALUE_DOES)
    return plan, _say(draw, shape, x=words.extreme_does(by, most), V=noun, P=many)


def _noun_of_cell(draw: Draw, table: DrawnTable, words: Wording) -> tuple[Filter, str, str] | None:
    """A filter, its value as a noun (alone or before the usual one), and the plural where it has one."""
    columns = [column for column in table.columns if _gives_nouns(column)]
    if not columns:
        return None
    column = draw.of(columns)
    each = equal_filter(column, draw.below(table.rows))
    if each is None:
        return None
    value = str(each.value)
    if (
        not words.bare(column, value)
        or value.casefold() in _NO_NOUNS
        or value.count(" ") >= _LONGEST_NOUN
        or not value.replace(" ", "").replace("-", "").isalpha()
    ):
        return None
    key = column.family.key if column.family is not None else ""
    noun = words.short(value) if draw.chance(0.6) else value
    noun = noun.lower() if draw.chance(0.3) else noun
    alone = key in _NOUN_FAMILIES or (not key and column.maker in _NOUN_MAKERS)
    if key in _ADJECTIVE_FAMILIES and table.topic is not None and (not alone or draw.chance(0.35)):
        if " " in value and not alone:
            return None
        usual = Nouns(draw, table)
        return each, f"{noun} {usual.one}", f"{noun} {usual.many}"
    if not alone:
        return None
    whole = len(noun) == len(value)
    many = plural_of(noun) if whole and noun[-1] not in "shxz" and not noun.endswith(("man", "men")) else ""
    return each, noun, many


def _gives_nouns(column: Column) -> bool:
    if column.kind != "text" or column.key or column.silent:
        return False
    if column.family is None:
        return column.maker in _NOUN_MAKERS
    return column.family.key in _NOUN_FAMILIES or column.family.key in _ADJECTIVE_FAMILIES


def _say(draw: Draw, shape: str, **slots: str) -> str:
    plain = not shape.startswith(("wh", "what", "among", "of ", "tell", "do ", "find", "show", "i'm"))
    return finished(draw, _fill(shape, **slots), plain=plain)


def _fill(shape: str, **slots: str) -> str:
    for slot, text in slots.items():
        shape = shape.replace("{" + slot + "}", text)
    return shape


def brief(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """Few words: "fastest car"."""
    by = ordered_column(draw, table, words.natural, ())
    if by is None or by.key:
        return None
    most = draw.chance(0.55)
    row = extreme_row(by, (1 << table.rows) - 1, most)
    if row is None:
        return None
    nouns = Nouns(draw, table)
    noun = nouns.one if nouns.says_key else table.key.name
    text = _brief_text(draw, words, by, most, noun, nouns.person)
    if text is None:
        return None
    return Plan(kind, table.key, row, extreme_program(table.key, by, most), by=by, most=most), text


def _brief_text(draw: Draw, words: Wording, by: Column, most: bool, noun: str, person: bool) -> str | None:
    if counted(by) and not is_rank(by) and (not words.natural or draw.chance(0.3)):
        words.used_family = words.natural
        return _say(draw, draw.of(said.MOST_OF if most else said.FEWEST_OF), f=by.name)
    family = by.family
    if family is None:
        return None
    if draw.chance(0.3) and not _BEST.isdisjoint(" ".join((*family.most, *family.least)).split()):
        best = not _BEST.isdisjoint(" ".join(family.most).split())
        if words.of_family(by, ("best" if best == most else "worst",)) is None:
            return None
        return _say(draw, draw.of(said.BEST_IN if best == most else said.WORST_IN), f=by.name, n=noun)
    adjective = words.adjective(by, most)
    if adjective is None:
        return None
    others = [each for each in words.table.columns if each.ordered and not each.silent and each is not by]
    if others and any(adjective in group for group in _GENERIC):
        return _say(draw, draw.of(said.BRIEF_BY), a=adjective, n=noun, f=words.name(by))
    if person and draw.chance(0.4):
        return _say(draw, draw.of(said.BRIEF_PERSON), a=adjective)
    if draw.chance(0.12):
        return _say(draw, draw.of(said.BRIEF_BY), a=adjective, n=noun, f=words.name(by))
    return _say(draw, draw.of(said.BRIEF), a=adjective, n=noun)


# Who.


def who(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """The one column of persons, where the rows are no persons."""
    persons = [column for column in table.columns if column.maker == "person" and not column.silent]
    if len(persons) != 1 or (table.topic is not None and table.topic.person):
        return None
    target = persons[0]
    if target.key:
        return None if words.natural else _who_key(draw, table, words, kind)
    if not words.natural:
        return None  # under a header of made-up words, nothing says which column holds persons
    family = target.family.key if target.family is not None else ""
    keeps = not family or family in said.WHO_HAS_FAMILIES
    if not keeps and (kind != "superlative" or family not in said.WHO_HAS_MOST_FAMILIES):
        return None
    words.used_family = words.natural
    nouns = Nouns(draw, table)
    noun = nouns.one if nouns.says_key else table.key.name
    if kind == "select_where":
        named = equal_filter(table.key, draw.below(table.rows))
        if named is None or named.rows & (named.rows - 1):
            return None
        row = named.rows.bit_length() - 1
        name = words.value(table.key, named.value)
        thing = name if draw.chance(0.7) else f"the {noun} {name}" if draw.chance(0.5) else f"{noun} {name}"
        plan = Plan(kind, target, row, select_where(target.header, named.conditions[0]), [named])
        return plan, _say(draw, draw.of(said.WHO_HAS_THING), x=thing)
    by = ordered_column(draw, table, words.natural, ())
    if by is None or by.key:
        return None
    most = draw.chance(0.55)
    filters: list[Filter] = []
    rows = (1 << table.rows) - 1
    if kind == "where_superlative":
        picked = _noun_of_cell(draw, table, words)
        if picked is None:
            return None
        filters, rows, noun = [picked[0]], picked[0].rows, picked[1]
    answer = extreme_row(by, rows, most)
    if answer is None:
        return None
    conditions = filters[0].conditions if filters else ()
    program = extreme_program(target, by, most, *conditions)
    plan = Plan(kind, target, answer, program, filters, by, most)
    adjective = words.adjective(by, most) if keeps and draw.chance(0.65) else None
    if adjective is not None:
        return plan, _say(draw, draw.of(said.WHO_HAS_THING), x=f"the {adjective} {noun}")
    if filters or (keeps and draw.chance(0.4)):
        thing = f"the {noun} {words.extreme_after(by, most)}"
        return plan, _say(draw, draw.of(said.WHO_HAS_THING), x=thing)
    if counted(by):
        thing = f"the {'most' if most else 'fewest'} {by.name}"
        words.compares(by)
    else:
        thing = f"the {words.superlative(by, most)} {words.name(by)}"
    return plan, _say(draw, draw.of(said.WHO_HAS_MOST), x=thing)


def _who_key(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """The person that a row is about, asked for by "who" alone."""
    plan = _plan_for_key(draw, table, kind, words.natural)
    if plan is None:
        return None
    sentence = Sentence(draw, table, plan, words)
    sentence.nouns.person = True
    return plan, sentence.write(whole=True)


# Loose nouns, fillers.


def _plan_for_key(draw: Draw, table: DrawnTable, kind: str, natural: bool) -> Plan | None:
    for _ in range(3):
        plan = draw_plan(draw, table, kind, natural)
        if plan is not None and plan.target.key:
            return plan
    return None


def loose_noun(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """A noun for the row that the table does not have."""
    plan = _plan_for_key(draw, table, kind, words.natural)
    if plan is None:
        return None
    noun = draw.of(said.LOOSE_NOUNS if draw.chance(0.6) else field_words(table.split))
    if not _is_foreign(noun, table):
        return None
    sentence = Sentence(draw, table, plan, words)
    sentence.nouns.one, sentence.nouns.many = noun, plural_of(noun)
    sentence.nouns.person, sentence.nouns.says_key = False, True
    return plan, sentence.write(whole=True)


def _is_foreign(noun: str, table: DrawnTable) -> bool:
    """Whether nothing in the table goes by a noun."""
    telling = content_words(noun)
    for column in table.columns:
        if telling & column.words and not column.key:
            return False
        if column.family is not None and telling & family_words(column.family):
            return False
    return not any(noun in text.split() for text in table.homes)


def filler(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """What does not change the answer: "on my list", or "national" before "park"."""
    plan = draw_plan(draw, table, kind, words.natural)
    if plan is None:
        return None
    sentence = Sentence(draw, table, plan, words)
    topic = table.topic
    modifiers = said.MODIFIERS.get(topic.noun, ()) if topic is not None else ()
    if modifiers and sentence.nouns.says_key and draw.chance(0.5):
        modifier = draw.of(modifiers)
        if not _is_foreign(modifier, table):
            return None
        sentence.nouns.one = f"{modifier} {sentence.nouns.one}"
        sentence.nouns.many = f"{modifier} {sentence.nouns.many}"
        return plan, sentence.write()
    alone = plan.by is not None and not plan.filters and plan.compared is None
    filler = draw.of(said.SUPERLATIVE_FILLERS if alone and plan.target.key else said.FILLERS)
    return plan, sentence.write(filler, whole=True)


def placing(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """Places: "who came second"."""
    ranks = [column for column in table.columns if is_rank(column)]
    if len(ranks) != 1 or not ranks[0].words & _RANK_WORDS or ranks[0].silent:
        return None
    if any(column.words & _WINNING for column in table.columns):
        return None
    by, nouns = ranks[0], Nouns(draw, table)
    noun = nouns.one if nouns.says_key else table.key.name
    person = nouns.person or table.key.maker == "person"
    wins = person or (table.topic is not None and table.topic.noun in said.WINNERS)
    who = wins and draw.chance(0.75 if person else 0.4)
    if words.natural:
        words.used_family = True
    if kind == "superlative":
        row = extreme_row(by, (1 << table.rows) - 1, most=True)
        if row is None:
            return None
        plan = Plan(kind, table.key, row, extreme_program(table.key, by, most=True), by=by)
        return plan, _say(draw, draw.of(said.LAST_WHO if who else said.LAST_WHICH), n=noun)
    row = draw.below(table.rows)
    if draw.chance(0.4):
        wanted = 1 if draw.chance(0.7) else 2
        row = by.cells.index(wanted) if wanted in by.cells else row
    each = equal_filter(by, row)
    if each is None or each.rows != 1 << row or not isinstance(each.value, int) or each.value < 1:
        return None
    plan = Plan(kind, table.key, row, select_where(table.key.header, each.conditions[0]), [each])
    place = each.value
    group: tuple[str, ...] = said.PLACE_WHO if who else said.PLACE_WHICH
    if place == 1 and wins and draw.chance(0.7):
        group = said.WINNER_WHO if who else said.WINNER_WHICH
    elif place == 2 and wins and draw.chance(0.4):
        group = said.SECOND_WHO if who else said.SECOND_WHICH
    spelled = place < len(said.ORDINALS) and draw.chance(0.6)
    order = said.ORDINALS[place] if spelled else ordinal(place)
    return plan, _say(draw, draw.of(group), n=noun, o=order, k=str(place))


def zero(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """None of something: "which team has no wins"."""
    columns = [
        column
        for column in table.columns
        if column.kind == "number" and not column.silent and column.cells.count(0) == 1
        and is_plural(column.name) and column.name.split()[-1] not in _MEASURES
    ]  # fmt: skip
    if not columns:
        return None
    column = draw.of(columns)
    each = equal_filter(column, column.cells.index(0))
    assert each is not None
    nouns = Nouns(draw, table)
    noun = nouns.one if nouns.says_key else table.key.name
    person = nouns.person and draw.chance(0.7)
    field = column.name
    if words.natural:
        words.used_family = True
        name = words.name(column)
        field = name if is_plural(name) and not name.startswith(("number", "total", "count")) else field
    row = column.cells.index(0)
    plan = Plan(kind, table.key, row, select_where(table.key.header, each.conditions[0]), [each])
    return plan, _say(draw, draw.of(said.ZERO_WHO if person else said.ZERO), n=noun, f=field)


# Amounts in texts, times of the day.


def amount(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """A usual question that orders the rows by texts."""
    if all(column.amounts is None for column in table.columns):
        return None
    for _ in range(4):
        plan = draw_plan(draw, table, kind, words.natural)
        if plan is not None and any(column.amounts is not None for column in used_columns(plan)):
            return plan, Sentence(draw, table, plan, words).write()
    return None


def clock(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """Which train leaves first."""
    for column in draw.shuffled(table.columns):
        key = column.family.key if column.family is not None else ""
        if key not in said.CLOCK_VERBS or column.key or column.kind != "text":
            continue
        present: list[Any] = [cell for cell in column.cells if cell is not None]
        most = draw.chance(0.5)
        if not present:
            return None
        value = (max if most else min)(present)  # all are of one length: "05:50"
        if present.count(value) > 1 or any(cell[2:3] != ":" for cell in present):
            return None
        verb = draw.of(said.CLOCK_VERBS[key])
        if not words.clear(f"when does {{e}} {without_s(verb.split()[0])}", column):
            return None
        order = draw.of(said.LATE if most else said.EARLY)
        row = column.cells.index(value)
        nouns = Nouns(draw, table)
        noun = nouns.one if nouns.says_key else table.key.name
        words.used_family = True
        program = select_where(table.key.header, condition(column.header, Comparison.EQUAL, value))
        plan = Plan(kind, table.key, row, program, by=column, most=most)
        return plan, _say(draw, draw.of(said.CLOCK_WHICH), n=noun, x=verb, a=order)
    return None
