"""A server with a model that needs no training, and a real one on a real socket."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fake_predictor import FakePredictor
from neural_enquirer import Enquirer, Table
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.server import create_app

GAMES = [
    {"year": 2000, "city": "Sydney", "cost": 3800},
    {"year": 2004, "city": "Athens", "cost": 9000},
    {"year": 2008, "city": None, "cost": 6800},
]
GAMES_CSV = b"year,city,cost\n2000,Sydney,3800\n2004,Athens,9000\n2008,,6800\n"


def fake_app(
    limits: Limits | None = None, predictor: FakePredictor | None = None, corrections: Path | None = None
) -> FastAPI:
    enquirer = Enquirer(predictor or FakePredictor())
    return create_app(enquirer, [Table.of(GAMES, name="games")], limits, corrections=corrections)


@contextlib.contextmanager
def client_of(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@contextlib.contextmanager
def on_a_socket(app: FastAPI) -> Iterator[int]:
    """Serves on a free port of this computer; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()
