"""Wordings: how much two questions are alike as they are worded, whatever table they are about.

Each word points somewhere, the further the more it says; a question points where its words do together. That
was learned from questions in several wordings (`learning/wordings.py`).
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from safetensors.numpy import save

from neural_enquirer.encoding.text import stem
from neural_enquirer.encoding.word_vectors import SIZE, row_of, word_vector

FOLDER: Final = Path(__file__).parents[1] / "data" / "learning"
WORDINGS: Final = "wordings.safetensors"

Array = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Wordings:
    """Where words point.

    Attributes:
        stems: of the common words.
        meaning: turns what a word means into where it points.
        weights: how much the meaning of words says: of all other words, and of each common one.
        own: where these point beside their meaning.
    """

    stems: Sequence[str]
    meaning: Array
    weights: Array
    own: Array

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of each common stem; that of all others is the first."""
        return {one: place for place, one in enumerate(self.stems, start=1)}

    def direction(self, words: Sequence[str]) -> Array:
        """Where folded words point together; of length one."""
        rows = [self.places.get(stem(word), 0) for word in words]
        means = np.array([meaning_of(word) for word in words], np.float32).reshape(-1, SIZE)
        found = ((means @ self.meaning) * self.weights[rows, None] + self.own[rows]).sum(axis=0)
        return np.asarray(found / max(float(np.linalg.norm(found)), 1e-6), np.float32)

    def save(self, folder: Path) -> None:
        """Writes it into a folder, where common words point by a byte for each number."""
        step = np.abs(self.own).max(keepdims=True)[0] / 127
        tensors = {
            "meaning": self.meaning,
            "weights": self.weights,
            "step": step,
            "own": np.rint(self.own / step).astype(np.int8),
        }
        (folder / WORDINGS).write_bytes(save(tensors, {"stems": " ".join(self.stems)}))


@lru_cache(maxsize=1)
def load_wordings(folder: Path = FOLDER) -> Wordings:
    """Reads what comes with the package, or was written into another folder."""
    with safe_open(folder / WORDINGS, framework="numpy") as file:
        own = file.get_tensor("own") * file.get_tensor("step")
        stems = file.metadata()["stems"].split()
        return Wordings(stems, file.get_tensor("meaning"), file.get_tensor("weights"), own)


@lru_cache(maxsize=65536)
def meaning_of(word: str) -> Array:
    """The vector of a folded word; one of its own, by chance, where nothing is known of it."""
    if row_of(word):
        return word_vector(word)
    drawn = np.random.default_rng(zlib.crc32(stem(word).encode("utf-8"))).normal(size=SIZE)
    return np.asarray(drawn / np.linalg.norm(drawn), np.float32)
