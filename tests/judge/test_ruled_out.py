"""What words of a question rule out."""

import pytest

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.judge.ruled_out import ruled_out
from neural_enquirer.programs.parsing import parse
from neural_enquirer.tables import Table

PEOPLE = Table.of(
    {
        "name": ["Ann", "Bob"],
        "age": [30, 40],
        "wage": [5, 6],
        "born": [1990, 1980],
        "hired": ["2015-01-02", "2014-03-01"],
    }
)


@pytest.mark.parametrize(
    ("question", "program", "wrong"),
    [
        ("who is the youngest", "cells(name, smallest(age))", False),
        ("who is the youngest", "cells(name, largest(age))", True),
        ("Oldest person?", "cells(name, smallest(age))", True),
        ("how old is the oldest", "minimum(age)", True),
        ("how old is the oldest", "maximum(age)", False),
        ("who is the youngest", "cells(name, largest(born))", False),
        ("who is the youngest", "cells(name, smallest(born))", True),
        ("youngest member by hiring", "cells(name, smallest(hired))", True),
        ("wage of the youngest", "cells(name, largest(wage))", False),  # says nothing of ages
        ("is the youngest or the oldest taller", "cells(name, largest(age))", False),
        ("who earns least", "cells(name, largest(wage))", False),  # the decoder's own business
    ],
)
def test_the_youngest_has_the_least_age_and_the_last_date(question: str, program: str, wrong: bool) -> None:
    assert rules_out(question, PEOPLE, program) == wrong


@pytest.mark.parametrize(
    ("question", "program", "wrong"),
    [
        ("how many films did Nolan make", "sum(oscars, rows(director = Nolan))", True),
        ("how many movies did Nolan make", "sum(oscars, rows(director = Nolan))", True),
        ("how many films did Nolan make", "count(rows(director = Nolan))", False),
        ("how many oscars did Nolan get", "sum(oscars, rows(director = Nolan))", False),
        ("who made the most films", "cells(director, largest(oscars))", True),
        (
            "who made the most films",
            "cells(director, largest(measure, groups(director, sum(oscars))))",
            True,
        ),
        ("who made the most films", "cells(director, largest(measure, groups(director, count)))", False),
        ("who got the most oscars", "cells(director, largest(oscars))", False),
    ],
)
def test_what_rows_are_called_is_counted_by_rows(question: str, program: str, wrong: bool) -> None:
    films = {"title": ["Tenet", "Alien"], "director": ["Nolan", "Scott"], "oscars": [1, 2]}
    assert rules_out(question, Table.of(films, name="films.csv"), program) == wrong
    assert not rules_out(question, Table.of(films | {"film": [3, 4]}, name="films.csv"), program)


def rules_out(question: str, table: Table, program: str) -> bool:
    links = link(question, TableIndex.of(table), Vocabulary((), frozenset()))
    return ruled_out(Asked(question, (table,), [links]), [parse(program)]) == [True]
