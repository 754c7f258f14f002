import math

import numpy as np
import pytest

from neural_enquirer.encoding.linking import LESS, MORE, link
from neural_enquirer.encoding.loose_numbers import ordered
from neural_enquirer.encoding.table_index import LEAST, MOST, RANKED, TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables import Table


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1st", "2nd", "DNF", "10th", "3rd"], [1, 2, None, 10, 3]),
        (["46,000 [2]", "9,500*", ""], [46000, 9500, None]),
        (["$1,607", "US$ 12", "A$13.50"], [1607, 12, 13.5]),
        (["−5", "+4", "- 2"], [-5, 4, -2]),
        (["4:13.07", "3:59:18.5", "0:59"], [253.07, 14358.5, 59]),
        (["9:00 pm", "12:30 p.m.", "1:00 am"], [75600, 45000, 3600]),
        (["1–0", "12–3"], [1, 12]),
    ],
)
def test_what_cells_begin_with_orders_them(texts: list[str], expected: list[float | None]) -> None:
    found = ordered(texts)
    assert found is not None
    values, is_date = found
    assert not is_date
    assert [None if math.isnan(value) else value for value in values] == pytest.approx(expected)


@pytest.mark.parametrize(
    "texts",
    [
        ["May 30", "Jun 2", "August 1st"],
        ["May 1976", "16 June , 1976", "July 4, 1976 (age 20)"],
        ["1975", "May 1976", "Sat, 3 October 1977"],
        ["Feb 30", "March 1", "March 2", "March 3", "March 4"],
    ],
)
def test_days_are_ordered_with_and_without_years(texts: list[str]) -> None:
    found = ordered(texts)
    assert found is not None
    values, is_date = found
    assert is_date
    known = [value for value in values if not math.isnan(value)]
    assert known == sorted(known)
    assert len(set(known)) == len(known) >= 3


@pytest.mark.parametrize(
    "texts",
    [
        ["Apollo 11", "Apollo 12"],
        ["Oslo", "Rome"],
        ['7"', '7"'],
        ["1st", "DNF", "DNF"],
        ["5"],
        [],
        ["12 " + "and so on " * 5, "13 " + "and so on " * 5],
    ],
)
def test_other_texts_have_no_order_but_the_alphabets(texts: list[str]) -> None:
    assert ordered(texts) is None


def test_a_field_with_an_order_is_ranked_compared_and_still_mentioned() -> None:
    rows = [{"place": place} for place in ("10th", "2nd", "DNF", "3rd", "1st")]
    index = TableIndex.of(Table.of(rows))
    assert index.ranks[:, 0].tolist() == pytest.approx([1, 1 / 3, 0, 2 / 3, 0])
    assert index.flags[:, 0].tolist() == [RANKED | MOST, RANKED, 0, RANKED, RANKED | LEAST]
    links = link("who came after 5 but was DNF", index, Vocabulary((), frozenset()))
    assert links.relations[0, :, 0].tolist() == [MORE, LESS, 0, LESS, LESS]
    assert links.cell_mentions[:, 0].tolist() == [0, 0, 1, 0, 0]
    assert index.select(np.array([1, 3])).ranks[:, 0].tolist() == [0, 1]


def test_amounts_of_different_units_cannot_be_compared() -> None:
    assert ordered(["5 km", "800 m", "12 km", "300 m"]) is None
    assert ordered(["5 km", "8 km", "12 km"]) == ([5.0, 8.0, 12.0], False)


def test_lengths_of_time_are_compared_whatever_their_units() -> None:
    assert ordered(["45 min", "1h 20m", "2 hours"]) == ([45.0, 80.0, 120.0], False)
