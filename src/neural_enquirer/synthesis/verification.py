"""Checks generated examples against a database: DuckDB runs each example's SQL on its table.

Planning a query takes a database longer than running it on ten rows, so examples are checked by the thousand.
Each query's fields are renamed to the roles they play, after which all queries of one shape have the same SQL
but for the value they name. It runs once, beside a list of the examples, on the rows of each: a lateral join.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from neural_enquirer.query import (
    Condition,
    Nest,
    Query,
    QueryError,
    SelectWhere,
    Superlative,
    WhereSuperlative,
    parse,
)
from neural_enquirer.synthesis.examples import ExampleSet, word_value
from neural_enquirer.tables import Value

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["VerificationError", "verify"]

_BATCH: Final = 20_000
_VALUE: Final = "the value that an example names"


class VerificationError(ValueError):
    """An example whose stored answer is wrong; the message is one line for people."""


@dataclass(frozen=True)
class _Relation:
    """A table as the SQL of a shape sees it: under a name, and with a column for each role."""

    name: str
    table: int
    roles: tuple[str, ...]


@dataclass(frozen=True)
class _Shape:
    """What queries have in common that can run at once."""

    sql: str
    relations: tuple[_Relation, ...]
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
                _check(database, examples, shape, batch)
                if progress is not None:
                    progress(len(batch))


def _check(
    database: "duckdb.DuckDBPyConnection", examples: ExampleSet, shape: _Shape, batch: Sequence[_Member]
) -> None:
    import duckdb

    try:
        found = _answering_rows(database, examples, shape, batch)
    except duckdb.InvalidInputException as error:
        # Somewhere in the batch, a subquery that must name one row names several: look for it by halves.
        if len(batch) == 1:
            raise _wrong(examples, batch[0].index, str(error).partition("\n")[0]) from error
        for half in (batch[: len(batch) // 2], batch[len(batch) // 2 :]):
            _check(database, examples, shape, half)
        return
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


def _answering_rows(
    database: "duckdb.DuckDBPyConnection", examples: ExampleSet, shape: _Shape, batch: Sequence[_Member]
) -> dict[int, list[int]]:
    """The rows that the shape's SQL finds for each member of the batch, by its position there."""
    import pyarrow as pa

    values = pa.array([member.value for member in batch])
    database.register("examples", pa.table({"example": np.arange(len(batch)), "value": values}))
    own = []
    for relation in shape.relations:
        everyones = f"all_{relation.name}"
        database.register(everyones, _rows(examples, shape, relation, batch))
        own.append(f"{relation.name} AS (SELECT * FROM {everyones} AS a WHERE a.example = examples.example)")
    found = database.execute(
        "SELECT examples.example, list(answers.answer) "
        f"FROM examples, LATERAL (WITH {', '.join(own)} {shape.sql}) AS answers(answer) GROUP BY ALL"
    )
    return dict(found.fetchall())


def _rows(examples: ExampleSet, shape: _Shape, relation: _Relation, batch: Sequence[_Member]) -> "pa.Table":
    """The batch's tables one below the other; ``answer`` is the number of the row."""
    import pyarrow as pa

    block = examples.tables[relation.table]
    indices = np.array([member.index for member in batch])
    count = block.cells.shape[1]
    columns: dict[str, Any] = {
        "example": np.repeat(np.arange(len(batch)), count),
        "answer": np.tile(np.arange(count), len(batch)),
    }
    for role in relation.roles:
        fields = np.array([examples.field_names.index(member.fields[role]) for member in batch])
        position = (block.fields[indices] == fields[:, None]).argmax(axis=1)
        codes = block.cells[indices, :, position].ravel()
        # A word of the wrong kind becomes a missing cell, which makes the example wrong as it should.
        values = [
            value if isinstance(value, str) == (role in shape.texts) else None
            for value in map(word_value, examples.words)
        ]
        columns[role] = pa.array(values).take(pa.array(codes))
    return pa.table(columns)


def _by_shape(examples: ExampleSet) -> dict[_Shape, list[_Member]]:
    texts = _text_fields(examples)
    shapes: dict[_Shape, list[_Member]] = defaultdict(list)
    for index, text in enumerate(examples.logical_forms):
        try:
            query = parse(text)
        except QueryError as error:
            raise VerificationError(f"example {index} is wrong: {error}") from error
        table, condition_table = _tables_of(examples, index, query)
        renamed, fields, value = _in_roles(query)
        sql, relations = _renamed_sql(renamed, table, condition_table, tuple(fields))
        if len(relations) > 1:
            fields = fields | {"key": _shared_field(examples, index)}
        text_roles = frozenset(role for role, name in fields.items() if name in texts)
        shapes[_Shape(sql, relations, text_roles)].append(_Member(index, fields, value))
    return shapes


def _in_roles(query: Query) -> tuple[Query, dict[str, str], Value | None]:
    """The query with its fields renamed to their roles, the field of each role, and the value it names."""
    match query:
        case SelectWhere(_, condition, ()):
            return SelectWhere("answer", _in_role(condition)), {"condition": condition.field}, condition.value
        case Superlative(_, direction, by):
            return Superlative("answer", direction, "by"), {"by": by}, None
        case WhereSuperlative(condition, superlative, ()):
            renamed = WhereSuperlative(
                _in_role(condition), Superlative("answer", superlative.direction, "by")
            )
            return renamed, {"condition": condition.field, "by": superlative.by}, condition.value
        case Nest(compared, comparison, condition, superlative, ()):
            extreme = Superlative("answer", superlative.direction, "by")
            fields = {"condition": condition.field, "compared": compared, "by": superlative.by}
            return Nest("compared", comparison, _in_role(condition), extreme), fields, condition.value
        case _:
            raise VerificationError(f"no task of columns has questions such as {query.to_text()}")


def _in_role(condition: Condition) -> Condition:
    return Condition("condition", condition.comparison, _VALUE)


def _renamed_sql(
    query: Query, table: int, condition_table: int, roles: tuple[str, ...]
) -> tuple[str, tuple[_Relation, ...]]:
    """The SQL of a renamed query, with ``examples.value`` for its value, and the relations it runs on."""
    if table == condition_table:
        sql = query.to_sql("own_rows")
        relations = [_Relation("own_rows", table, roles)]
    else:
        assert isinstance(query, SelectWhere)  # Only a select runs on two tables.
        sql = query.to_join_sql("answering", "conditional", on="key")
        relations = [
            _Relation("answering", table, ("key",)),
            _Relation("conditional", condition_table, ("key", *roles)),
        ]
    return sql.replace(f"'{_VALUE}'", "examples.value"), tuple(relations)


def _tables_of(examples: ExampleSet, index: int, query: Query) -> tuple[int, int]:
    """The tables of the answer's field and of the condition's; one that is in both stands with the other."""
    names = _names(examples, index)
    homes = []
    for name in (query.fields()[-1], query.fields()[0]):
        homes.append({table for table, own in enumerate(names) if name in own})
        if not homes[-1]:
            raise _wrong(examples, index, f"no table has the field {name}")
    common = homes[0] & homes[1]
    table, condition_table = (min(common), min(common)) if common else (min(homes[0]), min(homes[1]))
    stored_table, _, stored_column = examples.answers[index].tolist()
    if stored_table != table or names[table][stored_column] != query.fields()[-1]:
        raise _wrong(examples, index, f"it should be in the field {query.fields()[-1]} of table {table}")
    return table, condition_table


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
