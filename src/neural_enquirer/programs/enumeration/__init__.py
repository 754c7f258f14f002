"""Enumeration: programs that give a wanted answer, found by trying all of them up to a size."""

from neural_enquirer.programs.enumeration.asked import (
    Candidates,
    LinkedCondition,
    LinkedNumber,
    NamedOperation,
    Wanted,
)
from neural_enquirer.programs.enumeration.columns import Column, Columns, columns_of
from neural_enquirer.programs.enumeration.search import programs_for

__all__ = [
    "Candidates",
    "Column",
    "Columns",
    "LinkedCondition",
    "LinkedNumber",
    "NamedOperation",
    "Wanted",
    "columns_of",
    "programs_for",
]
