"""Why there is no answer, and what comes nearest: the row that a question mentions, the fields it has."""

import functools
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from neural_enquirer.asking.accounting import content, names
from neural_enquirer.asking.heard import Heard, Places
from neural_enquirer.encoding.linking import MENTION, NAMED, PART, QUANTITY
from neural_enquirer.judge.ranked import NO_FIELD, NO_ROW, NOT_ABOUT, UNSUPPORTED, UNSURE
from neural_enquirer.tables import Table
from neural_enquirer.tables.wording import cut, listed

_MOST_NAMED: Final = 3
_MOST_FIELDS: Final = 6
_LONGEST: Final = 40
_MOST_FIELDS_OF_ROW: Final = 8
_MOST_CELLS: Final = 3


@dataclass(frozen=True)
class Refusal:
    """Why there is no answer.

    Attributes:
        kind: one of `REFUSALS`.
        message: a sentence for people.
    """

    kind: str
    message: str


def kind_of_refusal(kind: str, heard: Heard) -> str:
    """The kind that people are told: what a question lacks a field for is a row where it is a name.

    Args:
        kind: one of `REFUSALS`.
        heard: the question and its tables.
    """
    if kind != NO_FIELD or _named_cells(heard):
        return kind
    unknown = content(heard)
    return NO_ROW if unknown and all(map(heard.is_capital, unknown)) else kind


def refusal_message(kind: str, heard: Heard, guess: str | None) -> str:
    """What people are told where nothing answers.

    Args:
        kind: one of `REFUSALS`.
        heard: the question and its tables.
        guess: the likeliest answer and what speaks for it, if there is any.
    """
    if kind == UNSURE:
        return f"Not sure enough to answer.{f' The best guess is {guess}.' if guess else ''}"
    return _MESSAGES[kind](heard)


def _no_field(heard: Heard) -> str:
    found, missing = _named_cells(heard), heard.phrases(content(heard))
    about = f" about {_quoted(missing)}" if missing else " that answers this"
    if found:
        return f"{_has(heard)} {listed(found)}, but no field{about}."
    return f"{_has(heard)} no field{about}: {_fields(heard)}."


def _no_row(heard: Heard) -> str:
    unknown = content(heard)
    missing = [*_absent_numbers(heard), *heard.phrases(names(heard, unknown) or unknown)]
    named = _named_fields(heard)
    no_row = f"no row about {_quoted(missing)}" if missing else "no such row"
    if named:
        fields = f"the field{'s' * (len(named) > 1)} {listed(named)}"
        return f"{_has(heard)} {fields}, but {no_row}."
    return f"{_has(heard)} {no_row}."


def _named_cells(heard: Heard) -> list[str]:
    """The cells that the question mentions, as they are spelled; the words where several cells have them."""
    found = []
    for mention, span in enumerate(heard.links[0].mentions[:_MOST_NAMED]):
        cells = heard.cells_of(mention)
        text = next(iter(cells)) if len(cells) == 1 else heard.phrase(Places(range(*span)))
        found.append(cut(str(text), _LONGEST))
    return list(dict.fromkeys(found))


def _named_fields(heard: Heard) -> list[str]:
    return [
        cut(name, _LONGEST)
        for number, table in enumerate(heard.tables)
        for field, name in enumerate(table.field_names)
        if heard.naming((number, field))
    ][:_MOST_NAMED]


def _absent_numbers(heard: Heard) -> Iterable[str]:
    """The numbers and dates of the question that name nothing else."""
    flags = heard.links[0].flags
    for _, places in heard.quantities:
        kinds = functools.reduce(operator.or_, (int(flags[place]) for place in places), 0)
        if kinds & QUANTITY and not kinds & (MENTION | PART | NAMED):
            yield heard.phrase(places)


def _quoted(parts: Sequence[str]) -> str:
    return listed([f"“{cut(part, _LONGEST)}”" for part in parts[:_MOST_NAMED]], "or")


def _fields(heard: Heard) -> str:
    """What the fields are."""
    names = [name for table in heard.tables for name in table.field_names]
    more = [f"{len(names) - _MOST_FIELDS:,} more"] if len(names) > _MOST_FIELDS + 1 else []
    told = [cut(name, _LONGEST) for name in (names[:_MOST_FIELDS] if more else names)]
    return f"{'its' if len(heard.tables) == 1 else 'their'} fields are {listed(told + more)}"


def _has(heard: Heard) -> str:
    return "The table has" if len(heard.tables) == 1 else "The tables have"


def _these(heard: Heard) -> str:
    return "this table" if len(heard.tables) == 1 else "these tables"


def _not_about(heard: Heard) -> str:
    return f"The question does not seem to be about {_these(heard)}: {_fields(heard)}."


def _unsupported(heard: Heard) -> str:
    can = "look up, count, add up, average, compare and rank"
    return f"This cannot be worked out here: programs can {can} what stands in {_these(heard)}."


_MESSAGES: Final = {
    NO_FIELD: _no_field,
    NO_ROW: _no_row,
    NOT_ABOUT: _not_about,
    UNSUPPORTED: _unsupported,
}


@dataclass(frozen=True)
class Nearest:
    """Something in a table that the question is about, although it is no answer.

    Attributes:
        table: the name of the table.
        row: the first row with most of what is mentioned; None where only fields are named.
        fields: the fields where that was found, and those that the question names.
        message: the same in a sentence.
        count: how many rows have as much of it.
    """

    table: str
    row: int | None
    fields: tuple[str, ...]
    message: str
    count: int = 0


def nearest_of(heard: Heard) -> Nearest | None:
    """What the words of a question come nearest to; None where they have nothing to do with the tables."""
    if not heard.links:
        return None
    found = [_in_table(heard, number) for number in range(len(heard.tables))]
    known = [each for each in found if each is not None]
    return next((each for each in known if each.row is not None), known[0] if known else None)


def _in_table(heard: Heard, number: int) -> Nearest | None:
    table, mentions = heard.tables[number], heard.links[number].cell_mentions
    named = [name for field, name in enumerate(table.field_names) if heard.naming((number, field))]
    mentions = mentions[:, : len(table.fields)]
    counts = sum(
        ((mentions == one + 1).any(axis=1).astype(int) for one in range(len(heard.links[number].mentions))),
        np.zeros(table.row_count, int),
    )
    most = int(counts.max(initial=0))
    if most == 0:
        return _by_fields(table, named) if named else None
    rows = np.flatnonzero(counts == most)
    cells = np.flatnonzero(mentions[rows[0]]).tolist()
    fields = tuple(dict.fromkeys([*(table.field_names[cell] for cell in cells), *named]))
    # A few rows that stand for a larger table have no numbers that mean anything.
    row = int(rows[0]) if table.whole is None else None
    return Nearest(table.name, row, fields, _told(table, rows.tolist(), cells), len(rows))


def _by_fields(table: Table, named: list[str]) -> Nearest:
    told = listed(cut(name, _LONGEST) for name in named[:_MOST_CELLS])
    message = f"Of its fields, the question names {told}."
    return Nearest(table.name, None, tuple(named), message)


def _told(table: Table, rows: list[int], cells: list[int]) -> str:
    """In a sentence: Row 4 has name Ada Marsh; its fields are name, department and salary."""
    texts = [
        f"{cut(table.field_names[cell], _LONGEST)} {cut(table.text(rows[0], cell), _LONGEST)}"
        for cell in cells[:_MOST_CELLS]
    ]
    names = [cut(name, _LONGEST) for name in table.field_names[:_MOST_FIELDS_OF_ROW]]
    more = len(table.fields) - len(names)
    fields = listed([*names, f"{more:,} more"] if more else names)
    if table.whole is not None:
        return f"A row has {listed(texts)}; its fields are {fields}."
    if len(rows) > 1:
        have = f"{len(rows):,} rows have {listed(texts)}, row {rows[0] + 1:,} first"
        return f"{have}; their fields are {fields}."
    return f"Row {rows[0] + 1:,} has {listed(texts)}; its fields are {fields}."
