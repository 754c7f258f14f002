"""Which training tables are kept out of training, to validate with: a tenth, and the tenths never change.

A table belongs to a tenth by a hash of its name. Pairs are cut from other tables; a question about a pair is
kept out if one of the tables that the pair is cut from is, so that nothing of a table that is kept out is
ever learned.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from neural_enquirer.real_questions.everyday.questions import EverydayQuestion
from neural_enquirer.real_questions.everyday.rebuilding.pairs import PAIRS
from neural_enquirer.real_questions.held_out import tenth_of


@dataclass(frozen=True)
class Split:
    """Questions to learn from, and questions about tables that are kept out."""

    train: tuple[EverydayQuestion, ...]
    validation: tuple[EverydayQuestion, ...]


def split(questions: Iterable[EverydayQuestion], tenth: int = 0) -> Split:
    """Parts the training questions by what is kept out with a tenth of the tables; the order stays."""
    sides: tuple[list[EverydayQuestion], list[EverydayQuestion]] = ([], [])
    for question in questions:
        sides[tenth in tenths_of(question.tables)].append(question)
    return Split(*map(tuple, sides))


def tenths_of(tables: Iterable[str]) -> frozenset[int]:
    """The tenths with which tables of the training part, by their files under `tables`, are kept out."""
    return frozenset(tenth_of(source) for table in tables for source in _sources(table))


def _sources(table: str) -> Iterable[str]:
    """What a table is cut from; other tables are their own source, and pairs that were written as such."""
    name, _, of_pair = table.removesuffix(".csv").partition("/")
    return PAIRS[name].sources if of_pair and name in PAIRS else (name,)
