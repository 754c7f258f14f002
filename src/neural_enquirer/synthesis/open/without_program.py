"""Questions that no program of the paper can say: "which is taller, A or B", "the one after A"."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, require
from neural_enquirer.synthesis.open.grammar import does, fill, finished, is_plural, with_article, without_s
from neural_enquirer.synthesis.open.row_filters import Filter, equal_filter
from neural_enquirer.synthesis.open.sentences import Nouns
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording, counted


@dataclass(slots=True, eq=False)
class Either:
    """Two rows by their names, and the field that decides between them."""

    target: Column
    row: int
    """The one of the two that is meant."""
    named: Column
    rows: tuple[int, int]
    """In the order in which the question names them."""
    by: Column
    most: bool


@dataclass(frozen=True)
class _Predicate:
    """What is true of the one that is meant: "is taller", "has the higher price"."""

    finite: str
    inverted: tuple[str, str] | None
    """What stands before and behind the names: "is A or B taller"."""
    brief: str
    adjective: str = ""


def draw_either(draw: Draw, table: DrawnTable, natural: bool) -> Either:
    """Two rows with different values in one field."""
    columns = [column for column in table.columns if column.ordered and not column.silent and not column.key]
    if natural:
        columns = [column for column in columns if column.family is not None] or columns
    named = _naming_column(draw, table)
    require(bool(columns) and table.rows > 1)
    by = draw.of(columns)
    one, other = draw.some(range(table.rows), 2)
    cells: tuple[Any, Any] = by.cells[one], by.cells[other]
    require(None not in cells and cells[0] != cells[1] and _told_apart(table, named, one, other))
    most = draw.chance(0.55)
    row = one if (cells[0] > cells[1]) == most else other
    target = named
    if named.key and draw.chance(0.15):
        target = draw.of([column for column in table.columns if not column.silent and column is not by])
    require(target.cells[row] is not None)
    return Either(target, row, named, (one, other), by, most)


def _naming_column(draw: Draw, table: DrawnTable) -> Column:
    if draw.chance(0.9):
        return table.key
    texts = [column for column in table.columns if column.kind == "text" and not column.silent]
    require(bool(texts))
    return draw.of(texts)


def _told_apart(table: DrawnTable, named: Column, one: int, other: int) -> bool:
    """Whether each name is that of one row only, in one column only, and not part of the other."""
    names = [str(named.cells[row]).casefold() for row in (one, other)]
    if None in (named.cells[one], named.cells[other]) or names[0] in names[1] or names[1] in names[0]:
        return False
    cells = [str(cell).casefold() for cell in named.cells]
    if named.kind == "text" and any(table.homes.get(name, 0) > 1 for name in names):
        return False
    return all(cells.count(name) == 1 for name in names)


def write_either(draw: Draw, table: DrawnTable, plan: Either, words: Wording) -> str:
    """The question in words."""
    nouns = Nouns(draw, table)
    plain = not plan.named.key or plan.named.kind != "text"
    noun = nouns.one if plan.named.key and nouns.says_key else plan.named.name
    one, other = (words.value(plan.named, plan.named.cells[row]) for row in plan.rows)
    predicate = _predicate(draw, plan, words, plain)
    asked = words.name(plan.target) if plan.target is not plan.named else ""
    shape, brief = _shape(draw, plan, predicate, nouns.person and plan.named.key)
    before, behind = predicate.inverted or ("", "")
    slots = {
        "h": predicate.finite, "x": before, "y": behind, "b": predicate.brief, "a": predicate.adjective,
        "n": noun, "t": asked, "e": one, "e2": other,
    }  # fmt: skip
    return finished(draw, fill(shape, **slots), plain=brief)


def _shape(draw: Draw, plan: Either, predicate: _Predicate, person: bool) -> tuple[str, bool]:
    """The shape of the sentence, and whether it is key words only."""
    if plan.target is not plan.named:
        adjective = predicate.adjective and draw.chance(0.6)
        return draw.of(SHAPES["either_field_adjective" if adjective else "either_field"]), False
    kind = draw.random()
    if kind < 0.1:
        return draw.of(SHAPES["either_brief"]), True
    if kind < 0.32 and predicate.inverted is not None:
        return draw.of(SHAPES["either_inverted"]), False
    return draw.of(SHAPES["either_person" if person and draw.chance(0.7) else "either"]), False


def _predicate(draw: Draw, plan: Either, words: Wording, plain: bool) -> _Predicate:
    family = plan.by.family
    if words.natural and family is not None and not plain:
        kind = draw.random()
        if kind < 0.7:
            phrases = tuple(filter(_usable, family.more if plan.most else family.less))
            phrase = words.of_family(plan.by, phrases)
            if phrase is not None:
                return _of_comparison(draw, phrase, plan.most)
        if kind < 0.85:
            adjective = words.adjective(plan.by, plan.most)
            if adjective is not None:
                return _Predicate(f"is the {adjective}", ("is", f"the {adjective}"), adjective, adjective)
        phrases = family.most_after if plan.most else family.least_after
        phrase = words.of_family(plan.by, tuple(each for each in phrases if " which " not in each))
        if phrase is not None:
            return _of_verb(f"was {phrase}" if _in_time(phrase) else does(draw, phrase))
    return _of_field(draw, plan, words)


def _of_field(draw: Draw, plan: Either, words: Wording) -> _Predicate:
    """By the field's name: "has the higher price"."""
    by = plan.by
    if counted(by) and draw.chance(0.5):
        phrase = f"{draw.of(SHAPES['more_of'] if plan.most else SHAPES['less_of'])} {by.name}"
        words.compares(by)
    elif draw.chance(0.2):
        phrase = f"the {words.superlative(by, plan.most)} {words.name(by)}"
    else:
        name = words.name(by)
        shape = draw.of(SHAPES["either_has_many" if is_plural(name) else "either_has"])
        filled = f" {shape}".replace("{c}", words.comparative(by, plan.most)).replace("{f}", name)
        phrase = with_article(filled).strip()
    brief = phrase.removeprefix("the ").removeprefix("a ").removeprefix("an ")
    past = draw.chance(0.25)
    return _Predicate(
        f"{'had' if past else 'has'} {phrase}", ("did" if past else "does", f"have {phrase}"), brief
    )


def _usable(phrase: str) -> bool:
    """Whether a family's comparison can stand without what it compares with."""
    *body, last = phrase.split()
    if (
        not body
        or " ".join(body) in KINDS["bare_comparatives"]
        or not KINDS["no_predicates"].isdisjoint(body)
    ):
        return False
    return last in ("than", "after", "before") and not body[0].endswith("ing")


def _of_comparison(draw: Draw, phrase: str, most: bool) -> _Predicate:
    body, _, last = phrase.rpartition(" ")
    if last != "than":
        orders = SHAPES["either_later" if most else "either_earlier"]
        order = orders[0] if _has_order(body) else draw.of(orders)
        body = f"{body} {order}"
    first, _, rest = body.partition(" ")
    if first in ("that", "who", "which"):
        return _of_verb(rest)
    if first == "with" or (first in KINDS["bare_comparatives"] and is_plural(body.split()[-1])):
        return _of_verb(f"has {body.removeprefix('with ')}")
    if last != "than":
        return _of_verb(f"{'is' if first in KINDS['present'] else 'was'} {body}")
    return _Predicate(f"is {body}", ("is", body), body, body if " " not in rest else "")


def _has_order(body: str) -> bool:
    """Whether a verb takes no other order than "later": "last seen", and what is still to come."""
    words = body.split()
    return "first" in words or "last" in words or words[0] in KINDS["present"] or words[-1].endswith("s")


def _in_time(phrase: str) -> bool:
    """Whether a superlative behind a noun tells what once happened to it: "bought first"."""
    words = phrase.split()
    return words[0] not in ("that", "who", "which", "with") and words[-1] in KINDS["times"]


def _of_verb(finite: str) -> _Predicate:
    first, _, rest = finite.partition(" ")
    inverted: tuple[str, str] | None = None
    if first in ("is", "was"):
        inverted = first, rest
    elif first == "has":
        inverted = "does", f"have {rest}"
    elif first.endswith("s"):
        inverted = "does", f"{without_s(first)} {rest}"
    brief = rest if first in ("is", "was", "has") else finite
    return _Predicate(finite, inverted, brief.removeprefix("the "))


@dataclass(slots=True, eq=False)
class Order:
    """A row that a question tells by its place."""

    target: Column
    row: int
    form: str
    """"first", "last"; "after", "before" a named row."""
    named: Filter | None = None
    """Names the row beside the one that is meant."""
    among: Filter | None = None
    """The first or last of these rows only."""


def draw_order(draw: Draw, table: DrawnTable) -> Order:
    """A row by its place."""
    kind = draw.random()
    require(table.rows > 1)
    if kind < 0.32:
        first = draw.chance(0.5)
        target = _asked_column(draw, table, ())
        return _found(Order(target, 0 if first else table.rows - 1, "first" if first else "last"))
    return _beside(draw, table) if kind < 0.75 else _end_among(draw, table)


def _found(plan: Order) -> Order:
    require(plan.target.cells[plan.row] is not None)
    return plan


def _asked_column(draw: Draw, table: DrawnTable, used: tuple[Column, ...]) -> Column:
    columns = [
        each for each in table.columns if not each.silent and each not in used and each is not table.key
    ]
    if table.key not in used and (not columns or draw.chance(0.6)):
        return table.key
    return draw.of(columns or [table.key])


def _beside(draw: Draw, table: DrawnTable) -> Order:
    after = draw.chance(0.6)
    row = draw.below(table.rows - 1) + (0 if after else 1)
    column = table.key
    if draw.chance(0.15):
        column = draw.of(
            [each for each in table.columns if each.kind == "text" and not each.silent] or [column]
        )
    named = equal_filter(column, row)
    require(named.rows == 1 << row)
    require(column.kind != "text" or table.homes.get(str(named.value).casefold(), 0) <= 1)
    target = column if draw.chance(0.75) else _asked_column(draw, table, (column,))
    return _found(Order(target, row + (1 if after else -1), "after" if after else "before", named))


def _end_among(draw: Draw, table: DrawnTable) -> Order:
    """The first or last of several rows that share a cell."""
    columns = [
        column
        for column in table.columns
        if not column.silent and not column.key and column.kind != "date" and _repeats(column)
    ]
    texts = [column for column in columns if column.kind == "text"]
    require(bool(columns))
    column = draw.of(texts if texts and draw.chance(0.8) else columns)
    among = equal_filter(column, draw.below(table.rows))
    require(bool(among.rows & (among.rows - 1)))
    first = draw.chance(0.4)
    lowest = (among.rows & -among.rows).bit_length() - 1
    row = lowest if first else among.rows.bit_length() - 1
    target = _asked_column(draw, table, (column,))
    return _found(Order(target, row, "first" if first else "last", among=among))


def _repeats(column: Column) -> bool:
    return len(set(column.cells)) < len(column.cells)


def order_is_plain(table: DrawnTable) -> bool:
    """Whether "the last city" can mean nothing but the last row.

    It can mean another where a column of dates, years, ranks or the like puts the rows in another order.
    """
    return all(_ascends(column) for column in table.columns if _orders(column))


def _orders(column: Column) -> bool:
    if column.kind == "date" or column.year:
        return True
    if column.kind != "number" and column.amounts is None:
        return False
    family = column.family
    said = set() if family is None else set(" ".join((*family.most, *family.least)).split())
    return bool(KINDS["orders"] & column.words or KINDS["ends_of_orders"] & said)


def _ascends(column: Column) -> bool:
    cells: list[Any] = column.cells if column.amounts is None else column.amounts
    return None not in cells and all(one < other for one, other in pairwise(cells))


def write_order(draw: Draw, table: DrawnTable, plan: Order, words: Wording) -> str:
    """The question in words."""
    nouns = Nouns(draw, table)
    thing = nouns.row
    asked = thing if plan.target is table.key else words.name(plan.target)
    shape, brief = _order_shape(draw, table, plan, nouns)
    name = "" if plan.named is None else words.value(plan.named.column, plan.named.value)
    among = "" if plan.among is None else words.condition(plan.among)
    early = plan.form in ("first", "before")
    slots = {
        "o": plan.form, "w": plan.form, "t": asked, "n": thing, "m": among, "e": name,
        "r": draw.of(SHAPES["order_right"]),
        "k": draw.of(SHAPES["order_top" if early else "order_bottom"]),
        "z": draw.of(SHAPES["order_previous" if early else "order_next"]),
        "i": draw.of(SHAPES["order_just_before" if early else "order_next_after"]),
        "b": draw.of(SHAPES["order_above" if early else "order_below"]),
        "f": draw.of(SHAPES["order_precedes" if early else "order_follows"]),
        "l": draw.of(SHAPES["order_in_table"]),
    }  # fmt: skip
    return finished(draw, fill(shape, **slots), plain=brief)


def _order_shape(draw: Draw, table: DrawnTable, plan: Order, nouns: Nouns) -> tuple[str, bool]:
    """The shape of the sentence, and whether it is key words only."""
    itself = plan.target is (table.key if plan.named is None else plan.named.column)
    person = nouns.person and plan.target is table.key
    loose = order_is_plain(table) and draw.chance(0.35)
    amount = plan.target.ordered and not plan.target.key  # "the last year listed" might be the latest
    if plan.named is not None:
        if not itself:
            key = plan.target is table.key
            return draw.of(SHAPES["order_beside_row" if key else "order_beside_field"]), False
        if person and draw.chance(0.5):
            return draw.of(SHAPES["order_beside_person_loose" if loose else "order_beside_person"]), False
        return draw.of(SHAPES["order_beside_loose" if loose else "order_beside"]), False
    if not amount and draw.chance(0.1):
        group = SHAPES["order_end_brief" if plan.among is None else "order_among_brief"]
        return draw.of(group), True
    if plan.among is not None:
        if not itself and (amount or draw.chance(0.4)):
            return draw.of(SHAPES["order_among_field"]), False
        return draw.of(SHAPES["order_among_loose" if loose else "order_among"]), False
    if person and draw.chance(0.5):
        return draw.of(SHAPES["order_end_person"]), False
    if not itself and (amount or draw.chance(0.3)):
        return draw.of(SHAPES["order_end_field"]), False
    return draw.of(SHAPES["order_end_loose" if loose else "order_end"]), False
