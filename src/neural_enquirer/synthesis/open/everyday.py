"""Questions as people ask them of tables of their own: loose nouns, few words, "who", places, no field named.

Every one is a plan of the usual kinds; only its words are freer.
"""

import dataclasses
from collections.abc import Callable
from typing import Any, Final

from neural_enquirer.programs.language import Cells, Comparison
from neural_enquirer.programs.paper import condition, select_where
from neural_enquirer.synthesis.open.columns import Column, content_words, family_words, is_rank
from neural_enquirer.synthesis.open.draw import Draw, NoQuestionError, attempted, known, require
from neural_enquirer.synthesis.open.grammar import (
    does,
    fill,
    finished,
    is_plural,
    ordinal,
    plural_of,
    without_s,
)
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
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.vocabulary import field_words
from neural_enquirer.synthesis.open.wording import Wording, counted

_GENERIC: Final = tuple(words for name, words in SHAPES.items() if name.startswith(("most.", "least.")))
"""Superlatives that fit nearly any field: without its name, they may mean another."""
_LONGEST_NOUN: Final = 2

_Found = tuple[Plan, str]
_Maker = Callable[[Wording, str], _Found]
"""Draws a plan of one kind and says it in its own way."""


def with_amounts(table: DrawnTable) -> DrawnTable:
    """The table with numbers in place of the texts that people read as amounts."""
    if all(column.amounts is None for column in table.columns):
        return table
    columns = [_numbers(column) for column in table.columns]
    return dataclasses.replace(table, columns=columns, key=columns[table.columns.index(table.key)])


def _numbers(column: Column) -> Column:
    if column.amounts is None:
        return column
    # Only its text says what unit a number has.
    return dataclasses.replace(column, kind="number", cells=column.amounts, unit="")


def draw_everyday(
    draw: Draw, table: DrawnTable, kind: str, natural: bool, rare: bool = False
) -> tuple[str, Plan]:
    """An everyday question of one kind and what it asks, perhaps only one that few tables allow."""
    few, common = _MAKERS[kind]
    makers = [each for each in draw.shuffled(few) if rare or draw.chance(0.85)]
    if not rare:
        makers += draw.some(common, 2)
    numbered = with_amounts(table)
    for maker in makers:
        found = attempted(_made, draw, table, numbered, maker, kind, natural)
        if found is not None:
            return found
    raise NoQuestionError


def _made(
    draw: Draw, table: DrawnTable, numbered: DrawnTable, maker: _Maker, kind: str, natural: bool
) -> tuple[str, Plan]:
    words = Wording(draw, numbered, natural)
    plan, text = maker(words, kind)
    require(not words.unclear and words.used_family == natural)
    require(plan.target.cells[plan.row] is not None)
    program = plan.program
    if any(column.amounts is not None for column in _used_columns(plan)):
        require(not any(map(_says_amount, plan.filters)))
        program = _naming(numbered, plan)
    target = table.columns[numbered.columns.index(plan.target)]
    return text, dataclasses.replace(plan, target=target, program=program)


def _used_columns(plan: Plan) -> list[Column]:
    """The columns by which a plan picks rows."""
    columns = [each.column for each in plan.filters]
    return [*columns, *(each for each in (plan.by, plan.compared) if each is not None)]


def _says_amount(each: Filter) -> bool:
    """Whether a filter would have to write a number as its column does."""
    if each.column.amounts is None:
        return False
    return each.column.spelled == "clock" or (each.form == "equal" and each.column.spelled != "place")


def _naming(table: DrawnTable, plan: Plan) -> Cells:
    """The program for the same cell by the name of its row: texts cannot be compared as numbers in SQL."""
    named = equal_filter(table.key, plan.row)
    require(named.rows == 1 << plan.row)
    return select_where(plan.target.header, named.conditions[0])


def _say(draw: Draw, shape: str, **slots: str) -> str:
    plain = not shape.startswith(("wh", "what", "among", "of ", "tell", "do ", "find", "show", "i'm"))
    return finished(draw, fill(shape, **slots), plain=plain)


def _order(words: Wording, *used: Column) -> tuple[Column, bool]:
    """A column to order rows by, which is not the key, and whether the most of it is asked for."""
    by = ordered_column(words.draw, words.table, words.natural, used)
    require(not by.key)
    return by, words.draw.chance(0.55)


# Cells as nouns, few words.


def _value_noun(words: Wording, kind: str) -> _Found:
    """A cell as the noun: "the rarest mammal"."""
    draw, table = words.draw, words.table
    each, noun, many = _noun_of_cell(words)
    words.used_family = words.natural
    person = Nouns(draw, table).person or table.key.maker == "person"
    if kind == "select_where":
        row = draw.of([row for row in range(table.rows) if each.rows >> row & 1])
        other = any_filter(draw, table, row, words.natural, (each.column, table.key))
        require(each.rows & other.rows == 1 << row)
        program = select_where(table.key.header, *each.conditions, *other.conditions)
        plan = Plan(kind, table.key, row, program, [each, other])
        after = words.condition(other)
        if draw.chance(0.65):
            shape = draw.of(SHAPES["value_does_many" if many and draw.chance(0.2) else "value_does"])
            return plan, _say(draw, shape, x=does(draw, after), V=noun, P=many)
        return plan, _say(draw, draw.of(SHAPES["value_after"]), V=noun, m=after)
    by, most = _order(words, each.column)
    answer = known(extreme_row(by, each.rows, most))
    require(each.rows != 1 << answer or draw.chance(0.15))
    program = extreme_program(table.key, by, most, *each.conditions)
    plan = Plan("where_superlative", table.key, answer, program, [each], by, most)
    adjective = words.adjective(by, most) if draw.chance(0.6) else None
    if adjective is not None:
        group = "value_adjective"
        if person and draw.chance(0.4):
            group = "value_who_adjective"
        elif many and draw.chance(0.25):
            group = "value_adjective_many"
        return plan, _say(draw, draw.of(SHAPES[group]), a=adjective, V=noun, P=many)
    shape = draw.of(SHAPES["value_does_many" if many and draw.chance(0.2) else "value_does"])
    return plan, _say(draw, shape, x=words.extreme_does(by, most), V=noun, P=many)


def _noun_of_cell(words: Wording) -> tuple[Filter, str, str]:
    """A filter, its value as a noun (alone or before the usual one), and the plural where it has one."""
    draw, table = words.draw, words.table
    columns = [column for column in table.columns if _gives_nouns(column)]
    require(bool(columns))
    column = draw.of(columns)
    each = equal_filter(column, draw.below(table.rows))
    value = str(each.value)
    require(words.bare(column, value) and value.casefold() not in KINDS["no_nouns"])
    require(value.count(" ") < _LONGEST_NOUN and value.replace(" ", "").replace("-", "").isalpha())
    key = column.family.key if column.family is not None else ""
    noun = words.short(value) if draw.chance(0.6) else value
    noun = noun.lower() if draw.chance(0.3) else noun
    alone = key in KINDS["noun_families"] or (not key and column.maker in KINDS["noun_makers"])
    if key in KINDS["adjective_families"] and table.topic is not None and (not alone or draw.chance(0.35)):
        require(alone or " " not in value)
        usual = Nouns(draw, table)
        return each, f"{noun} {usual.one}", f"{noun} {usual.many}"
    require(alone)
    whole = len(noun) == len(value)
    many = plural_of(noun) if whole and noun[-1] not in "shxz" and not noun.endswith(("man", "men")) else ""
    return each, noun, many


def _gives_nouns(column: Column) -> bool:
    if column.kind != "text" or column.key or column.silent:
        return False
    if column.family is None:
        return column.maker in KINDS["noun_makers"]
    return column.family.key in KINDS["noun_families"] or column.family.key in KINDS["adjective_families"]


def _brief(words: Wording, kind: str) -> _Found:
    """Few words: "fastest car"."""
    table = words.table
    by, most = _order(words)
    row = known(extreme_row(by, table.every, most))
    text = _brief_text(words, by, most, Nouns(words.draw, table))
    return Plan(kind, table.key, row, extreme_program(table.key, by, most), by=by, most=most), text


def _brief_text(words: Wording, by: Column, most: bool, nouns: Nouns) -> str:
    draw, noun = words.draw, nouns.row
    if counted(by) and not is_rank(by) and (not words.natural or draw.chance(0.3)):
        words.used_family = words.natural
        return _say(draw, draw.of(SHAPES["most_of" if most else "fewest_of"]), f=by.name)
    family = known(by.family)
    if draw.chance(0.3) and "best" in " ".join((*family.most, *family.least)).split():
        best = "best" in " ".join(family.most).split()
        known(words.of_family(by, ("best" if best == most else "worst",)))
        return _say(draw, draw.of(SHAPES["best_in" if best == most else "worst_in"]), f=by.name, n=noun)
    adjective = known(words.adjective(by, most))
    others = [each for each in words.table.columns if each.ordered and not each.silent and each is not by]
    if others and any(adjective in group for group in _GENERIC):
        return _say(draw, draw.of(SHAPES["brief_by"]), a=adjective, n=noun, f=words.name(by))
    if nouns.person and draw.chance(0.4):
        return _say(draw, draw.of(SHAPES["brief_person"]), a=adjective)
    if draw.chance(0.12):
        return _say(draw, draw.of(SHAPES["brief_by"]), a=adjective, n=noun, f=words.name(by))
    return _say(draw, draw.of(SHAPES["brief"]), a=adjective, n=noun)


# Who.


def _who(words: Wording, kind: str) -> _Found:
    """The one column of persons, where the rows are no persons."""
    table = words.table
    persons = [column for column in table.columns if column.maker == "person" and not column.silent]
    require(len(persons) == 1 and (table.topic is None or not table.topic.person))
    target = persons[0]
    # Under a header of made-up words, nothing says which column holds persons.
    require(target.key != words.natural)
    if target.key:
        return _who_key(words, kind)
    family = target.family.key if target.family is not None else ""
    keeps = not family or family in SHAPES["who_has_families"]
    require(keeps or (kind == "superlative" and family in SHAPES["who_has_most_families"]))
    words.used_family = words.natural
    noun = Nouns(words.draw, table).row
    if kind == "select_where":
        return _who_of_name(words, target, noun)
    return _who_of_most(words, kind, target, noun, keeps)


def _who_of_name(words: Wording, target: Column, noun: str) -> _Found:
    draw, table = words.draw, words.table
    named = equal_filter(table.key, draw.below(table.rows))
    require(not named.rows & (named.rows - 1))
    row = named.rows.bit_length() - 1
    name = words.value(table.key, named.value)
    thing = name if draw.chance(0.7) else f"the {noun} {name}" if draw.chance(0.5) else f"{noun} {name}"
    plan = Plan("select_where", target, row, select_where(target.header, named.conditions[0]), [named])
    return plan, _say(draw, draw.of(SHAPES["who_has_thing"]), x=thing)


def _who_of_most(words: Wording, kind: str, target: Column, noun: str, keeps: bool) -> _Found:
    draw, table = words.draw, words.table
    by, most = _order(words)
    filters: list[Filter] = []
    rows = table.every
    if kind == "where_superlative":
        each, noun, _ = _noun_of_cell(words)
        filters, rows = [each], each.rows
    answer = known(extreme_row(by, rows, most))
    conditions = filters[0].conditions if filters else ()
    plan = Plan(kind, target, answer, extreme_program(target, by, most, *conditions), filters, by, most)
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


def _who_key(words: Wording, kind: str) -> _Found:
    """The person that a row is about, asked for by "who" alone."""
    plan = _plan_for_key(words, kind)
    sentence = Sentence(words.table, plan, words)
    sentence.nouns.person = True
    return plan, sentence.write(whole=True)


# Loose nouns, fillers.


def _plan_for_key(words: Wording, kind: str) -> Plan:
    for _ in range(3):
        plan = attempted(draw_plan, words.draw, words.table, kind, words.natural)
        if plan is not None and plan.target.key:
            return plan
    raise NoQuestionError


def _loose_noun(words: Wording, kind: str) -> _Found:
    """A noun for the row that the table does not have."""
    draw, table = words.draw, words.table
    plan = _plan_for_key(words, kind)
    noun = draw.of(SHAPES["loose_nouns"] if draw.chance(0.6) else field_words(table.split))
    require(_is_foreign(noun, table))
    sentence = Sentence(words.table, plan, words)
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


def _filler(words: Wording, kind: str) -> _Found:
    """What does not change the answer: "on my list", or "national" before "park"."""
    draw, topic = words.draw, words.table.topic
    plan = draw_plan(draw, words.table, kind, words.natural)
    sentence = Sentence(words.table, plan, words)
    modifiers = SHAPES.get(f"modifiers.{topic.noun}", ()) if topic is not None else ()
    if modifiers and sentence.nouns.says_key and draw.chance(0.5):
        modifier = draw.of(modifiers)
        require(_is_foreign(modifier, words.table))
        sentence.nouns.one = f"{modifier} {sentence.nouns.one}"
        sentence.nouns.many = f"{modifier} {sentence.nouns.many}"
        return plan, sentence.write()
    alone = plan.by is not None and not plan.filters and plan.compared is None and plan.target.key
    fillers = SHAPES["fillers"] + (SHAPES["superlative_fillers"] if alone else ())
    return plan, sentence.write(draw.of(fillers), whole=True)


# Places in a ranking, none of something.


def _placing(words: Wording, kind: str) -> _Found:
    """Places: "who came second"."""
    draw, table = words.draw, words.table
    ranks = [column for column in table.columns if is_rank(column)]
    require(len(ranks) == 1 and bool(ranks[0].words & KINDS["placings"]) and not ranks[0].silent)
    require(not any(column.words & KINDS["winning"] for column in table.columns))
    by, nouns = ranks[0], Nouns(draw, table)
    person = nouns.person or table.key.maker == "person"
    wins = person or (table.topic is not None and table.topic.noun in SHAPES["winners"])
    asked = "who" if wins and draw.chance(0.75 if person else 0.4) else "which"
    if words.natural:
        words.used_family = True
    if kind == "superlative":
        row = known(extreme_row(by, table.every, most=True))
        plan = Plan(kind, table.key, row, extreme_program(table.key, by, most=True), by=by)
        return plan, _say(draw, draw.of(SHAPES[f"last_{asked}"]), n=nouns.row)
    row = draw.below(table.rows)
    if draw.chance(0.4):
        wanted = 1 if draw.chance(0.7) else 2
        row = by.cells.index(wanted) if wanted in by.cells else row
    each = equal_filter(by, row)
    require(each.rows == 1 << row and isinstance(each.value, int) and each.value >= 1)
    plan = Plan(kind, table.key, row, select_where(table.key.header, each.conditions[0]), [each])
    place, group = each.value, "place"
    if place == 1 and wins and draw.chance(0.7):
        group = "winner"
    elif place == 2 and wins and draw.chance(0.4):
        group = "second"
    spelled = place < len(SHAPES["ordinals"]) and draw.chance(0.6)
    order = SHAPES["ordinals"][place] if spelled else ordinal(place)
    return plan, _say(draw, draw.of(SHAPES[f"{group}_{asked}"]), n=nouns.row, o=order, k=str(place))


def _zero(words: Wording, kind: str) -> _Found:
    """None of something: "which team has no wins"."""
    draw, table = words.draw, words.table
    columns = [
        column
        for column in table.columns
        if column.kind == "number" and not column.silent and column.cells.count(0) == 1
        and is_plural(column.name) and column.name.split()[-1] not in KINDS["measures"]
    ]  # fmt: skip
    require(bool(columns))
    column = draw.of(columns)
    row = column.cells.index(0)
    each = equal_filter(column, row)
    nouns = Nouns(draw, table)
    person = nouns.person and draw.chance(0.7)
    field = column.name
    if words.natural:
        words.used_family = True
        name = words.name(column)
        field = name if is_plural(name) and not name.startswith(("number", "total", "count")) else field
    plan = Plan(kind, table.key, row, select_where(table.key.header, each.conditions[0]), [each])
    return plan, _say(draw, draw.of(SHAPES["zero_who" if person else "zero"]), n=nouns.row, f=field)


# Amounts in texts, times of the day.


def _amount(words: Wording, kind: str) -> _Found:
    """A usual question that orders the rows by texts."""
    require(any(column.amounts is not None for column in words.table.columns))
    for _ in range(4):
        plan = attempted(draw_plan, words.draw, words.table, kind, words.natural)
        if plan is not None and any(column.amounts is not None for column in _used_columns(plan)):
            return plan, Sentence(words.table, plan, words).write()
    raise NoQuestionError


def _clock(words: Wording, kind: str) -> _Found:
    """Which train leaves first."""
    draw, table = words.draw, words.table
    for column in draw.shuffled(table.columns):
        times = f"clock_verbs.{column.family.key}" if column.family is not None else ""
        if times not in SHAPES or column.key or column.kind != "text":
            continue
        present: list[Any] = [cell for cell in column.cells if cell is not None]
        most = draw.chance(0.5)
        require(bool(present))
        value = (max if most else min)(present)  # all are of one length: "05:50"
        require(present.count(value) == 1 and all(cell[2:3] == ":" for cell in present))
        verb = draw.of(SHAPES[times])
        require(words.clear(f"when does {{e}} {without_s(verb.split()[0])}", column))
        order = draw.of(SHAPES["late" if most else "early"])
        words.used_family = True
        program = select_where(table.key.header, condition(column.header, Comparison.EQUAL, value))
        plan = Plan(kind, table.key, column.cells.index(value), program, by=column, most=most)
        noun = Nouns(draw, table).row
        return plan, _say(draw, draw.of(SHAPES["clock_which"]), n=noun, x=verb, a=order)
    raise NoQuestionError


def _none(words: Wording, kind: str) -> _Found:
    raise NoQuestionError


_MAKERS: Final[dict[str, tuple[tuple[_Maker, ...], tuple[_Maker, ...]]]] = {
    "select_where": (
        (_placing, _zero, _who, _amount),
        (_value_noun, _value_noun, _value_noun, _loose_noun, _filler),
    ),
    "superlative": (
        (_placing, _who, _amount, _clock, _brief),
        (_brief, _brief, _brief, _brief, _loose_noun, _filler),
    ),
    "where_superlative": (
        (_who, _amount, _value_noun),
        (_value_noun, _value_noun, _value_noun, _value_noun, _loose_noun, _filler),
    ),
    "nest": ((_amount,), (_loose_noun, _filler, _none, _none, _none, _none)),
}
"""For each kind, what few tables allow, and what nearly all do."""
