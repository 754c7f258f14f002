"""Uploads belong to the session that sent them: nobody else sees, asks, saves or forgets them."""

import gc
import threading
import weakref
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from web_server import GAMES_CSV, client_of, fake_app

from neural_enquirer import Table
from neural_enquirer.web.guard import COOKIE, HEADER
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.tables import TableStore
from neural_enquirer.web.wire import RequestError

ONE, OTHER = "one" + "x" * 29, "other" + "x" * 27


def upload(client: TestClient, content: bytes = GAMES_CSV) -> dict[str, Any]:
    told: dict[str, Any] = client.post("/api/tables?name=games.csv", content=content).json()
    return told


def another(app: FastAPI) -> TestClient:
    """A second browser at the same server."""
    return TestClient(app, base_url="http://localhost")


def requests_for(table: str) -> list[tuple[str, str, Any]]:
    """Everything that can be done with a table."""
    correction = {"question": "which city", "tables": [table], "answers": ["Rome"]}
    return [
        ("GET", f"/api/tables/{table}", None),
        ("GET", f"/api/tables/{table}.csv", None),
        ("GET", f"/api/tables/games?tables=games&tables={table}", None),
        ("GET", f"/api/links?table=games&table={table}", None),
        ("GET", f"/api/figure?table={table}&question=city", None),
        ("POST", "/api/ask", {"question": "which city", "table": table}),
        ("POST", "/api/ask", {"question": "which city", "tables": ["games", table]}),
        ("POST", "/api/corrections", correction),
        ("DELETE", f"/api/tables/{table}", None),
    ]


class TestCookie:
    def test_is_given_once_and_kept(self) -> None:
        with client_of(fake_app()) as client:
            first = client.get("/api/tables")
            assert "set-cookie" not in client.get("/api/tables").headers
        given = first.headers["set-cookie"]
        assert given.startswith(f"{COOKIE}=")
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(given.split("; "))
        assert "Max-Age" not in given

    def test_comes_with_problems_too_and_not_with_the_page(self) -> None:
        with client_of(fake_app()) as client:
            assert "set-cookie" not in client.get("/").headers
            assert "set-cookie" in client.get("/api/tables/none").headers

    @pytest.mark.parametrize("odd", ["", "x", "a" * 31, "a" * 33, "\u00e9" * 32, "a b" * 10 + "ab"])
    def test_odd_names_are_no_sessions(self, odd: str) -> None:
        with client_of(fake_app()) as client:
            cookie = {"Cookie": f"{COOKIE}={odd}".encode()}
            assert "set-cookie" in client.get("/api/tables", headers=cookie).headers  # type: ignore[arg-type]

    def test_programs_send_a_header_instead(self) -> None:
        with client_of(fake_app()) as client:
            told = upload(client)
            client.cookies.clear()
            assert client.get(f"/api/tables/{told['id']}").status_code == 404
            client.cookies.clear()
            own = client.get(f"/api/tables/{told['id']}", headers={HEADER: told["session"]})
            assert (own.status_code, own.json()["rows"]) == (200, 3)


class TestOwnership:
    @pytest.mark.parametrize("number", range(len(requests_for(""))))
    def test_others_are_told_that_there_is_no_such_table(self, number: int, tmp_path: Any) -> None:
        app = fake_app(corrections=tmp_path / "corrections.jsonl")
        with client_of(app) as owner:
            method, path, body = requests_for(upload(owner)["id"])[number]
            told = another(app).request(method, path, json=body)
            assert told.status_code == 404
            assert "no such table" in told.json()["detail"]
            assert owner.request(method, path, json=body).status_code in (200, 201, 204)

    def test_lists_are_apart_under_load(self) -> None:
        """Many browsers at once, each with tables of its own, never see a table of another."""
        app, seen = fake_app(), dict[int, set[str]]()

        def visit(number: int) -> None:
            client = another(app)
            own = {upload(client, f"city\nx{number}\ny\n".encode())["id"] for _ in range(2)}
            for _ in range(5):
                listed = client.get("/api/tables").json()
                seen[number] = {each["id"] for each in listed if each["uploaded"]} ^ own
                cells = [client.get(f"/api/tables/{one}").json()["cells"] for one in own]
                seen[number] |= {cell for rows in cells for (cell,) in rows} - {f"x{number}", "y"}

        with client_of(app):
            threads = [threading.Thread(target=visit, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert seen == {number: set() for number in range(8)}


class TestForgetting:
    def test_one_and_all(self) -> None:
        app = fake_app()
        with client_of(app) as client:
            first, second, third = (upload(client)["id"] for _ in range(3))
            kept = upload(other := another(app))["id"]
            assert client.delete(f"/api/tables/{first}").status_code == 204
            assert client.delete(f"/api/tables/{first}").status_code == 404
            assert client.get(f"/api/tables/{second}").status_code == 200
            assert client.delete("/api/tables").status_code == 204
            assert {client.get(f"/api/tables/{one}").status_code for one in (second, third)} == {404}
            assert other.get(f"/api/tables/{kept}").status_code == 200

    def test_tables_of_the_server_stay(self, client: TestClient) -> None:
        told = client.delete("/api/tables/games")
        assert told.status_code == 403
        assert told.json()["detail"] == "This table came with the server; only uploads can be forgotten."
        client.delete("/api/tables")
        assert client.get("/api/tables/games").status_code == 200

    def test_after_hours_without_use(self) -> None:
        now = [0.0]
        store = TableStore(Limits(kept_seconds=100), clock=lambda: now[0])
        old, used = (store.add("a.csv", Table.of([{"a": 1}]), ONE) for _ in range(2))
        now[0] = 60
        assert store.get(used.id, ONE) is used
        assert (store.forgotten_in(old), store.forgotten_in(used)) == (40, 100)
        now[0] = 101
        assert store.uploads(ONE) == [used]
        with pytest.raises(RequestError):
            store.get(old.id, ONE)

    def test_one_session_makes_room_at_its_own_expense(self) -> None:
        store = TableStore(Limits(session_tables=2))
        others = store.add("a.csv", Table.of([{"a": 1}]), OTHER)
        own = [store.add("a.csv", Table.of([{"a": 1}]), ONE) for _ in range(4)]
        assert store.uploads(ONE) == own[2:]
        assert store.uploads(OTHER) == [others]

    def test_nothing_is_left_of_what_was_forgotten(self) -> None:
        """Thousands of uploads take no more memory than the few that are kept."""
        limits = Limits(kept_tables=20, session_tables=5)
        store = TableStore(limits)
        alive = weakref.WeakSet[Any]()
        for number in range(3_000):
            session = f"{number % 7:032}"
            known = store.add("a.csv", Table.of([{"a": 1, "b": "x"}]), session)
            assert all(hasattr(known, name) for name in ("profile", "examples", "view"))
            alive.add(known)
            if number % 3 == 0:
                store.forget(known.id, session)
        del known
        gc.collect()
        assert len(alive) <= limits.kept_tables
