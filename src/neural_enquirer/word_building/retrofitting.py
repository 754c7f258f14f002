"""Retrofitting: vectors of words that WordNet relates are drawn together (Faruqui et al., 2015)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.word_vectors import bases_of
from neural_enquirer.word_building.relations import SYNONYM, Relation

Vectors = npt.NDArray[np.float32]

FORM: Final = "form"
"""How a word is related to its base form."""
WEIGHTS: Final = {
    SYNONYM: 1.0,
    "similar": 0.5,
    "attribute": 1.5,
    "derived": 1.0,
    "pertains": 1.0,
    "kind": 0.3,
    FORM: 1.0,
}
"""How strongly each relation draws, in the commonest senses; in rarer ones less."""
_LEAST_WEIGHT: Final = 0.02
_COMMON: Final = 3
"""Directions that all words share: they say how frequent a word is, not what it means."""
_FREQUENT: Final = 20_000
_MOST: Final = 3.0
"""What the relations of a word count at most, all together, beside its own vector, which counts one."""
_ROUNDS: Final = 10


def without_common(vectors: Vectors) -> Vectors:
    """Takes away what all vectors have in common, and makes each of length one; frequent words come first."""
    centred = vectors - vectors[:_FREQUENT].mean(axis=0)
    _, _, directions = np.linalg.svd(centred[:_FREQUENT], full_matrices=False)
    common = directions[:_COMMON]
    return unit(centred - centred @ common.T @ common)


def unit(vectors: npt.NDArray[np.floating]) -> Vectors:
    """Makes each vector of length one."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


def forms(words: Iterable[str], known: Mapping[str, int]) -> Iterable[Relation]:
    """Each word with its base forms."""
    for word in words:
        for base in dict.fromkeys(bases_of(word)):
            if base in known:
                yield Relation(word, base, FORM, 1)


def retrofit(vectors: Vectors, words: Sequence[str], related: Iterable[Relation]) -> Vectors:
    """Draws related words together; those that are related to nothing stay where they are."""
    ones, others, weights = _links({word: row for row, word in enumerate(words)}, related)
    starts = np.flatnonzero(np.r_[True, ones[1:] != ones[:-1]])
    rows = ones[starts]
    total = np.add.reduceat(weights, starts)
    weights *= np.repeat(np.minimum(total, _MOST) / total, np.diff(np.r_[starts, len(ones)]))
    own = 1 + np.minimum(total, _MOST)[:, None]
    drawn = vectors.copy()
    for _ in range(_ROUNDS):
        drawn[rows] = (vectors[rows] + np.add.reduceat(drawn[others] * weights[:, None], starts)) / own
    return drawn


def _links(
    rows: Mapping[str, int], related: Iterable[Relation]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.float32]]:
    """Both ends and the weight of each link in either direction, in the order of the first end."""
    rarest: dict[tuple[int, int, str], int] = {}
    for one, other, kind, rarity in related:
        if one in rows and other in rows:
            key = min(rows[one], rows[other]), max(rows[one], rows[other]), kind
            rarest[key] = min(rarity, rarest.get(key, rarity))
    found = [(one, other, WEIGHTS[kind] / rarity) for (one, other, kind), rarity in rarest.items()]
    kept = [link for link in found if link[2] > _LEAST_WEIGHT]
    both = sorted([*kept, *((other, one, weight) for one, other, weight in kept)])
    ones, others, weights = zip(*both, strict=True)
    return np.array(ones), np.array(others), np.array(weights, np.float32)
