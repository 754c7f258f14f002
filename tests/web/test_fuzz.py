"""Whatever is sent, the answer is an answer or one plain sentence: never a fault of the server."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_server import client_of, fake_app

MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(MANY, max_examples=15)

numbers = st.integers() | st.floats() | st.sampled_from([10**400, -(10**18), 2**63])
leaves = st.none() | st.booleans() | numbers | st.text() | st.sampled_from(["\0", "<b>", "year", "NaN"])
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
records = st.lists(st.dictionaries(st.text(max_size=5), values, max_size=4), max_size=4)
questions = st.text() | st.just("which city") | values
tables = st.just("games") | st.just("films") | st.text() | values
bodies = st.fixed_dictionaries(
    {"question": questions},
    optional={
        "table": tables,
        "records": records | values,
        "top": st.integers(-2, 200) | values,
        "steps": st.booleans() | values,
        "other": values,
    },
)


@pytest.fixture(scope="module")
def server() -> Iterator[TestClient]:
    app = fake_app()
    with client_of(app) as client:
        client.headers["Content-Type"] = "application/json"
        yield client


def is_told_plainly(response: Any) -> bool:
    if response.status_code < 400:
        return bool(response.status_code in (200, 201))
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


@MANY
@given(st.text(), st.text() | st.integers(), st.text() | st.integers(), st.booleans())
def test_show_table(server: TestClient, name: str, start: Any, count: Any, known: bool) -> None:
    from urllib.parse import quote

    path = "games" if known else quote(name, safe="", errors="surrogatepass") or "x"
    parameters = {"start": start, "count": count}
    plain = {key: quote(str(value), errors="surrogatepass") for key, value in parameters.items()}
    response = server.get(f"/api/tables/{path}?start={plain['start']}&count={plain['count']}")
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
