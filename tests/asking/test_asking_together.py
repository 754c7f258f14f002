"""Tables asked together, with the model of the package: on the command line and in Python."""

import io
import json
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from command_line import Run, assert_one_line
from neural_enquirer import Answer, Enquirer, Table, TableError, predictor, terminal
from neural_enquirer.answer import Candidate, names_of
from neural_enquirer.asking import split_sources
from neural_enquirer.explanation import Link, Trace
from neural_enquirer.prediction import Looks

EXAMPLES = Path(__file__).parents[1] / "examples"
ORDERS, CUSTOMERS = EXAMPLES / "orders.csv", EXAMPLES / "customers.csv"
CITY = "Which city does the customer of order 21 live in?"
PRODUCT = "which product is order 21"
QUESTIONS = {
    CITY: "Tallinn",
    "What is the segment of the customer with the largest amount?": "private",
    "What is the largest amount among orders of customers from Paris?": "161.20",
    "Which product was ordered by the oldest customer?": "coffee grinder",
    "How old is the customer who bought the travel mug?": "37",
    "In which city does Grace Kim live?": "Seoul",
    "where does the customer of order 26 live": None,  # who is not among the customers
    "what is the salary of Ben Okafor": None,
}


@pytest.fixture(scope="module")
def model() -> Enquirer:
    return Enquirer.from_pretrained()


def test_joins_over_tables_never_seen(model: Enquirer) -> None:
    answers = model.ask_many([ORDERS, CUSTOMERS], QUESTIONS)

    assert {answer.question: answer.text for answer in answers} == QUESTIONS
    assert {answer.model for answer in answers} == {"open"}


def test_an_answer_says_where_it_stands_and_what_links_the_tables(model: Enquirer) -> None:
    answer = model.ask([ORDERS, CUSTOMERS], CITY)

    assert (answer.table.name, answer.table_name) == (answer.tables[1].name, "customers")
    assert (answer.row, answer.field, answer.names) == (3, "city", ("orders", "customers"))
    assert str(answer.links[0]) == "orders.customer to customers.name"
    assert answer.links[0].weight > 0.9
    assert [len(trace.fields) for trace in answer.traces] == [6, 5]
    looks = {(look.row, look.other_row) for look in answer.looks_of(2, 0)}
    assert (4, 3) in looks  # order 21, the fifth row, looked at its customer, the fourth


def test_the_order_of_the_tables_does_not_matter(model: Enquirer) -> None:
    tables = Table.read(ORDERS), Table.read(CUSTOMERS)
    for question in QUESTIONS:
        one, other = model.ask(tables, question), model.ask(tables[::-1], question)
        assert (one.text, one.ranked[0].table) == (other.text, other.ranked[0].table)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-3)


def test_a_list_of_one_table_is_that_table(model: Enquirer) -> None:
    alone, listed = model.ask(ORDERS, PRODUCT), model.ask([ORDERS], PRODUCT)

    assert (alone.text, alone.names, alone.is_linked) == ("coffee grinder", ("orders",), True)
    assert listed == alone


def test_three_tables_and_those_with_nothing_in_common(model: Enquirer) -> None:
    planets = [{"planet": "Mars", "moons": 22}, {"planet": "Venus", "moons": 0}]

    three = model.ask([planets, ORDERS, CUSTOMERS], CITY)
    assert (three.text, three.ranked[0].table) == ("Tallinn", "customers")
    two = model.ask([CUSTOMERS, planets], "how many moons does Mars have")
    assert (two.text, two.ranked[0].table) == ("22", "table")
    assert not two.links


def test_frames_and_records(model: Enquirer) -> None:
    orders, customers = pd.read_csv(ORDERS), pd.read_csv(CUSTOMERS).to_dict("records")

    answer = model.ask([orders, customers], CITY)

    assert (answer.text, answer.ranked[0].table, answer.table.name) == ("Tallinn", "table 2", "table 2")
    assert [table.name for table in answer.tables] == ["table 1", "table 2"]
    pairs = model.ask_many([([ORDERS, CUSTOMERS], CITY), (ORDERS, PRODUCT)])
    assert [one.text for one in pairs] == ["Tallinn", "coffee grinder"]


def test_a_dict_names_tables_and_the_words_of_names_help(model: Enquirer) -> None:
    games = [{"year": 2000, "city": "Sydney"}, {"year": 2004, "city": "Athens"}]
    cities = pd.DataFrame({"city": ["Sydney", "Athens"], "country": ["Australia", "Greece"]})
    question = "Which country hosted the games in 2000?"

    answer = model.ask({"games": games, "cities": cities}, question)

    assert (answer.text, answer.table.name) == ("Australia", "cities")
    same = model.ask([Table.of(games, name="games"), Table.of(cities, name="cities")], question)
    assert same.confidence == pytest.approx(answer.confidence)
    renamed = model.ask({"sales": ORDERS, "people": Table.read(CUSTOMERS)}, CITY)
    assert (renamed.text, renamed.table.name) == ("Tallinn", "people")


def test_a_dict_of_columns_is_one_table(model: Enquirer) -> None:
    cities = {"city": ["Sydney", "Athens"], "country": ["Australia", "Greece"]}
    question = "in which country is Athens"

    for table in (cities, {name: pd.Series(cells) for name, cells in cities.items()}, {"cities": cities}):
        answer = model.ask(table, question)
        assert (answer.text, len(answer.tables)) == ("Greece", 1)


def test_names_tell_tables_apart() -> None:
    columns = [{"a": 1}]
    named = [Table.of(columns, name) for name in ("x.csv", "y.csv", "x.tsv")]

    assert names_of(named[:2]) == ("x", "y")
    assert names_of(named) == ("x.csv", "y.csv", "x.tsv")
    assert names_of([named[0], named[0]]) == ("x.csv 1", "x.csv 2")


def test_what_cannot_be_asked(model: Enquirer, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TableError, match="reads one table at a time; open reads several"):
        Enquirer.from_pretrained("olympics-sbs").ask([ORDERS, CUSTOMERS], CITY)
    with pytest.raises(TableError, match="not a table"):
        model.ask([1, 2], CITY)
    for nothing in ([], (), {}):
        with pytest.raises(TableError, match="there is no table to ask"):
            model.ask(nothing, CITY)
    monkeypatch.setattr(predictor, "MOST_PAIRS", 50)
    with pytest.raises(TableError, match="10 rows of orders and 7 rows of customers are too many"):
        model.ask([ORDERS, CUSTOMERS], CITY)


def test_long_tables_are_looked_at_again(model: Enquirer) -> None:
    customers = [{"name": f"Client {i}", "city": f"Town {i % 50}", "age": i} for i in range(120)]
    orders = [{"order": 500 + i, "client": f"Client {(7 * i) % 120}", "amount": i} for i in range(300)]

    answer = model.ask([orders, customers], "what is the city of the client of order 623")

    assert answer.text == f"Town {(7 * 123) % 120 % 50}"
    assert sum(one.probability for one in answer.ranked) <= 1.001


class TestCommand:
    def test_answer(self, enquirer: Run) -> None:
        status, out, err = enquirer("ask", ORDERS, CUSTOMERS, CITY)

        assert (status, err) == (0, "")
        assert out.startswith("Tallinn\ncustomers, city, row 4; confidence ")

    def test_json(self, enquirer: Run) -> None:
        content = json.loads(enquirer("ask", ORDERS, CUSTOMERS, CITY, "--json")[1])

        assert (content["answer"], content["row"], content["field"]) == ("Tallinn", 3, "city")
        assert (content["table"], content["tables"]) == ("customers", ["orders", "customers"])
        assert content["cells"] == [{"row": 3, "field": "city", "table": "customers"}]
        assert content["ranked"][0]["table"] == "customers"
        assert content["links"][0]["fields"] == ["customer", "name"]
        steps = content["steps"]
        assert [(step["executor"], step["table"]) for step in steps[:3]] == [
            (1, "orders"),
            (1, "customers"),
            (2, "orders"),
        ]
        assert set(steps[2]["fields"]) == {"order", "customer", "product", "quantity", "amount", "date"}
        looked_at = [{**look, "weight": 1} for look in steps[2]["looked_at"]]
        assert {"row": 4, "table": "customers", "other_row": 3, "weight": 1} in looked_at
        assert "steps" not in json.loads(enquirer("ask", ORDERS, CUSTOMERS, CITY, "--json", "--no-steps")[1])

    def test_explanation_and_candidates(self, enquirer: Run) -> None:
        _, out, _ = enquirer("ask", ORDERS, CUSTOMERS, CITY, "--explain", "--top", 2)

        assert "Linked orders.customer to customers.name (" in out
        assert "Step 2 in orders reads order (98%) and marks row 5 (21); row 5 looked at row 4 of cust" in out
        assert out.count("row 5 looked at row 4 of customers (Dmitri Volkov)") == 1
        assert "The answer is the cell city in row 4 of customers: Tallinn (" in out
        assert "| table " in out

    def test_figure(self, enquirer: Run, tmp_path: Path) -> None:
        figure = tmp_path / "why.svg"
        enquirer("ask", ORDERS, CUSTOMERS, CITY, "--figure", figure)

        drawn = figure.read_text()
        assert all(text in drawn for text in ("orders", "customers", "Tallinn", "linked orders.customer"))
        assert "in customers, row 4 looked at row 5 of orders (Dmitri Volkov)" in drawn

    @pytest.mark.filterwarnings("default")
    def test_tables_that_have_nothing_in_common(self, enquirer: Run, tmp_path: Path) -> None:
        asked = tmp_path / "questions.txt"
        asked.write_text("how many moons does Mars have\nhow many moons does Venus have\n")
        (tmp_path / "moons.csv").write_text("planet,moons\nMars,2\nVenus,0\n")

        status, out, err = enquirer("ask", CUSTOMERS, tmp_path / "moons.csv", "--questions", asked)

        assert status == 0
        assert len(out.splitlines()) == 2
        assert err.startswith("enquirer: warning: found nothing that links customers and moons")
        assert len(err.splitlines()) == 1
        assert "nothing that links" in enquirer("ask", CUSTOMERS, tmp_path / "moons.csv", "moons of Mars")[2]

    def test_tables_of_a_database(self, enquirer: Run, tmp_path: Path) -> None:
        path = tmp_path / "shop.db"
        with sqlite3.connect(path) as database:
            pd.read_csv(ORDERS).to_sql("orders", database, index=False)
            pd.read_csv(CUSTOMERS).to_sql("customers", database, index=False)
        database.close()

        _, out, _ = enquirer("ask", f"{path}::orders", f"{path}::customers", CITY)

        assert out.startswith("Tallinn\ncustomers, city, row 4")

    def test_many_questions(self, enquirer: Run, tmp_path: Path) -> None:
        asked = tmp_path / "questions.jsonl"
        asked.write_text(
            "\n".join(json.dumps({"question": text, "id": i}) for i, text in enumerate(QUESTIONS))
        )

        _, out, _ = enquirer("ask", ORDERS, CUSTOMERS, "--questions", asked, "--json", "--no-steps")

        answers = [json.loads(line) for line in out.splitlines()]
        assert [line["answer"] for line in answers] == list(QUESTIONS.values())
        assert [line["id"] for line in answers] == list(range(len(QUESTIONS)))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((ORDERS, CUSTOMERS), "give one QUESTION"),
            ((ORDERS, "missing.csv", CITY), "missing.csv"),
            (("-", "-", CITY), "only one table can come from standard input"),
            ((ORDERS, CUSTOMERS, CITY, "--model", "olympics-sbs"), "reads one table at a time"),
            ((ORDERS, "customers", CITY), "no file 'customers'; put all words"),
        ],
    )
    def test_errors(self, enquirer: Run, arguments: tuple[object, ...], message: str) -> None:
        assert_one_line(enquirer("ask", *arguments), message)


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
    answer = Answer(
        "?", (Candidate("Town 3", "Town 3", 3, "city", 1.0, "customers"),), "open",
        tables=(customers, orders), names=("customers", "orders"),
        traces=(Trace(customers.field_names, reads, marks), Trace(orders.field_names, reads, marks)),
        links=(Link(("customers", "orders"), ("name", "client"), 1.0),), looks=({}, looks),
    )  # fmt: skip
    told = io.StringIO()
    terminal.explain(terminal.console(told), answer)

    assert told.getvalue().splitlines()[1:] == [
        "Step 1 in customers reads name (100%)",
        "Step 1 in orders reads order (100%)",
        "Step 2 in customers reads city (100%) and marks row 4 (Town 3)",
        "Step 2 in orders reads client (100%) and marks row 4 (Client 3); "
        "row 4 looked at rows 4 and 6 of customers (Client 3)",
        "The answer is the cell city in row 4 of customers: Town 3 (100%)",
    ]


class TestChat:
    def test_several_tables(self, enquirer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{CITY}\n:explain\n:table\n"))
        _, out, _ = enquirer("chat", ORDERS, CUSTOMERS)

        assert out.startswith("Tallinn\ncustomers, city, row 4; confidence ")
        assert "Linked orders.customer to customers.name (" in out
        assert "\norders\n" in out
        assert "\ncustomers\n" in out


class TestEvaluation:
    def test_joins_by_type(self, enquirer: Run) -> None:
        arguments = ("--task", "open-two-tables", "--examples", 40, "--seed", 3, "--json")
        found = json.loads(enquirer("evaluate", "open", *arguments)[1])

        assert found["examples"] == 40
        assert found["overall"] > 0.9
        assert any(name.startswith("join ") for name in found["by_type"])
        assert set(found["by_wording"]) == {"literal", "natural"}

    def test_olympic_questions_on_two_tables(self, enquirer: Run) -> None:
        arguments = ("--task", "olympics-two-tables", "--examples", 20, "--json")
        assert json.loads(enquirer("evaluate", "open", *arguments)[1])["examples"] == 20

    def test_a_model_of_the_paper(self, enquirer: Run) -> None:
        outcome = enquirer("evaluate", "olympics-sbs", "--task", "open-two-tables", "--examples", 5)
        assert_one_line(outcome, "for an open model")
