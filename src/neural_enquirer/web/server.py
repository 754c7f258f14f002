"""The server, put together: endpoints, the page, and who may reach them. docs/server.md describes it."""

import contextlib
import warnings
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.asking.questions import QuestionError
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.tables import Table, TableError, TableWarning
from neural_enquirer.tables.sources import TABLE_SUFFIXES
from neural_enquirer.web import endpoints, table_endpoints
from neural_enquirer.web.guard import Guard, JsonResponse, Sessions
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.requests import sentence
from neural_enquirer.web.service import Service
from neural_enquirer.web.wire import RequestError

STATIC = Path(__file__).parent / "static"
_EXAMPLES = (Path(__file__).parent / "examples", Path(__file__).parents[3] / "examples")
"""Where the example tables are: beside this module where it was installed, or in the repository."""


def example_tables() -> list[tuple[str, Table]]:
    """The tables that come with the package, each with its file's name; none where none were installed."""
    folder = next((folder for folder in _EXAMPLES if folder.is_dir()), _EXAMPLES[0])
    files = [path for path in sorted(folder.glob("*")) if path.suffix in TABLE_SUFFIXES]
    return [(path.name, Table.read(path)) for path in files if path.name != "questions.jsonl"]


def create_app(
    enquirer: Enquirer | None = None,
    tables: Sequence[Table] = (),
    limits: Limits | None = None,
    *,
    hosts: Sequence[str] = (),
    corrections: Path | None = None,
) -> FastAPI:
    """Makes the server's application.

    Args:
        enquirer: the model; without one, the model that comes with the package.
        tables: tables that everybody may ask, beside the examples that come with the package.
        limits: how much the server takes on.
        hosts: names, beside this computer's own, under which the server may be asked.
        corrections: the file that keeps corrections; None takes none.
    """
    examples = [(name, table) for name, table in example_tables() if table not in tables]
    given = [(table.name, table) for table in tables]
    service = Service(
        enquirer or Enquirer.from_pretrained(), given, limits or Limits(), corrections, examples=examples
    )

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
    app.add_middleware(Sessions)
    app.add_middleware(Guard, hosts=tuple(hosts))
    _handle_problems(app)
    app.include_router(table_endpoints.router)
    app.include_router(endpoints.router)
    app.add_api_route("/", _page, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")
    return app


def _handle_problems(app: FastAPI) -> None:
    async def problem(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestError)
        return JsonResponse({"detail": error.sentence}, error.status)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return JsonResponse({"detail": sentence(error.errors())}, 422)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            allowed = _methods(request.url.path)
            told = {"detail": f"This address takes {allowed} alone."}
            return JsonResponse(told, 405, {"Allow": allowed})
        detail = "There is nothing at this address." if error.status_code == 404 else f"{error.detail}."
        return JsonResponse({"detail": detail}, error.status_code, error.headers)

    async def unfit(_: Request, error: Exception) -> Response:
        return JsonResponse({"detail": f"{error}."}, 422)

    async def gone(_: Request, error: Exception) -> Response:
        return Response(status_code=400)  # to nobody: the client hung up

    app.add_exception_handler(RequestError, problem)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    for kind in (ProgramError, TableError, QuestionError):
        app.add_exception_handler(kind, unfit)
    app.add_exception_handler(ClientDisconnect, gone)


def _methods(path: str) -> str:
    """What can be done at an address, all its endpoints together."""
    routes = (*table_endpoints.router.routes, *endpoints.router.routes)
    here = (route for route in routes if isinstance(route, APIRoute) and route.path_regex.match(path))
    methods = {method for route in here for method in route.methods or ()}
    return ", ".join(sorted(methods)) or "GET, HEAD"  # of files


async def _page() -> Response:
    """The page itself."""
    return FileResponse(STATIC / "index.html")
