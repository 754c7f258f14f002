"""Word vectors: the shipped file, and words that are not in it."""

import numpy as np
import pytest

from benchmarks.word_pairs import read_pairs, score
from neural_enquirer.encoding.open import BUCKETS, vector_rows, word_code
from neural_enquirer.encoding.word_vectors import bases_of, count, row_of, vectors, word_vector
from neural_enquirer.encoding.words import Vocabulary


def closeness(one: str, other: str) -> float:
    return float(word_vector(one) @ word_vector(other))


def test_vectors_have_length_one_but_for_that_of_no_word() -> None:
    lengths = np.linalg.norm(vectors(range(count())), axis=1)
    assert lengths[0] == 0
    assert lengths[1:] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("word", "header", "others"),
    [
        ("hefty", "weight", ("price", "year", "name", "height", "city")),
        ("wrote", "author", ("title", "year", "pages", "city", "genre")),
        ("coldest", "temperature", ("wind", "city", "date", "pressure")),
        ("earns", "salary", ("age", "department", "name", "city")),
    ],
)
def test_a_word_is_closest_to_the_header_that_it_speaks_of(
    word: str, header: str, others: tuple[str, ...]
) -> None:
    assert closeness(word, header) > max(closeness(word, other) for other in others)


def test_most_words_that_training_never_met_are_closest_to_the_right_header() -> None:
    pairs = read_pairs()
    assert len(pairs) >= 300
    assert score(pairs)[0] > 0.85


def test_a_word_without_a_vector_has_that_of_its_base_form() -> None:
    assert row_of("scrawnierly") == 0
    assert list(bases_of("bigger")) == ["bigg", "bigge", "big"]
    assert "heavy" in bases_of("heaviest")
    assert row_of("teeniest") == row_of("teeny") > 0


def test_words_outside_of_the_vocabulary_are_coded_by_their_vector_if_they_have_one() -> None:
    plain = Vocabulary(("city", "of"), frozenset())
    known = Vocabulary(("city", "of"), frozenset(), vectors=True)
    rows = vector_rows(known)
    assert word_code("city", known) == word_code("city", plain) == 2
    assert rows[word_code("city", known)] == row_of("city")
    assert rows[word_code("hefty", known)] == row_of("hefty") > 0
    assert word_code("hefty", known) >= len(known) + BUCKETS
    assert len(plain) <= word_code("hefty", plain) < len(plain) + BUCKETS
    assert word_code("zzxq", known) == word_code("zzxq", plain)
    assert rows[word_code("zzxq", known)] == 0
    assert len(rows) == len(known) + BUCKETS + count() - 1
