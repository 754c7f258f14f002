"""The open encoding: questions linked to all their tables at once, the tables to each other, and padded."""

import numpy as np

from neural_enquirer.encoding.linking import (
    ALONE,
    HINTED,
    MENTION,
    NAMED,
    STRONG,
    WEAK,
    link_tables,
)
from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.encoding.padding import Padded, Sizes, TableSizes, collate, pad
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.word_index import JoinedIndex
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


def index(titles: tuple[str, str] = ("a", "b")) -> TablesIndex:
    return TablesIndex.of([TableIndex.of(ORDERS), TableIndex.of(CUSTOMERS)], titles)


def prepared(*questions: tuple[tuple[Table, ...], str]) -> list[OpenQuestion]:
    return prepare_all(questions, VOCABULARY)


def test_one_table_is_linked_as_one_of_several() -> None:
    """But for its title, which tells it from no other."""
    question, table = "which city does ana lima live in, or the bostn chair?", TableIndex.of(ORDERS)
    (alone,) = TablesIndex.of([table], ["city"]).link(question, VOCABULARY)
    (joined,) = link_tables(question, JoinedIndex([table], ["a"]), VOCABULARY)

    assert alone.words == joined.words
    assert alone.mentions == joined.mentions
    for name in ("flags", "levels", "coverage", "cell_mentions", "relations", "quantity_fields"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(joined, name))


def test_a_word_is_linked_to_whichever_table_knows_it() -> None:
    orders, customers = index().link("city of ana lima", VOCABULARY)

    assert orders.words == customers.words == ("city", "of", "ana", "lima")
    np.testing.assert_array_equal(orders.flags, customers.flags)
    assert [bool(flag & NAMED) for flag in orders.flags] == [True, False, False, False]
    assert [bool(flag & MENTION) for flag in orders.flags] == [False, False, True, True]
    assert not any(flag & ALONE for flag in orders.flags)
    assert customers.levels[0, 1] == STRONG
    assert not orders.levels[0].any()
    assert orders.cell_mentions[0, 1] == customers.cell_mentions[1, 0] == 1


def test_the_longest_mention_of_all_tables_counts() -> None:
    orders, customers = index().link("who ordered the boston chair", VOCABULARY)

    assert orders.cell_mentions[0, 2] == 1
    assert not customers.cell_mentions.any()  # Boston is only a part of the chair's name


def test_a_title_hints_at_its_fields() -> None:
    orders, customers = index(("orders.csv", "buyers")).link("which buyer", VOCABULARY)

    assert customers.levels[1].tolist() == [WEAK, WEAK, WEAK, 0]  # not at the order of rows
    assert not orders.levels[1].any()
    assert orders.flags[1] & HINTED


def test_equal_values_have_equal_codes() -> None:
    orders, customers = index().values
    assert orders is not None
    assert customers is not None

    assert orders[0, 1] == customers[1, 0] > 0
    assert orders[1, 1] == customers[0, 0]  # case aside
    assert orders[1, 0] == customers[0, 2]  # the number 18 and the text 18
    assert orders[2, 1] == 0  # missing
    assert not orders[:, -1].any()  # the order of rows
    assert len(set(orders[:, 3].tolist())) == 3


def test_a_batch_has_the_tables_of_its_questions() -> None:
    both = (ORDERS, CUSTOMERS)
    questions = prepared((both, "city of ana lima"), (both, "which order"))
    batch = collate(questions, answers=[((1, 1, 1), (0, 0, 2)), ()])

    first, second = batch.tables
    assert first.ranks.shape == (2, 3, 5)
    assert second.ranks.shape == (2, 2, 4)
    assert first.values is not None
    assert batch.answer_cells[0].nonzero().flatten().tolist() == [2, 3 * 5 + 5]
    chosen = batch.select(slice(1, 2))
    assert len(chosen) == 1
    assert len(chosen.tables[1].ranks) == 1
    assert batch.answers.tolist() == [2, 3 * 5 + 2 * 4]  # the first cell; none of the cells
    (alone,) = collate(prepared(((ORDERS,), "which order"))).tables
    assert alone.values is None  # nothing to compare with


def test_sizes_hold_what_fits_with_as_many_tables() -> None:
    two, one = prepared(((ORDERS, CUSTOMERS), "city of ana lima"), ((ORDERS,), "city of ana lima"))
    sizes = Sizes.of([two])

    assert sizes.tables == (TableSizes(3, 5, 1), TableSizes(2, 4, 1))
    assert sizes.hold(two)
    assert not sizes.hold(one)
    assert Sizes.of([one]).hold(one)
    assert not Sizes(3, 1, 1, sizes.tables).hold(two)  # four words
    assert not Sizes(4, 1, 1, (TableSizes(3, 5, 1), TableSizes(2, 3, 1))).hold(two)


def test_padded_questions_are_put_behind_each_other() -> None:
    questions = prepared(((ORDERS,), "order of ana lima"), ((CUSTOMERS,), "which city"))
    sizes = Sizes.of(questions)
    together = pad(questions, sizes, [((0, 0, 0),), ()], [3, 4]).batch()
    joined = Padded.joined(
        [pad(questions[:1], sizes, [((0, 0, 0),)], [3]), pad(questions[1:], sizes, [()], [4])]
    ).batch()

    assert joined.types.tolist() == [3, 4]
    for one, other in ((joined, together), (joined.tables[0], together.tables[0])):
        for name, tensor in vars(other).items():
            if name not in ("tables", "values"):
                np.testing.assert_array_equal(getattr(one, name), tensor)
