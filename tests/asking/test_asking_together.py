"""Tables asked together: on the command line, in a conversation and in Python."""

import io
import json
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from command_line import Run, assert_one_line
from fake_predictor import FakePredictor
from neural_enquirer import Answer, Enquirer, Table, TableError
from neural_enquirer.asking import terminal
from neural_enquirer.asking.candidate import Candidate
from neural_enquirer.asking.cascade import Cascade, Link, Trace
from neural_enquirer.asking.explaining import explain
from neural_enquirer.asking.heard import Heard
from neural_enquirer.asking.sources import split_sources
from neural_enquirer.prediction import Looks
from neural_enquirer.programs.result import Cell

EXAMPLES = Path(__file__).parents[2] / "examples"
ORDERS, CUSTOMERS = EXAMPLES / "orders.csv", EXAMPLES / "customers.csv"
CITY = "Which city does the customer of order 21 live in?"
TOLD = (
    "Tallinn\nIn the only row of orders matched with customers (customer to name) where order is 21, city is "
    "Tallinn. 80 % sure.\n"
)
PROGRAMS = {CITY: "cells(city, rows(order = 21, join(orders, customers, customer = name)))"}


@pytest.fixture
def model() -> Enquirer:
    return Enquirer(FakePredictor(PROGRAMS))


@pytest.fixture(autouse=True)
def _fake_model(monkeypatch: pytest.MonkeyPatch, model: Enquirer) -> None:
    monkeypatch.setattr(Enquirer, "from_pretrained", lambda *_: model)


def test_an_answer_says_where_it_stands_and_what_links_the_tables(model: Enquirer) -> None:
    answer = model.ask([ORDERS, CUSTOMERS], CITY)

    assert (answer.text, answer.table, answer.row, answer.field) == ("Tallinn", "customers", 3, "city")
    assert answer.cascade is not None
    assert [str(link) for link in answer.cascade.links] == ["orders.customer to customers.name"]
    assert answer.trace is answer.cascade.traces[1]


def test_a_cell_of_the_first_table(model: Enquirer) -> None:
    answer = model.ask([ORDERS, CUSTOMERS], "which product")

    assert (answer.table, answer.sentence) == ("orders", "Read product in row 10 of orders.")


def test_a_list_of_one_table_is_that_table(model: Enquirer) -> None:
    alone, listed = model.ask(ORDERS, "the product"), model.ask([ORDERS], "the product")

    assert alone.table == "orders"
    assert listed.to_json() == alone.to_json()


def test_frames_records_and_dicts_of_tables(model: Enquirer) -> None:
    orders, customers = pd.read_csv(ORDERS), pd.read_csv(CUSTOMERS).to_dict("records")

    numbered = model.ask([orders, customers], "the product")
    assert [table.name for table in numbered.tables] == ["table 1", "table 2"]
    assert numbered.table == "table 1"
    named = model.ask({"sales": ORDERS, "people": Table.read(CUSTOMERS)}, "the product")
    assert ([table.name for table in named.tables], named.table) == (["sales", "people"], "sales")
    pairs = model.ask_many([([ORDERS, CUSTOMERS], CITY), (ORDERS, "the product")])
    assert [len(one.tables) for one in pairs] == [2, 1]


def test_a_dict_of_columns_is_one_table(model: Enquirer) -> None:
    cities = {"city": ["Sydney", "Athens"], "country": ["Australia", "Greece"]}

    for table in (cities, {name: pd.Series(cells) for name, cells in cities.items()}, {"cities": cities}):
        answer = model.ask(table, "the country")
        assert (answer.text, len(answer.tables)) == ("Greece", 1)


def test_what_cannot_be_asked(model: Enquirer) -> None:
    with pytest.raises(TableError, match="not a table"):
        model.ask([1, 2], CITY)
    for nothing in ([], (), {}):
        with pytest.raises(TableError, match="there is no table to ask"):
            model.ask(nothing, CITY)


class TestCommand:
    def test_answer(self, enquirer: Run) -> None:
        assert enquirer("ask", ORDERS, CUSTOMERS, CITY) == (0, TOLD, "")

    def test_json(self, enquirer: Run) -> None:
        content = json.loads(enquirer("ask", ORDERS, CUSTOMERS, CITY, "--json")[1])

        assert (content["answer"], content["row"], content["field"]) == ("Tallinn", 3, "city")
        assert (content["table"], content["tables"]) == ("customers", ["orders", "customers"])
        assert content["cells"] == [{"row": 3, "field": "city", "table": "customers"}]
        assert content["ranked"][0]["table"] == "customers"
        assert content["links"][0]["fields"] == ["customer", "name"]
        assert "JOIN customers" in content["sql"]
        steps = content["steps"]
        assert [(step["executor"], step["table"]) for step in steps[:3]] == [
            (1, "orders"),
            (1, "customers"),
            (2, "orders"),
        ]
        assert set(steps[2]["fields"]) == {"order", "customer", "product", "quantity", "amount", "date"}
        assert steps[2]["looked_at"] == []
        assert "steps" not in json.loads(enquirer("ask", ORDERS, CUSTOMERS, CITY, "--json", "--no-steps")[1])

    def test_explanation(self, enquirer: Run) -> None:
        _, out, _ = enquirer("ask", ORDERS, CUSTOMERS, CITY, "--explain")

        lines = out.splitlines()
        assert lines[2] == "1. Match orders with customers (customer to name): 9 rows."
        assert "Linked orders.customer to customers.name (100%)" in lines
        assert any(line.startswith("Step 1 in customers reads ") for line in lines)

    def test_figure(self, enquirer: Run, tmp_path: Path) -> None:
        figure = tmp_path / "why.svg"
        enquirer("ask", ORDERS, CUSTOMERS, CITY, "--figure", figure)

        drawn = figure.read_text()
        assert all(f">{text}<" in drawn for text in ("orders", "customers", "Tallinn", "step 3", "cascade 1"))

    @pytest.mark.filterwarnings("default")
    def test_tables_that_have_nothing_in_common(self, enquirer: Run, tmp_path: Path) -> None:
        asked = tmp_path / "questions.txt"
        asked.write_text("the name\nthe city\n")
        (tmp_path / "moons.csv").write_text("planet,moons\nMars,2\nVenus,0\n")

        status, out, err = enquirer("ask", CUSTOMERS, tmp_path / "moons.csv", "--questions", asked)

        assert status == 0
        assert len(out.splitlines()) == 2
        assert err.startswith("enquirer: warning: found nothing that links customers and moons")
        assert len(err.splitlines()) == 1
        assert "nothing that links" in enquirer("ask", CUSTOMERS, tmp_path / "moons.csv", "the name")[2]

    def test_tables_of_a_database(self, enquirer: Run, tmp_path: Path) -> None:
        path = tmp_path / "shop.db"
        with sqlite3.connect(path) as database:
            pd.read_csv(ORDERS).to_sql("orders", database, index=False)
            pd.read_csv(CUSTOMERS).to_sql("customers", database, index=False)
        database.close()

        assert enquirer("ask", f"{path}::orders", f"{path}::customers", CITY)[1] == TOLD

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((ORDERS, CUSTOMERS), "give one QUESTION"),
            ((ORDERS, "missing.csv", CITY), "missing.csv"),
            (("-", "-", CITY), "only one table can come from standard input"),
            ((ORDERS, "customers", CITY), "no file 'customers'; put all words"),
        ],
    )
    def test_errors(self, enquirer: Run, arguments: tuple[object, ...], message: str) -> None:
        assert_one_line(enquirer("ask", *arguments), message)

    def test_chat(self, enquirer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{CITY}\n:explain\n:table\n"))
        _, out, _ = enquirer("chat", ORDERS, CUSTOMERS)

        assert out.startswith(TOLD)
        assert "Linked orders.customer to customers.name (" in out
        assert "\norders\n" in out
        assert "\ncustomers\n" in out


def test_words_of_a_question_are_no_tables() -> None:
    assert split_sources(("b.csv", "x.db::t", "which", "city")) == (["b.csv", "x.db::t"], ["which", "city"])
    assert split_sources(("what is in data.csv",)) == ([], ["what is in data.csv"])
    assert split_sources((str(ORDERS), "-")) == ([str(ORDERS), "-"], [])
    assert split_sources(("x" * 5000,)) == ([], ["x" * 5000])


def test_a_word_before_a_question_in_quotes_is_a_missing_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "authors.csv").write_text("author\nAda\n")

    for words in (("authors", CITY), ("Author", CITY), ("authors", "books", CITY)):
        with pytest.raises(TableError, match=rf"no file '{words[0]}'; did you mean authors.csv\?"):
            split_sources(words)
    with pytest.raises(TableError, match="no file 'publishers'; put all words"):
        split_sources(("publishers", CITY))


def test_a_question_may_have_quotes_around_a_part() -> None:
    for words in (["who", "directed", "The Silence of the Lambs"], ["directed", "Star Wars"], [CITY]):
        assert split_sources(words) == ([], words)


def test_marks_of_nearly_all_rows_are_not_told() -> None:
    names = [f"Client {i}" for i in range(20)]
    customers = Table.of([{"name": name, "city": f"Town {i}"} for i, name in enumerate(names)], "customers")
    orders = Table.of([{"order": 500 + i, "client": name} for i, name in enumerate(names)], "orders")
    marks = np.array([[1.0] * 19 + [0.0], [0.0] * 3 + [1.0] + [0.0] * 16], np.float32)
    reads = np.eye(2, dtype=np.float32)
    looks = {(1, 0): Looks(np.array([3, 3, 7]), np.array([3, 5, 7]), np.ones(3, np.float32))}
    tables, cell = (customers, orders), Cell(0, 3, 1)
    cascade = Cascade(
        tables,
        (Trace(customers.field_names, reads, marks), Trace(orders.field_names, reads, marks)),
        cell,
        1.0,
        (Link(("customers", "orders"), ("name", "client"), 1.0),),
        ({}, looks),
    )
    ranked = (Candidate.of_cell(tables, cell, 1.0),)
    told = io.StringIO()
    explain(terminal.console(told), Answer("?", tables, ranked, Heard("?", tables, ()), "open", cascade))

    assert told.getvalue().splitlines()[1:] == [
        "Step 1 in customers reads name (100%)",
        "Step 1 in orders reads order (100%)",
        "Step 2 in customers reads city (100%) and marks row 4 (Town 3)",
        "Step 2 in orders reads client (100%) and marks row 4 (Client 3); "
        "row 4 looked at rows 4 and 6 of customers (Client 3)",
        "This points at city in row 4 of customers: Town 3 (100%)",
    ]
