"""The command `enquirer serve`."""

import http.client
import importlib.util
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from web_server import GAMES_CSV

from command_line import ENQUIRER, Run, assert_one_line
from neural_enquirer.web import serving
from neural_enquirer.web.serving import Address, ServeError


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_bytes(GAMES_CSV)
    return path


def test_serves_until_interrupted(games: Path) -> None:
    command = [*ENQUIRER, "serve", str(games), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("The page is at http://127.0.0.1:"), process.communicate()
            port = int(line.split()[4].rpartition(":")[2])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            body = json.dumps({"question": "which city had the highest cost", "table": "games"})
            connection.request("POST", "/api/ask", body, {"Content-Type": "application/json"})
            answer = json.loads(connection.getresponse().read())
            assert (answer["answer"], answer["model"]) == ("Athens", "open")
            connection.close()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")


def test_port_in_use(enquirer: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert_one_line(
            enquirer("serve", "--port", port),
            f"port {port} is in use; choose another, such as --port {port + 1}",
        )


def test_extra_that_is_not_installed(enquirer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def find_all_but_uvicorn(name: str, package: str | None = None) -> Any:
        return None if name == "uvicorn" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_all_but_uvicorn)
    assert_one_line(enquirer("serve"), "run: pip install '.[web]'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv"], "none.csv does not exist"),
        (["--port", "70000"], "--port is a number from 0 to 65535, not 70000"),
        (["--port", "-1"], "not -1"),
        (["--host", "198.51.100.7"], "'198.51.100.7' is no name of this computer; leave --host out"),
        (["--host", "no.such.host.invalid"], "is no name of this computer"),
        (["--host", "x" * 300], "is no name of this computer"),
        (["--model", "nothing", "--port", "0"], "no model 'nothing'"),
    ],
)
def test_bad_input(enquirer: Run, arguments: list[str], message: str) -> None:
    assert_one_line(enquirer("serve", *arguments), message)


def test_empty_table(enquirer: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("city,year\n")
    assert_one_line(enquirer("serve", tmp_path / "empty.csv"), "empty.csv has no rows")


def test_names() -> None:
    assert Address().names == ("127.0.0.1",)
    assert "*" in Address("0.0.0.0").names
    assert "*" in Address("::").names
    assert Address("table.local").names == ("table.local",)
    with pytest.raises(ServeError):
        Address(port=65536)


def test_needs_neither_fastapi_nor_torch_to_say_what_is_wrong() -> None:
    assert serving.__file__
    code = (
        "import neural_enquirer.web.serving, sys; print({'fastapi', 'torch', 'uvicorn'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "set()\n"
