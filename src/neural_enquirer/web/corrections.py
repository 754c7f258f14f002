"""Corrections that come over the wire, as the file of corrections has them."""

from collections.abc import Sequence
from typing import Any

from neural_enquirer.asking.enquirer import named_apart
from neural_enquirer.asking.questions import check_question
from neural_enquirer.learning.corrections import CellRef, Correction, CorrectionError, RowRef, references
from neural_enquirer.programs import check, parse
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.schemas import CorrectionRequest
from neural_enquirer.web.tables import KnownTable
from neural_enquirer.web.wire import RequestError


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

    def place(one: Any) -> tuple[Any, ...]:
        """A cell or row that is there, by the name of its table."""
        table = named.get(one.table)
        if table is None:
            raise RequestError(422, "A cell or row is of a table that is not among the tables.")
        if one.row >= table.rows_there:
            raise RequestError(422, f"{table.name} has no row {one.row + 1:,}.")
        if not hasattr(one, "field"):
            return table.name, one.row
        if one.field not in table.field_names:
            raise RequestError(422, f"The table has no field '{one.field[:40]}'.")
        return table.name, one.row, one.field

    try:
        return Correction(
            check_question(given.question),
            references(tables),
            program=given.program,
            answers=tuple(given.answers or ()),
            cells=tuple(CellRef(*place(one)) for one in given.cells or ()),
            rows=tuple(RowRef(*place(one)) for one in given.rows or ()),
            refuse=bool(given.refuse),
        )
    except CorrectionError as error:
        raise RequestError(422, f"{error}.") from None
