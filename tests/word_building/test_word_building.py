"""Building word vectors: WordNet's files, its relations, retrofitting, and which words are kept."""

import numpy as np

from neural_enquirer.word_building import building
from neural_enquirer.word_building.relations import Relation, relations
from neural_enquirer.word_building.retrofitting import retrofit
from neural_enquirer.word_building.wordnet import WordNet

LICENCE = "  1 This software is licensed\n"
FILES = {
    "data.noun": LICENCE + "00000001 07 n 01 weight 0 001 = 00000003 a 0000 | how heavy\n"
    "00000002 18 n 02 author 0 writer 0 001 + 00000006 v 0201 | who writes\n",
    "data.adj": LICENCE + "00000003 00 a 01 heavy 0 002 = 00000001 n 0000 & 00000004 a 0000 | of weight\n"
    "00000004 00 s 02 hefty 0 massive(a) 0 001 & 00000003 a 0000 | heavy\n",
    "data.verb": LICENCE + "00000006 36 v 01 write 0 001 + 00000002 n 0102 01 + 01 00 | make a text\n",
    "data.adv": LICENCE,
    "index.noun": LICENCE + "weight n 1 1 = 1 0 00000001\nauthor n 1 0 1 0 00000002\n"
    "writer n 1 1 + 1 0 00000002\n",
    "index.adj": LICENCE + "heavy a 1 2 = & 1 0 00000003\nhefty a 1 1 & 1 0 00000004\n"
    "massive a 1 1 & 1 0 00000004\n",
    "index.verb": LICENCE + "write v 1 1 + 1 0 00000006\n",
    "index.adv": LICENCE,
}


def test_relations_are_those_of_words_and_of_what_is_like_them() -> None:
    found = {(one, other, kind) for one, other, kind, _ in relations(WordNet.read(FILES))}
    assert ("heavy", "weight", "attribute") in found
    assert ("hefty", "weight", "attribute") in found
    assert ("hefty", "massive", "synonym") in found
    assert ("write", "writer", "derived") in found
    assert ("write", "author", "derived") not in found  # but they are synonyms of each other
    assert ("author", "writer", "synonym") in found


def test_retrofitting_draws_related_words_together_and_leaves_others() -> None:
    words = ["heavy", "weight", "price"]
    before = np.eye(3, dtype=np.float32)
    after = retrofit(before, words, [Relation("heavy", "weight", "attribute", 1)])
    assert after[0] @ after[1] > 0.4
    assert after[0, 0] > after[0, 1] > 0
    assert np.array_equal(after[2], before[2])


def test_words_of_headers_and_their_like_are_kept_before_rare_names() -> None:
    words = ["the", "smith", "hefty", "weight", "jones"]
    related = [Relation("hefty", "weight", "attribute", 1)]
    assert building.choose(words, related, ["weight"], frequent=1, most=3) == ["the", "hefty", "weight"]


def test_compact_vectors_keep_their_directions() -> None:
    vectors = np.random.default_rng(0).standard_normal((300, 40)).astype(np.float32)
    vectors = np.pad(vectors, ((0, 0), (0, 60)))
    stored = building.compact(vectors).astype(np.float32)
    products, kept = vectors @ vectors.T, stored @ stored.T
    lengths = np.sqrt(np.outer(np.diag(products), np.diag(products)))
    assert stored.dtype == np.float32
    assert np.abs(products / lengths - kept / np.sqrt(np.outer(np.diag(kept), np.diag(kept)))).max() < 0.02
