"""Whose request it is: a browser is known by a cookie, a program by a header.

A session is a long random name that the server gives out; what is uploaded under it is nobody else's.
"""

import re
import secrets
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "enquirer"
HEADER: Final = "Enquirer-Session"
_BYTES: Final = 24
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_PATH: Final = "/api/"


class Sessions:
    """Puts the session of a request into its state; who has none is given one."""

    def __init__(self, app: ASGIApp) -> None:
        """Wraps an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets every request through."""
        if scope["type"] != "http" or not scope["path"].startswith(_PATH):
            await self._app(scope, receive, send)
            return
        known = _known(HTTPConnection(scope))
        session = known or secrets.token_urlsafe(_BYTES)
        scope.setdefault("state", {})["session"] = session

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={session}; Path=/; HttpOnly; SameSite=Strict"
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, send if known else send_with_cookie)


def _known(request: HTTPConnection) -> str | None:
    """The session that a request names, if it can be one."""
    for named in (request.headers.get(HEADER), request.cookies.get(COOKIE)):
        if named is not None and _NAME.fullmatch(named):
            return named
    return None
