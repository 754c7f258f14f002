"""The command `enquirer serve`: reads the tables, loads the model, opens the door."""

import contextlib
import errno
import importlib.util
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.asking.progress import progress
from neural_enquirer.engines.addresses import AUTO
from neural_enquirer.engines.choosing import open_sources
from neural_enquirer.learning.corrections import default_path
from neural_enquirer.runtime.executor import cores
from neural_enquirer.tables import Table
from neural_enquirer.web.limits import Limits

_NEEDED = ("fastapi", "uvicorn")
_CONNECTIONS = 1_000
_LONGEST_PORT = 65_535
# Each takes the memory of a model, and of the tables that it is asked.
_MOST_PROCESSES = 8


class ServeError(ValueError):
    """A server that cannot be started; the message is one line that says why."""


@dataclass(frozen=True)
class Address:
    """Where the server listens.

    Attributes:
        host: a name or an address of this computer.
        port: 0 takes one that is free.
    """

    host: str = "127.0.0.1"
    port: int = 8000

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _LONGEST_PORT:
            raise ServeError(f"--port is a number from 0 to {_LONGEST_PORT}, not {self.port}")

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on all addresses of the computer."""
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_unspecified
        return False

    @property
    def is_here(self) -> bool:
        """Whether it listens for this computer alone."""
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host.casefold() == "localhost"

    @property
    def names(self) -> tuple[str, ...]:
        """What browsers may call it; `*` is any address in digits."""
        if self.is_everywhere:
            return ("*", socket.gethostname(), socket.getfqdn())
        return (self.host,)


def serve(
    sources: Sequence[str],
    model: str,
    address: Address,
    open_page: bool | None,
    engine: str = AUTO,
    corrections: Path | None = None,
) -> None:
    """Serves the page until it is interrupted.

    Args:
        sources: table files to offer beside the examples.
        model: the name or the folder of a model.
        address: where to listen.
        open_page: whether to open it in a browser; None does so where there is one to be seen.
        engine: what asks the tables.
        corrections: the file that keeps corrections; None keeps them in the user's own folder where nobody
            else can reach the server, and takes none elsewhere.
    """
    if not all(map(importlib.util.find_spec, _NEEDED)):
        raise ServeError("the page needs packages that are not installed; run: pip install '.[web]'")
    tables = open_sources(sources, engine, progress)
    with contextlib.closing(_listen(address)) as listener:
        enquirer = Enquirer.from_pretrained(model)
        kept = corrections or (default_path() if address.is_here else None)
        _run(enquirer, tables, address, listener, open_page, kept)


def _run(
    enquirer: Enquirer,
    tables: Sequence[Table],
    address: Address,
    listener: socket.socket,
    open_page: bool | None,
    corrections: Path | None,
) -> None:
    import uvicorn

    from neural_enquirer.web.server import create_app

    limits = Limits(processes=min(cores(), _MOST_PROCESSES))
    app = create_app(enquirer, tables, limits, hosts=address.names, corrections=corrections)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=3,
    )
    page = _url(address, listener)
    print(f"The page is at {page} (Ctrl-C ends it).", flush=True)
    if open_page or (open_page is None and _has_screen()):
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(address: Address) -> socket.socket:
    """Takes the port before anything slow is done."""
    try:
        family = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((address.host, address.port), family=family, backlog=_CONNECTIONS)
    except OSError as error:
        raise ServeError(_complaint(address, error)) from None
    except UnicodeError:
        raise ServeError(f"'{address.host}' is no name of this computer; leave --host out") from None


def _complaint(address: Address, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {address.port} is in use; choose another, such as --port {address.port + 1}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {address.port} is reserved; choose one above 1023, such as --port 8000"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"'{address.host}' is no name of this computer; leave --host out"
    return f"cannot listen on {address.host}, port {address.port}: {error.strerror or error}"


def _url(address: Address, listener: socket.socket) -> str:
    host = "127.0.0.1" if address.is_everywhere else address.host
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def _has_screen() -> bool:
    """Whether a browser that opens would be seen: not from a script, nor on a computer without windows."""
    windows = sys.platform in ("darwin", "win32")
    return sys.stdout.isatty() and (windows or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))))
