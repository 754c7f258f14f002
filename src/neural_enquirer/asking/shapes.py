"""What the texts of a field look like: their words, of letters or digits, and those that most texts have."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.tables import Value

_MOST: Final = 0.5
"""A word that this share of all texts has is a part of their shape: Customer 4711."""


@dataclass(frozen=True)
class Shapes:
    """The shapes of some texts of a field.

    Attributes:
        common: words that most of the texts have.
        known: for each shape what its words are: common ones themselves, others the kind of their letters.
    """

    common: frozenset[str]
    known: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, cells: Sequence[Value | None]) -> "Shapes":
        """The shapes of the cells of a field."""
        texts = {str(cell).casefold() for cell in cells if cell is not None}
        counts = Counter(word for text in texts for word in set(text.split()))
        common = frozenset(word for word, count in counts.items() if count > max(1, _MOST * len(texts)))
        return cls(common, frozenset(_shape(text, common) for text in texts))

    def fit(self, text: str) -> bool:
        """Whether a text looks like the others."""
        return _shape(text.casefold(), self.common) in self.known


def _shape(text: str, common: frozenset[str]) -> tuple[str, ...]:
    return tuple(word if word in common else _kind(word) for word in text.split())


def _kind(word: str) -> str:
    """Whether a word has letters, digits, or both; no common word is spelled so."""
    return f"{any(map(str.isalpha, word))} {any(map(str.isdigit, word))}"
