"""The endpoints of the server.

Bodies are read by hand and not by FastAPI, which would take them in whole whatever their size.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import pydantic
from fastapi import Depends, FastAPI, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from neural_enquirer.asking.answer import Answer
from neural_enquirer.checkpoint_files import describe_shipped
from neural_enquirer.tables import Table
from neural_enquirer.web import answers, schemas, uploads
from neural_enquirer.web.example_questions import example_questions
from neural_enquirer.web.guard import JsonResponse
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import RequestError
from neural_enquirer.web.schemas import AskRequest, FigureForm
from neural_enquirer.web.service import Service

# Longer answers are put together in a thread, so that others are heard meanwhile.
_MANY_ROWS = 2_000
_MEDIA_TYPES = {FigureForm.PNG: "image/png", FigureForm.SVG: "image/svg+xml"}


def add_endpoints(app: FastAPI) -> None:
    """Puts them where docs/server.md says."""
    app.post(
        "/api/tables",
        status_code=201,
        responses=_answers(schemas.UploadedTable, 201, 408, 413, 422),
        openapi_extra=_body("application/octet-stream", {"type": "string", "format": "binary"}),
    )(upload)
    app.get("/api/tables", responses=_answers(list[schemas.TableShown]))(list_tables)
    app.get("/api/tables/{id}", responses=_answers(schemas.TableRows, 200, 404, 422))(show_table)
    app.post(
        "/api/ask",
        responses=_answers(schemas.AnswerShown, 200, 404, 408, 413, 415, 422),
        openapi_extra=_body("application/json", AskRequest.model_json_schema()),
    )(ask)
    picture = {"description": "The picture.", "content": {kind: {} for kind in _MEDIA_TYPES.values()}}
    told = _answers(None, 200, 404, 422) | {200: picture}
    app.get("/api/figure", responses=told, response_class=Response)(figure)
    app.get("/api/models", responses=_answers(list[schemas.ModelShown]))(models)
    app.get("/healthz", responses=_answers(schemas.Health))(healthz)


def _answers(model: Any, status: int = 200, *problems: int) -> dict[int | str, dict[str, Any]]:
    """What an endpoint may answer; some problems may befall every request."""
    told: dict[int | str, dict[str, Any]] = {
        problem: {"model": schemas.Told} for problem in (*problems, 400, 403, 503)
    }
    return told | {status: {"model": model}}


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


_Service = Annotated[Service, Depends(_service)]


async def upload(
    request: Request, service: _Service, name: Annotated[str, Query(max_length=300)] = "table.csv"
) -> Response:
    """Takes a table file as the body, in any format that `enquirer ask` reads; `name` says what it is."""
    _check_length(request, service.limits.upload_bytes)
    known, told = await service.upload(name, request.stream())
    return JsonResponse(answers.table_json(known) | {"warnings": told}, 201)


async def list_tables(service: _Service) -> Response:
    """The tables that are there for everybody; uploads are not among them."""
    return JsonResponse([answers.table_json(known) for known in service.tables.preloaded])


async def show_table(
    id: str,  # noqa: A002
    service: _Service,
    start: Annotated[int, Query(ge=0)] = 0,
    count: Annotated[int, Query(ge=0)] = 200,
) -> Response:
    """Some rows of a table, its cells as texts, and questions to try."""
    known = service.tables.get(id)
    shown = min(count, service.limits.rows_shown)
    content = answers.table_json(known) | {
        "start": start,
        "cells": answers.cells_json(known.table, start, shown, service.limits.cell_letters),
        "examples": example_questions(known.table),
    }
    return JsonResponse(content)


async def ask(request: Request, service: _Service) -> Response:
    """Answers a question; the answer is what `enquirer ask --json` prints."""
    asked = _parsed(await _json_body(request, service.limits))
    tables = await _asked_tables(asked, service)
    answer = await service.ask(tables, asked.question, asked.top)
    if max(table.row_count for table in tables) <= _MANY_ROWS:
        return _answer_response(answer, asked.steps, service.limits.rows_told)
    return await run_in_threadpool(_answer_response, answer, asked.steps, service.limits.rows_told)


async def _asked_tables(asked: AskRequest, service: Service) -> tuple[Table, ...]:
    """The tables that a question is about."""
    if [asked.table, asked.tables, asked.records].count(None) != 2:
        raise RequestError(422, "Give the id of a table, the ids of tables, or records, but not more.")
    if asked.records is not None:
        return (await service.read_records(asked.records),)
    ids = asked.tables or [asked.table or ""]
    return tuple(service.tables.get(one).table for one in ids)


def _answer_response(answer: Answer, steps: bool | None, rows_told: int) -> Response:
    return JsonResponse(answers.answer_json(answer, steps, rows_told))


async def figure(
    table: Annotated[list[str], Query()],
    question: str,
    service: _Service,
    format: FigureForm = FigureForm.PNG,  # noqa: A002
) -> Response:
    """The picture of an answer and of the steps that led to it, as a file to keep."""
    tables = tuple(service.tables.get(one).table for one in table)
    content = await service.figure(tables, question, format.value)
    headers = {"Content-Disposition": f'attachment; filename="why.{format.value}"'}
    return Response(content, media_type=_MEDIA_TYPES[format], headers=headers)


async def models(service: _Service) -> Response:
    """The models that come with the program, and which of them answers here."""
    shipped = await run_in_threadpool(describe_shipped)
    return JsonResponse([row | {"in_use": row["name"] == service.model} for row in shipped])


async def healthz() -> Response:
    """Says that the server is there."""
    return JsonResponse({"status": "ok"})


def _check_length(request: Request, most: int) -> None:
    """What is announced to be too large need not be received."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:30]) > most:
        raise uploads.too_large(most)


async def _json_body(request: Request, limits: Limits) -> bytes:
    _check_length(request, limits.request_bytes)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestError(415, "Send JSON, with the header Content-Type: application/json.")
    return await uploads.receive(request.stream(), limits.request_bytes, limits.upload_seconds)


def _parsed(body: bytes) -> AskRequest:
    try:
        return AskRequest.model_validate_json(body)
    except pydantic.ValidationError as error:
        raise RequestError(422, sentence(error.errors(include_url=False, include_input=False))) from None


def sentence(errors: Sequence[Any]) -> str:
    """The first thing that is wrong with a request."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{place[:100]}: {first['msg']}." if place else f"{first['msg']}."
