"""Enumeration: programs that give a wanted answer, found by trying all of them up to a size.

`search.py` does it, which only those need who train; others use what it makes of columns and questions.
"""

from neural_enquirer.programs.enumeration.asked import (
    Candidates,
    LinkedCondition,
    LinkedNumber,
    NamedOperation,
    Wanted,
)
from neural_enquirer.programs.enumeration.columns import (
    Column,
    Columns,
    columns_of,
    order_by,
    plain_number,
)

__all__ = [
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
]
