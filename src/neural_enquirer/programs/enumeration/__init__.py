"""Enumeration: programs that give a wanted answer, found by trying all of them up to a size."""

from typing import TYPE_CHECKING, Any

from neural_enquirer.programs.enumeration.asked import (
    Candidates,
    LinkedCondition,
    LinkedNumber,
    NamedOperation,
    Wanted,
)
from neural_enquirer.programs.enumeration.columns import (
    TEXT_TESTS,
    Column,
    Columns,
    columns_of,
    order_by,
    plain_number,
)

if TYPE_CHECKING:
    from neural_enquirer.programs.enumeration.search import programs_for

__all__ = [
    "TEXT_TESTS",
    "Candidates",
    "Column",
    "Columns",
    "LinkedCondition",
    "LinkedNumber",
    "NamedOperation",
    "Wanted",
    "columns_of",
    "order_by",
    "plain_number",
    "programs_for",
]


def __getattr__(name: str) -> Any:
    if name != "programs_for":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from neural_enquirer.programs.enumeration.search import programs_for  # which only those need who train

    return programs_for
