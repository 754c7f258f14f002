import json
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer.encoding.words import (
    PADDING,
    UNKNOWN,
    Vocabulary,
    build_vocabulary,
    entity_vectors,
    split_words,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How long was it?", ["how", "long", "was", "it"]),
        ("more than 3,500 people, I think", ["more", "than", "3,500", "people", ",", "i", "think"]),
        ("a GDP of 1.5", ["a", "gdp", "of", "1.5"]),
        ("in 1996, 2000 and 2004.", ["in", "1996", ",", "2000", "and", "2004"]),
        (
            "where #_medals > 3, argmax(host_city, GDP)",
            ["where", "#_medals", ">", "3", ",", "argmax", "(", "host_city", ",", "gdp", ")"],
        ),
        ("São Tomé", ["são", "tomé"]),
        ("?!", []),
    ],
)
def test_split_words(text: str, words: list[str]) -> None:
    assert split_words(text) == words


VOCABULARY = Vocabulary(("how", "long", "athens"), frozenset({"athens"}))


class TestVocabulary:
    def test_codes_follow_padding_and_the_unknown(self) -> None:
        assert (PADDING, UNKNOWN) == (0, 1)
        assert VOCABULARY.encode(["athens", "how", "wide", "long"]) == [4, 2, UNKNOWN, 3]
        assert len(VOCABULARY) == 5

    def test_round_trip(self, tmp_path: Path) -> None:
        VOCABULARY.save(tmp_path / "vocabulary.json")
        loaded = Vocabulary.load(tmp_path / "vocabulary.json")
        assert loaded == VOCABULARY
        assert loaded.codes == VOCABULARY.codes
        assert json.loads((tmp_path / "vocabulary.json").read_text())["entities"] == ["athens"]

    def test_extended_by_entities_keeps_its_codes(self) -> None:
        extended = VOCABULARY.extended(["Rio", "Athens", "Lima"])
        assert extended.words == ("how", "long", "athens", "lima", "rio")
        assert extended.entities == {"athens", "lima", "rio"}

    def test_built_from_texts_and_values_has_its_entities_last(self) -> None:
        vocabulary = build_vocabulary(["In Athens?", "How long"], ["3,500", "Athens"], ["Athens", "Rome"])
        assert vocabulary.words == ("3,500", "how", "in", "long", "athens")
        assert vocabulary.entities == {"athens"}


class TestEntityVectors:
    def test_are_the_same_on_every_machine(self) -> None:
        """Shipped models count on these numbers."""
        expected = [[-1.2906579, 0.49115786, 0.6215441], [-1.8284174, -0.36767092, -1.0856106]]
        np.testing.assert_allclose(entity_vectors(["athens", "rio"], 3), expected, rtol=1e-6)

    def test_depend_on_nothing_but_the_word(self) -> None:
        together = entity_vectors(["lima", "rio", "athens"], 20)
        assert np.array_equal(together[1], entity_vectors(["rio"], 20)[0])
        assert len({tuple(vector) for vector in together.tolist()}) == 3

    def test_are_normally_distributed(self) -> None:
        vectors = entity_vectors([f"word{i}" for i in range(500)], 20)
        assert abs(vectors.mean()) < 0.03
        assert abs(vectors.std() - 1) < 0.03
