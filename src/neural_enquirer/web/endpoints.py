"""The endpoints of the server: questions, pictures, corrections, models; those of tables are beside."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from neural_enquirer.asking.enquirer import named_apart
from neural_enquirer.asking.follow_ups import Last
from neural_enquirer.asking.questions import check_question
from neural_enquirer.checkpoint_files import describe_shipped
from neural_enquirer.learning.corrections import (
    CellRef,
    Correction,
    CorrectionError,
    RowRef,
    append,
    references,
    told_path,
)
from neural_enquirer.programs import check, parse
from neural_enquirer.tables import Table
from neural_enquirer.web import answers, schemas
from neural_enquirer.web.guard import JsonResponse
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.requests import Visit, Visiting, answers_of, body_of, json_body
from neural_enquirer.web.schemas import AskRequest, CorrectionRequest, FigureForm
from neural_enquirer.web.tables import KnownTable
from neural_enquirer.web.wire import RequestError

_MEDIA_TYPES = {FigureForm.PNG: "image/png", FigureForm.SVG: "image/svg+xml"}


router = APIRouter(default_response_class=JsonResponse)
"""The endpoints, where docs/server.md says."""
_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture.", "content": {kind: {} for kind in _MEDIA_TYPES.values()}}
}


@router.post(
    "/api/ask",
    responses=answers_of(schemas.AnswerShown, 200, 404, 408, 413, 415, 422),
    openapi_extra=body_of("application/json", AskRequest.model_json_schema()),
)
async def ask(request: Request, visit: Visiting) -> Response:
    """Answers a question; the answer is what `enquirer ask --json` prints."""
    asked = await json_body(request, AskRequest, visit.limits)
    tables = await _asked_tables(asked, visit)
    last = _last(asked, visit)
    told = partial(answers.answer_body, last=last, steps=asked.steps, rows_told=visit.limits.rows_told)
    body = await visit.service.ask(tables, asked.question, asked.top, told)
    return Response(body, media_type=JsonResponse.media_type)


async def _asked_tables(asked: AskRequest, visit: Visit) -> tuple[Table, ...]:
    """The tables that a question is about."""
    if [asked.table, asked.tables, asked.records].count(None) != 2:
        raise RequestError(422, "Give the id of a table, the ids of tables, or records, but not more.")
    if asked.records is not None:
        return (await visit.service.read_records(asked.records),)
    return tuple(known.table for known in visit.tables(asked.tables or [asked.table or ""]))


def _last(asked: AskRequest, visit: Visit) -> Last | None:
    """The question before, which this one may lean on, where a program answered it."""
    if asked.after is None or asked.after.program is None:
        return None
    if max(len(asked.after.question), len(asked.after.program)) > visit.limits.program_letters:
        raise RequestError(422, "The question before, or its program, is too long.")
    return Last.read(asked.after.question, asked.after.program, asked.after.confidence)


@router.get("/api/figure", responses=answers_of(None, 200, 404, 422) | _PICTURE, response_class=Response)
async def figure(
    table: Annotated[list[str], Query()],
    question: str,
    visit: Visiting,
    format: FigureForm = FigureForm.PNG,  # noqa: A002
) -> Response:
    """The picture of an answer and of the steps that led to it, as a file to keep."""
    tables = tuple(known.table for known in visit.tables(table))
    content = await visit.service.figure(tables, question, format.value)
    headers = {"Content-Disposition": f'attachment; filename="why.{format.value}"'}
    return Response(content, media_type=_MEDIA_TYPES[format], headers=headers)


@router.post(
    "/api/corrections",
    status_code=201,
    responses=answers_of(schemas.CorrectionKept, 201, 404, 408, 413, 415, 422),
    openapi_extra=body_of("application/json", CorrectionRequest.model_json_schema()),
)
async def correct(request: Request, visit: Visiting) -> Response:
    """Keeps what somebody says is right, for `enquirer learn`."""
    path = visit.service.corrections
    if path is None:
        raise RequestError(403, "Corrections are kept where the server was started with --corrections FILE.")
    given = await json_body(request, CorrectionRequest, visit.limits)
    known = visit.tables(given.tables)
    count = await run_in_threadpool(lambda: append(path, correction_of(given, known, visit.limits)))
    return JsonResponse({"kept_in": told_path(path), "count": count}, 201)


@router.get("/api/models", responses=answers_of(list[schemas.ModelShown]))
async def models(visit: Visiting) -> Response:
    """The models that come with the program, and which of them answers here."""
    shipped = await run_in_threadpool(describe_shipped)
    return JsonResponse([row | {"in_use": row["name"] == visit.service.model} for row in shipped])


@router.get("/healthz", responses=answers_of(schemas.Health))
async def healthz() -> Response:
    """Says that the server is there."""
    return JsonResponse({"status": "ok"})


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
