"""Questions to try on a table, made from its own fields and cells.

Each kind of question is one that the model was trained for, worded plainly, with one right answer; which cell
that is, is known here and tested against the model, but not shown.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from neural_enquirer.tables import Table
from neural_enquirer.tables.cell_types import FieldType, Value

MOST_QUESTIONS = 6
# What of a table is looked at: questions about its beginning are as good as any.
_ROWS_SEEN = 500
_FIELDS_SEEN = 30
_LONGEST_VALUE = 40
_LONGEST_NAME = 40
# Fields that say when or which, but of which nobody asks for the highest.
_NOT_COMPARED = frozenset({"year", "id", "number", "no", "nr", "code", "zip", "rank", "index", "phone"})


@dataclass(frozen=True)
class Example:
    """A question, and the cell that answers it."""

    question: str
    row: int
    field: str


@dataclass(frozen=True)
class _Column:
    """A field as questions use it.

    Attributes:
        name: its name in the table.
        words: its name as people say it.
        type: what its cells are.
        values: the first cells.
        texts: the same as spelled.
    """

    name: str
    words: str
    type: FieldType
    values: tuple[Value | None, ...]
    texts: tuple[str, ...]

    def is_said(self, row: int) -> bool:
        """Whether a question can name a cell: it is there, short, plain, and no other reads alike."""
        text = self.texts[row]
        plain = text.isprintable() and any(c.isalnum() for c in text) and '"' not in text
        return plain and len(text) <= _LONGEST_VALUE and self._counts[text.casefold()] == 1

    @functools.cached_property
    def _counts(self) -> Counter[str]:
        return Counter(text.casefold() for text in self.texts)

    @functools.cached_property
    def repeated(self) -> str | None:
        """The value that occurs most often, if it tells rows apart."""
        common = [text for text in self.texts if text and len(text) <= _LONGEST_VALUE and text.isprintable()]
        for text, count in Counter(common).most_common(1):
            if 2 <= count <= len(self.texts) * 0.7 and len(set(common)) >= 2:
                return text
        return None

    def extreme(self, best: Callable[..., Any], rows: list[int] | None = None) -> int | None:
        """The row with the most or the least, if there is one alone."""
        known = [row for row in rows or range(len(self.values)) if self.values[row] is not None]
        if len(known) < 2:
            return None
        found = best(self.values[row] for row in known)
        holders = [row for row in known if self.values[row] == found]
        return holders[0] if len(holders) == 1 else None


def example_questions(table: Table) -> list[str]:
    """Up to six questions that the table answers; fewer, or none, where its fields do not lend themselves."""
    return [example.question for example in examples(table)]


def examples(table: Table) -> list[Example]:
    """The same, with the cells that answer them."""
    columns = _columns(table)
    subject = _subject(columns)
    if subject is None:
        return []
    others = [column for column in columns if column is not subject]
    kinds = [_look_ups(subject, others), _extremes(subject, others), _filtered(subject, others)]
    kinds.append(_dates(subject, others))
    return _in_turn(kinds)[:MOST_QUESTIONS]


def _columns(table: Table) -> list[_Column]:
    columns = []
    for index, field in enumerate(table.fields[:_FIELDS_SEEN]):
        rows = min(table.row_count, _ROWS_SEEN)
        texts = tuple(table.text(row, index) for row in range(rows))
        columns.append(
            _Column(field.name, _spoken(field.name), field.type, table.columns[index][:rows], texts)
        )
    return [column for column in columns if 0 < len(column.words) <= _LONGEST_NAME]


def _spoken(name: str) -> str:
    """A header as words: annualSalary is annual salary, Area (km²) is area."""
    words = re.sub(r"\([^)]*\)|\[[^]]*\]", " ", name)
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words)
    words = re.sub(r"[^\w'-]+|_", " ", words).strip()
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words.split())


def _subject(columns: list[_Column]) -> _Column | None:
    """The field that names what a row is about: the first one of text whose cells are all said alone."""

    def named(column: _Column) -> int:
        return sum(column.is_said(row) for row in range(len(column.texts)))

    texts = [column for column in columns if column.type is FieldType.TEXT and named(column)]
    for column in texts:
        if named(column) >= 0.8 * len(column.texts):
            return column
    return max(texts, key=named, default=None)


def _look_ups(subject: _Column, others: list[_Column]) -> Iterator[Example]:
    """What is the capital of Norway?"""
    rows = [row for row in range(len(subject.texts)) if subject.is_said(row)]
    for turn, column in enumerate(others):
        for row in rows[turn * 3 % len(rows) :] + rows:
            if column.values[row] is not None:
                yield Example(f"What is the {column.words} of {subject.texts[row]}?", row, column.name)
                break


def _extremes(subject: _Column, others: list[_Column]) -> Iterator[Example]:
    """Which country has the highest population?"""
    for turn, column in enumerate(_compared(others)):
        word, best = (("highest", max), ("lowest", min))[turn % 2]
        row = column.extreme(best)
        if row is not None and subject.values[row] is not None:
            yield Example(f"Which {subject.words} has the {word} {column.words}?", row, subject.name)


def _filtered(subject: _Column, others: list[_Column]) -> Iterator[Example]:
    """Which country with continent Asia has the highest population?"""
    compared = _compared(others)
    for column in others:
        value = column.repeated if column.type is FieldType.TEXT else None
        if value is None:
            continue
        rows = [row for row, text in enumerate(column.texts) if text == value]
        for other in compared:
            row = other.extreme(max, rows)
            if row is not None and subject.values[row] is not None:
                kept = f"Which {subject.words} with {column.words} {value}"
                yield Example(f"{kept} has the highest {other.words}?", row, subject.name)
                break


def _dates(subject: _Column, others: list[_Column]) -> Iterator[Example]:
    """Which country has the earliest founding date?"""
    dates = [column for column in others if column.type is FieldType.DATE]
    for turn, column in enumerate(dates):
        word, best = (("latest", max), ("earliest", min))[turn % 2]
        row = column.extreme(best)
        if row is not None and subject.values[row] is not None:
            yield Example(f"Which {subject.words} has the {word} {column.words}?", row, subject.name)


def _compared(columns: list[_Column]) -> list[_Column]:
    numbers = [column for column in columns if column.type is FieldType.NUMBER]
    return [column for column in numbers if not _NOT_COMPARED & set(column.words.split())]


def _in_turn(kinds: list[Iterator[Example]]) -> list[Example]:
    """One of each kind, then the second of each kind, and so on."""
    mixed: list[Example] = []
    left = kinds
    while left and len(mixed) < MOST_QUESTIONS:
        drawn = [(kind, next(kind, None)) for kind in left]
        mixed += [example for _, example in drawn if example is not None]
        left = [kind for kind, example in drawn if example is not None]
    return list(dict.fromkeys(mixed))
