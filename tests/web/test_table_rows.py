"""The rows that the page shows and saves: searched, filtered, in an order, or those of a program's step."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web_server import client_of

from fake_predictor import FakePredictor
from neural_enquirer import Enquirer, Table
from neural_enquirer.web.server import create_app

EXAMPLES = Path(__file__).parents[2] / "examples"
STAFF = [
    {"name": "Zoë Marsh", "team": "Sales", "pay": 50, "ran": "5 km", "since": "2019-05-01"},
    {"name": "ada Lee", "team": "sales", "pay": None, "ran": "800 m", "since": "2021-01-09"},
    {"name": "Bo, \"B\"", "team": "=IT", "pay": 7, "ran": "12 km", "since": "2018-12-31"},
    {"name": "Cy Fox", "team": "IT", "pay": 50, "ran": "3 km", "since": "2020-02-02"},
]  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Any:
    orders, customers = (Table.read(EXAMPLES / f"{name}.csv") for name in ("orders", "customers"))
    app = create_app(Enquirer(FakePredictor()), [Table.of(STAFF, "staff"), orders, customers])
    with client_of(app) as client:
        yield client


def shown(client: TestClient, table: str = "staff", **parameters: Any) -> dict[str, Any]:
    response = client.get(f"/api/tables/{table}", params=parameters)
    assert response.status_code == 200, response.text
    content: dict[str, Any] = response.json()
    return content


def numbers(client: TestClient, **parameters: Any) -> list[int]:
    found = shown(client, **parameters)
    assert found["matching"] == len(found["numbers"])
    return list(found["numbers"])


class TestOrder:
    @pytest.mark.parametrize(
        ("field", "ascending", "descending"),
        [
            ("name", [1, 2, 3, 0], [0, 3, 2, 1]),  # case and accents aside
            ("pay", [2, 0, 3, 1], [0, 3, 2, 1]),  # ties as in the table, missing cells last
            ("ran", [1, 3, 0, 2], [2, 0, 3, 1]),  # by what they amount to
            ("since", [2, 0, 3, 1], [1, 3, 0, 2]),
        ],
    )
    def test_by_field(
        self, client: TestClient, field: str, ascending: list[int], descending: list[int]
    ) -> None:
        assert numbers(client, sort=field) == ascending
        assert numbers(client, sort=field, descending=1) == descending

    def test_pages_follow_each_other(self, client: TestClient) -> None:
        first, second = (shown(client, sort="since", start=start, count=2) for start in (0, 2))
        assert first["numbers"] + second["numbers"] == [2, 0, 3, 1]
        assert second["cells"][1][0] == "ada Lee"
        assert (second["start"], second["matching"], second["rows"]) == (2, 4, 4)
        assert shown(client, start=10**15)["cells"] == []


class TestSearch:
    @pytest.mark.parametrize(
        ("search", "rows"),
        [
            ("zoe", [0]),
            ("SALES", [0, 1]),
            ("km it", [2, 3]),
            ("2021-01", [1]),
            ("none", []),
            ("é", [0, 1]),
        ],
    )
    def test_words_anywhere_in_a_row(self, client: TestClient, search: str, rows: list[int]) -> None:
        assert numbers(client, search=search) == rows

    @pytest.mark.parametrize(
        ("filters", "rows"),
        [
            (["team~it"], [2, 3]),
            (["team=it"], [3]),
            (["team==it"], [2]),
            (["pay>=50"], [0, 3]),
            (["pay<=7"], [2]),
            (["pay=50"], [0, 3]),
            (["pay="], [1]),
            (["pay~5"], [0, 3]),
            (["ran>=4 km"], [0, 2]),
            (["since<=2019"], [2]),
            (["since>=2020-02-02", "team~I"], [3]),
            (["name<=b"], [1]),
        ],
    )
    def test_filters(self, client: TestClient, filters: list[str], rows: list[int]) -> None:
        assert numbers(client, filter=filters) == rows

    def test_field_names_with_marks_in_them(self) -> None:
        table = Table.of([{"a": 1, "a>": "x", "a>=b": 3}], "odd")
        with client_of(create_app(Enquirer(FakePredictor()), [table])) as client:
            for given in ("a~1", "a>=x", "a>=b>=2", "a>~X"):
                assert shown(client, "odd", filter=given)["matching"] == 1

    @pytest.mark.parametrize(
        ("parameters", "sentence"),
        [
            ({"sort": "age"}, "The table has no field 'age' to sort by."),
            ({"filter": "age=3"}, "'age=3' is no filter"),
            ({"filter": "pay"}, "'pay' is no filter"),
            ({"filter": "pay>=many"}, "pay is compared with a number, and 'many' is none"),
            ({"filter": "since>=soon"}, "since is compared with a date, and 'soon' is none"),
            ({"search": "x" * 6_000}, "too long"),
            ({"program": "count(rows("}, "program"),
            ({"program": "count(rows(age = 3))"}, "has no field 'age'"),
            ({"program": "count(rows())", "step": 7}, "no such step"),
            ({"program": "count(rows())", "tables": "orders"}, "not among the tables of the program"),
        ],
    )
    def test_what_cannot_be_read(self, client: TestClient, parameters: Any, sentence: str) -> None:
        for path in ("/api/tables/staff", "/api/tables/staff.csv"):
            response = client.get(path, params=parameters)
            assert response.status_code == 422, response.text
            assert sentence in response.json()["detail"]


class TestProgram:
    def test_rows_of_each_step(self, client: TestClient) -> None:
        program = "cells(name, largest(since, rows(team = IT or pay = 50)))"
        assert numbers(client, program=program) == [3]
        assert [numbers(client, program=program, step=step) for step in range(4)] == [
            [0, 1, 2, 3],
            [0, 3],
            [3],
            [3],
        ]
        assert numbers(client, program=program, step=1, search="zoe") == [0]
        count = len(numbers(client))
        both = numbers(client, program=program, others=1)
        assert both == [3, *(row for row in range(count) if row != 3)]
        backwards = numbers(client, program=program, others=1, sort="name", descending=1)
        assert sorted(backwards) == list(range(count))
        assert backwards[0] == 3

    def test_steps_are_those_of_the_answer(self) -> None:
        program = 'difference(cells(pay, rows(name = "Zoë Marsh")), cells(pay, rows(team = "=IT")))'
        app = create_app(Enquirer(FakePredictor({"how much": program})), [Table.of(STAFF, "staff")])
        with client_of(app) as client:
            answer = client.post("/api/ask", json={"question": "how much", "table": "staff"}).json()
            for place, step in enumerate(answer["program_steps"][:-1]):
                assert numbers(client, program=answer["program"], step=place) == step["kept"]

    def test_groups_are_the_rows_below_them(self, client: TestClient) -> None:
        program = "cells(team, largest(measure, groups(team, sum(pay))))"
        assert numbers(client, program=program) == [0, 3]

    def test_several_tables(self, client: TestClient) -> None:
        program = "cells(city, rows(order = 21, join(orders, customers, customer = name)))"
        both = {"program": program, "tables": ["orders", "customers"]}
        assert shown(client, "orders", **both)["cells"][0][0] == "21"
        assert shown(client, "customers", **both)["cells"][0][1] == "Tallinn"


class TestFile:
    def test_is_what_is_shown(self, client: TestClient) -> None:
        parameters: dict[str, Any] = {"sort": "name", "filter": "team~i"}
        response = client.get("/api/tables/staff.csv", params=parameters)
        assert response.headers["content-type"].startswith("text/csv")
        assert response.headers["content-disposition"] == 'attachment; filename="staff.csv"'
        header, *rows = csv.reader(io.StringIO(response.text))
        assert header == list(STAFF[0])
        assert rows == shown(client, **parameters)["cells"]
        assert "=IT" in rows[0]  # cells as they are

    def test_long_tables_come_bit_by_bit(self) -> None:
        table = Table.of_columns(["n", "t"], [range(10_000), ["x\ny"] * 10_000], "long")
        with (
            client_of(create_app(Enquirer(FakePredictor()), [table])) as client,
            client.stream("GET", "/api/tables/long.csv?sort=n&descending=1") as response,
        ):
            parts = list(response.iter_bytes(chunk_size=None))
        rows = list(csv.reader(io.StringIO(b"".join(parts).decode(), newline="")))
        assert len(parts) > 3
        assert (len(rows), rows[1]) == (10_001, ["9999", "x\ny"])

    def test_names_that_no_file_should_have(self, client: TestClient) -> None:
        told = client.post("/api/tables", params={"name": 'a"b\u00fc;\n.csv'}, content=b"a\n1\n").json()
        named = client.get(f"/api/tables/{told['id']}.csv").headers["content-disposition"]
        assert named == 'attachment; filename="a_b.csv"'


class TestLinks:
    def test_best_first(self, client: TestClient) -> None:
        found = client.get("/api/links?table=orders&table=customers").json()
        assert found[0] | {"shared": 0} == {
            "tables": ["orders", "customers"],
            "fields": ["customer", "name"],
            "shared": 0,
        }
        assert found[0]["shared"] > 3
        assert client.get("/api/links?table=staff&table=customers").json() == []

    def test_bad_requests(self, client: TestClient) -> None:
        assert client.get("/api/links").status_code == 422
        assert client.get("/api/links?table=staff&table=none").status_code == 404
        many = "&".join(["table=staff"] * 9)
        assert "8 tables at most" in client.get(f"/api/links?{many}").json()["detail"]


class TestFields:
    def test_how_they_are_read(self, client: TestClient) -> None:
        fields = shown(client)["fields"]
        assert [(field["reading"], field["unit"]) for field in fields] == [
            ("text", None),
            ("text", None),
            ("numbers", None),
            ("lengths in m", "m"),
            ("dates as year month day", None),
        ]

    @pytest.mark.parametrize(
        ("cells", "reading"),
        [
            (["03/12/2019", "25/12/2019"], "dates as day month year"),
            (["12/03/2019", "12/25/2019"], "dates as month day year"),
            (["3 May 2019", "4 May 2019"], "dates as day month year"),
        ],
    )
    def test_dates(self, cells: list[str], reading: str) -> None:
        table = Table.of([{"day": cell, "n": 1} for cell in cells], "days")
        with client_of(create_app(Enquirer(FakePredictor()), [table])) as client:
            assert shown(client, "days")["fields"][0]["reading"] == reading
