"""Real questions as tensors: all that is learned from is the text of the answer.

All cells that hold it share the credit. Real tables differ in size; so that little is padding, examples lie
on shelves, each on the smallest that holds it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import Cell, Padded, Sizes
from neural_enquirer.encoding.text import header_words, phrase_of, words_of
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.real_questions import RealExample
from neural_enquirer.tables import Table
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.shelves import LARGE, MIDDLE, SMALL, join_shelves, put_on_shelves

REAL_TYPES = ("wikisql", "wiki_table_questions")
"""What accuracies are reported for: the two sets of questions."""

SHELVES = (SMALL, MIDDLE, LARGE)
"""The sizes of padded examples, the smallest first; those that fit no shelf are left out."""

BLOCK = 500
"""Examples that are encoded by one process at a time."""


@dataclass(frozen=True)
class Credit:
    """Which questions are learned from.

    Attributes:
        none: whether questions whose answer is in no cell are kept, to be refused.
        most_cells: the most cells that may hold an answer; where it is in more, it is likely there by chance.
    """

    none: bool = False
    most_cells: int | None = None

    def allows(self, example: RealExample) -> bool:
        """Whether an example can be learned from."""
        if example.cells is None:
            return self.none
        return self.most_cells is None or len(example.cells) <= self.most_cells


def real_words(asked: Iterable[tuple[Sequence[Table], str]], least: int = 4) -> frozenset[str]:
    """Returns the words that questions and headers have at least so often, for a vocabulary to learn.

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


def joined_vocabulary(vocabulary: Vocabulary, words: Iterable[str]) -> Vocabulary:
    """Returns a vocabulary with further words behind its own, whose codes do not change."""
    new = sorted(set(words) - vocabulary.codes.keys())
    return replace(vocabulary, words=(*vocabulary.words, *new))


def encode_real(
    examples: Sequence[RealExample],
    vocabulary: Vocabulary,
    sizes: Sizes | None = None,
    *,
    credit: Credit | None = None,
    first_type: int = 0,
) -> OpenBatch:
    """Encodes examples to one size.

    Args:
        examples: the questions.
        vocabulary: the model's.
        sizes: of the padded tensors; what does not fit is left out. The least that hold all, if None.
        credit: which questions are learned from; those whose answer is in a cell, if None.
        first_type: what is added to the places in `REAL_TYPES`, where other types come before them.
    """
    learned = [example for example in examples if (credit or Credit()).allows(example)]
    blocks = [learned[i : i + BLOCK] for i in range(0, len(learned), BLOCK)]
    if sizes is None:
        sizes = reduce(Sizes.joined, map_on_all_cores(partial(_sizes, vocabulary), blocks or [[]]))
    return _encode(blocks, vocabulary, (sizes,), first_type)[0]


def encode_shelves(
    examples: Sequence[RealExample],
    vocabulary: Vocabulary,
    shelves: Sequence[Sizes] = SHELVES,
    *,
    credit: Credit | None = None,
    first_type: int = 0,
) -> list[OpenBatch]:
    """Encodes examples, each on the first shelf that holds it; empty shelves are left out.

    Arguments are as those of `encode_real`.
    """
    learned = [example for example in examples if (credit or Credit()).allows(example)]
    blocks = [learned[i : i + BLOCK] for i in range(0, len(learned), BLOCK)]
    return [shelf for shelf in _encode(blocks, vocabulary, shelves, first_type) if len(shelf)]


def _encode(
    blocks: Sequence[Sequence[RealExample]],
    vocabulary: Vocabulary,
    shelves: Sequence[Sizes],
    first_type: int,
) -> list[OpenBatch]:
    encode = partial(_shelved, vocabulary, tuple(shelves), first_type)
    return join_shelves(list(map_on_all_cores(encode, blocks or [[]])))


def _shelved(
    vocabulary: Vocabulary, shelves: Sequence[Sizes], first_type: int, examples: Sequence[RealExample]
) -> list[Padded]:
    """Links and pads a block of examples, for each shelf those that lie on it."""

    def type_of(example: RealExample) -> int:
        return first_type + (0 if example.query is not None else 1)

    return put_on_shelves(examples, _prepared(vocabulary, examples), shelves, _cells, type_of)


def _cells(example: RealExample) -> list[Cell]:
    return [(0, row, field) for row, field in example.cells or ()]


def _prepared(vocabulary: Vocabulary, examples: Sequence[RealExample]) -> list[OpenQuestion]:
    return prepare_all([((example.table,), example.question) for example in examples], vocabulary)


def _sizes(vocabulary: Vocabulary, examples: Sequence[RealExample]) -> Sizes:
    return Sizes.of(_prepared(vocabulary, examples))


def _cell_words(table: Table) -> frozenset[str]:
    cells = ((m, n) for n, column in enumerate(table.columns) for m in range(len(column)))
    return frozenset(word for m, n in cells for word in phrase_of(table.text(m, n)).split())


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)
