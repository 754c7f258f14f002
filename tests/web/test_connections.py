"""Clients that hang up, dawdle or send garbage, on a real socket: the server goes on answering others."""

import http.client
import json
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from web_server import GAMES_CSV, fake_app, on_a_socket

from neural_enquirer.web.limits import Limits

LIMITS = Limits(upload_bytes=1_000_000, upload_seconds=1, uploads_at_once=2)


@pytest.fixture(scope="module")
def app() -> FastAPI:
    return fake_app(LIMITS)


@pytest.fixture(scope="module")
def port(app: FastAPI) -> Iterator[int]:
    with on_a_socket(app) as port:
        yield port


def kept(app: FastAPI) -> int:
    return len(app.state.service.tables._uploads)


def still_answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    body = json.dumps({"question": "which city", "table": "games"})
    connection.request("POST", "/api/ask", body, {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.request("POST", "/api/tables?name=games.csv", GAMES_CSV)
    response = connection.getresponse()
    response.read()
    connection.close()
    return answer["answer"] == "Athens" and response.status == 201


def head(port: int, length: int) -> bytes:
    return (
        f"POST /api/tables?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def test_killed_in_the_middle_of_an_upload(app: FastAPI, port: int) -> None:
    before = kept(app)
    files = set(Path(tempfile.gettempdir()).glob("enquirer-*"))
    for _ in range(10):
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(head(port, len(GAMES_CSV)) + GAMES_CSV[:-5])
            # Not a polite end, but what a killed process leaves.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        time.sleep(0.02)
    assert still_answers(port)
    assert kept(app) == before + 1  # what the check itself sent
    assert set(Path(tempfile.gettempdir()).glob("enquirer-*")) <= files


def test_slow_senders_are_turned_away(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as slow:
        slow.settimeout(10)
        slow.sendall(head(port, 100) + b"year,")
        assert still_answers(port)
        told = b""  # head and body may come apart
        while not told.endswith(b"}") and (part := slow.recv(10_000)):
            told += part
    assert b"408" in told.splitlines()[0]
    assert b"The request took longer than 1 seconds to arrive." in told


def test_large_files_are_told_so_even_while_they_are_being_sent(port: int) -> None:
    """A client that first sends all and then listens hears the sentence, not a broken connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", "/api/tables?name=a.csv", b"x" * 8_000_000)
    response = connection.getresponse()
    assert response.status == 413
    assert json.loads(response.read())["detail"] == "That is too large: at most 1 MB can be sent."
    connection.close()
    assert still_answers(port)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\0" * 1000,
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500,
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"POST /api/ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/tables/%ff%fe%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /api/tables/games?start=%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_garbage(port: int, garbage: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(0.5)
        client.sendall(garbage)
        try:
            told = client.recv(10_000)
        except (TimeoutError, ConnectionResetError):
            told = b""
    assert not told or told.split()[1].startswith(b"4"), told
    assert still_answers(port)
