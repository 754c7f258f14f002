"""Checks open examples against a database: DuckDB runs each example's SQL on its table."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Final

from neural_enquirer.programs.language import Cells, ProgramError
from neural_enquirer.programs.language import Field as ProgramField
from neural_enquirer.programs.paper import named_by, parts, select_where, steps, to_paper_text
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.synthesis.open.examples import OpenExample
from neural_enquirer.synthesis.verification import VerificationError
from neural_enquirer.tables import Field, FieldType, Table

__all__ = ["verify_open"]

_ROW: Final = "the number of the row"
"""What the column with the numbers of rows is called in SQL."""
_STEP: Final = 1000
_WITHOUT_PROGRAM: Final = ("either", "order")


def verify_open(examples: Sequence[OpenExample], progress: Callable[[int], None] | None = None) -> None:
    """Runs every example's SQL on its table and compares what it finds with the stored answer.

    The SQL is asked for the row instead of the value. That is stricter: another row may hold the same value.

    Args:
        examples: What to check. Of those without a program, choices and places in the table ("either",
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
    if example.type in _WITHOUT_PROGRAM:
        if example.program is not None or example.answer is None:
            raise _wrong(place, example, "it should have an answer and no program")
        _check_present(place, example, *example.answer)
        return
    if example.program is None or example.answer is None:
        if example.program is not None or example.answer is not None:
            raise _wrong(place, example, "an answer and a program go together")
        return
    _check_rows(database, place, example, example.program, example.answer[0])
    row, column = example.answer
    if example.table.field_names[column] != steps(example.program)[-1]:
        raise _wrong(place, example, f"it should be in the field {steps(example.program)[-1]}")
    _check_present(place, example, row, column)


def _check_rows(database: Any, place: int, example: OpenExample, program: Cells, row: int) -> None:
    """Checks which row answers, and that the row that others are compared with is one."""
    import duckdb

    asked = _with_row_numbers(example.table)
    database.register(asked.name, asked.to_arrow())
    try:
        for named in filter(None, map(named_by, parts(program).conditions)):
            found = _rows_found(database, select_where(_ROW, named), asked)
            if len(found) != 1:
                raise _wrong(place, example, f"it compares with the rows {found}")
        found = _rows_found(database, program, asked)
    except (duckdb.Error, ProgramError) as error:
        raise _wrong(place, example, str(error).partition("\n")[0]) from error
    if found != [row]:
        raise _wrong(place, example, f"its SQL finds the rows {found}")


def _rows_found(database: Any, program: Cells, table: Table) -> list[int]:
    """The numbers of the rows that a program's SQL finds in a table that has such numbers."""
    of_row = dataclasses.replace(program, terms=(ProgramField(_ROW),))
    return [row for (row,) in database.execute(to_sql(of_row, [table])).fetchall()]


def _with_row_numbers(table: Table) -> Table:
    """The table with a further column: the numbers of its rows."""
    numbers = tuple(range(table.row_count))
    return Table((*table.fields, Field(_ROW, FieldType.NUMBER)), (*table.columns, numbers), "asked")


def _check_present(place: int, example: OpenExample, row: int, column: int) -> None:
    if example.table.columns[column][row] is None:
        raise _wrong(place, example, "that cell is missing")


def _wrong(place: int, example: OpenExample, reason: str) -> VerificationError:
    said = "no program" if example.program is None else to_paper_text(example.program)
    return VerificationError(
        f"example {place}, {said}, is wrong: the answer is {example.answer}, but {reason}"
    )
