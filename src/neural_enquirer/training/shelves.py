"""Shelves: examples of like size lie together, so that little of a batch is padding."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from neural_enquirer.encoding.open import OpenQuestion
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import Cell, Padded, Sizes, TableSizes, pad
from neural_enquirer.encoding.program_batch import ProgramBatch

# The order of rows counts as a field (see `table_index`).
SMALL = Sizes(tokens=24, mentions=4, quantities=2, tables=(TableSizes(rows=14, fields=10, headers=4),))
MIDDLE = Sizes(tokens=40, mentions=8, quantities=4, tables=(TableSizes(rows=24, fields=13, headers=7),))
LARGE = Sizes(tokens=40, mentions=8, quantities=6, tables=(TableSizes(rows=48, fields=25, headers=12),))
PAIR = Sizes(tokens=36, mentions=6, quantities=3, tables=2 * (TableSizes(rows=12, fields=9, headers=5),))

Example = TypeVar("Example")
Encoded = TypeVar("Encoded", OpenBatch, ProgramBatch)


def shelf_of(question: OpenQuestion, shelves: Sequence[Sizes]) -> int | None:
    """Returns the first shelf that holds a question; None if it is too large for all."""
    return next((place for place, sizes in enumerate(shelves) if sizes.hold(question)), None)


def put_on_shelves(
    examples: Sequence[Example],
    questions: Sequence[OpenQuestion],
    shelves: Sequence[Sizes],
    cells_of: Callable[[Example], Sequence[Cell]],
    type_of: Callable[[Example], int],
) -> list[Padded]:
    """Pads examples, each to the sizes of the first shelf that holds it; those that none holds are left out.

    Args:
        examples: the examples.
        questions: theirs, linked.
        shelves: the sizes of each shelf.
        cells_of: returns the cells that answer an example.
        type_of: returns the type of an example.
    """
    places = [shelf_of(question, shelves) for question in questions]
    padded = []
    for shelf, sizes in enumerate(shelves):
        chosen = [i for i, place in enumerate(places) if place == shelf]
        cells = [cells_of(examples[i]) for i in chosen]
        padded.append(
            pad([questions[i] for i in chosen], sizes, cells, [type_of(examples[i]) for i in chosen])
        )
    return padded


def join_shelves(parts: Sequence[Sequence[Padded]]) -> list[OpenBatch]:
    """Puts blocks of examples together, shelf by shelf."""
    return [Padded.joined(shelf).batch() for shelf in zip(*parts, strict=True)]


def stacked(batches: Sequence[Encoded]) -> list[Encoded]:
    """Puts batches that are padded to the same sizes together, in the order in which the sizes come."""
    shelves: dict[tuple[tuple[int, ...], ...], list[Encoded]] = {}
    for batch in batches:
        shelves.setdefault(batch.sizes_of_one, []).append(batch)
    return [shelf[0].joined(shelf[1:]) for shelf in shelves.values()]
