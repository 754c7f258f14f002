import dataclasses
import datetime

import numpy as np
import pytest

from neural_enquirer.encoding.linking import (
    ALONE,
    CORRECTED,
    EQUAL,
    FOUND,
    HINTED,
    LESS,
    MENTION,
    MORE,
    PART,
    SHARED,
    STRONG,
    WEAK,
    Links,
    link,
)
from neural_enquirer.encoding.table_index import LEAST, MISSING, MOST, RANKED, TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(
    (
        "which",
        "what",
        "the",
        "of",
        "has",
        "most",
        "highest",
        "than",
        "more",
        "in",
        "before",
        "after",
        "who",
    ),
    frozenset(),
)

FLIGHTS = Table.of(
    [
        {"Home Team": "New York City", "Away Team": "Athens", "boxOffice": 10, "Runtime (min)": 90,
         "director": "Sofia Coppola", "released": datetime.date(2003, 9, 12), "temp": 3.5},
        {"Home Team": "York", "Away Team": "Paris", "boxOffice": 30, "Runtime (min)": None,
         "director": "Martin Scorsese", "released": datetime.date(2004, 1, 1), "temp": -2.0},
        {"Home Team": "Athens", "Away Team": None, "boxOffice": 20, "Runtime (min)": 120,
         "director": "Greta Gerwig", "released": datetime.date(2019, 12, 25), "temp": 3.5},
    ]
)  # fmt: skip
INDEX = TableIndex.of(FLIGHTS)

WARM = Table.of({"director": ["Ann", "Bob"], "temperature": [1, 2], "city": ["Rome", "Oslo"], "year": [1, 2]})
WARM_INDEX = TableIndex.of(WARM)


def linked(question: str) -> Links:
    return link(question, INDEX, VOCABULARY)


def level(links: Links, word: str, field: str) -> int:
    return int(links.levels[links.words.index(word), FLIGHTS.field_index(field)])


def mentioned(links: Links) -> set[tuple[int, str]]:
    rows, fields = np.nonzero(links.cell_mentions)
    return {(int(m), FLIGHTS.fields[n].name) for m, n in zip(rows, fields, strict=True)}


def test_the_longest_cell_is_mentioned_and_none_inside_it() -> None:
    assert mentioned(linked("what is the box office of new york city")) == {(0, "Home Team")}


def test_a_value_is_mentioned_wherever_it_stands() -> None:
    assert mentioned(linked("ATHENS?")) == {(2, "Home Team"), (0, "Away Team")}


def test_a_surname_mentions_its_person() -> None:
    links = linked("which runtime has scorsese")
    assert mentioned(links) == {(1, "director")}
    assert links.flags[-1] & PART
    assert not links.flags[-1] & MENTION


def test_a_slip_of_the_pen_is_put_right() -> None:
    links = linked("who has scorcese directed")
    assert mentioned(links) == {(1, "director")}
    assert links.flags[2] & CORRECTED


def test_a_missing_cell_is_never_mentioned() -> None:
    assert not mentioned(linked("which has none nan missing"))


@pytest.mark.parametrize("question", ["highest box office", "highest boxoffice", "the BoxOffice"])
def test_a_header_is_named_in_any_style(question: str) -> None:
    links = linked(question)
    assert links.coverage[FLIGHTS.field_index("boxOffice")] == 1
    assert links.levels[-1, FLIGHTS.field_index("boxOffice")] == STRONG


def test_of_two_headers_with_a_common_word_the_fuller_one_is_named() -> None:
    links = linked("which away team")
    assert level(links, "team", "Away Team") == STRONG
    assert level(links, "team", "Home Team") == SHARED


def test_the_beginning_of_a_word_is_a_hint() -> None:
    assert level(linked("highest temperature"), "temperature", "temp") == WEAK


@pytest.mark.parametrize(
    ("question", "word", "field"),
    [
        ("which has the most hotness", "hotness", "temperature"),
        ("who is the filmmaker", "filmmaker", "director"),
        ("which has the most zzyzx", "zzyzx", None),  # of which nobody knows the meaning
        ("what is the sandwich", "sandwich", None),  # which is close to no field
        ("what of Filmmaker", "filmmaker", None),  # a name
        ("which has the most runtime", "most", None),  # learned
    ],
)
def test_a_word_that_was_not_learned_hints_at_the_field_that_it_means(
    question: str, word: str, field: str | None
) -> None:
    links = link(question, WARM_INDEX, dataclasses.replace(VOCABULARY, vectors=True))
    place = links.words.index(word)
    hinted = {WARM.field_names[n] for n in np.flatnonzero(links.levels[place] == WEAK)}
    assert hinted == ({field} if field else set())
    assert bool(links.flags[place] & HINTED) == bool(field)
    assert not (field and links.flags[place] & ALONE)


def test_without_word_vectors_nothing_is_hinted_by_meaning() -> None:
    links = link("who is the filmmaker", WARM_INDEX, VOCABULARY)
    assert not links.levels[links.words.index("filmmaker")].any()


def test_words_that_mean_two_fields_alike_hint_at_neither() -> None:
    table = Table.of({"home temperature": [1, 2], "away temperature": [3, 4]})
    known = dataclasses.replace(VOCABULARY, vectors=True)
    links = link("the most hotness", TableIndex.of(table), known)
    assert not links.levels[links.words.index("hotness")].any()


def test_a_word_that_nobody_knows_is_alone() -> None:
    links = linked("what is the population")
    assert links.flags[links.words.index("population")] & ALONE
    assert not links.flags[links.words.index("the")] & ALONE


def test_each_number_is_compared_with_each_number_field() -> None:
    links = linked("more than 15 box office before 2004")
    box, released = FLIGHTS.field_index("boxOffice"), FLIGHTS.field_index("released")
    assert links.relations[0, :, box].tolist() == [LESS, MORE, MORE]
    assert links.relations[1, :, released].tolist() == [LESS, EQUAL, MORE]
    assert links.quantity_fields[1, released] == FOUND
    assert not links.relations[:, :, FLIGHTS.field_index("director")].any()


def test_a_missing_cell_never_compares() -> None:
    assert linked("runtime 90").relations[0, 1, FLIGHTS.field_index("Runtime (min)")] == 0


def test_a_number_inside_a_name_is_no_quantity() -> None:
    index = TableIndex.of(Table.of([{"mission": "Apollo 11", "crew": 3}]))
    links = link("crew of apollo 11", index, VOCABULARY)
    assert links.quantities == ()
    assert links.cell_mentions[0, 0] == 1


def test_ranks_are_those_among_the_distinct_values() -> None:
    temperature, runtime = FLIGHTS.field_index("temp"), FLIGHTS.field_index("Runtime (min)")
    assert INDEX.ranks[:, temperature].tolist() == [1, 0, 1]
    assert INDEX.flags[:, temperature].tolist() == [RANKED | MOST, RANKED | LEAST, RANKED | MOST]
    assert INDEX.flags[1, runtime] == MISSING


def test_chosen_rows_are_ranked_among_themselves() -> None:
    few = INDEX.select(np.array([0, 2]))
    assert few.ranks[:, FLIGHTS.field_index("boxOffice")].tolist() == [0, 1]
    assert link("athens", few, VOCABULARY).cell_mentions[:, :2].tolist() == [[0, 1], [1, 0]]


def test_a_question_without_words_links_to_nothing() -> None:
    links = linked("?!")
    assert links.words == ()
    assert links.levels.shape == (0, len(FLIGHTS.fields) + 1)  # the order of rows is one more


def test_the_order_of_rows_is_a_field_that_no_number_speaks_of() -> None:
    assert INDEX.ranks[:, -1].tolist() == [0, 0.5, 1]
    assert (INDEX.flags[:, -1] & MISSING).all()
    assert not linked("more than 1 or 2").relations[:, :, -1].any()


def test_stop_words_mention_a_cell_only_in_capitals() -> None:
    index = TableIndex.of(Table.of([{"state": "IN", "x": 1}, {"state": "OR", "x": 2}]))
    assert link("what is the x in IN", index, VOCABULARY).cell_mentions[:, 0].tolist() == [1, 0]
    assert link("what is the x in or", index, VOCABULARY).cell_mentions[:, 0].tolist() == [0, 0]


def test_thousands_separators_do_not_matter_in_text() -> None:
    index = TableIndex.of(
        Table.of([{"venue": "Arena 12591", "seats": "8,600"}, {"venue": "Hall", "seats": "few"}])
    )
    links = link("games in the Arena 12,591 with 8600 seats", index, VOCABULARY)
    assert links.cell_mentions[0, 0] > 0
    assert links.cell_mentions[0, 1] > 0
    assert not links.flags[links.words.index("12591")] & CORRECTED


def test_a_list_of_days_is_no_number_with_separators() -> None:
    index = TableIndex.of(Table.of([{"date": "3 , 4 , 5 June 1993", "x": 1}]))
    assert link("what was played on 3,4,5 June 1993", index, VOCABULARY).cell_mentions[0, 0] == 1


@pytest.mark.parametrize(
    ("question", "equal"),
    [("8.44 million viewers", 0), ("14.5 m", 1), ("over 8,450,000", 2), ("two million", 3)],
)
def test_a_number_counts_as_its_field_does(question: str, equal: int) -> None:
    values = {"viewers (millions)": 8.44, "length": 14.5, "exact": 8_450_000, "people": 2_000_000}
    others = {"viewers (millions)": 30, "length": 12, "exact": 10_000_000, "people": 1_000_000}
    index = TableIndex.of(Table.of([values, others]))
    assert np.argwhere(link(question, index, VOCABULARY).relations[0, 0] == EQUAL).tolist() == [[equal]]


@pytest.mark.parametrize(
    ("question", "mentioned"),
    [
        ("which x has a wing of no, and a y", [1, 0]),
        ('which x has a wing of "a"', [0, 1]),
        ("which x has no wing", [1, 0]),  # no wing at all
        ("is there a wing?", [0, 0]),
    ],
)
def test_a_word_that_ends_no_phrase_is_a_value_before_a_comma(question: str, mentioned: list[int]) -> None:
    index = TableIndex.of(Table.of([{"wing": "no", "x": 1}, {"wing": "A", "x": 2}]))
    assert (link(question, index, VOCABULARY).cell_mentions[:, 0] > 0).tolist() == [
        bool(m) for m in mentioned
    ]


def test_a_word_that_people_use_is_not_misspelled() -> None:
    index = TableIndex.of(Table.of([{"governor": "Howard", "stage": 1}, {"governor": "Marsh", "stage": 2}]))
    links = link("who leans toward a stake, howerd", index, Vocabulary((), frozenset()))
    assert links.words == ("who", "leans", "toward", "a", "stake", "howard")
