"""Several tables to ask about: by which fields rows of two belong together, and the two as one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Field,
    Groups,
    Join,
    Program,
    Source,
)
from neural_enquirer.programs.trees import changed, parts
from neural_enquirer.synthesis.open.columns import plain_name
from neural_enquirer.synthesis.programs.subject import Subject, singular
from neural_enquirer.tables import Field as TableField
from neural_enquirer.tables import FieldType, Table, Value

_MOSTLY: Final = 0.6
_FEWEST: Final = 2
_MOST_ROWS: Final = 5000
_LONGEST_KEY: Final = 60


@dataclass(frozen=True, eq=False)
class Ground:
    """What questions are drawn about, and where their programs are to run.

    Attributes:
        subject: one table, or several joined into one.
        fields: for each field of the subject, the field that it is in the tables; None where it is the same.
        source: where rows come from in the tables.
        looked_into: of a join, the fields that come from the table that others look into.
        key: of a join, the field by which they do.
    """

    subject: Subject
    fields: Mapping[str, Field] | None = None
    source: Source = None
    looked_into: frozenset[str] = frozenset()
    key: str = ""

    @property
    def ordered(self) -> bool:
        """Whether rows have an order."""
        return not self.looked_into

    def placed(self, program: Program) -> Program | None:
        """A program about the subject as one about the tables; None where it leaves open which are meant."""
        if self.fields is None:
            return program
        return changed(program, self._moved) if self._is_told(program) else None

    def _moved(self, part: object) -> object:
        """A field or all rows of the subject, as they are in the tables."""
        match part:
            case Field(name) if self.fields is not None:
                return self.fields[name]
            case All(None):
                return All(self.source)
        return part

    def _is_told(self, program: Program) -> bool:
        """Whether the fields of a program tell which table is meant, or that both are."""
        found = parts(program)
        names = {part.name for part in found if isinstance(part, Field)}
        if not self.looked_into:
            return bool(names)
        counts = any(
            isinstance(part, Aggregate | Groups) and part.aggregation is Aggregation.COUNT for part in found
        )
        return bool(names & self.looked_into) and (counts or bool(names - self.looked_into - {self.key}))


def grounds(tables: Sequence[Table]) -> list[Ground]:
    """All that can be asked about: the only table; or each of several, and each two that belong together."""
    if len(tables) == 1:
        return [Ground(Subject(tables[0]))]
    alone = [
        Ground(Subject(table), {name: Field(name, table.name) for name in table.field_names}, table.name)
        for table in tables
    ]
    pairs = [(one, other) for one in tables for other in tables if one is not other]
    joined = [ground for one, other in pairs if (ground := _joined(one, other)) is not None]
    return [*alone, *joined]


def _joined(table: Table, other: Table) -> Ground | None:
    """The rows of a table with what another has about them; None where they do not belong together."""
    if max(table.row_count, other.row_count) > _MOST_ROWS:
        return None
    pair = _shared(table, other)
    if pair is None:
        return None
    here, there = pair
    places = {value: row for row, value in enumerate(other.columns[there]) if value is not None}
    rows = [(row, places[value]) for row, value in enumerate(table.columns[here]) if value in places]
    kept = [index for index in range(len(other.fields)) if index != there]
    homes = {name: Field(name, table.name) for name in table.field_names}
    names = [_new_name(other.field_names[index], other.name, homes) for index in kept]
    looked_into = {
        name: Field(other.field_names[index], other.name) for name, index in zip(names, kept, strict=True)
    }
    shared = (Field(table.field_names[here], table.name), Field(other.field_names[there], other.name))
    source = Join(table.name, other.name, (shared,))
    subject = Subject(_flat(table, other, rows, kept, names))
    return Ground(subject, homes | looked_into, source, frozenset(looked_into), table.field_names[here])


def _flat(
    table: Table, other: Table, rows: Sequence[tuple[int, int]], kept: Sequence[int], names: Sequence[str]
) -> Table:
    ours, theirs = [row for row, _ in rows], [row for _, row in rows]
    fields = (
        *table.fields,
        *(TableField(name, other.fields[index].type) for name, index in zip(names, kept, strict=True)),
    )
    columns = [_taken(column, ours) for column in table.columns]
    columns += [_taken(other.columns[index], theirs) for index in kept]
    texts = [tuple(table.text(row, index) for row in ours) for index in range(len(table.fields))]
    texts += [tuple(other.text(row, index) for row in theirs) for index in kept]
    return Table(fields, tuple(columns), table.name, tuple(texts))


def _taken(column: Sequence[Value | None], rows: Sequence[int]) -> tuple[Value | None, ...]:
    return tuple(column[row] for row in rows)


def _new_name(name: str, table: str, taken: Mapping[str, Field]) -> str:
    """What a field is called beside those of the first table."""
    if name.casefold() not in {each.casefold() for each in taken}:
        return name
    return f"{singular(plain_name(table))} {name}"


def _shared(table: Table, other: Table) -> tuple[int, int] | None:
    """The pair of fields by which rows look into the other table, where each value is there once."""
    best: tuple[float, int, int] | None = None
    for there, column in enumerate(other.columns):
        keys = [value for value in column if value is not None]
        if len(keys) < _FEWEST or len(set(keys)) < len(keys):
            continue
        for here, field in enumerate(table.fields):
            score = _likeness(table, here, set(keys))
            same = plain_name(field.name) == plain_name(other.fields[there].name)
            if field.type is not other.fields[there].type or (field.type is not FieldType.TEXT and not same):
                continue
            if score >= _MOSTLY and (best is None or score + same > best[0]):
                best = (score + same, here, there)
    return None if best is None else best[1:]


def _likeness(table: Table, index: int, keys: set[Value]) -> float:
    """The share of different cells that are among keys."""
    values = {value for value in table.columns[index] if value is not None}
    if len(values) < _FEWEST or any(len(str(value)) > _LONGEST_KEY for value in values):
        return 0.0
    return len(values & keys) / len(values)
