"""Conditions that a prefix turns round."""

import pytest

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.judge.turned import turned
from neural_enquirer.programs.parsing import parse
from neural_enquirer.tables import Table

MEMBERS = Table.of(
    {
        "name": ["Ann", "Bob", "Cem", "Dan"],
        "paid": ["yes", "no", "yes", "yes"],
        "state": ["inner", "outer", "outer", "inner"],
    }
)
PAID, OWING, OWING_TOO = "count(rows(paid = yes))", "count(rows(paid = no))", "count(rows(paid <> yes))"


@pytest.mark.parametrize(
    ("question", "programs", "pairs"),
    [
        ("how many unpaid members", [PAID, OWING], [(0, 1)]),
        ("how many unpaid members", [OWING_TOO, PAID], [(1, 0)]),
        ("how many unpaid members", [PAID, OWING, "cells(name, rows(paid = yes))"], [(0, 1), (2, None)]),
        ("how many unpaid members", [PAID], []),
        ("how many unpaid members", [PAID, "cells(name, rows(paid = no))"], []),
        ("how many paid members", [PAID, OWING], []),
        ("how many members are not unpaid", [PAID, OWING], []),
        ("how many inner ones", ["count(rows(state = inner))", "count(rows(state = outer))"], []),
    ],
)
def test_a_prefix_asks_for_the_opposite(
    question: str, programs: list[str], pairs: list[tuple[int, int | None]]
) -> None:
    links = link(question, TableIndex.of(MEMBERS), Vocabulary((), frozenset()))
    asked = Asked(question, (MEMBERS,), [links])
    assert turned(asked, [parse(program) for program in programs]) == pairs
