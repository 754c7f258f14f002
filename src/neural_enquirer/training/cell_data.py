"""Questions with the cells that answer them as tensors: drawn ones, and real ones whose answers are in cells.

Blocks are drawn, linked and padded by all cores at once. Examples of like size lie together on a shelf, each
on the smallest that holds it, so that little of a batch is padding. Of a real question only the text of the
answer is learned from: all cells that hold it share the credit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from neural_enquirer.encoding.open import prepare_all
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import Cell, Padded, Sizes, TableSizes, collate, pad
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.real_questions import RealExample
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, Example
from neural_enquirer.synthesis.open import sampler
from neural_enquirer.synthesis.open.join_sampler import JOIN_TYPES, TWO_TABLES
from neural_enquirer.synthesis.open.sampler import ONE_TABLE, OpenTask
from neural_enquirer.tables import Table
from neural_enquirer.training.all_cores import map_on_all_cores

Encoded = TypeVar("Encoded", OpenBatch, ProgramBatch)

ONE_TABLE_TYPES = (
    *PROGRAM_TYPES,
    *(f"{name}, natural" for name in PROGRAM_TYPES),
    "either",
    "order",
    "absent",
    "unsupported",
)
"""The four types in literal and in natural wording; choices between two named things; places in the table;
refusals."""
TWO_TABLE_TYPES = tuple(
    f"{name}{wording} (two tables)" for wording in ("", ", natural") for name in JOIN_TYPES
)
"""The same on two tables, in either wording."""
OPEN_TYPES = (*ONE_TABLE_TYPES, *TWO_TABLE_TYPES)
"""What accuracies are reported for …"""
REAL_TYPES = ("wikisql", "wiki_table_questions")
"""… and of real questions: the two sets."""

# The order of rows counts as a field (see `table_index`).
SMALL = Sizes(tokens=24, mentions=4, quantities=2, tables=(TableSizes(rows=14, fields=10, headers=4),))
MIDDLE = Sizes(tokens=40, mentions=8, quantities=4, tables=(TableSizes(rows=24, fields=13, headers=7),))
LARGE = Sizes(tokens=40, mentions=8, quantities=6, tables=(TableSizes(rows=48, fields=25, headers=12),))
PAIR = Sizes(tokens=36, mentions=6, quantities=3, tables=2 * (TableSizes(rows=12, fields=9, headers=5),))
SHELVES = (SMALL, MIDDLE)
"""The sizes of drawn questions on one table; the few that fit none are left out."""
REAL_SHELVES = (SMALL, MIDDLE, LARGE)
"""Those of real questions, which differ more."""
BLOCK = 500
"""Real questions that are encoded by one process at a time."""


@dataclass(frozen=True)
class _Answered:
    """A question to encode, with the cells that answer it and the place of its type."""

    tables: tuple[Table, ...]
    question: str
    cells: Sequence[Cell]
    type: int

    @classmethod
    def drawn(cls, example: Example) -> "_Answered":
        return cls(example.tables, example.question, example.cells, type_of(example))

    @classmethod
    def real(cls, example: RealExample, first_type: int) -> "_Answered":
        cells = [(0, row, field) for row, field in example.cells or ()]
        kind = "wikisql" if example.query is not None else "wiki_table_questions"
        return cls((example.table,), example.question, cells, first_type + REAL_TYPES.index(kind))


def type_of(example: Example) -> int:
    """Returns the place of an example in `OPEN_TYPES`."""
    natural = ", natural" if example.wording == "natural" else ""
    if len(example.tables) == 2:
        return OPEN_TYPES.index(f"{example.type}{natural} (two tables)")
    return OPEN_TYPES.index(f"{example.type}{natural}" if example.type in PROGRAM_TYPES else example.type)


def encode_examples(examples: Sequence[Example], vocabulary: Vocabulary) -> OpenBatch:
    """Encodes examples, all with as many tables, padded to the largest of them."""
    questions = prepare_all([(example.tables, example.question) for example in examples], vocabulary)
    cells, types = [example.cells for example in examples], [type_of(example) for example in examples]
    return collate(questions, None, cells, types)


def draw_encoded(
    split: str, seed: int, count: int, vocabulary: Vocabulary, shelves: Sequence[Sizes] = SHELVES
) -> list[OpenBatch]:
    """Draws so many questions of a split on one table, and encodes those that a shelf holds."""
    return _draw(ONE_TABLE, split, seed, count, vocabulary, shelves)


def draw_encoded_pairs(split: str, seed: int, count: int, vocabulary: Vocabulary) -> list[OpenBatch]:
    """The same with questions on two tables."""
    return _draw(TWO_TABLES, split, seed, count, vocabulary, (PAIR,))


def _draw(
    task: OpenTask[Any],
    split: str,
    seed: int,
    count: int,
    vocabulary: Vocabulary,
    shelves: Sequence[Sizes],
) -> list[OpenBatch]:
    starts = enumerate(range(0, count, sampler.BLOCK))
    wanted = [(block, min(sampler.BLOCK, count - start)) for block, start in starts]
    encode = partial(_draw_block, task, split, seed, vocabulary, tuple(shelves))
    return _joined(list(map_on_all_cores(encode, wanted, chunksize=4)))


def _draw_block(
    task: OpenTask[Any],
    split: str,
    seed: int,
    vocabulary: Vocabulary,
    shelves: Sequence[Sizes],
    block: tuple[int, int],
) -> list[Padded]:
    """Encodes the first so many questions of a block, given its number."""
    number, count = block
    examples = task.block(split, seed, number)[:count]
    return _on_shelves(list(map(_Answered.drawn, examples)), vocabulary, shelves)


def encode_real(
    examples: Sequence[RealExample], vocabulary: Vocabulary, first_type: int = 0
) -> list[OpenBatch]:
    """Encodes the real questions whose answer is in cells; empty shelves are left out.

    Args:
        examples: the questions.
        vocabulary: the model's.
        first_type: what is added to the places in `REAL_TYPES`, where other types come before them.
    """
    learned = [_Answered.real(example, first_type) for example in examples if example.cells is not None]
    jobs = [learned[i : i + BLOCK] for i in range(0, len(learned), BLOCK)]
    encode = partial(_on_shelves, vocabulary=vocabulary, shelves=REAL_SHELVES)
    return [shelf for shelf in _joined(list(map_on_all_cores(encode, jobs or [[]]))) if len(shelf)]


def _on_shelves(
    examples: Sequence[_Answered], vocabulary: Vocabulary, shelves: Sequence[Sizes]
) -> list[Padded]:
    """Links and pads examples, each to the sizes of the first shelf that holds it; others are left out."""
    questions = prepare_all([(example.tables, example.question) for example in examples], vocabulary)
    places = [next((i for i, own in enumerate(shelves) if own.hold(asked)), None) for asked in questions]
    padded = []
    for shelf, sizes in enumerate(shelves):
        chosen = [i for i, place in enumerate(places) if place == shelf]
        cells, types = [examples[i].cells for i in chosen], [examples[i].type for i in chosen]
        padded.append(pad([questions[i] for i in chosen], sizes, cells, types))
    return padded


def _joined(parts: Sequence[Sequence[Padded]]) -> list[OpenBatch]:
    """Puts blocks of examples together, shelf by shelf."""
    return [Padded.joined(shelf).batch() for shelf in zip(*parts, strict=True)]


def stacked(batches: Sequence[Encoded]) -> list[Encoded]:
    """Puts batches that are padded to the same sizes together, in the order in which the sizes come."""
    shelves: dict[tuple[tuple[int, ...], ...], list[Encoded]] = {}
    for batch in batches:
        shelves.setdefault(batch.sizes_of_one, []).append(batch)
    return [shelf[0].joined(shelf[1:]) for shelf in shelves.values()]
