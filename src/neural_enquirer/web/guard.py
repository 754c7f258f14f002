"""What stands between the network and the server: who may ask, whose request it is, what browsers are told.

A page of another site, or a name that its owner points at this computer (DNS rebinding), gets nothing.

A session is a long random name that the server gives out, to browsers as a cookie, to programs as a header;
what is uploaded under it is nobody else's.
"""

import contextlib
import ipaddress
import re
import secrets
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neural_enquirer.web.wire import json_bytes

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = "*"
"""Among the hosts: every address in digits, which nobody can point elsewhere."""
COOKIE: Final = "enquirer"
HEADER: Final = "Enquirer-Session"
_SESSION: Final = re.compile(r"[A-Za-z0-9_-]{32}")


class JsonResponse(JSONResponse):
    """JSON as `wire` writes it."""

    def render(self, content: Any) -> bytes:
        """Writes the content."""
        return json_bytes(content)


class Guard:
    """Turns away requests for other hosts and from other sites; adds headers to every response."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        """Wraps an application.

        Args:
            app: the application.
            hosts: names, beside those of this computer itself, under which it may be asked.
        """
        self._app = app
        self._hosts = LOCAL_HOSTS | {host.strip("[]").casefold() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through or answers it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refusal(scope) or self._app
        await answer(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        values = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = values.get(b"host", "")
        if not self._is_known(host):
            sentence = "This server does not go by that name; use its address, or start it with --host."
            return JsonResponse({"detail": sentence}, 400)
        origin = values.get(b"origin")
        if origin is not None and origin.partition("://")[2].casefold() != host.casefold():
            return JsonResponse({"detail": "Pages of other sites may not ask this server."}, 403)
        return None

    def _is_known(self, host: str) -> bool:
        with contextlib.suppress(ValueError):  # of what is no name, or no address
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._hosts:
                return True
            return ANY_ADDRESS in self._hosts and bool(ipaddress.ip_address(name))
        return False


class Sessions:
    """Puts the session of a request into its state; who has none is given one."""

    def __init__(self, app: ASGIApp) -> None:
        """Wraps an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets every request through."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        named = (request.headers.get(HEADER), request.cookies.get(COOKIE))
        known = next((each for each in named if each is not None and _SESSION.fullmatch(each)), None)
        session = known or secrets.token_urlsafe(24)
        scope.setdefault("state", {})["session"] = session

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={session}; Path=/; HttpOnly; SameSite=Strict"
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, send if known else send_with_cookie)
