"""Draws tables: of a topic, of made-up fields, or of fields that training never shows."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from neural_enquirer.synthesis.open.cells import (
    draw_dates,
    draw_numbers,
    draw_text,
    is_clock,
    places,
    spell_loosely,
    with_a_zero,
    with_gaps,
)
from neural_enquirer.synthesis.open.columns import (
    Column,
    any_style,
    is_rank,
    is_year,
    once_per_family,
    styled,
    with_unit,
)
from neural_enquirer.synthesis.open.draw import Draw, require
from neural_enquirer.synthesis.open.grammar import is_plural
from neural_enquirer.synthesis.open.lexicon import Family, Topic, all_families, all_topics
from neural_enquirer.synthesis.open.lexicon import family as family_of
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.open.vocabulary import field_words, phrase_words
from neural_enquirer.tables import Field, FieldType, Table, Value, spelling

_TYPES: Final = {"text": FieldType.TEXT, "number": FieldType.NUMBER, "date": FieldType.DATE}
_KEY_MAKERS: Final = (
    "person",
    "title",
    "place",
    "product",
    "company",
    "city",
    "code",
    "words",
    "team",
    "event",
)
_TEXT_MAKERS: Final = (*_KEY_MAKERS, "country", "region", "word", "address", "brand", "species")
_MOST_COLUMNS: Final = 12
_YEAR_RANGE: Final = (1900, 2025)
_NUMBER_RANGES: Final = (
    (0, 10, 0, False), (0, 100, 0, False), (1, 1000, 0, False), (0, 100, 1, False), (0, 1, 2, False),
    (-50, 50, 0, False), (-20, 40, 1, False), (10, 1_000_000, 0, True), (1, 10_000, 2, True),
    (1000, 90_000, 0, False), (100_000, 5_000_000_000, 0, True), (*_YEAR_RANGE, 0, False),
)  # fmt: skip
"""Least and greatest, decimals, and whether they spread over orders of magnitude."""
_DISTRACTORS: Final = tuple(
    (header, kind) for kind in ("number", "note", "code") for header in SHAPES[f"distractors.{kind}"]
)
"""Headers of columns that nobody asks for, and what they hold."""
_PLURALS: Final = tuple(f"{letter}s" for letter in "bdeghklmnoprtwy")


@dataclass(slots=True, eq=False)
class DrawnTable:
    """A table and what its columns are."""

    table: Table
    columns: list[Column]
    key: Column
    topic: Topic | None
    split: str
    homes: dict[str, int]
    """For every text in a cell, without case, how many columns hold it."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.key.cells)

    @property
    def every(self) -> int:
        """All rows, as bits."""
        return (1 << self.rows) - 1


def draw_table(draw: Draw, split: str, wording: str, rows: int | None = None) -> DrawnTable:
    """A table for questions of one split and wording, of any number of rows or of this one."""
    rows = _row_count(draw) if rows is None else rows
    if wording == "literal" and draw.chance(0.06):
        topic, columns = None, _yearly_columns(draw, rows, split)
    elif wording == "literal" and (split != "train" or draw.chance(0.4)):
        topic, columns = None, _foreign_columns(draw, rows, split)
    else:
        topic = draw.of(all_topics())
        columns = _topic_columns(draw, rows, split, topic)
    key, ordered = columns[0], _arranged(draw, columns)
    if draw.chance(0.12):
        for column in draw.some(columns[1:], draw.between(1, 2)):
            column.cells = with_gaps(draw, column.cells)
            if column.amounts is not None:
                pairs = zip(column.cells, column.amounts, strict=True)
                column.amounts = [None if cell is None else amount for cell, amount in pairs]
    return DrawnTable(as_table(draw, ordered), ordered, key, topic, split, homes_of(ordered))


def _row_count(draw: Draw) -> int:
    kind = draw.random()
    if kind < 0.02:
        return 1
    if kind < 0.1:
        return draw.between(2, 3)
    return draw.between(4, 14) if kind < 0.86 else draw.between(15, 24)


def _arranged(draw: Draw, columns: list[Column]) -> list[Column]:
    """The columns in a random order, that of the key usually first; equal headers stand only once."""
    unique = list({column.header.casefold(): column for column in reversed(columns)}.values())
    rest = draw.shuffled([column for column in unique if column is not columns[0]])
    place = 0 if draw.chance(0.75) else draw.below(len(rest) + 1)
    return [*rest[:place], columns[0], *rest[place:]]


def as_table(draw: Draw, columns: list[Column]) -> Table:
    """The columns as a table, rarely with separators of thousands."""
    fields = tuple(Field(column.header, _TYPES[column.kind]) for column in columns)
    cells = tuple(tuple(column.cells) for column in columns)
    return Table(fields, cells, texts=_separated(columns) if draw.chance(0.1) else None)


def _separated(columns: list[Column]) -> tuple[tuple[str, ...], ...]:
    """The cells spelled with separators of thousands."""

    def spelled(column: Column, cell: Value | None) -> str:
        if isinstance(cell, int) and not column.year and abs(cell) >= 1000:
            return f"{cell:,}"
        return spelling(cell)

    return tuple(tuple(spelled(column, cell) for cell in column.cells) for column in columns)


def homes_of(columns: list[Column]) -> dict[str, int]:
    """For every text in a cell, without case, how many columns hold it."""
    homes: dict[str, int] = {}
    for column in columns:
        if column.kind == "text":
            for text in {str(cell).casefold() for cell in column.cells if cell is not None}:
                homes[text] = homes.get(text, 0) + 1
    return homes


# Columns of a topic.


@functools.cache
def _families_of(keys: tuple[str, ...]) -> tuple[Family, ...]:
    return tuple(family for family in _known_families() if family.key in keys)


@functools.cache
def _known_families() -> tuple[Family, ...]:
    return tuple(family for family in all_families() if not family.held_out)


@functools.cache
def _unknown_families() -> tuple[Family, ...]:
    """Those held out, as far as they really share no word with the others."""
    return tuple(
        family
        for family in all_families()
        if family.held_out and not phrase_words() & _noun_words(family.nouns)
    )


def _noun_words(nouns: Iterable[str]) -> set[str]:
    return {word for noun in nouns for word in noun.replace("-", " ").split()}


def _topic_columns(draw: Draw, rows: int, split: str, topic: Topic) -> list[Column]:
    style = any_style(draw)
    key = _key_column(draw, rows, split, topic, style)
    families = draw.some(_families_of(topic.families), _column_count(draw))
    while draw.chance(0.2):
        families.append(draw.of(_known_families()))
    if draw.chance(0.08) and family_of("rank") not in families:
        families.append(family_of("rank"))
    clocks = [family for family in _families_of(topic.families) if f"clock_verbs.{family.key}" in SHAPES]
    if clocks and draw.chance(0.4):
        families.append(draw.of(clocks))
    columns = [key]
    twin = draw.of(families) if draw.chance(0.12) else None
    for family in families:
        style = style if draw.chance(0.85) else any_style(draw)
        if family is twin:
            for each in _twins(draw, rows, split, family, style):
                _add(draw, columns, each)
        else:
            _add(draw, columns, _family_column(draw, rows, split, family, style))
    while draw.chance(0.2):
        _add(draw, columns, _made_up_column(draw, rows, split, style))
    if draw.chance(0.15):
        _add(draw, columns, _distractor(draw, rows, split, style))
    return columns[:_MOST_COLUMNS]


def _key_column(draw: Draw, rows: int, split: str, topic: Topic, style: int) -> Column:
    words = draw.of(topic.key_headers)
    header = styled(words, style) if words.islower() else words
    cells = draw_text(draw, rows, topic.maker, split, distinct=draw.chance(0.94))
    return Column(header, "text", cells, maker=topic.maker, key=True)


def _add(draw: Draw, columns: list[Column], column: Column) -> None:
    """Adds a column whose name can be told from those of the others; rarely, one that is part of another."""
    for other in columns:
        if column.words == other.words or column.header.casefold() == other.header.casefold():
            return
        if (column.words < other.words or other.words < column.words) and not draw.chance(0.15):
            return
        if column.family is not None and column.family is other.family:
            return
    columns.append(column)


def _family_column(draw: Draw, rows: int, split: str, family: Family, style: int) -> Column:
    header, unit = _family_header(draw, family, style)
    cells = _family_cells(draw, rows, split, family)
    column = Column(header, family.kind, cells, family, unit, family.values, is_year(family))
    if family.kind == "number":
        _as_people_write(draw, column, split, _plain_units(family))
    return column


def _as_people_write(draw: Draw, column: Column, split: str, units: tuple[str, ...]) -> None:
    """Some columns of numbers are places in a ranking, some hold a zero, some are texts."""
    rank = is_rank(column)
    if rank and column.words & KINDS["placings"] and draw.chance(0.7):
        column.cells = places(draw, len(column.cells))
    elif _counts(column) and draw.chance(0.35):
        column.cells = with_a_zero(draw, column.cells)
    if draw.chance(0.3 if rank or is_clock(column) else 0.05):
        spell_loosely(draw, column, split, () if column.unit in column.header.split("_") else units)


def _counts(column: Column) -> bool:
    family = column.family
    return family is not None and family.low == 0 and family.decimals == 0 and is_plural(column.name)


def _family_header(draw: Draw, family: Family, style: int) -> tuple[str, str]:
    """A header of a family, and the unit that questions may use with it."""
    units = _plain_units(family)
    if family.headers and draw.chance(0.35):
        header = draw.of(family.headers)
        named = [unit for unit in units if unit in header]
        return header, named[0] if named else ""
    noun = family.nouns[0] if draw.chance(0.6) else draw.of(family.nouns)
    unit = draw.of(units) if units else ""
    kind = draw.random()
    if unit and kind < 0.2 and unit not in noun:
        return with_unit(styled(noun, style), unit, style, draw), unit
    if kind < 0.24:
        noun = f"{draw.of(SHAPES['qualifiers'])} {noun}"
    elif kind < 0.27:
        return f"{styled(noun, style)} ({draw.of(SHAPES['asides'])})", unit
    elif kind < 0.3 and family.kind == "number" and noun.endswith(_PLURALS) and " " not in noun:
        return draw.of(SHAPES["counted_headers"]).format(noun=noun), ""
    return styled(noun, style), unit


@once_per_family
def _plain_units(family: Family) -> tuple[str, ...]:
    """Units that do not change the number they stand behind."""
    return tuple(unit for unit in family.units if not KINDS["scales"] & set(unit.split()))


def _family_cells(draw: Draw, rows: int, split: str, family: Family) -> list[Value | None]:
    if family.kind == "number":
        return draw_numbers(draw, rows, family.low, family.high, family.decimals, family.log, is_year(family))
    if family.kind == "date":
        return draw_dates(draw, rows, int(family.low), int(family.high))
    return draw_text(draw, rows, family.values, split, distinct=draw.chance(0.4))


def _twins(draw: Draw, rows: int, split: str, family: Family, style: int) -> list[Column]:
    """Two columns of one family, which only their full names tell apart; text may be the same in both."""
    noun = family.nouns[0]
    cells = _family_cells(draw, rows * 2, split, family)
    columns = []
    pairs = SHAPES[f"twins.{'list' if isinstance(family.values, tuple) else family.kind}"]
    for place, qualifier in enumerate(draw.of(pairs).split(" / ")):
        words = f"{noun} {qualifier}" if qualifier.isdigit() else f"{qualifier} {noun}"
        header = styled(words, style)
        own = cells[place * rows : (place + 1) * rows]
        columns.append(_called_by_name(header, family, own))
    return columns


def _called_by_name(header: str, family: Family, cells: list[Value | None]) -> Column:
    """A column of a family of which a question takes no more than the values."""
    return Column(header, family.kind, cells, maker=family.values, year=is_year(family))


def _distractor(draw: Draw, rows: int, split: str, style: int) -> Column:
    """A column that nobody asks for."""
    words, kind = draw.of(_DISTRACTORS)
    header = styled(words, style)
    cells: list[Value | None]
    if kind == "number":
        first = draw.of((1, 1, 1, 101, 1001))
        cells = list(range(first, first + rows))
    else:
        cells = draw_text(draw, rows, kind, split, distinct=True)
        kind = "text"
    return Column(header, kind, cells, silent=True)


# Columns of fields without a family.


def _foreign_columns(draw: Draw, rows: int, split: str) -> list[Column]:
    """Columns whose names no other split has; training meets made-up names only."""
    style = any_style(draw)
    key = _made_up_column(draw, rows, split, style, "text")
    key.maker = draw.of(_KEY_MAKERS)
    key.cells = draw_text(draw, rows, key.maker, split, distinct=draw.chance(0.94))
    key.key = True
    columns = [key]
    for _ in range(_column_count(draw)):
        style = style if draw.chance(0.85) else any_style(draw)
        _add(draw, columns, _foreign_column(draw, rows, split, style))
    return columns


def _column_count(draw: Draw) -> int:
    """How many columns a table has besides its key."""
    return draw.between(2, 8) if draw.chance(0.85) else draw.of((1, 9, 10, 11))


def _foreign_column(draw: Draw, rows: int, split: str, style: int) -> Column:
    if split == "train" or draw.chance(0.45) or not _unknown_families():
        return _made_up_column(draw, rows, split, style)
    return _unknown_column(draw, rows, split, style)


def _yearly_columns(draw: Draw, rows: int, split: str) -> list[Column]:
    """Columns of a table with a row for each year."""
    style = any_style(draw)
    words = draw.of(SHAPES["year_headers"]) if split == "train" else draw.of(field_words(split))
    header, first = styled(words, style), draw.between(1950, 2026 - rows)
    years: list[Value | None] = list(range(first, first + rows))
    key = Column(header, "number", years, year=True, key=True)
    columns = [key]
    for _ in range(draw.between(1, 7)):
        if split == "train" and draw.chance(0.7):
            column = _family_column(draw, rows, split, draw.of(_known_families()), style)
        else:
            column = _foreign_column(draw, rows, split, style)
        if not column.year:
            _add(draw, columns, column)
    return columns


def _unknown_column(draw: Draw, rows: int, split: str, style: int) -> Column:
    family = draw.of(_unknown_families())
    header = styled(draw.of(family.nouns), style)
    cells = _family_cells(draw, rows, split, family)
    return _called_by_name(header, family, cells)


def _made_up_column(draw: Draw, rows: int, split: str, style: int, kind: str | None = None) -> Column:
    words = field_words(split)
    name = draw.of(words) if draw.chance(0.6) else f"{draw.of(words)} {draw.of(words)}"
    kind = kind or draw.of(("number", "number", "number", "text", "text", "date"))
    header, maker, year = styled(name, style), "", False
    cells: list[Value | None]
    if kind == "number":
        cells, year = _any_numbers(draw, rows)
    elif kind == "date":
        cells = draw_dates(draw, rows, 1950, 2025)
    else:
        maker = draw.of(_TEXT_MAKERS)
        cells = draw_text(draw, rows, maker, split, distinct=draw.chance(0.35))
    column = Column(header, kind, cells, maker=maker, year=year)
    if kind == "number" and not year and draw.chance(0.05):
        spell_loosely(draw, column, split, ())
    return column


def _any_numbers(draw: Draw, rows: int) -> tuple[list[Value | None], bool]:
    low, high, decimals, log = draw.of(_NUMBER_RANGES)
    year = (low, high) == _YEAR_RANGE
    return draw_numbers(draw, rows, low, high, decimals, log, year), year


def another_column(draw: Draw, table: DrawnTable, natural: bool) -> Column:
    """A column that the table might have had: for questions about a field that is not there."""
    rows, split, style = table.rows, table.split, 0
    if table.topic is None:
        return _foreign_column(draw, rows, split, style)
    if not natural and draw.chance(0.2):
        return _made_up_column(draw, rows, split, style)
    families = _families_of(table.topic.families) if draw.chance(0.4) else _known_families()
    column = _family_column(draw, rows, split, draw.of(families), style)
    require(all(column.family is not other.family for other in table.columns))
    return column
