"""The words that the open model learns vectors of: those of phrases and headers, and of real questions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from neural_enquirer.encoding.text import header_words, phrase_of, words_of
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.open.vocabulary import join_words, phrase_words
from neural_enquirer.synthesis.programs import phrase_words as program_words
from neural_enquirer.tables import Table


def open_vocabulary() -> Vocabulary:
    """Returns the words of phrases and known headers, and those that lead from table to table.

    Words of values are never among them.
    """
    return Vocabulary(tuple(sorted({*phrase_words(), *program_words(), *join_words()})), frozenset())


def joined_vocabulary(vocabulary: Vocabulary, words: Iterable[str]) -> Vocabulary:
    """Returns a vocabulary with further words behind its own, whose codes do not change."""
    new = sorted(set(words) - vocabulary.codes.keys())
    return replace(vocabulary, words=(*vocabulary.words, *new))


def real_words(asked: Iterable[tuple[Sequence[Table], str]], least: int = 4) -> frozenset[str]:
    """Returns the words that questions and headers have at least so often.

    A word that also stands in a cell of the table does not count there: it may be a part of a name, and names
    are to be found in tables, not to be known.
    """
    counts: Counter[str] = Counter()
    cell_words: dict[int, frozenset[str]] = {}
    for tables, question in asked:
        for table in tables:
            if id(table) not in cell_words:
                cell_words[id(table)] = _cell_words(table)
                counts.update(
                    {word for field in table.fields for part in header_words(field.name) for word in part}
                )
        counts.update(set(words_of(question)).difference(*(cell_words[id(table)] for table in tables)))
    return frozenset(word for word, count in counts.items() if count >= least and not _has_digit(word))


def _cell_words(table: Table) -> frozenset[str]:
    cells = ((m, n) for n, column in enumerate(table.columns) for m in range(len(column)))
    return frozenset(word for m, n in cells for word in phrase_of(table.text(m, n)).split())


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)
