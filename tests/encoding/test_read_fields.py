"""Fields of text that can be read as amounts are ranked and compared by them."""

import numpy as np
import pytest

from neural_enquirer.encoding.linking import LESS, MORE, link
from neural_enquirer.encoding.table_index import LEAST, MOST, RANKED, TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables import Table


def test_a_field_with_an_order_is_ranked_compared_and_still_mentioned() -> None:
    rows = [{"place": place} for place in ("10th", "2nd", "DNF", "3rd", "1st")]
    index = TableIndex.of(Table.of(rows))
    assert index.ranks[:, 0].tolist() == pytest.approx([1, 1 / 3, 0, 2 / 3, 0])
    assert index.flags[:, 0].tolist() == [RANKED | MOST, RANKED, 0, RANKED, RANKED | LEAST]
    links = link("who came after 5 but was DNF", index, Vocabulary((), frozenset()))
    assert links.relations[0, :, 0].tolist() == [MORE, LESS, 0, LESS, LESS]
    assert links.cell_mentions[:, 0].tolist() == [0, 0, 1, 0, 0]
    assert index.select(np.array([1, 3])).ranks[:, 0].tolist() == [0, 1]


def test_units_and_dates_are_ranked_by_what_they_mean() -> None:
    rows = [
        {"distance": "5km", "day": "12 Mar 19"},
        {"distance": "800m", "day": "3 Jan 21"},
        {"distance": "10km", "day": "7 Jul 20"},
    ]
    index = TableIndex.of(Table.of(rows))
    assert index.ranks[:, 0].tolist() == [0.5, 0, 1]
    assert index.ranks[:, 1].tolist() == [0, 1, 0.5]
    assert index.is_date.tolist() == [False, True, False]
