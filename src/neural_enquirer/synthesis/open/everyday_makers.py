"""Makers of everyday questions: each draws a plan of one kind and says it in its own way, where it can."""

from collections.abc import Callable
from typing import Any, Final

from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.paper import condition, select_where
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
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.open.surface import finished
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording, counted

_GENERIC: Final = tuple(words for name, words in SHAPES.items() if name.startswith(("most.", "least.")))
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
            shape = draw.of(SHAPES["value_does_many" if many and draw.chance(0.2) else "value_does"])
            return plan, _say(draw, shape, x=does(draw, after), V=noun, P=many)
        return plan, _say(draw, draw.of(SHAPES["value_after"]), V=noun, m=after)
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
        group: tuple[str, ...] = SHAPES["value_adjective"]
        if person and draw.chance(0.4):
            group = SHAPES["value_who_adjective"]
        elif many and draw.chance(0.25):
            group = SHAPES["value_adjective_many"]
        return plan, _say(draw, draw.of(group), a=adjective, V=noun, P=many)
    shape = draw.of(SHAPES["value_does_many" if many and draw.chance(0.2) else "value_does"])
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
        or value.casefold() in KINDS["no_nouns"]
        or value.count(" ") >= _LONGEST_NOUN
        or not value.replace(" ", "").replace("-", "").isalpha()
    ):
        return None
    key = column.family.key if column.family is not None else ""
    noun = words.short(value) if draw.chance(0.6) else value
    noun = noun.lower() if draw.chance(0.3) else noun
    alone = key in KINDS["noun_families"] or (not key and column.maker in KINDS["noun_makers"])
    if key in KINDS["adjective_families"] and table.topic is not None and (not alone or draw.chance(0.35)):
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
        return column.maker in KINDS["noun_makers"]
    return column.family.key in KINDS["noun_families"] or column.family.key in KINDS["adjective_families"]


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
        return _say(draw, draw.of(SHAPES["most_of" if most else "fewest_of"]), f=by.name)
    family = by.family
    if family is None:
        return None
    if draw.chance(0.3) and "best" in " ".join((*family.most, *family.least)).split():
        best = "best" in " ".join(family.most).split()
        if words.of_family(by, ("best" if best == most else "worst",)) is None:
            return None
        return _say(draw, draw.of(SHAPES["best_in" if best == most else "worst_in"]), f=by.name, n=noun)
    adjective = words.adjective(by, most)
    if adjective is None:
        return None
    others = [each for each in words.table.columns if each.ordered and not each.silent and each is not by]
    if others and any(adjective in group for group in _GENERIC):
        return _say(draw, draw.of(SHAPES["brief_by"]), a=adjective, n=noun, f=words.name(by))
    if person and draw.chance(0.4):
        return _say(draw, draw.of(SHAPES["brief_person"]), a=adjective)
    if draw.chance(0.12):
        return _say(draw, draw.of(SHAPES["brief_by"]), a=adjective, n=noun, f=words.name(by))
    return _say(draw, draw.of(SHAPES["brief"]), a=adjective, n=noun)


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
    keeps = not family or family in SHAPES["who_has_families"]
    if not keeps and (kind != "superlative" or family not in SHAPES["who_has_most_families"]):
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
        return plan, _say(draw, draw.of(SHAPES["who_has_thing"]), x=thing)
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
        return plan, _say(draw, draw.of(SHAPES["who_has_thing"]), x=f"the {adjective} {noun}")
    if filters or (keeps and draw.chance(0.4)):
        thing = f"the {noun} {words.extreme_after(by, most)}"
        return plan, _say(draw, draw.of(SHAPES["who_has_thing"]), x=thing)
    if counted(by):
        thing = f"the {'most' if most else 'fewest'} {by.name}"
        words.compares(by)
    else:
        thing = f"the {words.superlative(by, most)} {words.name(by)}"
    return plan, _say(draw, draw.of(SHAPES["who_has_most"]), x=thing)


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
    noun = draw.of(SHAPES["loose_nouns"] if draw.chance(0.6) else field_words(table.split))
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
    modifiers = SHAPES.get(f"modifiers.{topic.noun}", ()) if topic is not None else ()
    if modifiers and sentence.nouns.says_key and draw.chance(0.5):
        modifier = draw.of(modifiers)
        if not _is_foreign(modifier, table):
            return None
        sentence.nouns.one = f"{modifier} {sentence.nouns.one}"
        sentence.nouns.many = f"{modifier} {sentence.nouns.many}"
        return plan, sentence.write()
    alone = plan.by is not None and not plan.filters and plan.compared is None
    filler = draw.of(SHAPES["fillers"] + (SHAPES["superlative_fillers"] if alone and plan.target.key else ()))
    return plan, sentence.write(filler, whole=True)


def placing(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """Places: "who came second"."""
    ranks = [column for column in table.columns if is_rank(column)]
    if len(ranks) != 1 or not ranks[0].words & KINDS["placings"] or ranks[0].silent:
        return None
    if any(column.words & KINDS["winning"] for column in table.columns):
        return None
    by, nouns = ranks[0], Nouns(draw, table)
    noun = nouns.one if nouns.says_key else table.key.name
    person = nouns.person or table.key.maker == "person"
    wins = person or (table.topic is not None and table.topic.noun in SHAPES["winners"])
    who = wins and draw.chance(0.75 if person else 0.4)
    if words.natural:
        words.used_family = True
    if kind == "superlative":
        row = extreme_row(by, (1 << table.rows) - 1, most=True)
        if row is None:
            return None
        plan = Plan(kind, table.key, row, extreme_program(table.key, by, most=True), by=by)
        return plan, _say(draw, draw.of(SHAPES["last_who" if who else "last_which"]), n=noun)
    row = draw.below(table.rows)
    if draw.chance(0.4):
        wanted = 1 if draw.chance(0.7) else 2
        row = by.cells.index(wanted) if wanted in by.cells else row
    each = equal_filter(by, row)
    if each is None or each.rows != 1 << row or not isinstance(each.value, int) or each.value < 1:
        return None
    plan = Plan(kind, table.key, row, select_where(table.key.header, each.conditions[0]), [each])
    place = each.value
    group: tuple[str, ...] = SHAPES["place_who" if who else "place_which"]
    if place == 1 and wins and draw.chance(0.7):
        group = SHAPES["winner_who" if who else "winner_which"]
    elif place == 2 and wins and draw.chance(0.4):
        group = SHAPES["second_who" if who else "second_which"]
    spelled = place < len(SHAPES["ordinals"]) and draw.chance(0.6)
    order = SHAPES["ordinals"][place] if spelled else ordinal(place)
    return plan, _say(draw, draw.of(group), n=noun, o=order, k=str(place))


def zero(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    """None of something: "which team has no wins"."""
    columns = [
        column
        for column in table.columns
        if column.kind == "number" and not column.silent and column.cells.count(0) == 1
        and is_plural(column.name) and column.name.split()[-1] not in KINDS["measures"]
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
    return plan, _say(draw, draw.of(SHAPES["zero_who" if person else "zero"]), n=noun, f=field)


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
        if f"clock_verbs.{key}" not in SHAPES or column.key or column.kind != "text":
            continue
        present: list[Any] = [cell for cell in column.cells if cell is not None]
        most = draw.chance(0.5)
        if not present:
            return None
        value = (max if most else min)(present)  # all are of one length: "05:50"
        if present.count(value) > 1 or any(cell[2:3] != ":" for cell in present):
            return None
        verb = draw.of(SHAPES[f"clock_verbs.{key}"])
        if not words.clear(f"when does {{e}} {without_s(verb.split()[0])}", column):
            return None
        order = draw.of(SHAPES["late" if most else "early"])
        row = column.cells.index(value)
        nouns = Nouns(draw, table)
        noun = nouns.one if nouns.says_key else table.key.name
        words.used_family = True
        program = select_where(table.key.header, condition(column.header, Comparison.EQUAL, value))
        plan = Plan(kind, table.key, row, program, by=column, most=most)
        return plan, _say(draw, draw.of(SHAPES["clock_which"]), n=noun, x=verb, a=order)
    return None
