"""Checks generated examples against a database: DuckDB runs each example's SQL on its table.

Planning a statement takes a database longer than running it on ten rows, so examples are checked by the
thousand. Each program's fields are renamed to the roles they play, after which all programs of one shape have
the same SQL but for the value they name. It runs once, beside a list of the examples, on the rows of each: a
lateral join.
"""

import functools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sqlglot import exp

from neural_enquirer.programs.language import Cells, Compare, Comparison, Constant, Direction, ProgramError
from neural_enquirer.programs.paper import (
    against,
    condition,
    field_name,
    named_by,
    over,
    parts,
    select_where,
    steps,
    superlative,
)
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.programs.sql import sql_tree
from neural_enquirer.synthesis.examples import ExampleSet, word_value
from neural_enquirer.tables import Field, FieldType, Table, Value

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["VerificationError", "verify"]

_BATCH: Final = 20_000
_EXAMPLES: Final = "examples"
_ROW: Final = "answer"
"""The role of the selected field, in whose place the number of the row is asked for."""
_KEY: Final = "key"
"""The role of the field that joins two tables."""


class VerificationError(ValueError):
    """An example whose stored answer is wrong; the message is one line for people."""


@dataclass(frozen=True)
class _Shape:
    """What programs have in common that can run at once."""

    program: Cells
    """With roles for fields, and any value of the right type for the one that an example names."""
    tables: tuple[int, ...]
    """The examples' table that is asked; of two, the answering one first."""
    texts: frozenset[str]
    """The roles whose fields hold text."""


@dataclass(frozen=True)
class _Member:
    """An example of a shape."""

    index: int
    fields: Mapping[str, str]
    """The field that plays each role."""
    value: Value | None


def verify(examples: ExampleSet, progress: Callable[[int], None] | None = None) -> None:
    """Runs every example's SQL on its table and compares what it finds with the stored answer.

    The SQL is asked for the row instead of the value. That is stricter: another row may hold the same value.

    Args:
        examples: What to check.
        progress: Called with the number of examples each time some are found right.

    Raises:
        VerificationError: for an example whose answer is not the one cell that its SQL finds.
    """
    import duckdb

    with duckdb.connect() as database:
        for shape, members in _by_shape(examples).items():
            for start in range(0, len(members), _BATCH):
                batch = members[start : start + _BATCH]
                try:
                    _check(database, examples, shape, batch)
                except ProgramError as error:
                    raise _wrong(examples, batch[0].index, str(error)) from error
                if progress is not None:
                    progress(len(batch))


def _check(
    database: "duckdb.DuckDBPyConnection", examples: ExampleSet, shape: _Shape, batch: Sequence[_Member]
) -> None:
    tables = _tables(shape, batch[0])
    _register(database, examples, shape, tables, batch)
    for named in filter(None, map(named_by, parts(shape.program).conditions)):
        found = _answering_rows(database, select_where(_ROW, named), tables)
        for position, member in enumerate(batch):
            if len(rows := found.get(position, [])) != 1:
                raise _wrong(examples, member.index, f"it compares with the rows {rows}")
    found = _answering_rows(database, shape.program, tables)
    for position, member in enumerate(batch):
        rows = found.get(position, [])
        if rows != [int(examples.answers[member.index, 1])]:
            raise _wrong(examples, member.index, f"its SQL finds the rows {rows}")


def _wrong(examples: ExampleSet, index: int, reason: str) -> VerificationError:
    table, row, column = examples.answers[index].tolist()
    stored = f"the answer is table {table}, row {row}, column {column}"
    return VerificationError(
        f"example {index}, {examples.logical_forms[index]}, is wrong: {stored}, but {reason}"
    )


# The shapes.


def _by_shape(examples: ExampleSet) -> dict[_Shape, list[_Member]]:
    texts = _text_fields(examples)
    shapes: dict[_Shape, list[_Member]] = defaultdict(list)
    for index, text in enumerate(examples.logical_forms):
        try:
            program = parse_paper(text)
        except ProgramError as error:
            raise VerificationError(f"example {index} is wrong: {error}") from error
        tables = _tables_of(examples, index, steps(program))
        renamed, fields, value = _in_roles(program)
        if len(tables) > 1:
            fields[_KEY] = _shared_field(examples, index)
        text_roles = frozenset(role for role, name in fields.items() if name in texts)
        shapes[_Shape(renamed, tables, text_roles)].append(_Member(index, fields, value))
    return shapes


def _in_roles(program: Cells) -> tuple[Cells, dict[str, str], Value | None]:
    """The program with its fields renamed to their roles, the field of each role, and the value it names."""
    _, extreme, conditions = parts(program)
    if len(conditions) > 1:
        raise VerificationError("no task of columns has questions with several conditions")
    fields: dict[str, str] = {}
    direction = compared = comparison = value = None
    for each in conditions:
        named = named_by(each)
        if named is not None:
            fields["compared"], compared = field_name(each.term), each.comparison
        given = named or each
        assert isinstance(given.operand, Constant)
        fields["condition"], comparison, value = field_name(given.term), given.comparison, given.operand.value
    if extreme is not None:
        fields["by"], direction = field_name(extreme.by), extreme.direction
    return _renamed(direction, compared, comparison, isinstance(value, str)), fields, value


@functools.cache
def _renamed(
    direction: Direction | None, compared: Comparison | None, comparison: Comparison | None, text: bool
) -> Cells:
    conditions: list[Compare] = []
    if comparison is not None:
        conditions.append(condition("condition", comparison, "" if text else 0))
    if compared is not None:
        conditions = [against("compared", compared, *conditions)]
    if direction is None:
        return select_where(_ROW, *conditions)
    return superlative(_ROW, direction, "by", *conditions)


def _tables_of(examples: ExampleSet, index: int, read: tuple[str, ...]) -> tuple[int, ...]:
    """The tables that are asked; a field that is in both stands with the other one."""
    names = _names(examples, index)
    homes = []
    for name in (read[-1], read[0]):
        homes.append({table for table, own in enumerate(names) if name in own})
        if not homes[-1]:
            raise _wrong(examples, index, f"no table has the field {name}")
    common = homes[0] & homes[1]
    tables = (min(common),) if common else (min(homes[0]), min(homes[1]))
    stored_table, _, stored_column = examples.answers[index].tolist()
    if stored_table != tables[0] or names[tables[0]][stored_column] != read[-1]:
        raise _wrong(examples, index, f"it should be in the field {read[-1]} of table {tables[0]}")
    return tables


def _names(examples: ExampleSet, index: int) -> list[list[str]]:
    """The fields of each of an example's tables, column by column."""
    return [[examples.field_names[code] for code in block.fields[index]] for block in examples.tables]


def _shared_field(examples: ExampleSet, index: int) -> str:
    first, second = _names(examples, index)
    (shared,) = set(first) & set(second)
    return shared


def _text_fields(examples: ExampleSet) -> frozenset[str]:
    """The fields that hold text, judged by the first of their cells."""
    texts = set()
    for block in examples.tables:
        for code in np.unique(block.fields):
            index, column = np.argwhere(block.fields == code)[0]
            if isinstance(word_value(examples.words[block.cells[index, 0, column]]), str):
                texts.add(examples.field_names[code])
    return frozenset(texts)


# The SQL.


def _tables(shape: _Shape, member: _Member) -> tuple[Table, ...]:
    """The tables that the SQL of a shape is written for; the rows are in the database."""
    roles = [role for role in member.fields if role != _KEY]
    if len(shape.tables) == 1:
        return (_table("own_rows", shape, (_ROW, *roles)),)
    return _table("answering", shape, (_ROW, _KEY)), _table("conditional", shape, (_KEY, *roles))


def _table(name: str, shape: _Shape, roles: Sequence[str]) -> Table:
    types = [FieldType.TEXT if role in shape.texts else FieldType.NUMBER for role in roles]
    return Table(tuple(map(Field, roles, types)), ((),) * len(roles), name)


def _answering_rows(
    database: "duckdb.DuckDBPyConnection", program: Cells, tables: tuple[Table, ...]
) -> dict[int, list[int]]:
    """The rows that a shape's SQL finds for each example, by its position in the batch."""
    return dict(database.execute(_statement(program, tables).sql("duckdb")).fetchall())


def _statement(program: Cells, tables: tuple[Table, ...]) -> exp.Select:
    """The SQL of a shape beside the examples, on the rows of each."""
    example, value = (exp.column(name, _EXAMPLES) for name in ("example", "value"))
    inner = sql_tree(over(program, tables), tables)
    # The value that an example names is the only one in the program.
    for literal in list(inner.find_all(exp.Literal)):
        literal.replace(value.copy())
    for table in tables:
        everyones = f"all_{table.name}"
        own = exp.select("*").from_(everyones).where(exp.column("example", everyones).eq(example))
        inner = inner.with_(table.name, as_=own)
    columns = [exp.to_identifier(_ROW)]
    answers = exp.Lateral(
        this=inner.subquery(), alias=exp.TableAlias(this=exp.to_identifier("answers"), columns=columns)
    )
    found = exp.func("list", exp.column(_ROW, "answers"))
    return exp.select(example, found).from_(_EXAMPLES).join(answers, join_type="cross").group_by(example)


def _register(
    database: "duckdb.DuckDBPyConnection",
    examples: ExampleSet,
    shape: _Shape,
    tables: tuple[Table, ...],
    batch: Sequence[_Member],
) -> None:
    """Gives the database the examples of a batch and the rows of their tables."""
    import pyarrow as pa

    values = pa.array([member.value for member in batch])
    database.register(_EXAMPLES, pa.table({"example": np.arange(len(batch)), "value": values}))
    for number, table in zip(shape.tables, tables, strict=True):
        database.register(f"all_{table.name}", _rows(examples, number, table, batch))


def _rows(examples: ExampleSet, number: int, table: Table, batch: Sequence[_Member]) -> "pa.Table":
    """The batch's tables one below the other; the answer is the number of the row."""
    import pyarrow as pa

    block = examples.tables[number]
    indices = np.array([member.index for member in batch])
    count = block.cells.shape[1]
    columns: dict[str, Any] = {
        "example": np.repeat(np.arange(len(batch)), count),
        _ROW: np.tile(np.arange(count), len(batch)),
    }
    words = [word_value(word) for word in examples.words]
    for field in table.fields:
        if field.name == _ROW:
            continue
        codes = np.array([examples.field_names.index(member.fields[field.name]) for member in batch])
        position = (block.fields[indices] == codes[:, None]).argmax(axis=1)
        # A word of the wrong kind becomes a missing cell, which makes the example wrong as it should.
        text = field.type is FieldType.TEXT
        values = pa.array([value if isinstance(value, str) == text else None for value in words])
        columns[field.name] = values.take(pa.array(block.cells[indices, :, position].ravel()))
    return pa.table(columns)
