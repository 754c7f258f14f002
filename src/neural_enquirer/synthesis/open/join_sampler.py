"""Draws examples of the open task on two tables."""

import dataclasses
from typing import Final

from neural_enquirer.programs.conditions import holds
from neural_enquirer.programs.language import Cells, Compare, Constant
from neural_enquirer.synthesis.examples import Cell, Example
from neural_enquirer.synthesis.open.blocks import OpenTask
from neural_enquirer.synthesis.open.choices import Either, draw_either, write_either
from neural_enquirer.synthesis.open.draw import Draw, known, require
from neural_enquirer.synthesis.open.join_wording import JoinSentence, JoinWording
from neural_enquirer.synthesis.open.pairs import FACTS, THINGS, Pair, View, draw_pair, join
from neural_enquirer.synthesis.open.plans import Plan, draw_plan
from neural_enquirer.synthesis.open.row_filters import Filter, extreme_row
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.unanswerable import absent_question, unsupported_question
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.arrays import exact

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
