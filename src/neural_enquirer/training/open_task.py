"""The open task: questions over tables of any kind, some over two, and the programs of them all.

Cells and programs are learned together. What is drawn from templates is joined by real questions: from those
of WikiSQL and WikiTableQuestions only the answers are learned, of everyday questions the programs. A tenth of
the real tables is held out: nothing is learned from their questions, and nothing is drawn over them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig
from neural_enquirer.real_questions import RealExample, read_real
from neural_enquirer.real_questions.everyday.other_names import OtherNames, read_other_names
from neural_enquirer.real_questions.everyday.questions import is_everyday
from neural_enquirer.real_questions.held_out import tenth_of
from neural_enquirer.training.cell_data import (
    OPEN_TYPES,
    REAL_TYPES,
    draw_encoded,
    draw_encoded_pairs,
    encode_real,
    stacked,
)
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment, TaskConfig
from neural_enquirer.training.lessons import (
    Lesson,
    everyday_lessons,
    real_lessons,
    tables_of,
    under_other_names,
)
from neural_enquirer.training.open_words import joined_vocabulary, open_vocabulary, real_words
from neural_enquirer.training.program_data import FOUND, KNOWN, encode_drawn, encode_lessons

TRAINING, VALIDATION = 1_500_000, 8_000
"""Examples on one table where the experiment names no number."""
ONE_TO_TWO = 4
"""Questions on one table to each on two."""
DRAWN = 8
"""One question with a program is drawn for so many questions with a cell, over the tables of each set."""
MOST_SEARCHED = 30_000
"""Of at most so many questions of a set, programs are looked for: of more, of every second or third."""
RARE = 3
"""A word of fewer real questions is not learned."""


@dataclass(frozen=True)
class _Set:
    """A set of real questions.

    Attributes:
        cells: those from whose cells that answer is learned.
        lessons: those from whose programs is learned.
        known: whether the programs are known, or found from the answers.
        names: other names for the fields of its tables.
        development: questions of its development part, whose cells are looked for after each epoch.
    """

    cells: list[RealExample]
    lessons: list[Lesson]
    known: bool
    names: OtherNames
    development: list[RealExample]

    @classmethod
    def read(cls, folder: Path) -> "_Set":
        if is_everyday(folder):
            return cls([], everyday_lessons(folder), True, read_other_names(folder), [])
        examples = read_real(folder, "train")
        lessons = real_lessons(examples[:: -(-len(examples) // MOST_SEARCHED)])
        return cls(examples, lessons, False, {}, read_real(folder, "dev"))

    def about(self, apart: frozenset[int], tenths: frozenset[int]) -> "_Set":
        """The questions that are held out with some of these tenths, and with no other of them."""
        return replace(
            self,
            cells=[one for one in self.cells if {tenth_of(one.table.name)} & tenths == apart],
            lessons=[one for one in self.lessons if one.tenths & tenths == apart],
        )


@dataclass(frozen=True)
class Shelves:
    """A lot, encoded: cells that answer, known programs, and further ones.

    These are found, drawn over the same tables, or the known ones where fields go by other names.
    """

    cells: list[OpenBatch]
    known: list[ProgramBatch]
    further: list[ProgramBatch]


@dataclass(frozen=True)
class OpenParts:
    """All that the open model may learn from, in parts of which one or another is held out.

    Attributes:
        drawn: what is the same whatever is held out.
        lots: real questions, by the tenths with which they are held out.
    """

    drawn: TrainingData
    lots: Mapping[frozenset[int], Shelves]

    def without(self, tenth: int) -> TrainingData:
        """What is learned from where a tenth of the real tables is held out, to validate with."""
        learned = [lot for tenths, lot in self.lots.items() if tenth not in tenths]
        apart = [lot for tenths, lot in self.lots.items() if tenth in tenths]
        return replace(
            self.drawn,
            real_train=tuple(stacked([shelf for lot in learned for shelf in lot.cells])),
            programs=tuple(stacked([shelf for lot in learned for shelf in (*lot.known, *lot.further)])),
            program_validation=tuple(stacked([shelf for lot in apart for shelf in lot.known])),
        )


def open_data(experiment: Experiment, folders: Sequence[Path], words: Sequence[str] = ()) -> TrainingData:
    """Draws, reads and encodes all that the open model learns from.

    Args:
        experiment: how many examples are drawn, by which seed, and which tenth is held out.
        folders: of real questions, everyday ones among them.
        words: further words to learn, such as those of a model to begin with.

    Raises:
        RealDataError: if a folder holds no questions.
    """
    tenth = experiment.task.tenth
    return open_parts(experiment, folders, {tenth}, words).without(tenth)


def open_parts(
    experiment: Experiment, folders: Sequence[Path], tenths: Collection[int], words: Sequence[str] = ()
) -> OpenParts:
    """Does the same for several tenths, one of which will be held out; words of none of them are learned."""
    task, apart, sets = experiment.task, frozenset(tenths), [_Set.read(folder) for folder in folders]
    asked = [(one.tables, one.question) for own in sets for one in own.lessons if not one.tenths & apart]
    known = joined_vocabulary(open_vocabulary(), {*real_words(asked, RARE), *words})
    assert isinstance(experiment.model, OpenConfig)
    vocabulary = replace(known, vectors=experiment.model.word_vectors, unsaid=experiment.model.unsaid)
    drawn = _drawn(task, vocabulary, [one for own in sets for one in own.development])
    lots = sorted({one.tenths & apart for own in sets for one in own.lessons}, key=sorted)
    encoded = {
        lot: _encoded([(own, own.about(lot, apart)) for own in sets], vocabulary, task, place)
        for place, lot in enumerate(lots)
    }
    return OpenParts(drawn, encoded)


def _drawn(task: TaskConfig, vocabulary: Vocabulary, development: Sequence[RealExample]) -> TrainingData:
    """What is drawn from templates, and the development questions of real sets."""
    count, held_out = task.examples or TRAINING, task.held_out or VALIDATION
    train, *further = draw_encoded("train", task.seed, count, vocabulary)
    further += draw_encoded_pairs("train", task.seed, count // ONE_TO_TWO, vocabulary)
    validation, *others = draw_encoded("validation", task.seed, held_out, vocabulary)
    others += draw_encoded_pairs("validation", task.seed, held_out // ONE_TO_TWO, vocabulary)
    if development:
        others += encode_real(development, vocabulary, first_type=len(OPEN_TYPES))
    types = (*OPEN_TYPES, *REAL_TYPES) if development else OPEN_TYPES
    return TrainingData(vocabulary, train, validation, types, tuple(further), (), tuple(others))


def _encoded(
    sets: Sequence[tuple[_Set, _Set]], vocabulary: Vocabulary, task: TaskConfig, place: int
) -> Shelves:
    """Encodes what some sets have in a lot, and draws questions over its tables: as many over each of a set.

    Args:
        sets: each whole, and what of it is in the lot.
        vocabulary: the model's.
        task: how many questions are drawn over the tables of a whole set.
        place: of the lot, so that each draws its own.
    """
    cells = [one for _, own in sets for one in own.cells]
    shelves = Shelves(encode_real(cells, vocabulary, first_type=len(OPEN_TYPES)), [], [])
    for number, (whole, own) in enumerate(sets):
        known = shelves.known if own.known else shelves.further
        known += encode_lessons(own.lessons, vocabulary, KNOWN if own.known else FOUND)
        tables = tables_of(own.lessons)
        count = (task.examples or TRAINING) / DRAWN * len(tables) / max(1, len(tables_of(whole.lessons)))
        seed = task.seed + number + len(sets) * place
        renamed = under_other_names(own.lessons, own.names, seed)
        shelves.further.extend(encode_lessons(renamed, vocabulary, KNOWN))
        shelves.further.extend(encode_drawn(tables, round(count), vocabulary, KNOWN, seed))
    return shelves
