"""The endpoints: what they answer, and what they turn away."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web_server import GAMES, GAMES_CSV, client_of, fake_app

from fake_predictor import FakePredictor
from neural_enquirer import Enquirer, Table
from neural_enquirer.web import guard, schemas
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.server import create_app

EXAMPLES = Path(__file__).parents[2] / "examples"
WORKBOOKS = Path(__file__).parents[1] / "tables" / "workbooks"


def problem(response: Any, status: int) -> str:
    """The one plain sentence that a client is told."""
    assert response.status_code == status, response.text
    (key, sentence), *others = response.json().items()
    assert (key, others) == ("detail", [])
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return str(sentence)


def upload(client: TestClient, content: bytes = GAMES_CSV, name: str = "games.csv") -> Any:
    return client.post("/api/tables", params={"name": name}, content=content)


def ask(client: TestClient, **request: Any) -> Any:
    return client.post("/api/ask", json={"question": "which city", **request})


class TestUpload:
    def test_is_typed_and_kept(self, client: TestClient) -> None:
        response = upload(client)
        assert response.status_code == 201
        told = response.json()
        assert len(told["id"]) > 20
        assert (told["name"], told["rows"], told["warnings"]) == ("games.csv", 3, [])
        assert [(field["name"], field["type"]) for field in told["fields"]] == [
            ("year", "number"),
            ("city", "text"),
            ("cost", "number"),
        ]
        assert ask(client, table=told["id"]).json()["answer"] == "Athens"

    @pytest.mark.parametrize(
        "name",
        ["countries.csv", "employees.jsonl", "films.tsv", "planets.parquet", "shop.db", "shop.db::products"],
    )
    def test_every_format(self, client: TestClient, name: str) -> None:
        response = upload(client, (EXAMPLES / name.partition("::")[0]).read_bytes(), name)
        assert response.status_code == 201
        assert response.json()["name"] == name.partition("::")[0]

    def test_is_the_table_that_the_command_line_reads(self) -> None:
        app = fake_app()
        with client_of(app) as client:
            for known in app.state.service.tables.preloaded[1:]:
                told = upload(client, (EXAMPLES / known.name).read_bytes(), known.name).json()
                read = app.state.service.tables.get(told["id"], told["session"]).table
                assert (read, read.texts, read.name) == (known.table, known.table.texts, known.table.name)

    def test_repaired_headers_are_told(self, client: TestClient) -> None:
        told = upload(client, b"city,,City\nAthens,1,x\nRome,2,y\n").json()
        assert [field["name"] for field in told["fields"]] == ["city", "column 2", "City (2)"]
        assert "blank header" in told["warnings"][0]

    def test_encoding_that_was_guessed_is_told(self, client: TestClient) -> None:
        told = upload(client, "city,year\nZürich,1960\n".encode("windows-1252")).json()
        assert "games.csv is not UTF-8 text and was read as Windows-1252" in told["warnings"][0]

    @pytest.mark.parametrize("name", ["games.ods", "games.ods::games", "table"])
    def test_workbook(self, client: TestClient, name: str) -> None:
        response = upload(client, (WORKBOOKS / "games.ods").read_bytes(), name)
        assert response.status_code == 201
        assert [field["type"] for field in response.json()["fields"]] == ["text", "number", "date", "text"]

    def test_name_is_no_path(self, client: TestClient) -> None:
        for name in ("../../etc/games.csv", "C:\\games.csv", "/games.csv", "ga\0mes.csv", "\u202egames.csv"):
            assert upload(client, name=name).json()["name"] == "games.csv"
        for name in ("", "..", "/", "...", "   ", "\0"):
            assert upload(client, name=name).json()["name"] == "table"
        assert upload(client, name="ü" * 290 + ".csv").status_code == 201
        assert problem(upload(client, name="n" * 1000), 422)
        assert problem(upload(client, name=f"games.db::{'x' * 280}"), 422)

    @pytest.mark.parametrize(
        ("content", "name", "sentence"),
        [
            (b"", "games.csv", "games.csv is empty; a table needs a line of headers."),
            (b"year,city\n", "games.csv", "games has no rows; there is nothing to ask about."),
            (b"\0\1\2\3" * 100, "games.csv", "games.csv is not a text file"),
            (b"{" * 10_000, "games.json", "games.json cannot be read as JSON"),
            (b"[" * 100_000, "games.json", "games.json cannot be read as JSON"),
            (b"PAR1 nothing", "games.parquet", "games.parquet cannot be read as Parquet"),
            (b"SQLite format 3\0" + b"x" * 90, "games.db", "games.db cannot be read as SQLite"),
            (b"year\n\x81\xfe\n", "games.csv", "games.csv is neither UTF-8 nor Windows-1252 text"),
            (
                b"\x1f\x8b",
                "games.csv.gz",
                "games.csv.gz is compressed; unpack it and upload the table itself.",
            ),
        ],
    )
    def test_unreadable(self, client: TestClient, content: bytes, name: str, sentence: str) -> None:
        told = problem(upload(client, content, name), 422)
        assert sentence in told
        assert "/tmp" not in told

    def test_too_large(self) -> None:
        with client_of(fake_app(Limits(upload_bytes=100))) as client:
            assert upload(client).status_code == 201
            assert problem(upload(client, b"x" * 101), 413) == (
                "That is too large: at most 100 bytes can be sent."
            )
            # Without a length in advance, it is noticed on the way.
            endless = (b"x" * 50 for _ in range(1_000_000))
            assert problem(client.post("/api/tables", content=endless), 413)
        with client_of(fake_app(Limits(table_cells=8, table_fields=2))) as client:
            assert problem(upload(client), 413) == "The table has 3 fields; at most 2 can be asked."
            assert problem(upload(client, b"a,b\n" + b"1,2\n" * 5), 413) == (
                "The table has 10 cells; at most 8 can be asked."
            )

    def test_small_files_that_hold_huge_tables(self) -> None:
        wide = b"a" + b"," * 100_000 + b"\n" + b"1\n" * 100_000  # 10 thousand million cells
        with client_of(fake_app(Limits(read_seconds=5, read_bytes=1_500_000_000))) as client:
            assert problem(upload(client, wide), 413)
            apart = json.dumps([{f"key {i}": i} for i in range(30_000)]).encode()
            assert problem(upload(client, apart, "a.json"), 413)
            assert upload(client).status_code == 201

    def test_endless_view(self, tmp_path: Path) -> None:
        import sqlite3

        with sqlite3.connect(tmp_path / "a.db") as connection:
            connection.execute(
                "CREATE VIEW a AS WITH RECURSIVE b(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM b)"
                " SELECT count(*) AS n FROM b"
            )
        connection.close()
        with client_of(fake_app(Limits(read_seconds=1))) as client:
            told = problem(upload(client, (tmp_path / "a.db").read_bytes(), "a.db"), 413)
            assert told == "a.db takes too long to read; upload a smaller table."

    def test_forgets_those_not_used_for_the_longest_time(self) -> None:
        with client_of(fake_app(Limits(kept_tables=2))) as client:
            first, second = (upload(client).json()["id"] for _ in range(2))
            assert client.get(f"/api/tables/{first}").status_code == 200
            third = upload(client).json()["id"]
            assert client.get(f"/api/tables/{first}").status_code == 200
            assert "upload it again" in problem(client.get(f"/api/tables/{second}"), 404)
            assert "upload it again" in problem(ask(client, table=second), 404)
            assert client.get(f"/api/tables/{third}").status_code == 200
            assert client.get("/api/tables/games").status_code == 200  # those it was started with stay

    def test_others_are_answered_while_a_table_is_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read, go_on = threading.Event(), threading.Event()
        from neural_enquirer.web import uploads

        original = uploads.read_table

        def slow(*arguments: Any) -> Any:
            read.set()
            assert go_on.wait(20)
            return original(*arguments)

        monkeypatch.setattr(uploads, "read_table", slow)
        with client_of(fake_app(Limits(uploads_at_once=1))) as client:
            sent: list[Any] = []
            thread = threading.Thread(target=lambda: sent.append(upload(client)))
            thread.start()
            assert read.wait(20)
            assert ask(client, table="games").status_code == 200
            assert problem(upload(client), 503) == (
                "The server has too many uploads at once; try again in a moment."
            )
            go_on.set()
            thread.join()
            assert sent[0].status_code == 201
            assert upload(client).status_code == 201


class TestTables:
    def test_those_it_was_started_with_and_own_uploads_are_listed(self) -> None:
        with client_of(fake_app()) as client:
            upload(client)
            listed = client.get("/api/tables").json()
        assert [table["id"] for table in listed[:-1]] == [
            "games", "countries", "customers", "employees", "films", "olympics", "orders", "planets", "shop",
        ]  # fmt: skip
        assert (listed[-1]["name"], listed[-1]["uploaded"]) == ("games.csv", True)
        assert listed[0] | {"fields": []} == {
            "id": "games",
            "name": "games",
            "rows": 3,
            "rows_there": 3,
            "fields": [],
            "uploaded": False,
            "example": False,
            "forgotten_in": None,
        }
        assert listed[0]["fields"][1] == {
            "name": "city",
            "type": "text",
            "unit": None,
            "kind": "text",
            "reading": "text",
            "missing": 1,
            "distinct": 2,
            "examples": ["Sydney", "Athens"],
        }

    def test_an_example_given_by_name_is_listed_once(self) -> None:
        olympics = Table.read(EXAMPLES / "olympics.csv")
        with client_of(create_app(Enquirer(FakePredictor()), [olympics])) as client:  # type: ignore[arg-type]
            listed = [table["id"] for table in client.get("/api/tables").json()]
        assert listed == [
            "olympics",
            "countries",
            "customers",
            "employees",
            "films",
            "orders",
            "planets",
            "shop",
        ]

    def test_rows(self, client: TestClient) -> None:
        shown = client.get("/api/tables/games").json()
        assert shown["cells"] == [
            ["2000", "Sydney", "3800"],
            ["2004", "Athens", "9000"],
            ["2008", "", "6800"],
        ]
        assert (shown["start"], shown["rows"]) == (0, 3)
        assert shown["examples"]
        part = client.get("/api/tables/games?start=1&count=1").json()
        assert (part["start"], part["cells"]) == (1, [["2004", "Athens", "9000"]])
        assert client.get("/api/tables/games?start=99999999999999999999").json()["cells"] == []
        assert client.get("/api/tables/games?count=0").json()["cells"] == []

    def test_long_tables_and_cells_come_in_parts(self) -> None:
        with client_of(fake_app(Limits(rows_shown=2, cell_letters=10))) as client:
            content = b"name\n" + b"x" * 11 + b"\nb\nc\n"
            shown = client.get(f"/api/tables/{upload(client, content).json()['id']}?count=1000").json()
            assert shown["cells"] == [["xxxxxxxxx…"], ["b"]]
            assert shown["rows"] == 3

    def test_unknown(self, client: TestClient) -> None:
        assert "no such table" in problem(client.get("/api/tables/nothing"), 404)
        problem(client.get("/api/tables/%00"), 404)
        for wrong in ("start=-1", "count=-1", "start=x", "count=1e400"):
            assert problem(client.get(f"/api/tables/games?{wrong}"), 422)

    def test_cells_are_never_html(self, client: TestClient) -> None:
        hostile = "<script>alert(1)</script>"
        table = upload(client, f'name,b\n{hostile},1\n"</td>&""\'",2\n'.encode()).json()["id"]
        response = client.get(f"/api/tables/{table}")
        assert response.headers["content-type"] == "application/json"
        assert response.json()["cells"][0][0] == hostile


class TestAsk:
    def test_is_what_the_command_line_prints(self, client: TestClient) -> None:
        enquirer = Enquirer(FakePredictor())
        printed = enquirer.ask(Table.of(GAMES, "games"), "which city", top=2).to_json()
        assert ask(client, table="games", top=2).json() == printed
        assert ask(client, tables=["games"], top=2).json() == printed
        assert ask(client, records=GAMES, top=2).json() == enquirer.ask(GAMES, "which city", top=2).to_json()

    def test_steps_are_left_out_when_not_wanted(self, client: TestClient) -> None:
        assert "steps" not in ask(client, table="games", steps=False).json()

    def test_long_tables_tell_the_rows_marked_most(self, client: TestClient) -> None:
        records = [{"city": f"city {i}", "n": i} for i in range(2_500)]
        answer = ask(client, records=records).json()
        assert answer["row"] == 2_499
        assert answer["steps"][1]["marked"][0] == {"row": 2_499, "mark": 0.97}
        assert answer["steps"][1]["marked_count"] == 1
        assert len(answer["steps"][1]["marked"]) <= 105
        assert "rows" not in answer["steps"][1]
        assert list(answer)[-2:] == ["steps", "model"]
        full = ask(client, records=records, steps=True).json()
        assert len(full["steps"][1]["rows"]) == 2_500
        assert "marked" not in full["steps"][1]

    @pytest.mark.parametrize(
        ("request_", "sentence"),
        [
            ({"question": "  ", "table": "games"}, "the question has no words"),
            ({"question": "", "table": "games"}, "the question has no words"),
            ({"question": "a" * 501, "table": "games"}, "a word of the question has 501 letters"),
            (
                {"question": "a " * 501, "table": "games"},
                "The question has 1,002 letters; ask with at most 1,000.",
            ),
            ({"question": 3, "table": "games"}, "question"),
            ({"question": None, "table": "games"}, "question"),
            ({"table": "games"}, "question"),
            ({"question": "city"}, "Give the id of a table, the ids of tables, or records, but not more."),
            ({"question": "city", "table": "games", "records": GAMES}, "not more"),
            ({"question": "city", "table": "games", "tables": ["games"]}, "not more"),
            ({"question": "city", "tables": []}, "tables"),
            ({"question": "city", "tables": ["games"] * 9}, "about 8 tables at most, not 9"),
            ({"question": "city", "table": 7}, "table"),
            ({"question": "city", "records": []}, "has no columns"),
            ({"question": "city", "records": [{}]}, "has no columns"),
            ({"question": "city", "records": [[]]}, "records"),
            ({"question": "city", "records": {"a": 1}}, "records"),
            ({"question": "city", "table": "games", "top": 0}, "top"),
            ({"question": "city", "table": "games", "top": 101}, "At most 100 candidates can be listed"),
            ({"question": "city", "table": "games", "top": 10**30}, "top"),
            ({"question": "city", "table": "games", "top": "5"}, "top"),
            ({"question": "city", "table": "games", "top": True}, "top"),
            ({"question": "city", "table": "games", "steps": "no"}, "steps"),
            ({"question": "city", "table": "games", "tpo": 3}, "tpo"),
            ([], "object"),
            ("city", "object"),
        ],
    )
    def test_bad_requests(self, client: TestClient, request_: Any, sentence: str) -> None:
        assert sentence.lower() in problem(client.post("/api/ask", json=request_), 422).lower()

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"\xff",
            b"\0",
            b"[" * 100_000,
            b'{"a":' * 100_000,
            b'{"question": "city", "records": [{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}]}",
            b'{"question": "city", "table": "games", "top": ' + b"9" * 10_000 + b"}",
            b'{"question": "city", "records": [{"a": 1' + b"0" * 10_000 + b"}]}",
            b'{"question": "city \\ud800", "table": "games"}',
        ],
    )
    def test_garbage(self, client: TestClient, body: bytes) -> None:
        response = client.post("/api/ask", content=body, headers={"Content-Type": "application/json"})
        assert problem(response, 422)

    @pytest.mark.parametrize(
        "cell",
        [
            "1e999",
            "-0.0",
            "1" + "0" * 400,
            '"\\u0000"',
            '"\\u202e<b>"',
            "[[1]]",
            '{"a": 1}',
            "true",
            '"x\\ny"',
        ],
    )
    def test_odd_cells(self, client: TestClient, cell: str) -> None:
        body = f'{{"question": "a \\u0000 of\\tb", "records": [{{"a": {cell}, "b": 1}}, {{"a": 2, "b": 2}}]}}'
        response = client.post(
            "/api/ask", content=body.encode(), headers={"Content-Type": "application/json"}
        )
        assert response.status_code == 200, response.text

    def test_cells_that_are_no_unicode(self, client: TestClient) -> None:
        told = upload(client, b'[{"city": "a\\ud800", "n": 1}, {"city": "b", "n": 2}]', "a.json")
        if told.status_code == 201:
            assert client.get(f"/api/tables/{told.json()['id']}").json()["rows"] == 2
            assert ask(client, table=told.json()["id"]).status_code == 200
        else:
            problem(told, 422)

    def test_too_large(self, client: TestClient) -> None:
        assert (
            problem(ask(client, table="x" * 2_000_000), 413) == "That is too large: at most 1 MB can be sent."
        )
        spread = [{str(i): 1} for i in range(3_000)]
        assert "cells" in problem(ask(client, records=spread), 413)

    def test_only_json(self, client: TestClient) -> None:
        for kind in ("text/plain", "", "application/x-www-form-urlencoded"):
            response = client.post("/api/ask", content=b"{}", headers={"Content-Type": kind})
            assert problem(response, 415)


class TestFigure:
    def test_formats(self, client: TestClient) -> None:
        question = {"table": "games", "question": "which city"}
        drawn = client.get("/api/figure", params=question)
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
        assert drawn.content.startswith(b"\x89PNG")
        assert drawn.headers["content-disposition"] == 'attachment; filename="why.png"'
        drawn = client.get("/api/figure", params=question | {"format": "svg"})
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert b"<svg" in drawn.content

    def test_bad_requests(self, client: TestClient) -> None:
        assert problem(client.get("/api/figure?table=games"), 422)
        assert problem(client.get("/api/figure?question=city"), 422)
        assert problem(client.get("/api/figure?table=none&question=city"), 404)
        assert problem(client.get("/api/figure?table=games&question=city&format=exe"), 422)
        assert problem(client.get("/api/figure", params={"table": "games", "question": "a " * 900}), 422)

    def test_hostile_cells(self, client: TestClient) -> None:
        content = '[{"city": "</text><script>", "n": "\\u0000$x_1$"}, {"city": "😀", "n": "\\u202e"}]'
        table = upload(client, content.encode(), "a.json").json()["id"]
        drawn = client.get("/api/figure", params={"table": table, "question": "city", "format": "svg"})
        assert drawn.status_code == 200
        assert b"<script" not in drawn.content

    def test_tables_together(self) -> None:
        orders, customers = (Table.read(EXAMPLES / f"{name}.csv") for name in ("orders", "customers"))
        question = "Which city does the customer of order 21 live in?"
        program = "cells(city, rows(order = 21, join(orders, customers, customer = name)))"
        enquirer = Enquirer(FakePredictor({question: program}))
        with client_of(create_app(enquirer, [orders, customers])) as client:
            answer = client.post("/api/ask", json={"question": question, "tables": ["orders", "customers"]})
            params = [("table", "orders"), ("table", "customers"), ("question", question), ("format", "svg")]
            drawn = client.get("/api/figure", params=params)
        assert (answer.json()["answer"], answer.json()["table"]) == ("Tallinn", "customers")
        assert answer.json()["links"][0]["fields"] == ["customer", "name"]
        assert b"1. Match orders with customers (customer to name)" in drawn.content

    def test_few_at_a_time(self) -> None:
        with client_of(fake_app(Limits(waiting_figures=1))) as client:
            statuses: list[int] = []

            def draw() -> None:
                response = client.get("/api/figure", params={"table": "games", "question": "city"})
                statuses.append(response.status_code)

            threads = [threading.Thread(target=draw) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert set(statuses) == {200, 503}


class TestOthers:
    def test_answers_are_as_described(self, client: TestClient) -> None:
        table = upload(client).json()["id"]
        long = [{"city": f"city {i}", "n": i} for i in range(2_500)]
        for model, response in [
            (schemas.UploadedTable, upload(client)),
            (schemas.TableRows, client.get(f"/api/tables/{table}")),
            (schemas.AnswerShown, ask(client, table=table)),
            (schemas.AnswerShown, ask(client, table=table, question="who")),
            (schemas.AnswerShown, ask(client, table=table, steps=False)),
            (schemas.AnswerShown, ask(client, records=long)),
            (schemas.Health, client.get("/healthz")),
            (schemas.Told, client.get("/api/tables/none")),
        ]:
            read = model.model_validate_json(response.content, strict=True)
            assert read.model_dump(exclude_unset=True) == response.json()
        for row in client.get("/api/tables").json():
            assert schemas.TableShown.model_validate(row).model_dump() == row
        for row in client.get("/api/models").json():
            assert schemas.ModelShown.model_validate(row).model_dump() == row

    def test_wrong_methods(self, client: TestClient) -> None:
        response = client.put("/api/tables")
        assert problem(response, 405) == "This address takes DELETE, GET, POST alone."
        assert response.headers["allow"] == "DELETE, GET, POST"
        assert client.post("/static/index.html").headers["allow"] == "GET, HEAD"

    def test_health(self, client: TestClient) -> None:
        assert client.get("/healthz").json() == {"status": "ok"}

    def test_models(self, client: TestClient) -> None:
        rows = client.get("/api/models").json()
        assert {"name", "task", "bytes", "accuracy", "in_use"} <= set(rows[0])
        assert "open" in [row["name"] for row in rows]

    def test_description(self, client: TestClient) -> None:
        described = client.get("/openapi.json").json()
        assert set(described["paths"]) == {
            "/api/tables", "/api/tables/{id}", "/api/tables/{id}.csv", "/api/links", "/api/examples",
            "/api/ask", "/api/figure", "/api/corrections", "/api/models", "/healthz",
        }  # fmt: skip
        ask_body = described["paths"]["/api/ask"]["post"]["requestBody"]["content"]["application/json"]
        assert ask_body["schema"]["required"] == ["question"]

    def test_no_page_that_loads_from_elsewhere(self, client: TestClient) -> None:
        for path in ("/docs", "/redoc", "/static/../server.py", "/static/%2e%2e/server.py", "/nothing"):
            assert problem(client.get(path), 404) == "There is nothing at this address."

    def test_page(self, client: TestClient) -> None:
        page = client.get("/")
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")


class TestGuard:
    @pytest.mark.parametrize("path", ["/", "/healthz", "/api/tables/none", "/nothing", "/static/none"])
    def test_headers_on_every_response(self, client: TestClient, path: str) -> None:
        headers = client.get(path).headers
        for name, value in guard.HEADERS.items():
            assert headers[name] == value
        assert "access-control-allow-origin" not in headers

    @pytest.mark.parametrize(
        "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"]
    )
    def test_own_names(self, client: TestClient, host: str) -> None:
        assert client.get("/healthz", headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize(
        "host", ["evil.example", "localhost.evil.example", "192.168.1.7", "", "[::", "a@b"]
    )
    def test_other_names(self, client: TestClient, host: str) -> None:
        response = client.get("/healthz", headers={"Host": host})
        assert problem(response, 400)
        assert response.headers["X-Content-Type-Options"] == "nosniff"

    def test_other_sites(self, client: TestClient) -> None:
        for origin in ("http://evil.example", "null", "http://localhost:9", "https://evil.example:8000"):
            assert problem(client.get("/healthz", headers={"Origin": origin}), 403)
        assert client.get("/healthz", headers={"Origin": "http://localhost"}).status_code == 200
