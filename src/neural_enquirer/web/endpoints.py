"""The endpoints of the server: questions, pictures, corrections, models; those of tables are beside."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from neural_enquirer.asking.follow_ups import Last
from neural_enquirer.checkpoint_files import describe_shipped
from neural_enquirer.learning.corrections import append, told_path
from neural_enquirer.tables import Table
from neural_enquirer.web import answers, schemas
from neural_enquirer.web.corrections import correction_of
from neural_enquirer.web.guard import JsonResponse
from neural_enquirer.web.requests import Visit, Visiting, answers_of, body_of, json_body
from neural_enquirer.web.schemas import AskRequest, CorrectionRequest, FigureForm
from neural_enquirer.web.wire import RequestError

_MEDIA_TYPES = {FigureForm.PNG: "image/png", FigureForm.SVG: "image/svg+xml"}


router = APIRouter(default_response_class=JsonResponse)
"""The endpoints, where docs/server.md says."""


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


_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture.", "content": {kind: {} for kind in _MEDIA_TYPES.values()}}
}


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
