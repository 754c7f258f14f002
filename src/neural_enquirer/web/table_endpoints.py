"""The endpoints of tables: sent, listed, looked at, saved, forgotten, and how they go together."""

import csv
import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from neural_enquirer.asking.enquirer import named_apart
from neural_enquirer.asking.program_steps import row_steps
from neural_enquirer.encoding.actions.joins import shared_fields
from neural_enquirer.engines.wanted import Kept, Wanted, filter_of
from neural_enquirer.programs import parse
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError, Rows
from neural_enquirer.tables import Table
from neural_enquirer.web import answers, schemas
from neural_enquirer.web.example_questions import examples_across
from neural_enquirer.web.guard import JsonResponse
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.requests import Visit, Visiting, answers_of, body_of, check_length
from neural_enquirer.web.tables import KnownTable
from neural_enquirer.web.wire import RequestError

_Text = Annotated[str | None, Query()]
_ROWS_AT_ONCE = 2_000
_FILE: dict[int | str, dict[str, Any]] = {200: {"description": "The rows.", "content": {"text/csv": {}}}}


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


_Asked = Annotated[RowsAsked, Depends()]


router = APIRouter(default_response_class=JsonResponse)
"""The endpoints, where docs/server.md says; the first that fits an address is taken."""


@router.post(
    "/api/tables",
    status_code=201,
    responses=answers_of(schemas.UploadedTable, 201, 408, 413, 422),
    openapi_extra=body_of("application/octet-stream", {"type": "string", "format": "binary"}),
)
async def upload(
    request: Request, visit: Visiting, name: Annotated[str, Query(max_length=300)] = "table.csv"
) -> Response:
    """Takes a table file as the body, in any format that `enquirer ask` reads; `name` says what it is."""
    check_length(request, visit.limits.upload_bytes)
    known, told = await visit.service.upload(name, request.stream(), visit.session)
    content = await run_in_threadpool(_described, known, visit)
    return JsonResponse(content | {"warnings": told, "session": visit.session}, 201)


@router.get("/api/tables", responses=answers_of(list[schemas.TableShown]))
async def list_tables(visit: Visiting) -> Response:
    """The tables that are there for everybody, and the uploads of the session."""
    tables = visit.service.tables
    known = [*tables.preloaded, *tables.uploads(visit.session)]
    return JsonResponse(await run_in_threadpool(lambda: [_described(each, visit) for each in known]))


@router.delete("/api/tables", status_code=204, responses=answers_of(None, 204))
async def forget_tables(visit: Visiting) -> Response:
    """Forgets all uploads of the session."""
    visit.service.tables.forget_all(visit.session)
    return Response(status_code=204)


@router.get(
    "/api/tables/{id}.csv", responses=answers_of(None, 200, 404, 422) | _FILE, response_class=Response
)
async def save_table(id: str, visit: Visiting, asked: _Asked) -> Response:  # noqa: A002
    """The same rows, all of them, as a CSV file."""
    known, together = visit.table(id), visit.tables(asked.tables or [id])

    def counted() -> tuple[Wanted, int]:
        wanted = wanted_rows(asked, known, together, visit.limits)
        return wanted, known.view.count(wanted)  # what is wrong is told before anything is sent

    wanted, matching = await run_in_threadpool(counted)
    headers = {"Content-Disposition": f'attachment; filename="{known.file_name}.csv"'}
    return StreamingResponse(_lines(known, wanted, matching), media_type="text/csv", headers=headers)


@router.get("/api/tables/{id}", responses=answers_of(schemas.TableRows, 200, 404, 422))
async def show_table(
    id: str,  # noqa: A002
    visit: Visiting,
    asked: _Asked,
    start: Annotated[int, Query(ge=0)] = 0,
    count: Annotated[int, Query(ge=0)] = 200,
) -> Response:
    """Some rows of a table, its cells as texts, and questions to try."""
    known, together = visit.table(id), visit.tables(asked.tables or [id])

    def shown() -> Response:
        wanted = wanted_rows(asked, known, together, visit.limits)
        matching = known.view.count(wanted)
        size = min(count, visit.limits.rows_shown, max(0, matching - start))
        page = known.view.page(wanted, min(start, matching), size)
        rows = answers.page_json(page, visit.limits.cell_letters)
        more: dict[str, Any] = {"start": start, **rows, "matching": matching}
        more["examples"] = [example.question for example in known.examples]
        return JsonResponse(_described(known, visit) | more)

    return await run_in_threadpool(shown)


@router.delete("/api/tables/{id}", status_code=204, responses=answers_of(None, 204, 404))
async def forget_table(id: str, visit: Visiting) -> Response:  # noqa: A002
    """Forgets an upload of the session."""
    visit.service.tables.forget(id, visit.session)
    return Response(status_code=204)


@router.get("/api/examples", responses=answers_of(list[schemas.ExampleShown], 200, 404, 422))
async def list_examples(table: Annotated[list[str], Query()], visit: Visiting) -> Response:
    """Questions to try: on one table one of every kind, on several those that only two together answer."""
    known = visit.tables(table)

    def made() -> list[dict[str, Any]]:
        found = (
            known[0].examples if len(known) == 1 else examples_across(named_apart(one.table for one in known))
        )
        return [{"kind": example.kind, "question": example.question} for example in found]

    return JsonResponse(await run_in_threadpool(made))


@router.get("/api/links", responses=answers_of(list[schemas.TablesLinked], 200, 404, 422))
async def list_links(table: Annotated[list[str], Query()], visit: Visiting) -> Response:
    """How tables go together: fields with values in common, those that link them best first."""
    known = visit.tables(table)
    return JsonResponse(await run_in_threadpool(_links, known))


def _described(known: KnownTable, visit: Visit) -> dict[str, Any]:
    return answers.table_json(known, visit.service.tables.forgotten_in(known))


def _lines(known: KnownTable, wanted: Wanted, matching: int) -> Iterator[bytes]:
    """A CSV file, some rows at a time."""
    yield _csv([known.table.field_names])
    for start in range(0, matching, _ROWS_AT_ONCE):
        yield _csv(known.view.page(wanted, start, _ROWS_AT_ONCE).cells)


def _csv(rows: Any) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode("utf-8", "replace")


def _links(known: tuple[KnownTable, ...]) -> list[dict[str, Any]]:
    found = [
        (link, one, other)
        for one, other in itertools.combinations(known, 2)
        for link in shared_fields(one.table.listed, other.table.listed)
    ]
    found.sort(key=lambda each: -each[0].score)
    return [
        {
            "tables": [one.id, other.id],
            "fields": [one.table.field_names[link.left], other.table.field_names[link.right]],
            "shared": link.shared,
        }
        for link, one, other in found
    ]
