"""Questions about several tables: linked to all of them at once, and the tables to each other."""

import numpy as np

from neural_enquirer.encoding.linking import (
    ALONE,
    HINTED,
    MENTION,
    NAMED,
    STRONG,
    WEAK,
    link,
    link_several,
)
from neural_enquirer.encoding.open_multi import SeveralIndex, collate_several, prepare_several
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(("city", "does", "live", "of", "order", "the", "what", "which"), frozenset())
ORDERS = Table.of(
    [
        {"order": 17, "customer": "Ana Lima", "product": "Boston chair", "day": "2024-03-02"},
        {"order": 18, "customer": "BEN OKAFOR", "product": "lamp", "day": "2024-03-05"},
        {"order": 19, "customer": None, "product": "lamp", "day": "2024-03-06"},
    ]
)
CUSTOMERS = Table.of(
    [{"name": "Ben Okafor", "city": "Boston", "id": "18"}, {"name": "Ana Lima", "city": "Oslo", "id": "x"}]
)


def index(titles: tuple[str, str] = ("a", "b")) -> SeveralIndex:
    return SeveralIndex.of([TableIndex.of(ORDERS), TableIndex.of(CUSTOMERS)], titles)


def test_one_table_is_linked_as_ever() -> None:
    question, table = "which city does ana lima live in, or the bostn chair?", TableIndex.of(ORDERS)
    alone = link(question, table, VOCABULARY)
    (several,) = link_several(question, SeveralIndex.of([table], ["a"]).joined, VOCABULARY)

    assert alone.words == several.words
    assert alone.mentions == several.mentions
    for name in ("flags", "levels", "coverage", "cell_mentions", "relations", "quantity_fields"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(several, name))


def test_a_word_is_linked_to_whichever_table_knows_it() -> None:
    orders, customers = link_several("city of ana lima", index().joined, VOCABULARY)

    assert orders.words == customers.words == ("city", "of", "ana", "lima")
    np.testing.assert_array_equal(orders.flags, customers.flags)
    assert [bool(flag & NAMED) for flag in orders.flags] == [True, False, False, False]
    assert [bool(flag & MENTION) for flag in orders.flags] == [False, False, True, True]
    assert not any(flag & ALONE for flag in orders.flags)
    assert customers.levels[0, 1] == STRONG
    assert not orders.levels[0].any()
    assert orders.cell_mentions[0, 1] == customers.cell_mentions[1, 0] == 1


def test_the_longest_mention_of_all_tables_counts() -> None:
    orders, customers = link_several("who ordered the boston chair", index().joined, VOCABULARY)

    assert orders.cell_mentions[0, 2] == 1
    assert not customers.cell_mentions.any()  # Boston is only a part of the chair's name


def test_a_title_hints_at_its_fields() -> None:
    orders, customers = link_several("which buyer", index(("orders.csv", "buyers")).joined, VOCABULARY)

    assert customers.levels[1].tolist() == [WEAK, WEAK, WEAK, 0]  # not at the order of rows
    assert not orders.levels[1].any()
    assert orders.flags[1] & HINTED


def test_equal_values_have_equal_codes() -> None:
    orders, customers = index().values

    assert orders[0, 1] == customers[1, 0] > 0
    assert orders[1, 1] == customers[0, 0]  # case aside
    assert orders[1, 0] == customers[0, 2]  # the number 18 and the text 18
    assert orders[2, 1] == 0  # missing
    assert not orders[:, -1].any()  # the order of rows
    assert len(set(orders[:, 3].tolist())) == 3


def test_tables_of_a_batch_share_what_the_question_says() -> None:
    questions = [prepare_several(text, index(), VOCABULARY) for text in ("city of ana lima", "which order")]
    batch = collate_several(questions)

    first, second = batch.tables
    assert first.words is second.words
    assert first.ranks.shape == (2, 3, 5)
    assert second.ranks.shape == (2, 2, 4)
    chosen = batch.select(slice(1, 2))
    assert len(chosen) == 1
    assert chosen.tables[0].words is chosen.tables[1].words
    assert chosen.answers.tolist() == [3 * 5 + 2 * 4]  # none of the cells
