"""Programs as tensors: questions are linked, their programs found and derived, by all cores at once.

Where only the answer is known, programs that give it are found by enumeration; all of them are learned from
together, and the model finds out which of them is meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from neural_enquirer.encoding.actions import Action, Asked, Derivation, Pool, build, derive
from neural_enquirer.encoding.actions.grammar import PRODUCTION_NUMBERS
from neural_enquirer.encoding.candidates import candidates_of
from neural_enquirer.encoding.open import titles_of
from neural_enquirer.encoding.program_batch import ProgramBatch, schema_of, steps_of
from neural_enquirer.encoding.schema import (
    Arrays,
    SchemaSizes,
    empty,
    empty_steps,
    fill,
    fill_steps,
    sizes_of,
)
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs.enumeration import Wanted
from neural_enquirer.programs.enumeration.search import programs_for
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.synthesis.programs import draw_questions
from neural_enquirer.tables import Table
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.lessons import Lesson, by_tables

BLOCK: Final = 200
"""Lessons that are encoded by one process at a time."""
DRAWN_TABLES: Final = 20
"""Tables over which one process draws questions at a time."""
_REFUSALS: Final = {"nonsense": "off_topic"}
_MOST_FOUND: Final = 32
"""Programs that are looked for where only the answer is known."""


@dataclass(frozen=True)
class ProgramShelf:
    """How large padded examples are.

    Attributes:
        sizes: of the questions.
        programs: how many derivations a question has at most; further ones are left out.
        length: of the longest derivation.
    """

    sizes: SchemaSizes
    programs: int
    length: int


KNOWN: Final = (
    ProgramShelf(SchemaSizes(tokens=24, fields=14, headers=6, mentions=23, quantities=3, tables=1), 3, 14),
    ProgramShelf(SchemaSizes(tokens=48, fields=48, headers=12, mentions=44, quantities=8, tables=3), 3, 24),
)
"""Of lessons whose program is known."""
FOUND: Final = (
    ProgramShelf(SchemaSizes(tokens=28, fields=14, headers=8, mentions=24, quantities=4, tables=1), 16, 18),
    ProgramShelf(SchemaSizes(tokens=48, fields=30, headers=12, mentions=28, quantities=8, tables=1), 16, 18),
)
"""Of those whose programs are found from their answers."""


def encode_lessons(
    lessons: Sequence[Lesson], vocabulary: Vocabulary, shelves: Sequence[ProgramShelf]
) -> list[ProgramBatch]:
    """Encodes lessons, each on the first shelf that holds it; those without a derivation are left out."""
    blocks = list(by_tables(lessons, BLOCK))
    encode = partial(_encode_block, vocabulary, tuple(shelves))
    return _joined(list(map_on_all_cores(encode, blocks)))


def _joined(parts: Sequence[Sequence[Arrays]]) -> list[ProgramBatch]:
    """Puts blocks of examples together, shelf by shelf; empty shelves are left out."""
    batches = []
    for shelf in zip(*parts, strict=True):
        arrays = {name: np.concatenate([part[name] for part in shelf]) for name in shelf[0]}
        batches.append(ProgramBatch(schema_of(arrays), steps_of(arrays)))
    return [batch for batch in batches if len(batch)]


def encode_drawn(
    tables: Sequence[tuple[Table, ...]],
    count: int,
    vocabulary: Vocabulary,
    shelves: Sequence[ProgramShelf],
    seed: int,
) -> list[ProgramBatch]:
    """Draws about so many questions with programs over tables, as many over each, and encodes them."""
    each = max(1, round(count / max(1, len(tables))))
    jobs = [(own, each, seed * 1_000_003 + place) for place, own in enumerate(tables)]
    blocks = [jobs[i : i + DRAWN_TABLES] for i in range(0, len(jobs), DRAWN_TABLES)]
    draw = partial(_draw_block, vocabulary, tuple(shelves))
    return _joined(list(map_on_all_cores(draw, blocks)))


def _draw_block(
    vocabulary: Vocabulary,
    shelves: Sequence[ProgramShelf],
    jobs: Sequence[tuple[tuple[Table, ...], int, int]],
) -> list[Arrays]:
    lessons = []
    for tables, count, seed in jobs:
        for drawn in draw_questions(tables, count, seed):
            refusal = None if drawn.program is not None else _REFUSALS.get(drawn.kind, drawn.kind)
            lessons.append(Lesson(tables, drawn.question, drawn.program, refusal=refusal))
    return _encode_block(vocabulary, shelves, lessons)


@dataclass(frozen=True)
class Example:
    """A question with its links, and the derivations that it teaches."""

    asked: Asked
    indexes: tuple[TableIndex, ...]
    derivations: Sequence[Derivation]


def _encode_block(
    vocabulary: Vocabulary, shelves: Sequence[ProgramShelf], lessons: Sequence[Lesson]
) -> list[Arrays]:
    shelved: list[list[Example]] = [[] for _ in shelves]
    indexes: dict[tuple[int, ...], TablesIndex] = {}
    for lesson in lessons:
        key = tuple(map(id, lesson.tables))
        if key not in indexes:
            each = [TableIndex.of(table) for table in lesson.tables]
            indexes[key] = TablesIndex.of(each, titles_of(lesson.tables))
        example = _example(lesson, indexes[key], vocabulary)
        place = _place(example, shelves)
        if place is not None:
            shelved[place].append(example)
    return [_arrays(examples, shelf, vocabulary) for examples, shelf in zip(shelved, shelves, strict=True)]


def _place(example: Example, shelves: Sequence[ProgramShelf]) -> int | None:
    if not example.derivations:
        return None
    sizes = sizes_of(example.asked, example.indexes)
    shortest = min(map(len, example.derivations))
    for place, shelf in enumerate(shelves):
        if shelf.sizes.hold(sizes) and shortest <= shelf.length:
            return place
    return None


def _arrays(examples: Sequence[Example], shelf: ProgramShelf, vocabulary: Vocabulary) -> Arrays:
    arrays = empty(len(examples), shelf.sizes)
    steps = empty_steps(len(examples), shelf.programs, shelf.length)
    for i, example in enumerate(examples):
        fill({name: array[i] for name, array in arrays.items()}, example.asked, example.indexes, vocabulary)
        kept = [one for one in example.derivations if len(one) <= shelf.length][: shelf.programs]
        for j, derivation in enumerate(kept):
            row = {name: array[i, j] for name, array in steps.items()}
            fill_steps(row, derivation, len(example.indexes))
    return arrays | steps


def _example(lesson: Lesson, index: TablesIndex, vocabulary: Vocabulary) -> Example:
    asked = Asked(lesson.question, lesson.tables, index.link(lesson.question, vocabulary))
    return Example(asked, tuple(index.tables), derivations_of(lesson, asked))


def derivations_of(lesson: Lesson, asked: Asked) -> list[Derivation]:
    """The derivations that a lesson teaches: those of its program, of programs found, or of a refusal."""
    if lesson.refusal is not None:
        return [(Action(Pool.PRODUCTION, PRODUCTION_NUMBERS[lesson.refusal]),)]
    if lesson.program is not None:
        return _derived(lesson.program, asked)
    if lesson.wanted is None:
        return []
    return _found(asked, lesson.wanted)


def _derived(program: Program, asked: Asked) -> list[Derivation]:
    """The derivations that give what a program gives."""
    derivations = derive(program, asked)
    if not derivations:
        return []
    try:
        values = run(program, asked.tables).values
    except ProgramError:
        return []
    return [one for one in derivations if _gives(one, asked, values)]


def _gives(derivation: Derivation, asked: Asked, values: tuple[object, ...]) -> bool:
    try:
        return run(build(derivation, asked), asked.tables).values == values
    except ProgramError:
        return False


def _found(asked: Asked, answer: Wanted) -> list[Derivation]:
    """The derivations of programs that give an answer, the likeliest first."""
    candidates = [
        candidates_of(asked.question, table, links)
        for table, links in zip(asked.tables, asked.links, strict=True)
    ]
    found: dict[Derivation, None] = {}
    for program in programs_for(asked.tables, candidates, answer, limit=_MOST_FOUND):
        for derivation in derive(program, asked)[:1]:
            found.setdefault(derivation)
    return list(found)
