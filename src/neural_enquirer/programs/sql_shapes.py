"""Shapes of programs that SQL says in a way of its own, and the names that it gives."""

import itertools
from collections.abc import Collection

from neural_enquirer.programs.language import (
    Aggregate,
    All,
    And,
    Cells,
    Combination,
    Compare,
    Comparison,
    Condition,
    Field,
    Groups,
    Not,
    Or,
    Rows,
    Where,
)

__all__ = ["is_plain", "looks_in_cells", "measure_name", "opposite", "plain_groups", "unlike"]


def plain_groups(rows: Rows) -> tuple[Groups, list[Condition]] | None:
    """Groups under conditions alone, which GROUP BY and HAVING can say; None for all else."""
    conditions: list[Condition] = []
    while isinstance(rows, Where):
        conditions.insert(0, rows.condition)
        rows = rows.rows
    if isinstance(rows, All) and isinstance(rows.source, Groups):
        return rows.source, conditions
    return None


def is_plain(condition: Condition) -> bool:
    """Whether a condition looks at its own row alone, so that FILTER can have it everywhere."""
    match condition:
        case Compare(_, _, Cells() | Aggregate() | Combination()):
            return False
        case Not(part):
            return is_plain(part)
        case And(parts) | Or(parts):
            return all(map(is_plain, parts))
    return True


def looks_in_cells(condition: Condition) -> bool:
    """Whether IN stands in a condition: of a missing value it says no where nothing is to be found."""
    match condition:
        case Compare(_, Comparison.EQUAL | Comparison.DIFFERS, Cells()):
            return True
        case Not(part):
            return looks_in_cells(part)
        case And(parts) | Or(parts):
            return any(map(looks_in_cells, parts))
    return False


def opposite(condition: Condition) -> Condition:
    """The opposite of a condition, said without a NOT before an IN."""
    match condition:
        case Compare(term, Comparison.EQUAL, Cells() as cells):
            return Compare(term, Comparison.DIFFERS, cells)
        case Compare(term, Comparison.DIFFERS, Cells() as cells):
            return Compare(term, Comparison.EQUAL, cells)
        case Not(part):
            return part
        case And(parts):
            return Or(tuple(map(opposite, parts)))
        case Or(parts):
            return And(tuple(map(opposite, parts)))
    return Not(condition)


def measure_name(groups: Groups) -> str:
    """What an analyst would call the measure of groups."""
    if groups.term is None:
        return "n"
    word = groups.aggregation.value
    return f"{word}_{groups.term.name.lower()}" if isinstance(groups.term, Field) else word


def unlike(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    numbered = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
    return next(each for each in numbered if each not in taken)
