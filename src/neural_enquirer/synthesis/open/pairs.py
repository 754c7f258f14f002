"""Draws two tables that belong together: facts, and the things that a column of theirs names.

Orders and customers: each order names its customer, each customer has a row. Some orders name none that is
known, some customers never ordered; the column that links them may have another header on each side.
"""

import dataclasses
from dataclasses import dataclass, field
from typing import Final

from neural_enquirer.synthesis.open.cells import draw_text
from neural_enquirer.synthesis.open.columns import Column, any_style, content_words, plain_name, styled
from neural_enquirer.synthesis.open.draw import Draw, attempted, require
from neural_enquirer.synthesis.open.grammar import plural_of
from neural_enquirer.synthesis.open.makers import pool
from neural_enquirer.synthesis.open.shapes import LINKED_HEADERS
from neural_enquirer.synthesis.open.tables import DrawnTable, as_table, draw_table, homes_of
from neural_enquirer.synthesis.open.vocabulary import field_words
from neural_enquirer.tables import Value

FACTS, THINGS = 0, 1
"""The two sides of a pair."""

_MOST_ROWS: Final = 12
_MOST_COLUMNS: Final = 7
_FIRST_IDS: Final = (1, 1, 1, 10, 100, 101, 500, 1000, 1001, 2001, 10_000)


@dataclass(slots=True, eq=False)
class Pair:
    """Two tables and what links them."""

    facts: DrawnTable
    things: DrawnTable
    link: Column | None
    """Of the facts; None where the tables have nothing to do with each other."""
    key: Column | None
    """Of the things: each of its cells is there once."""
    partners: list[int | None]
    """For each fact the row of its thing."""
    nouns: tuple[str, str]
    """What a fact and a thing are called."""
    views: dict[bool, "View"] = field(default_factory=dict)
    """The joins that were made already."""

    @property
    def is_whole(self) -> bool:
        """Whether every row has a partner."""
        return None not in self.partners and len(set(self.partners)) == self.things.rows


@dataclass(slots=True, eq=False)
class View:
    """The join of a pair as one table: a row for each fact that has a thing."""

    table: DrawnTable
    """Its columns are copies: one may be the key of the view and not of its own table."""
    facts: list[int]
    """For each row of the view the row of its fact."""
    sources: dict[int, list[tuple[int, int]]]
    """Where each column, by its identity, stands in the two tables: (side, column); the link in both."""

    def side(self, column: Column | None) -> int | None:
        """The side that a column belongs to; the link is of neither."""
        sources = self.sources.get(id(column), [])
        return sources[0][0] if len(sources) == 1 else None


def draw_pair(draw: Draw, split: str, wording: str) -> Pair:
    """Two tables for questions of one split and wording."""
    while True:
        found = attempted(_draw_pair, draw, split, wording)
        if found is not None:
            return found


def _draw_pair(draw: Draw, split: str, wording: str) -> Pair:
    kind = draw.random()
    things = _smaller(draw, draw_table(draw, split, wording, draw.between(3, 10)))
    facts = _smaller(draw, draw_table(draw, split, wording, draw.between(3, _MOST_ROWS)))
    plain = wording == "literal" and split != "train"
    if draw.chance(0.2):
        _count_off(draw, facts, plain)
    if kind < 0.07:
        return _strangers(draw, facts, things)
    if kind < 0.3 and (found := attempted(_of_a_column, draw, facts, things)) is not None:
        return found
    if kind < 0.6:
        return _by_number(draw, facts, things, plain)
    return _by_name(draw, facts, things, plain)


def _smaller(draw: Draw, table: DrawnTable) -> DrawnTable:
    """The table without some of its columns, and with names in its key that occur once."""
    others = [column for column in table.columns if column is not table.key]
    kept = draw.some(others, _MOST_COLUMNS - 1)
    table.columns = [column for column in table.columns if column is table.key or column in kept]
    if table.key.kind == "text":
        maker = table.key.maker or "words"
        table.key.cells = draw_text(draw, table.rows, maker, table.split, distinct=True)
        table.key.cells = _distinct(table.key.cells, table.split)
    return table


def _count_off(draw: Draw, table: DrawnTable, plain: bool) -> None:
    """Gives the rows numbers instead of names: order 17."""
    key, noun = table.key, _nouns(table)
    if key.kind != "text":
        return
    if not plain:
        header = styled(draw.of(LINKED_HEADERS["own_id_headers"]).replace("{n}", noun), any_style(draw))
        if any(header.casefold() == column.header.casefold() for column in table.columns):
            return
        key.header, key.name = header, plain_name(header)
        key.words = content_words(key.name)
    first = draw.of(_FIRST_IDS)
    step = draw.of((1, 1, 1, 7))
    key.kind, key.maker, key.cells = "number", "", list(range(first, first + step * table.rows, step))


def _distinct(cells: list[Value | None], split: str) -> list[Value | None]:
    """The cells, of which none is there twice: a short list of values may run out."""
    seen: dict[str, None] = {}
    spare = iter(pool("words", split))
    for cell in cells:
        text = str(cell)
        while text.casefold() in seen:
            text = next(spare)
        seen[text.casefold()] = None
    named = {str(cell).casefold(): cell for cell in cells}
    return [named.get(text, text.title()) for text in seen]


# The ways in which two tables are linked.


def _strangers(draw: Draw, facts: DrawnTable, things: DrawnTable) -> Pair:
    nouns = _nouns(facts), _nouns(things)
    _drop(facts, _clashing(facts.columns, things.columns, nouns[1]))
    return _finished(draw, Pair(facts, things, None, None, [None] * facts.rows, nouns))


def _by_name(draw: Draw, facts: DrawnTable, things: DrawnTable, plain: bool) -> Pair:
    """Each fact has the name of its thing."""
    key, noun = things.key, _nouns(things)
    header = draw.of((key.header, styled(noun, any_style(draw)), styled(f"{noun} name", any_style(draw))))
    if plain:
        header = (
            key.header if draw.chance(0.6) else styled(draw.of(field_words(facts.split)), any_style(draw))
        )
    elif things.topic is None and draw.chance(0.7):
        header = key.header
    partners = _partners(draw, facts.rows, things.rows)
    cells = _cells(draw, key, partners, facts.split)
    link = Column(header, key.kind, cells, maker=key.maker, year=key.year)
    return _linked(draw, facts, things, link, key, partners)


def _by_number(draw: Draw, facts: DrawnTable, things: DrawnTable, plain: bool) -> Pair:
    """Each thing has a number or a code, by which facts know it; people call it by its name."""
    noun, style = _nouns(things), any_style(draw)
    if plain:
        own = draw.of(field_words(facts.split))
        words = own if draw.chance(0.6) else draw.of(field_words(facts.split))
    else:
        words = draw.of(LINKED_HEADERS["id_headers"]).replace("{n}", noun)
        own = words if draw.chance(0.4) else draw.of(LINKED_HEADERS["own_id_headers"]).replace("{n}", noun)
    cells, kind = _numbers(draw, things.rows, facts.split)
    key = _silent(styled(own, style), kind, cells)
    if any(key.header.casefold() == column.header.casefold() for column in things.columns):
        return _by_name(draw, facts, things, plain)
    things.columns.insert(0 if draw.chance(0.8) else draw.below(len(things.columns) + 1), key)
    partners = _partners(draw, facts.rows, things.rows)
    link = _silent(styled(words, style), kind, _cells(draw, key, partners, facts.split))
    return _linked(draw, facts, things, link, key, partners)


def _of_a_column(draw: Draw, facts: DrawnTable, things: DrawnTable) -> Pair:
    """A text of each fact, such as its director, has a table of its own."""
    texts = [
        column
        for column in facts.columns
        if column.kind == "text"
        and not column.key
        and not column.silent
        and column.amounts is None
        and isinstance(column.maker, str)
        and column.maker not in ("", "note")
    ]
    require(bool(texts) and things.key.kind == "text")
    link = draw.of(texts)
    key = things.key
    key.maker = link.maker
    key.cells = _distinct(draw_text(draw, things.rows, link.maker, facts.split, distinct=True), facts.split)
    if draw.chance(0.5):
        key.header = link.header
        key.name, key.words = link.name, link.words
    things.topic = None
    partners = _partners(draw, facts.rows, things.rows)
    link.cells = _cells(draw, key, partners, facts.split)
    return _linked(draw, facts, things, link, key, partners, link.name)


def _silent(header: str, kind: str, cells: list[Value | None]) -> Column:
    maker = "code" if kind == "text" else ""
    return Column(header, kind, cells, maker=maker, silent=True)


def _numbers(draw: Draw, count: int, split: str) -> tuple[list[Value | None], str]:
    kind = draw.random()
    if kind < 0.3:
        return draw_text(draw, count, "code", split, distinct=True), "text"
    first = draw.of(_FIRST_IDS)
    if kind < 0.7:
        return list(range(first, first + count)), "number"
    chosen = draw.some(range(first, first + 9 * count), count)
    return list(chosen), "number"


def _partners(draw: Draw, facts: int, things: int) -> list[int | None]:
    """For each fact the row of its thing; some facts have none, some things are in no fact."""
    if draw.chance(0.2):
        chosen: list[int | None] = list(draw.some(range(things), facts))
        chosen += [draw.below(things) for _ in range(facts - len(chosen))]
    else:
        known = draw.some(range(things), draw.between(2, things)) if draw.chance(0.5) else range(things)
        chosen = [draw.of(known) for _ in range(facts)]
    if draw.chance(0.2):
        for place in draw.some(range(facts), draw.between(1, 2)):
            chosen[place] = None
    return chosen


def _cells(draw: Draw, key: Column, partners: list[int | None], split: str) -> list[Value | None]:
    """What the facts call their things; a fact without one names something unknown, or nothing."""
    cells: list[Value | None] = []
    taken = {str(cell).casefold() for cell in key.cells}
    for partner in partners:
        if partner is not None:
            cells.append(key.cells[partner])
        elif draw.chance(0.3):
            cells.append(None)
        elif key.kind == "text":
            unknown = draw_text(draw, 1, key.maker or "words", split, distinct=True)[0]
            cells.append(None if str(unknown).casefold() in taken else unknown)
        else:
            present = [cell for cell in key.cells if isinstance(cell, int)]
            cells.append(max(present) + draw.between(1, 9))
    return cells


def _linked(
    draw: Draw,
    facts: DrawnTable,
    things: DrawnTable,
    link: Column,
    key: Column,
    partners: list[int | None],
    noun: str | None = None,
) -> Pair:
    """Puts the link into the facts, and takes what could be mistaken for something else out of the tables."""
    nouns = (_nouns(facts), noun or _nouns(things))
    require(nouns[0] != nouns[1] and not _clashing([link], [facts.key], nouns[0]))
    others = [column for column in facts.columns if column is not link]
    _drop(facts, _clashing(others, [link], nouns[1]))
    if link not in facts.columns:
        facts.columns.insert(draw.below(len(facts.columns) + 1), link)
    _drop(things, _clashing(things.columns, facts.columns, nouns[0], keep=key))
    return _finished(draw, Pair(facts, things, link, key, partners, nouns))


def _finished(draw: Draw, pair: Pair) -> Pair:
    """Makes the tables of the columns that are left."""
    for table, noun in zip((pair.facts, pair.things), pair.nouns, strict=True):
        table.table = dataclasses.replace(as_table(draw, table.columns), name=_title(draw, noun))
        table.homes = homes_of(table.columns)
    return pair


def _title(draw: Draw, noun: str) -> str:
    """What a file with such rows is called; sometimes that says nothing of them."""
    kind = draw.random()
    if kind < 0.2:
        return draw.of(LINKED_HEADERS["titles"])
    words = noun if kind < 0.35 else plural_of(noun)
    if kind > 0.9:
        words = draw.of(LINKED_HEADERS["titles_around"]).replace("{p}", words)
    return styled(words, any_style(draw))


def _nouns(table: DrawnTable) -> str:
    return table.key.name if table.topic is None else table.topic.noun


def _drop(table: DrawnTable, clashing: list[Column]) -> None:
    table.columns = [column for column in table.columns if column.key or column not in clashing]


def _clashing(
    columns: list[Column], others: list[Column], noun: str, keep: Column | None = None
) -> list[Column]:
    """Those of the columns that a question could not tell from one of the others, or from what has them."""
    said = content_words(noun)
    return [
        column
        for column in columns
        if column is not keep
        and (
            column.words == said
            or any(
                column.words <= other.words
                or other.words <= column.words
                or column.header.casefold() == other.header.casefold()
                or (column.family is not None and column.family is other.family)
                for other in others
            )
        )
    ]


# The join.


def join(pair: Pair, of_things: bool) -> View:
    """The join of a pair, seen from the facts, or from the things that they are about."""
    if of_things not in pair.views:
        pair.views[of_things] = _join(pair, of_things)
    return pair.views[of_things]


def _join(pair: Pair, of_things: bool) -> View:
    assert pair.link is not None
    assert pair.key is not None
    rows = [row for row, partner in enumerate(pair.partners) if partner is not None]
    named = pair.key is pair.things.key
    main = (pair.link if named else pair.things.key) if of_things else pair.facts.key
    columns: list[Column] = []
    sources: dict[int, list[tuple[int, int]]] = {}
    headers: set[str] = set()
    for side, table in ((FACTS, pair.facts), (THINGS, pair.things)):
        for place, column in enumerate(table.columns):
            if column is pair.key:
                continue
            chosen = rows if side == FACTS else [pair.partners[row] for row in rows]
            copy = _copy(column, [place for place in chosen if place is not None], column is main)
            while copy.header in headers:
                copy.header += " 2"
            headers.add(copy.header)
            if column is table.key and (table.topic is not None or side == THINGS):
                copy.name, copy.words = pair.nouns[side], content_words(pair.nouns[side])
            columns.append(copy)
            sources[id(copy)] = [(side, place)]
            if column is pair.link:
                sources[id(copy)].append((THINGS, pair.things.columns.index(pair.key)))
    topic = pair.things.topic if of_things else pair.facts.topic
    key = next(column for column in columns if column.key)
    table = DrawnTable(pair.facts.table, columns, key, topic, pair.facts.split, homes_of(columns))
    return View(table, rows, sources)


def _copy(column: Column, rows: list[int], key: bool) -> Column:
    amounts = column.amounts
    return dataclasses.replace(
        column,
        cells=[column.cells[row] for row in rows],
        amounts=None if amounts is None else [amounts[row] for row in rows],
        key=key,
    )
