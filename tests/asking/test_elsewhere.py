"""Questions about tables that are elsewhere: rows that stand in for all, and what the engine answers."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from fake_predictor import FakePredictor, links_of
from neural_enquirer import Enquirer, Table, TableError
from neural_enquirer.asking.stand_ins import Shapes, stand_ins
from neural_enquirer.encoding.actions.joins import find_join
from neural_enquirer.encoding.candidates import mentioned
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.engines.addresses import DUCKDB
from neural_enquirer.engines.choosing import open_object, open_sources
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.prediction import Prediction, Tables, Verdict
from neural_enquirer.programs import parse, run
from neural_enquirer.programs.language import Compare, Comparison, Constant

ROWS = 40_000
CELLS = """
SELECT range AS id, 'Street ' || (range % 500) AS street,
       CASE WHEN range = 30000 THEN 'José Baker' ELSE 'owner ' || range END AS owner,
       CASE WHEN range = 20001 THEN 'Oslo' ELSE ['Rome', 'Bern', 'Bari'][1 + range % 3] END AS city,
       (range * 7919) % 100003 AS price, (range % 40 + 1) || ' km' AS far
FROM range({rows})
"""


class Linking(FakePredictor):
    """Links as models do."""

    def link(self, tables: Tables, question: str) -> list[Links]:
        return list(links_of(question, tables))


@pytest.fixture(scope="module")
def houses() -> Iterator[EngineTable]:
    with duckdb.connect() as connection:
        table = open_object(connection.sql(CELLS.format(rows=ROWS)), "houses")
        assert isinstance(table, EngineTable)
        yield table


def _stand_in(table: EngineTable, question: str) -> Table:
    return stand_ins(Linking(), [table], question)[0]


def _rows(table: Table, **wanted: object) -> int:
    names = table.field_names
    rows = (dict(zip(names, table.row(row), strict=True)) for row in range(table.row_count))
    return sum(all(row[name] == value for name, value in wanted.items()) for row in rows)


def test_few_rows_stand_in_for_all_with_what_the_question_names(houses: EngineTable) -> None:
    table = _stand_in(houses, "what is the price of the house in Oslo")
    assert table.row_count < 500
    assert _rows(table, city="Oslo", id=20001) == 1
    assert {houses.known.fields[4].smallest, houses.known.fields[4].largest} <= set(table.column("price"))


def test_rows_that_have_all_that_is_named_are_there(houses: EngineTable) -> None:
    assert _rows(_stand_in(houses, "houses in Bern, Street 77"), street="Street 77", city="Bern") > 10


@pytest.mark.parametrize("named", ["owner 31234", "Owner 31234", "OWNER 31234"])
def test_values_that_are_too_many_to_list_are_looked_up(houses: EngineTable, named: str) -> None:
    assert houses.known.fields[2].listed is None
    assert _rows(_stand_in(houses, f"where does {named} live"), owner="owner 31234") == 1


@pytest.mark.parametrize("named", ["Baker", "José", "Jose", "BAKER", "jose baker"])
def test_names_are_looked_up_in_part_whatever_their_case_and_accents(houses: EngineTable, named: str) -> None:
    assert _rows(_stand_in(houses, f"where does {named} live"), owner="José Baker") == 1


def test_rows_lie_on_either_side_of_a_quantity_together_with_what_is_named(houses: EngineTable) -> None:
    table = _stand_in(houses, "houses in Rome with a price below 500")
    cells = zip(table.column("price"), table.column("city"), strict=True)
    prices = [price for price, city in cells if city == "Rome" and isinstance(price, int)]
    assert sum(price < 500 for price in prices) >= 40
    assert sum(price > 500 for price in prices) >= 40


def test_numbers_are_looked_up(houses: EngineTable) -> None:
    assert _rows(_stand_in(houses, "who owns the house with id 12345"), id=12345) == 1


def test_conditions_are_those_of_all_values(houses: EngineTable) -> None:
    """A part that more texts have than those that are meant selects too much: Street 7 is in Street 77."""
    question = "houses in Street 7"
    table = _stand_in(houses, question)
    whole = table.whole
    assert whole is not None
    index = TablesIndex.of([TableIndex.of(table, TableIndex.of(whole))])
    assert index.tables[0].cells.fields[1] == TableIndex.of(whole).cells.fields[1]
    (links,) = links_of(question, [table])
    found = [each for number in range(len(links.mentions)) for each in mentioned(number, links, table)]
    named = next(each for each in found if isinstance(each, Compare))
    assert (named.comparison, named.operand) == (Comparison.EQUAL, Constant("Street 7"))


def test_amounts_are_read_as_in_the_whole_table(houses: EngineTable) -> None:
    table = _stand_in(houses, "houses in Oslo")
    reading = table.reading(5)
    assert reading is not None
    assert reading.unit == "km"
    assert houses.engine.run(parse("maximum(amount_in(far))"), [houses]).values == (40,)


def test_the_engine_answers_over_all_rows(houses: EngineTable) -> None:
    question = "how many are in Rome"
    answer = Enquirer(Linking({question: "count(rows(city = Rome))"})).ask(houses, question)
    assert answer.value == ROWS // 3
    assert answer.sentence.startswith("Counted the 13,333 rows") or "13,333" in answer.sentence
    assert answer.sql() == "SELECT COUNT(*) FROM houses WHERE city = 'Rome'"
    content = json.loads(json.dumps(answer.to_json()))
    assert "steps" not in content
    assert (content["row"], content["cells"], content["evidence"]["table"]) == (None, [], "houses")
    assert all("Rome" in row for row in content["evidence"]["rows"])
    assert [step.rows for step in answer.steps] == [ROWS, ROWS // 3, None]
    page = answer.evidence(start=10, count=5)
    assert page is not None
    assert page.row_count == 5


def test_what_finds_something_goes_before_what_finds_nothing(houses: EngineTable) -> None:
    class Doubting(Linking):
        """Knows another reading of everything: how many there are."""

        def _verdict(self, tables: Tables, question: str, prediction: Prediction) -> Verdict:
            verdict, other = super()._verdict(tables, question, prediction), parse("count(rows())")
            ranked = *verdict.ranked, Ranked(other, None, run(other, tables), 0.1)
            return dataclasses.replace(verdict, ranked=ranked)

    question = "houses in Bergen"
    answer = Enquirer(Doubting({question: "cells(id, rows(city = Bergen))"})).ask(houses, question)
    assert (answer.value, [one.probability for one in answer.ranked]) == (ROWS, [0.1, 0.8])


def test_sentences_tell_what_all_rows_have(houses: EngineTable) -> None:
    question = "which ids have more than the average price"
    program = "count(rows(price > average(price)))"
    told = Enquirer(Linking({question: program})).ask(houses, question).sentence
    exact = houses.engine.run(parse("average(price)"), [houses]).values[0]
    assert f"{exact:,.0f}"[:5] in told


def test_what_the_engine_cannot_say_is_refused_with_the_reason(tmp_path: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(tmp_path / "own.db")
    connection.execute("CREATE TABLE t (a TEXT)")
    connection.execute("INSERT INTO t VALUES ('x'), ('y')")
    connection.execute("CREATE VIEW v AS SELECT a FROM t")
    question = "what is the last a"
    answer = Enquirer(Linking({question: "cells(a, last())"})).ask((connection, "v"), question)
    assert answer.refusal is not None
    assert answer.refusal.kind == "unsupported"
    assert answer.refusal.message.startswith("The rows have no order where they are kept")
    connection.close()


def test_tables_of_one_engine_are_asked_together(tmp_path: Path) -> None:
    (tmp_path / "cities.csv").write_text("city,country\nRome,Italy\nBari,Italy\nBern,Switzerland\n")
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY ({CELLS.format(rows=6000)}) TO '{tmp_path}/houses.parquet' (FORMAT parquet)"
        )
    tables = open_sources([str(tmp_path / "houses.parquet"), str(tmp_path / "cities.csv")], DUCKDB)
    question = "how many houses are in Italy"
    program = "count(rows(country = Italy, join(houses, cities, houses.city = cities.city)))"
    answer = Enquirer(Linking({question: program})).ask(tables, question)
    assert answer.value == 4000
    apart = [*tables, *open_sources([str(tmp_path / "cities.csv")])]
    with pytest.raises(TableError, match="different places"):
        Enquirer(Linking({question: program})).ask(apart, question)


def test_a_model_without_programs_says_so(houses: EngineTable) -> None:
    with pytest.raises(TableError, match="reads tables in memory"):
        Enquirer(FakePredictor()).ask(houses, "what is the city")


@pytest.mark.parametrize(
    ("question", "program", "wanted"),
    [
        ("how many houses have owners aged 7", "count(rows(age = 7, {both}))", 60),
        ("what is the age of the owner of house 4321", "cells(age, rows(houses.id = 4321, {both}))", 21),
    ],
)
def test_two_large_tables_have_rows_that_go_together(
    tmp_path: Path, question: str, program: str, wanted: int
) -> None:
    owners = "SELECT 5999 - range AS number, 'owner ' || (5999 - range) AS name, (5999 - range) % 100 AS age"
    with duckdb.connect() as connection:
        for name, cells in (("houses", CELLS.format(rows=6000)), ("owners", f"{owners} FROM range(6000)")):
            connection.execute(f"COPY ({cells}) TO '{tmp_path}/{name}.parquet' (FORMAT parquet)")
    tables = open_sources([str(tmp_path / f"{name}.parquet") for name in ("houses", "owners")], DUCKDB)
    there = [table for table in tables if isinstance(table, EngineTable) and not table.known.is_whole]
    houses, of_them = stand_ins(Linking(), there, question)
    join = find_join((houses, of_them), 0, 1)
    assert join is not None
    assert [field.name for field in join.on[0]] == ["owner", "name"]
    found = program.format(both="join(houses, owners, houses.owner = owners.name)")
    assert run(parse(found), [houses, of_them]).values not in ((), (0,))
    assert Enquirer(Linking({question: found})).ask(tables, question).value == wanted


CUSTOMERS = Shapes.of([f"Customer {number}" for number in range(9)])
PEOPLE = Shapes.of(["Ann Lee", "José Díaz", "B52", None])


@pytest.mark.parametrize(
    ("shapes", "text", "fits"),
    [
        (CUSTOMERS, "Customer 4711", True),
        (CUSTOMERS, "CUSTOMER 4711", True),
        (CUSTOMERS, "order 77", False),
        (CUSTOMERS, "4711 place", False),
        (CUSTOMERS, "4711", False),
        (PEOPLE, "bob dylan", True),
        (PEOPLE, "Bob", False),
        (PEOPLE, "X1", True),
        (PEOPLE, "route 66", False),
        (Shapes.of([None]), "Bob", False),
    ],
)
def test_words_look_like_texts(shapes: Shapes, text: str, fits: bool) -> None:
    assert shapes.fit(text) == fits
