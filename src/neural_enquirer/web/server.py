"""The server: HTTP endpoints for the page and for programs. docs/server.md describes them.

Bodies are read by hand and not by FastAPI, which would take them in whole whatever their size.
"""

import contextlib
import enum
import warnings
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import pydantic
from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from neural_enquirer import checkpoint
from neural_enquirer.enquirer import Enquirer
from neural_enquirer.table import Table, TableWarning
from neural_enquirer.web import answers, uploads
from neural_enquirer.web.example_questions import example_questions
from neural_enquirer.web.example_tables import example_tables
from neural_enquirer.web.guard import Guard, JsonResponse
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import RequestError
from neural_enquirer.web.service import Service

STATIC = Path(__file__).parent / "static"
# Longer answers are put together in a thread, so that others are heard meanwhile.
_MANY_ROWS = 2_000


class AskRequest(pydantic.BaseModel):
    """A question, about a table that the server knows or about one that comes with it."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)

    question: str
    table: str | None = None
    records: list[dict[str, Any]] | None = None
    top: Annotated[int, pydantic.Field(ge=1, le=1_000_000)] = 5
    steps: bool | None = None


class Told(pydantic.BaseModel):
    """What is wrong, in one plain sentence."""

    detail: str


class FigureForm(enum.StrEnum):
    """What a figure can be drawn as."""

    PNG = "png"
    SVG = "svg"


_MEDIA_TYPES = {FigureForm.PNG: "image/png", FigureForm.SVG: "image/svg+xml"}


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": Told} for status in (*statuses, 400, 403, 503)}


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


def create_app(
    enquirer: Enquirer | None = None,
    tables: Sequence[Table] = (),
    limits: Limits | None = None,
    *,
    hosts: Sequence[str] = (),
) -> FastAPI:
    """Makes the server's application.

    Args:
        enquirer: the model; without one, the model that comes with the package.
        tables: tables that everybody may ask, beside the examples that come with the package.
        limits: how much the server takes on.
        hosts: names, beside this computer's own, under which the server may be asked.
    """
    preloaded = [(table.name, table) for table in tables] + example_tables()
    service = Service(enquirer or Enquirer.from_pretrained(), preloaded, limits or Limits())

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # Odd headers are repaired; the page shows the names that they got.
        warnings.simplefilter("ignore", TableWarning)
        yield
        service.close()

    app = FastAPI(
        title="Neural Enquirer",
        description="Ask a table a question in plain words.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=JsonResponse,
    )
    app.state.service = service
    app.add_middleware(Guard, hosts=tuple(hosts))
    _handle_problems(app)
    _add_api(app)
    _add_page(app)
    return app


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


_Service = Annotated[Service, Depends(_service)]


def _add_api(app: FastAPI) -> None:
    app.post("/api/tables", status_code=201, responses=_problems(408, 413, 422), openapi_extra=_UPLOAD)(
        upload
    )
    app.get("/api/tables", responses=_problems())(list_tables)
    app.get("/api/tables/{id}", responses=_problems(404, 422))(show_table)
    app.post("/api/ask", responses=_problems(404, 408, 413, 415, 422), openapi_extra=_ASK)(ask)
    app.get("/api/figure", responses=_problems(404, 422), response_class=Response)(figure)
    app.get("/api/models", responses=_problems())(models)
    app.get("/healthz", responses=_problems())(healthz)


_UPLOAD = _body("application/octet-stream", {"type": "string", "format": "binary"})
_ASK = _body("application/json", AskRequest.model_json_schema())


async def upload(
    request: Request, service: _Service, name: Annotated[str, Query(max_length=300)] = "table.csv"
) -> Response:
    """Takes a table file (CSV, TSV, JSON, JSONL, Parquet, SQLite) as the body; `name` says what it is."""
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
    if (asked.table is None) == (asked.records is None):
        raise RequestError(422, "Give the id of a table, or records, but not both.")
    if asked.records is not None:
        table = await service.read_records(asked.records)
    else:
        table = service.tables.get(asked.table or "").table
    answer = await service.ask(table, asked.question, asked.top)
    if table.row_count <= _MANY_ROWS:
        return _answer_response(answer, asked.steps, service.limits.rows_told)
    return await run_in_threadpool(_answer_response, answer, asked.steps, service.limits.rows_told)


def _answer_response(answer: Any, steps: bool | None, rows_told: int) -> Response:
    return JsonResponse(answers.answer_json(answer, steps, rows_told))


async def figure(
    table: str,
    question: str,
    service: _Service,
    format: FigureForm = FigureForm.PNG,  # noqa: A002
) -> Response:
    """The picture of an answer and of the steps that led to it, as a file to keep."""
    content = await service.figure(service.tables.get(table).table, question, format.value)
    headers = {"Content-Disposition": f'attachment; filename="why.{format.value}"'}
    return Response(content, media_type=_MEDIA_TYPES[format], headers=headers)


async def models(service: _Service) -> Response:
    """The models that come with the program, and which of them answers here."""
    shipped = await run_in_threadpool(checkpoint.describe_shipped)
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
        raise RequestError(422, _sentence(error.errors(include_url=False, include_input=False))) from None


def _sentence(errors: Sequence[Any]) -> str:
    """The first thing that is wrong with a request."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{place[:100]}: {first['msg']}." if place else f"{first['msg']}."


def _handle_problems(app: FastAPI) -> None:
    async def problem(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestError)
        return JsonResponse({"detail": error.sentence}, error.status)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return JsonResponse({"detail": _sentence(error.errors())}, 422)

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = "There is nothing at this address." if error.status_code == 404 else str(error.detail)
        return JsonResponse({"detail": detail}, error.status_code, error.headers)

    async def gone(_: Request, error: Exception) -> Response:
        return Response(status_code=400)  # to nobody: the client hung up

    app.add_exception_handler(RequestError, problem)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(ClientDisconnect, gone)


def _add_page(app: FastAPI) -> None:
    async def page() -> Response:
        """The page itself."""
        return FileResponse(STATIC / "index.html")

    app.get("/", include_in_schema=False)(page)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")
