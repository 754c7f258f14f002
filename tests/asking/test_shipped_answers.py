"""A few questions to the models of the package: that all parts fit together, not how good the models are."""

from pathlib import Path

import pytest

from neural_enquirer import Enquirer, Table, TableError
from neural_enquirer.checkpoint import CheckpointError

EXAMPLES = Path(__file__).parents[2] / "examples"
ORDERS, CUSTOMERS = EXAMPLES / "orders.csv", EXAMPLES / "customers.csv"
CITY = "Which city does the customer of order 21 live in?"


@pytest.fixture(scope="module")
def model() -> Enquirer:
    try:
        return Enquirer.from_pretrained()
    except CheckpointError as error:
        pytest.skip(f"the shipped model cannot be loaded: {error}")


@pytest.mark.parametrize(
    ("table", "question", "answer"),
    [
        ("olympics.csv", "Which city hosted the games in 2000?", "Sydney"),
        ("countries.csv", "how many countries are in Europe", None),
        ("films.tsv", "which film has the highest gross", None),
        ("films.tsv", "how many movies did Spielberg direct", "3"),  # none of his Oscars
        ("films.tsv", "how many films are longer than 2 hours", "14"),  # the field has minutes
        ("employees.jsonl", "who has the lowest salary", None),
    ],
)
def test_one_table(model: Enquirer, table: str, question: str, answer: str | None) -> None:
    found = model.ask(EXAMPLES / table, question)
    assert answer in (None, found.text)
    assert found.told
    assert found.trace is not None
    assert (found.sql() is None) == (found.program is None)


def test_two_tables_in_either_order(model: Enquirer) -> None:
    tables = Table.read(ORDERS), Table.read(CUSTOMERS)
    for asked in (tables, tables[::-1]):
        found = model.ask(list(asked), CITY)
        assert (found.text, found.table) == ("Tallinn", "customers")


def test_the_papers_models_answer_with_a_cell_of_one_table() -> None:
    model = Enquirer.from_pretrained("olympics-sbs")
    found = model.ask(
        EXAMPLES / "olympics.csv", "Which city hosted the longest game before the game in Moscow?"
    )
    assert (found.program, found.field is None) == (None, found.text is None)
    with pytest.raises(TableError, match="reads one table at a time; open reads several"):
        model.ask([ORDERS, CUSTOMERS], CITY)
