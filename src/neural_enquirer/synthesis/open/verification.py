"""Checks open examples against a database: DuckDB runs each example's SQL on its table."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Final

from neural_enquirer.query import Nest, Query, Superlative, WhereSuperlative
from neural_enquirer.synthesis.open.examples import OpenExample
from neural_enquirer.synthesis.verification import VerificationError

__all__ = ["ROW", "of_row", "verify_open"]

ROW: Final = "the number of the row"
"""What the column with the numbers of rows is called in SQL."""
_STEP: Final = 1000
_FORMLESS: Final = ("either", "order")


def verify_open(examples: Sequence[OpenExample], progress: Callable[[int], None] | None = None) -> None:
    """Runs every example's SQL on its table and compares what it finds with the stored answer.

    The SQL is asked for the row instead of the value. That is stricter: another row may hold the same value.

    Args:
        examples: What to check. Of those without a logical form, choices and places in the table ("either",
            "order") must have an answer that is not missing, and all others none.
        progress: Called with the number of examples each time some are found right.

    Raises:
        VerificationError: for an example whose answer is not the one cell that its SQL finds.
    """
    import duckdb

    with duckdb.connect(config={"threads": 1}) as database:
        for place, example in enumerate(examples):
            _check(database, place, example)
            if progress is not None and place % _STEP == _STEP - 1:
                progress(_STEP)
    if progress is not None:
        progress(len(examples) % _STEP)


def _check(database: Any, place: int, example: OpenExample) -> None:
    import duckdb
    import pyarrow as pa

    if example.type in _FORMLESS:
        if example.query is not None or example.answer is None:
            raise _wrong(place, example, "it should have an answer and no logical form")
        _check_present(place, example, *example.answer)
        return
    if example.query is None or example.answer is None:
        if example.query is not None or example.answer is not None:
            raise _wrong(place, example, "an answer and a logical form go together")
        return
    rows = pa.array(range(example.table.row_count), pa.int64())
    database.register("asked", example.table.to_arrow().append_column(ROW, rows))
    try:
        found = [row for (row,) in database.execute(of_row(example.query).to_sql("asked")).fetchall()]
    except duckdb.Error as error:
        raise _wrong(place, example, str(error).partition("\n")[0]) from error
    row, column = example.answer
    if found != [row]:
        raise _wrong(place, example, f"its SQL finds the rows {found}")
    if example.table.field_names[column] != example.query.fields()[-1]:
        raise _wrong(place, example, f"it should be in the field {example.query.fields()[-1]}")
    _check_present(place, example, row, column)


def _check_present(place: int, example: OpenExample, row: int, column: int) -> None:
    if example.table.columns[column][row] is None:
        raise _wrong(place, example, "that cell is missing")


def of_row(query: Query) -> Query:
    """The query that asks for the number of the row."""
    if isinstance(query, Nest | WhereSuperlative):
        superlative = dataclasses.replace(query.superlative, select=ROW)
        return dataclasses.replace(query, superlative=superlative)
    if isinstance(query, Superlative):
        return dataclasses.replace(query, select=ROW)
    return dataclasses.replace(query, select=ROW)


def _wrong(place: int, example: OpenExample, reason: str) -> VerificationError:
    form = "no logical form" if example.query is None else example.query.to_text()
    return VerificationError(
        f"example {place}, {form}, is wrong: the answer is {example.answer}, but {reason}"
    )
