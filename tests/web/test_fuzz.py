"""Whatever is sent, the answer is an answer or one plain sentence: never a fault of the server."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_from_bytes

import duckdb
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_server import GAMES, client_of

from fake_predictor import FakePredictor
from neural_enquirer import Enquirer, Table
from neural_enquirer.engines.choosing import open_object
from neural_enquirer.web.server import create_app

MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(MANY, max_examples=15)

numbers = st.integers() | st.floats() | st.sampled_from([10**400, -(10**18), 2**63])
leaves = st.none() | st.booleans() | numbers | st.text() | st.sampled_from(["\0", "<b>", "year", "NaN"])
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
records = st.lists(st.dictionaries(st.text(max_size=5), values, max_size=4), max_size=4)
questions = st.text() | st.sampled_from(["which city", "and 2004?"]) | values
tables = st.just("games") | st.just("films") | st.text() | values
programs = st.text() | st.sampled_from(
    [
        "count(rows())",
        "cells(city, largest(cost, rows(year > 2000)))",
        "cells(city, measure, groups(city, sum(cost)))",
        "difference(maximum(cost), minimum(cost))",
        "holds(count(rows()) = 3)",
        "count(rows(orders))",
        "count(join(games, games, year = year))",
        "count(next(first(rows())))",
        "count(" + "rows(" * 2_000,
        "cells(city, rows(cost = average(cost)))",
    ]
)
bodies = st.fixed_dictionaries(
    {"question": questions},
    optional={
        "table": tables,
        "records": records | values,
        "top": st.integers(-2, 200) | values,
        "steps": st.booleans() | values,
        "after": st.fixed_dictionaries(
            {"question": questions},
            optional={"program": programs | values, "confidence": st.floats(-1, 2) | values, "other": values},
        )
        | values,
        "other": values,
    },
)
filters = st.text() | st.builds(
    "{}{}{}".format,
    st.sampled_from(["year", "city", "cost"]),
    st.sampled_from(["~", "=", ">=", "<="]),
    st.text(),
)
rows_asked = st.fixed_dictionaries(
    {},
    optional={
        "start": st.integers(-2, 10**20) | st.text(),
        "count": st.integers(-2, 5_000) | st.text(),
        "sort": st.sampled_from(["year", "city", "cost"]) | st.text(),
        "descending": st.sampled_from(["0", "1", "true", "x"]) | st.text(),
        "search": st.text() | st.sampled_from(["syd", "%", "\\", "'"]),
        "filter": st.lists(filters, max_size=3),
        "program": programs,
        "step": st.integers(-1, 5) | st.text(),
        "tables": st.lists(st.sampled_from(["games", "elsewhere", "orders", "none"]) | st.text(), max_size=3),
    },
)
corrections = st.fixed_dictionaries(
    {"question": questions, "tables": st.lists(tables, max_size=3) | values},
    optional={
        "program": programs | values,
        "answers": st.lists(st.text(), max_size=2) | values,
        "cells": st.lists(
            st.fixed_dictionaries(
                {"table": tables, "row": st.integers(-1, 5) | values, "field": st.sampled_from(["city", "x"])}
            ),
            max_size=2,
        )
        | values,
        "rows": st.lists(st.fixed_dictionaries({"table": tables, "row": st.integers(-1, 5)}), max_size=2)
        | values,
        "refuse": st.booleans() | values,
    },
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    kept = tmp_path_factory.mktemp("kept") / "corrections.jsonl"
    games = Table.of(GAMES, "games")
    with duckdb.connect() as connection:
        elsewhere = open_object(connection.from_arrow(games.to_arrow()), "elsewhere")
        enquirer = Enquirer(
            FakePredictor({"which city": "cells(city, largest(cost))", "and 2004?": "no_row"})
        )
        app = create_app(enquirer, [games, elsewhere], corrections=kept)
        with client_of(app) as client:
            client.headers["Content-Type"] = "application/json"
            yield client


def is_told_plainly(response: Any) -> bool:
    if response.status_code < 400:
        return bool(response.status_code in (200, 201, 204))
    content = response.json()
    return response.status_code < 500 and list(content) == ["detail"] and isinstance(content["detail"], str)


@MANY
@given(bodies)
def test_ask(server: TestClient, body: dict[str, Any]) -> None:
    assert is_told_plainly(server.post("/api/ask", content=json.dumps(body).encode()))


@MANY
@given(st.just("games"), st.text(min_size=1), st.integers(1, 100), st.booleans() | st.none())
def test_good_questions_are_answered(
    server: TestClient, table: str, question: str, top: int, steps: bool | None
) -> None:
    body = {"question": f"city {question}", "table": table, "top": top, "steps": steps}
    response = server.post("/api/ask", content=json.dumps(body).encode())
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        assert response.status_code == 422
    else:
        assert response.status_code == 200


@MANY
@given(st.binary() | values.map(lambda value: json.dumps(value).encode()))
def test_ask_with_anything(server: TestClient, body: bytes) -> None:
    assert is_told_plainly(server.post("/api/ask", content=body))


def address(path: str, parameters: Mapping[str, Any]) -> str:
    """An address as a browser would write it, whatever letters are in it."""
    pairs = [
        (name, each) for name, own in parameters.items() for each in (own if isinstance(own, list) else [own])
    ]
    asked = "&".join(f"{name}={quote(str(each), safe='', errors='surrogatepass')}" for name, each in pairs)
    return f"{path}?{asked}"


@MANY
@given(st.sampled_from(["games", "elsewhere"]) | st.text(), rows_asked, st.sampled_from(["", ".csv"]))
def test_rows(server: TestClient, table: str, asked: dict[str, Any], suffix: str) -> None:
    path = quote(table, safe="", errors="surrogatepass") or "x"
    assert is_told_plainly(server.get(address(f"/api/tables/{path}{suffix}", asked)))


@MANY
@given(
    st.sampled_from(["links", "examples"]),
    st.lists(st.sampled_from(["games", "orders", "customers"]) | st.text()),
)
def test_tables_together(server: TestClient, what: str, named: list[str]) -> None:
    assert is_told_plainly(server.get(address(f"/api/{what}", {"table": named})))


@MANY
@given(corrections)
def test_corrections(server: TestClient, body: dict[str, Any]) -> None:
    assert is_told_plainly(server.post("/api/corrections", content=json.dumps(body).encode()))


@FEW
@given(st.text(), st.binary(max_size=40), st.binary(max_size=40))
def test_forgetting_and_odd_sessions(server: TestClient, name: str, cookie: bytes, header: bytes) -> None:
    path = quote(name, safe="", errors="surrogatepass")
    sent = {
        "Cookie": b"enquirer=" + quote_from_bytes(cookie).encode(),
        "Enquirer-Session": quote_from_bytes(header).encode(),
    }
    response = server.delete(f"/api/tables/{path}", headers=sent)  # type: ignore[arg-type]
    assert is_told_plainly(response)


@FEW
@given(
    st.binary(max_size=300), st.sampled_from(["a.csv", "a.json", "a.parquet", "a.db", "a", "a.tsv", "a.xlsx"])
)
def test_upload_anything(server: TestClient, content: bytes, name: str) -> None:
    assert is_told_plainly(server.post("/api/tables", params={"name": name}, content=content))


@FEW
@given(st.lists(st.lists(st.text(max_size=6), min_size=2, max_size=2), min_size=1, max_size=4), st.text())
def test_upload_text(server: TestClient, rows: list[list[str]], name: str) -> None:
    lines = "\n".join(",".join(row) for row in [["a", "b"], *rows])
    content = lines.encode(errors="surrogatepass")
    name = name.encode(errors="replace").decode()
    response = server.post("/api/tables", params={"name": f"{name}.csv"}, content=content)
    assert is_told_plainly(response)
    if response.status_code == 201:
        assert server.get(f"/api/tables/{response.json()['id']}").status_code == 200
