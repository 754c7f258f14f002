"""What the rows of a table are called by its title: films in films.tsv, which have a Title each.

A question that counts the films of somebody names no field by that word, and means none of those that may be
added up. It is linked to the field that tells the rows apart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from neural_enquirer.encoding.text import fold, stem
from neural_enquirer.encoding.word_vectors import are_same, is_word
from neural_enquirer.tables import FieldType, Table

_SHORTEST: Final = 3
SAYS_NOTHING: Final = frozenset(["data", "dataset", "export", "file", "list", "sheet", "stdin", "table"])
"""Last words of titles that say nothing of the rows."""


@dataclass(frozen=True)
class RowNoun:
    """What a row is called.

    Attributes:
        word: the last word of the title, folded.
        field: the number of the field that tells rows apart.
    """

    word: str
    field: int

    def places(self, words: Sequence[str]) -> list[int]:
        """Where a question speaks of rows."""
        return [i for i, word in enumerate(words) if is_noun(word, self.word)]


def row_noun_of(table: Table) -> RowNoun | None:
    """What the rows of a table are called; None if its title does not say, or no field tells them apart."""
    noun = noun_in_title(table)
    fields = range(len(table.fields)) if noun is not None else ()
    field = next((n for n in fields if _tells_apart(table, n)), None)
    return None if noun is None or field is None else RowNoun(noun, field)


def noun_in_title(table: Table) -> str | None:
    """The last word of a table's title, folded, which is what its rows are; None where it says nothing."""
    words = re.findall(r"[^\W\d_]+", fold(PurePath(table.name).stem))
    says = words and len(words[-1]) >= _SHORTEST and words[-1] not in SAYS_NOTHING and is_word(words[-1])
    return words[-1] if says else None


def is_noun(word: str, noun: str) -> bool:
    """Whether a folded word is what rows are called, or means the same."""
    return stem(word) == stem(noun) or are_same(noun, word)


def _tells_apart(table: Table, n: int) -> bool:
    """Whether a field has another text in each row."""
    return table.fields[n].type is FieldType.TEXT and len(set(table.columns[n])) == table.row_count > 1
