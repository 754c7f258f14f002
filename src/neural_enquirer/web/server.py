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
from neural_enquirer.web.endpoints import add_endpoints
from neural_enquirer.web.example_tables import example_tables
from neural_enquirer.web.guard import Guard, JsonResponse
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import RequestError
from neural_enquirer.web.requests import sentence
from neural_enquirer.web.service import Service
from neural_enquirer.web.sessions import Sessions

STATIC = Path(__file__).parent / "static"


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
    preloaded = [(table.name, table) for table in tables] + examples
    service = Service(enquirer or Enquirer.from_pretrained(), preloaded, limits or Limits(), corrections)

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
    add_endpoints(app)
    _add_page(app)
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
            allowed = _methods(app, request.url.path)
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


def _methods(app: FastAPI, path: str) -> str:
    """What can be done at an address, all its endpoints together."""
    here = (route for route in app.routes if isinstance(route, APIRoute) and route.path_regex.match(path))
    methods = {method for route in here for method in route.methods or ()}
    return ", ".join(sorted(methods)) or "GET, HEAD"  # of files


def _add_page(app: FastAPI) -> None:
    async def page() -> Response:
        """The page itself."""
        return FileResponse(STATIC / "index.html")

    app.get("/", include_in_schema=False)(page)
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")
