"""Draws examples of the open task on two tables."""

import dataclasses
from typing import Any, Final

from neural_enquirer.programs.conditions import holds
from neural_enquirer.programs.language import Cells, Compare, Constant
from neural_enquirer.synthesis.examples import Cell, Example
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, known, require
from neural_enquirer.synthesis.open.grammar import plural_of, with_article
from neural_enquirer.synthesis.open.pairs import FACTS, THINGS, Pair, View, draw_pair, join
from neural_enquirer.synthesis.open.plans import Plan, draw_plan
from neural_enquirer.synthesis.open.row_filters import Filter, extreme_row
from neural_enquirer.synthesis.open.sampler import OpenTask
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.shapes import JOINS
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.unanswerable import absent_question, unsupported_question
from neural_enquirer.synthesis.open.without_program import Either, draw_either, write_either
from neural_enquirer.synthesis.open.wording import Wording
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.arrays import exact

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


_FEWEST_JOINED: Final = 2


def _draw_pair(draw: Draw, split: str, wording: str) -> tuple[Pair, bool]:
    """Two tables, and whether they stand in the other order."""
    return draw_pair(draw, split, wording), draw.chance(0.5)


def _question(draw: Draw, tables: tuple[Pair, bool], kind: str, wording: str) -> Example:
    pair, turned = tables
    natural = wording == "natural"
    if kind.startswith("join"):
        example = _joined(draw, pair, kind.removeprefix("join "), natural)
    elif kind == "partnerless":
        example = _partnerless(draw, pair, natural)
    elif kind == "absent":
        example = _example(pair, _absent_text(draw, pair, natural))
    elif kind == "unsupported":
        table = (pair.facts, pair.things)[_side(draw)]
        example = _example(pair, unsupported_question(draw, table, natural))
    else:
        example = _of_one(draw, pair, kind, natural)
    example = dataclasses.replace(example, type=kind, wording=wording)
    return _turned(example) if turned else example


def _side(draw: Draw) -> int:
    return FACTS if draw.chance(0.5) else THINGS


def _turned(example: Example) -> Example:
    """The same with the tables in the other order."""
    return dataclasses.replace(
        example,
        tables=example.tables[::-1],
        cells=tuple((1 - table, row, column) for table, row, column in example.cells),
        link=None if example.link is None else example.link[::-1],
        headers=tuple((name, 1 - table, own) for name, table, own in example.headers),
    )


def _example(
    pair: Pair, question: str, cells: tuple[Cell, ...] = (), program: Cells | None = None
) -> Example:
    link = None if pair.link is None or pair.key is None else (pair.link.header, pair.key.header)
    return Example((pair.facts.table, pair.things.table), question, "", "", cells, program, link)


# Questions that need both tables.


def _joined(draw: Draw, pair: Pair, kind: str, natural: bool) -> Example:
    view, side, plan = _join_plan(draw, pair, kind, natural)
    question = _written(draw, pair, view, side, plan, natural)
    require(_means_one(pair, view, plan))
    row = view.facts[plan.row]
    rows = row, known(pair.partners[row])
    cells = tuple((table, rows[table], column) for table, column in view.sources[id(plan.target)])
    example = _example(pair, question, cells, plan.program)
    return dataclasses.replace(example, headers=_headers(pair, view))


def _headers(pair: Pair, view: View) -> tuple[tuple[str, int, str], ...]:
    tables = pair.facts, pair.things
    places = [(column.header, *view.sources[id(column)][0]) for column in view.table.columns]
    return tuple((name, side, tables[side].columns[place].header) for name, side, place in places)


def _is_joined(pair: Pair) -> bool:
    """Whether enough rows have partners to ask for."""
    return pair.link is not None and len(pair.partners) - pair.partners.count(None) >= _FEWEST_JOINED


def _join_plan(draw: Draw, pair: Pair, kind: str, natural: bool) -> tuple[View, int, Plan]:
    """A question that uses fields of both tables, and whose rows it is about."""
    require(_is_joined(pair))
    side = FACTS if draw.chance(0.6) else THINGS
    view = join(pair, of_things=side == THINGS)
    plan = draw_plan(draw, view.table, kind, natural)
    used = [plan.target, plan.by, plan.compared, *(each.column for each in plan.filters)]
    used += [] if plan.named is None else [plan.named.column]
    require({FACTS, THINGS} <= {view.side(column) for column in used})
    return view, side, plan


def _written(draw: Draw, pair: Pair, view: View, side: int, plan: Plan, natural: bool) -> str:
    words = JoinWording(draw, view.table, natural, pair, side)
    words.view = view
    question = JoinSentence(view.table, plan, words).write()
    require(words.used_family == natural and not words.unclear)
    return question


def _means_one(pair: Pair, view: View, plan: Plan) -> bool:
    """Whether rows without a partner make no difference.

    The oldest customer may be one who never ordered: then nobody knows which one is meant.
    """
    if pair.is_whole:
        return True
    if plan.compared is not None:
        return False
    side = view.side(plan.by)
    if plan.by is None or side is None or any(view.side(each.column) != side for each in plan.filters):
        return plan.by is None or side is not None
    table = pair.facts if side == FACTS else pair.things
    ((_, place),) = view.sources[id(plan.by)]
    rows = table.every
    for each in plan.filters:
        rows &= _rows(view, each, table)
    fact = view.facts[plan.row]
    return extreme_row(table.columns[place], rows, plan.most) == (
        fact if side == FACTS else pair.partners[fact]
    )


def _rows(view: View, each: Filter, table: DrawnTable) -> int:
    """The rows of a whole table that fulfil a filter of the join."""
    ((_, place),) = view.sources[id(each.column)]
    rows = 0
    for row, cell in enumerate(table.columns[place].cells):
        if cell is not None and all(_holds(condition, cell) for condition in each.conditions):
            rows |= 1 << row
    return rows


def _holds(condition: Compare, cell: Value) -> bool:
    assert isinstance(condition.operand, Constant)
    return holds(exact(cell), condition.comparison, exact(condition.operand.value))


# Questions about one of the tables.


def _of_one(draw: Draw, pair: Pair, kind: str, natural: bool) -> Example:
    side = _side(draw)
    table = (pair.facts, pair.things)[side]
    words = JoinWording(draw, _both(pair, table), natural, pair, side)
    plan: Either | Plan
    if kind == "either":
        plan = choice = draw_either(draw, table, natural)
        text = write_either(draw, table, choice, words)
    else:
        plan = asked = draw_plan(draw, table, kind, natural)
        text = Sentence(table, asked, words).write()
    require(words.used_family == natural and not words.unclear)
    cell = side, plan.row, table.columns.index(plan.target)
    return _example(pair, text, (cell,), plan.program if isinstance(plan, Plan) else None)


def _both(pair: Pair, table: DrawnTable) -> DrawnTable:
    """A table with the columns of both, so that no phrase is used that could mean the other one's."""
    columns = [*pair.facts.columns, *(column for column in pair.things.columns if column is not pair.key)]
    if table is pair.things and pair.key is not None:
        columns = [*(column for column in pair.facts.columns if column is not pair.link), *table.columns]
    homes = dict(pair.facts.homes)
    for text, count in pair.things.homes.items():
        homes[text] = max(homes.get(text, 0), count) if pair.link is not None else homes.get(text, 0) + count
    return dataclasses.replace(table, columns=columns, homes=homes)


# Questions that the tables cannot answer.


def _absent_text(draw: Draw, pair: Pair, natural: bool) -> str:
    """About a field or a value that is in neither table."""
    if _is_joined(pair):
        table = join(pair, of_things=draw.chance(0.4)).table
    else:
        side = draw.of((pair.facts, pair.things))
        table = dataclasses.replace(_both(pair, side), columns=side.columns)
    homes = pair.facts.homes | pair.things.homes | table.homes
    return absent_question(draw, dataclasses.replace(table, homes=homes), natural)


def _partnerless(draw: Draw, pair: Pair, natural: bool) -> Example:
    """About a field of the thing of a fact whose thing is not there: it is taken away."""
    require(pair.things.rows > _FEWEST_JOINED)
    view, side, plan = _join_plan(draw, pair, "select_where", natural)
    gone = known(pair.partners[view.facts[plan.row]])
    near = {view.side(each.column) for each in plan.filters}
    require(view.side(plan.target) == THINGS and near == {FACTS})
    example = _example(pair, _written(draw, pair, view, side, plan, natural))
    return dataclasses.replace(example, tables=(pair.facts.table, _without(pair.things.table, gone)))


def _without(table: Table, row: int) -> Table:
    columns = tuple(column[:row] + column[row + 1 :] for column in table.columns)
    texts = table.texts
    kept = None if texts is None else tuple(column[:row] + column[row + 1 :] for column in texts)
    return Table(table.fields, columns, table.name, kept)


TWO_TABLES: Final = OpenTask(
    name="open-two-tables",
    stream="open joins",
    sizes=dict.fromkeys(SPLITS, 8_000),
    ratio={
        "join select_where": 22,
        "join superlative": 13,
        "join where_superlative": 15,
        "join nest": 4,
        "select_where": 10,
        "superlative": 6,
        "where_superlative": 6,
        "nest": 5,
        "either": 2,
        "absent": 9,
        "partnerless": 4,
        "unsupported": 4,
    },
    sharing=5,
    attempts=8,
    tables=_draw_pair,
    question=_question,
)
"""Both tables are needed for "join ..."; "absent" is where a field or value is in neither, "partnerless"
where the row that is asked about has no partner in the other table, "unsupported" where no single cell
answers. The others ask one table alone."""
JOIN_TYPES: Final = tuple(TWO_TABLES.ratio)
