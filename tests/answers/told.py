"""Small tables, and answers over them as a judge would have them told."""

from typing import Final

from neural_enquirer.answers import Answer, Ranked, answer_of
from neural_enquirer.encoding.linking import link, link_several
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.word_index import JoinedIndex
from neural_enquirer.encoding.words import Vocabulary
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
VOCABULARY: Final = Vocabulary(
    (*("the", "of", "in", "is", "who", "how", "many"), *("what", "phone", "number", "work", "highest")),
    frozenset(),
)


def answer(question: str, program: str, *tables: Table, probability: float = 0.976) -> Answer:
    """The answer that a program gives, of the table of staff unless others are given."""
    tables = tables or (STAFF,)
    written = parse(program)
    return told(question, Ranked(written, None, run(written, tables), probability), tables=tables)


def refused(question: str, kind: str, *others: Ranked, tables: tuple[Table, ...] = (STAFF,)) -> Answer:
    """The answer that refuses."""
    return told(question, Ranked(None, kind, None, 0.8), *others, tables=tables)


def told(question: str, *ranked: Ranked, tables: tuple[Table, ...] = (STAFF,)) -> Answer:
    """The answer that outcomes make."""
    indexes = [TableIndex.of(table) for table in tables]
    if len(tables) == 1:
        links = [link(question, indexes[0], VOCABULARY)]
    else:
        links = link_several(question, JoinedIndex(indexes, [table.name for table in tables]), VOCABULARY)
    return answer_of(question, tables, links, ranked, "open")
