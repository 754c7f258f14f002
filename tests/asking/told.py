"""Small tables, and answers over them as a judge would have them told."""

from typing import Final

from fake_predictor import links_of
from neural_enquirer.asking.answer import Answer, answer_of
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table

STAFF: Final = Table.of(
    {
        "name": ["Ada Marsh", "Bo Lee", "Cy Young", "Di Fox", "Ed Hill"],
        "department": ["Sales", "Sales", "Research", "Sales", "Research"],
        "country": ["Switzerland", "France", "Switzerland", "Spain", None],
        "salary": ["$4,000", "$5,500", "$5,500", "$3,250", "$1,000"],
        "hired": ["2019-03-01", "2020-01-15", "2018-07-01", "2021-11-30", "2018-07-01"],
    },
    "staff",
)
ORDERS: Final = Table.of({"customer": ["Ann", "Bob", "Ann"], "total": ["10 km", "25 km", "5.5 km"]}, "orders")
CUSTOMERS: Final = Table.of({"name": ["Ann", "Bob"], "city": ["Paris", "Rome"]}, "customers")


def answer(question: str, program: str, *tables: Table, probability: float = 0.976) -> Answer:
    """The answer that a program gives, of the table of staff unless others are given."""
    tables = tables or (STAFF,)
    written = parse(program)
    return told(question, Ranked(written, None, run(written, tables), probability), tables=tables)


def refused(
    question: str, kind: str, *others: Ranked, tables: tuple[Table, ...] = (STAFF,), probability: float = 0.8
) -> Answer:
    """The answer that refuses."""
    return told(question, Ranked(None, kind, None, probability), *others, tables=tables)


def told(question: str, *ranked: Ranked, tables: tuple[Table, ...] = (STAFF,)) -> Answer:
    """The answer that outcomes make."""
    return answer_of(question, tables, links_of(question, tables), ranked, "open")
