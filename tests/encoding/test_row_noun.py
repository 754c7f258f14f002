"""What rows are called by the title of their table."""

import pytest

from neural_enquirer.encoding.linking import STRONG, link
from neural_enquirer.encoding.row_noun import row_noun_of
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables import Table

FILMS = {
    "director": ["Nolan", "Nolan", "Scott"],
    "title": ["Tenet", "Memento", "Alien"],
    "oscars": [1, 0, 1],
}


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("films.tsv", "films"),
        ("my_films", "films"),
        ("Films 2020.csv", "films"),
        ("data.csv", None),
        ("f1", None),
    ],
)
def test_titles_say_what_rows_are(name: str, word: str | None) -> None:
    noun = row_noun_of(Table.of(FILMS, name=name))
    assert (noun and noun.word) == word
    assert noun is None or noun.field == 1  # the directors are not all different


def test_rows_that_no_text_tells_apart_have_no_noun() -> None:
    assert row_noun_of(Table.of({"director": ["Nolan", "Nolan"], "oscars": [1, 2]}, name="films")) is None


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("how many films did Nolan make", [2]),
        ("which movies have oscars", [1]),  # WordNet says that they mean the same
        ("how many oscars did Nolan get", []),
        ("how many plays did Nolan make", []),
    ],
)
def test_words_for_rows_name_the_field_that_tells_them_apart(question: str, named: list[int]) -> None:
    index = TableIndex.of(Table.of(FILMS, name="films"))
    levels = link(question, index, Vocabulary((), frozenset())).levels
    assert [i for i, level in enumerate(levels[:, 1].tolist()) if level == STRONG] == named
