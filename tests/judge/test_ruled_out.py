"""What words of a question rule out."""

import numpy as np
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


BOOKS = {
    "title": ["Emma", "Dune", "Persuasion"],
    "author": ["Austen", "Herbert", "Austen"],
    "stars": [4, 5, 3],
}


@pytest.mark.parametrize(
    ("question", "starred", "wrong"),
    [
        ("which author did I read the most", 0.1, True),
        ("which author did I rate the most", 0.6, False),
        ("adding it up, which author did I read the most", 0.1, False),
        ("which author did I read the most of", 0.1, False),
    ],
)
def test_who_most_goes_by_rows_where_no_word_speaks_of_numbers(
    question: str, starred: float, wrong: bool
) -> None:
    asked = asked_of(question, Table.of(BOOKS))
    says = np.zeros((len(asked.links[0].words), len(asked.places)), np.float32)
    says[-3, 2] = starred
    by_stars = parse("cells(author, largest(measure, groups(author, sum(stars))))")
    by_rows = parse("cells(author, largest(measure, groups(author, count)))")
    assert ruled_out(asked, [by_stars, by_rows], says) == [wrong, False]
    assert ruled_out(asked, [by_stars], says) == [False]


def rules_out(question: str, table: Table, program: str) -> bool:
    return ruled_out(asked_of(question, table), [parse(program)]) == [True]


def asked_of(question: str, table: Table) -> Asked:
    return Asked(question, (table,), [link(question, TableIndex.of(table), Vocabulary((), frozenset()))])
