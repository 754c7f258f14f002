"""Which training tables are kept out of training, to validate with: a tenth, and it never changes.

A table is kept out by a hash of its name. Pairs are cut from other tables; a question about a pair is kept
out if one of the tables that the pair is cut from is, so that nothing of a table that is kept out is ever
learned.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from neural_enquirer.real_questions.everyday.questions import EverydayQuestion
from neural_enquirer.real_questions.everyday.rebuilding.pairs import PAIRS
from neural_enquirer.real_questions.held_out import is_held_out


@dataclass(frozen=True)
class Split:
    """Questions to learn from, and questions about tables that are kept out."""

    train: tuple[EverydayQuestion, ...]
    validation: tuple[EverydayQuestion, ...]


def split(questions: Iterable[EverydayQuestion]) -> Split:
    """Parts the training questions; the order stays."""
    sides: tuple[list[EverydayQuestion], list[EverydayQuestion]] = ([], [])
    for question in questions:
        sides[any(map(is_kept_out, question.tables))].append(question)
    return Split(*map(tuple, sides))


def is_kept_out(table: str) -> bool:
    """Whether a table of the training part, by its file under `tables`, is never learned from."""
    name, _, of_pair = table.removesuffix(".csv").partition("/")
    return any(map(is_held_out, PAIRS[name].sources if of_pair else (name,)))
