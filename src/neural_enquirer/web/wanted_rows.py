"""Which rows of a table a request asks for: the words of its address as what engines understand."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query

from neural_enquirer.asking.enquirer import named_apart
from neural_enquirer.asking.program_steps import row_steps
from neural_enquirer.engines.wanted import Kept, Wanted, filter_of
from neural_enquirer.programs import parse
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError, Rows
from neural_enquirer.tables import Table
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.tables import KnownTable
from neural_enquirer.web.wire import RequestError

_Text = Annotated[str | None, Query()]


@dataclass(frozen=True)
class RowsAsked:
    """What an address says of rows; docs/server.md describes it."""

    sort: _Text = None
    descending: Annotated[bool, Query()] = False
    search: Annotated[str, Query()] = ""
    filter: Annotated[tuple[str, ...], Query()] = ()
    program: _Text = None
    step: Annotated[int | None, Query(ge=0)] = None
    others: Annotated[bool, Query()] = False
    tables: Annotated[tuple[str, ...], Query()] = ()


def wanted_rows(
    asked: RowsAsked, known: KnownTable, together: tuple[KnownTable, ...], limits: Limits
) -> Wanted:
    """What rows are asked for.

    Args:
        asked: what the address says.
        known: the table that is looked at.
        together: the tables that the program is about.
        limits: how much may be asked.

    Raises:
        RequestError: where a field is none, or the program is too long.
        ProgramError: where the program does not fit the tables.
        EngineError: where a filter cannot be read.
    """
    for text in (asked.search, asked.program or "", *asked.filter):
        if len(text) > limits.program_letters:
            raise RequestError(422, f"That is too long; at most {limits.program_letters:,} letters are read.")
    names = known.table.field_names
    if asked.sort is not None and asked.sort not in names:
        raise RequestError(422, f"The table has no field '{asked.sort[:40]}' to sort by.")
    return Wanted(
        sort=None if asked.sort is None else names.index(asked.sort),
        descending=asked.descending,
        search=asked.search,
        filters=tuple(filter_of(each, names) for each in asked.filter[: limits.table_fields]),
        kept=None if asked.program is None else _kept(parse(asked.program), asked.step, known, together),
        others=asked.others,
    )


def _kept(program: Program, step: int | None, known: KnownTable, together: tuple[KnownTable, ...]) -> Kept:
    ids = tuple(each.id for each in together)
    if known.id not in ids:
        raise RequestError(422, "The table that is shown is not among the tables of the program.")
    tables = named_apart(each.table for each in together)
    return Kept(_step(program, step, tables), ids.index(known.id), ids, tables)


def _step(program: Program, step: int | None, tables: tuple[Table, ...]) -> Rows:
    """A step of a program as answers count them; after the last that keeps rows comes the answer."""
    if any(table.is_elsewhere for table in tables):
        steps = row_steps(program)
    else:
        steps = tuple(dict.fromkeys(each.step for each in run(program, tables).steps))
    if not steps or (step is not None and step > len(steps)):
        raise ProgramError("the program has no such step")
    return steps[-1 if step is None else min(step, len(steps) - 1)]
