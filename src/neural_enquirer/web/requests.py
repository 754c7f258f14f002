"""What endpoints have in common: whose request it is, how bodies are read, what may be answered.

Bodies are read by hand and not by FastAPI, which would take them in whole whatever their size.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import pydantic
from fastapi import Depends, Request

from neural_enquirer.web import schemas, uploads
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.service import Service
from neural_enquirer.web.tables import KnownTable
from neural_enquirer.web.wire import RequestError

_Model = TypeVar("_Model", bound=pydantic.BaseModel)


@dataclass(frozen=True)
class Visit:
    """A request: what serves it, and the session that it belongs to."""

    service: Service
    session: str

    @property
    def limits(self) -> Limits:
        """How much is taken on."""
        return self.service.limits

    def table(self, id_: str) -> KnownTable:
        """A table that the session may see.

        Raises:
            RequestError: where there is none.
        """
        return self.service.tables.get(id_, self.session)

    def tables(self, ids: Iterable[str]) -> tuple[KnownTable, ...]:
        """Tables that the session may see, few enough to be asked together.

        Raises:
            RequestError: where one is none, or they are too many.
        """
        wanted, most = list(ids), self.limits.tables_together
        if len(wanted) > most:
            raise RequestError(422, f"A question can be about {most} tables at most, not {len(wanted):,}.")
        return tuple(self.table(one) for one in wanted)


async def _visit(request: Request) -> Visit:
    return Visit(request.app.state.service, request.state.session)


Visiting = Annotated[Visit, Depends(_visit)]


def answers_of(model: Any, status: int = 200, *problems: int) -> dict[int | str, dict[str, Any]]:
    """What an endpoint may answer; some problems may befall every request."""
    told: dict[int | str, dict[str, Any]] = {
        problem: {"model": schemas.Told} for problem in (*problems, 400, 403, 503)
    }
    return told | {status: {"model": model}}


def body_of(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    """How an endpoint describes the body that it takes."""
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


def check_length(request: Request, most: int) -> None:
    """What is announced to be too large need not be received."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:30]) > most:
        raise uploads.too_large(most)


async def json_body(request: Request, model: type[_Model], limits: Limits) -> _Model:
    """What the body of a request says.

    Raises:
        RequestError: where it is no JSON, or something else.
    """
    check_length(request, limits.request_bytes)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestError(415, "Send JSON, with the header Content-Type: application/json.")
    body = await uploads.receive(request.stream(), limits.request_bytes, limits.upload_seconds)
    try:
        return model.model_validate_json(body)
    except pydantic.ValidationError as error:
        raise RequestError(422, sentence(error.errors(include_url=False, include_input=False))) from None


def sentence(errors: Sequence[Any]) -> str:
    """The first thing that is wrong with a request."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{place[:100]}: {first['msg']}." if place else f"{first['msg']}."
