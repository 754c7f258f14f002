"""The open task: questions over tables of any kind, some over two, and the programs of them all.

Cells and programs are learned together. What is drawn from templates is joined by real questions: from those
of WikiSQL and WikiTableQuestions only the answers are learned, of everyday questions the programs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig
from neural_enquirer.real_questions import RealExample, read_real
from neural_enquirer.real_questions.everyday import is_everyday
from neural_enquirer.real_questions.held_out import is_held_out
from neural_enquirer.tables import Table
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.lessons import Lesson, everyday_lessons, real_lessons, tables_of
from neural_enquirer.training.open_data import (
    OPEN_TYPES,
    draw_encoded,
    draw_encoded_pairs,
    open_vocabulary,
)
from neural_enquirer.training.program_data import FOUND, KNOWN, encode_drawn, encode_lessons
from neural_enquirer.training.real_data import REAL_TYPES, encode_shelves, joined_vocabulary, real_words

TRAINING, VALIDATION = 1_500_000, 8_000
"""Examples on one table where the experiment names no number."""
ONE_TO_TWO = 4
"""Questions on one table to each on two."""
DRAWN = 15
"""One question with a program is drawn for so many questions with a cell, over the tables of each set."""
RARE = 3
"""A word of fewer real questions is not learned."""


@dataclass
class _Sets:
    """What folders of real questions hold."""

    cells: list[RealExample] = field(default_factory=list)
    development: list[RealExample] = field(default_factory=list)
    known: list[Lesson] = field(default_factory=list)
    found: list[Lesson] = field(default_factory=list)
    held_out: list[Lesson] = field(default_factory=list)
    tables: list[list[tuple[Table, ...]]] = field(default_factory=list)

    def asked(self) -> Iterator[tuple[tuple[Table, ...], str]]:
        """All questions that are learned from, with their tables."""
        for lesson in (*self.known, *self.found):
            yield lesson.tables, lesson.question


def open_data(experiment: Experiment, folders: Sequence[Path], words: Sequence[str] = ()) -> TrainingData:
    """Draws, reads and encodes all that the open model learns from.

    Args:
        experiment: how many examples are drawn, and by which seed.
        folders: of real questions, everyday ones among them.
        words: further words to learn, such as those of a model to begin with.

    Raises:
        RealDataError: if a folder holds no questions.
    """
    sets, task = _read(folders), experiment.task
    known = joined_vocabulary(open_vocabulary(), {*real_words(sets.asked(), RARE), *words})
    vocabulary = replace(
        known, vectors=isinstance(experiment.model, OpenConfig) and experiment.model.word_vectors
    )
    count, held_out, first = task.examples or TRAINING, task.held_out or VALIDATION, len(OPEN_TYPES)
    train, *further = draw_encoded("train", task.seed, count, vocabulary)
    further += draw_encoded_pairs("train", task.seed, count // ONE_TO_TWO, vocabulary)
    validation, *others = draw_encoded("validation", task.seed, held_out, vocabulary)
    others += draw_encoded_pairs("validation", task.seed, held_out // ONE_TO_TWO, vocabulary)
    return TrainingData(
        vocabulary,
        train,
        validation,
        (*OPEN_TYPES, *REAL_TYPES) if sets.cells else OPEN_TYPES,
        tuple(further),
        tuple(encode_shelves(sets.cells, vocabulary, first_type=first)) if sets.cells else (),
        (*others, *(encode_shelves(sets.development, vocabulary, first_type=first) if sets.cells else ())),
        tuple(_programs(sets, vocabulary, count // DRAWN, task.seed)),
        tuple(encode_lessons(sets.held_out, vocabulary, KNOWN)),
    )


def _read(folders: Sequence[Path]) -> _Sets:
    sets = _Sets()
    for folder in folders:
        if is_everyday(folder):
            lessons = everyday_lessons(folder)
            sets.known += lessons.train
            sets.held_out += lessons.held_out
        else:
            examples = read_real(folder, "train")
            lessons = real_lessons(examples)
            sets.found += lessons.train
            sets.cells += [example for example in examples if not is_held_out(example.table.name)]
            sets.development += read_real(folder, "dev")
        sets.tables.append(tables_of(lessons.train))
    return sets


def _programs(sets: _Sets, vocabulary: Vocabulary, drawn: int, seed: int) -> Iterator[ProgramBatch]:
    """The shelves of programs: those that are known, found, and drawn over the tables of each set."""
    yield from encode_lessons(sets.known, vocabulary, KNOWN)
    yield from encode_lessons(sets.found, vocabulary, FOUND)
    for place, tables in enumerate(sets.tables):
        yield from encode_drawn(tables, drawn, vocabulary, KNOWN, seed + place)
