"""Which end of ages and dates the youngest and the oldest are at."""

import pytest

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.judge.ages import takes_wrong_end
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
    links = link(question, TableIndex.of(PEOPLE), Vocabulary((), frozenset()))
    assert takes_wrong_end(parse(program), Asked(question, (PEOPLE,), [links])) == wrong
