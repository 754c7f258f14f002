"""One reader for all sets of real questions: WikiSQL, WikiTableQuestions, everyday questions.

The splits are `train`, `held_out` (training questions about tables that nothing is learned from), `dev` and
`test`. Whatever the set, a question says itself whether texts answer it, by the rules of its set.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from neural_enquirer.real_questions.denotation import same_rows, same_values
from neural_enquirer.real_questions.everyday.keeping_out import split as split_everyday
from neural_enquirer.real_questions.everyday.questions import (
    EverydayQuestion,
    is_everyday,
    read_everyday,
    read_tables,
)
from neural_enquirer.real_questions.everyday.scoring import same_parts
from neural_enquirer.real_questions.example import RealDataError, RealExample
from neural_enquirer.real_questions.held_out import tenth_of
from neural_enquirer.real_questions.reading import is_real, read_real
from neural_enquirer.tables import Table

TRAIN: Final = "train"
HELD_OUT: Final = "held_out"
DEVELOPMENT: Final = "dev"
SPLITS: Final = (TRAIN, HELD_OUT, DEVELOPMENT, "test")

Same = Callable[[Sequence[str], Sequence[str]], bool]
"""Whether the texts that are wanted and those that are given are the same answer."""


@dataclass(frozen=True)
class AskedQuestion:
    """A question of a set.

    Attributes:
        id: of the question in its set.
        tables: what it is about.
        question: as it was typed.
        kind: what it asks for, in the words of its set; for reports only.
        accepted: the answers that are right, each a list of texts; none where the tables do not say.
        same: when two answers are the same, by the rules of the set.
        real: all that WikiSQL or WikiTableQuestions says of it; for reports only.
    """

    id: str
    tables: tuple[Table, ...]
    question: str
    kind: str
    accepted: tuple[tuple[str, ...], ...]
    same: Same
    real: RealExample | None = None

    @property
    def answerable(self) -> bool:
        """Whether there is an answer."""
        return bool(self.accepted)

    def is_right(self, texts: Sequence[str]) -> bool:
        """Whether texts are the answer; no texts are a refusal, which is right where nothing answers."""
        if not self.accepted or not texts:
            return not self.accepted and not texts
        return any(self.same(answer, texts) for answer in self.accepted)


def is_set(folder: Path) -> bool:
    """Whether a folder holds questions of a known set, or parts of everyday questions."""
    return is_real(folder) or is_everyday(folder) or any(is_everyday(folder / part) for part in SPLITS)


def read_set(folder: Path, split: str | None = None, tenth: int = 0) -> list[AskedQuestion]:
    """Reads the questions of a split in the order of their file.

    Args:
        folder: of WikiSQL, of WikiTableQuestions, of one part of everyday questions or of all their parts.
        split: one of `SPLITS`; by default all of a part, or `dev` of a set with several.
        tenth: of the training tables, which is held out.

    Raises:
        RealDataError: with one line that says what is wrong with the folder.
    """
    if split is None and is_everyday(folder):
        return _asked_everyday(folder, read_everyday(folder))
    split = split or DEVELOPMENT
    if split not in SPLITS:
        raise RealDataError(f"unknown split '{split}'; the splits are {', '.join(SPLITS)}")
    if is_real(folder) or not is_set(folder):
        return _read_real(folder, split, tenth)
    return _read_everyday(folder, split, tenth)


def _read_real(folder: Path, split: str, tenth: int) -> list[AskedQuestion]:
    if split not in (TRAIN, HELD_OUT):
        return list(map(_real, read_real(folder, split)))
    examples = read_real(folder, TRAIN)
    return [_real(one) for one in examples if (tenth_of(one.table.name) == tenth) == (split == HELD_OUT)]


def _real(example: RealExample) -> AskedQuestion:
    return AskedQuestion(
        id=example.id,
        tables=(example.table,),
        question=example.question,
        kind=_kind(example),
        accepted=(example.answers,) if example.answers else (),
        same=same_values if example.query is None else same_rows,
        real=example,
    )


def _kind(example: RealExample) -> str:
    """What a query does with the cells that it selects; without a query, whether cells answer."""
    if example.query is not None:
        return example.query.aggregation
    return "one_cell" if example.one_cell else "computed" if example.cells is None else "several_cells"


def _read_everyday(folder: Path, split: str, tenth: int) -> list[AskedQuestion]:
    part = _part(folder, TRAIN if split == HELD_OUT else split)
    questions: Sequence[EverydayQuestion] = read_everyday(part)
    if split in (TRAIN, HELD_OUT):
        sides = split_everyday(questions, tenth)
        questions = sides.train if split == TRAIN else sides.validation
    return _asked_everyday(part, questions)


def _asked_everyday(part: Path, questions: Sequence[EverydayQuestion]) -> list[AskedQuestion]:
    tables = read_tables(part, questions)
    return [asked_everyday(question, tables) for question in questions]


def _part(folder: Path, name: str) -> Path:
    """The folder of a part of everyday questions: one below, or the folder itself if it is called so."""
    if is_everyday(folder / name):
        return folder / name
    if not is_everyday(folder) or folder.resolve().name != name:
        raise RealDataError(f"{folder} has no {name} questions; give the folder above it, or another split")
    return folder


def asked_everyday(question: EverydayQuestion, tables: Mapping[str, Table]) -> AskedQuestion:
    """An everyday question about those of its tables that are there: scores need none."""
    return AskedQuestion(
        id=question.id,
        tables=tuple(tables[name] for name in question.tables if name in tables),
        question=question.question,
        kind=question.kind,
        accepted=question.answers,
        same=same_parts,
    )
