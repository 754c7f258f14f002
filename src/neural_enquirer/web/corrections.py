"""Corrections that come over the wire, as the file of corrections has them."""

from collections.abc import Sequence
from typing import Any

from neural_enquirer.asking.enquirer import named_apart
from neural_enquirer.asking.questions import check_question
from neural_enquirer.learning.corrections import CellRef, Correction, CorrectionError, RowRef, references
from neural_enquirer.programs import check, parse
from neural_enquirer.tables import Table
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import RequestError
from neural_enquirer.web.schemas import CorrectionRequest
from neural_enquirer.web.tables import KnownTable


def correction_of(given: CorrectionRequest, known: Sequence[KnownTable], limits: Limits) -> Correction:
    """What is to be kept of a correction.

    Raises:
        RequestError: where it says what is right in no way or in several, or names what is not there.
        ProgramError: where its program does not fit the tables.
    """
    if len(given.question) > limits.question_letters:
        raise RequestError(422, f"The question is too long; at most {limits.question_letters:,} letters.")
    tables = named_apart(each.table for each in known)
    named = {each.id: table for each, table in zip(known, tables, strict=True)}
    if given.program is not None:
        check(parse(given.program[: limits.program_letters]), tables)
    try:
        return Correction(
            check_question(given.question),
            references(tables),
            program=given.program,
            answers=tuple(given.answers or ()),
            cells=tuple(
                CellRef(_table(named, one).name, one.row, _field(named, one)) for one in given.cells or ()
            ),
            rows=tuple(RowRef(_table(named, one).name, one.row) for one in given.rows or ()),
            refuse=bool(given.refuse),
        )
    except CorrectionError as error:
        raise RequestError(422, f"{error}.") from None


def _table(named: dict[str, Table], place: Any) -> Table:
    """The table of a cell or row that is there."""
    table = named.get(place.table)
    if table is None:
        raise RequestError(422, "A cell or row is of a table that is not among the tables.")
    if place.row >= table.rows_there:
        raise RequestError(422, f"{table.name} has no row {place.row + 1:,}.")
    return table


def _field(named: dict[str, Table], place: Any) -> str:
    names = _table(named, place).field_names
    if place.field not in names:
        raise RequestError(422, f"The table has no field '{place.field[:40]}'.")
    return str(place.field)
