"""Shapes of programs that SQL says in a way of its own, and the names that it gives."""

import itertools
from collections.abc import Collection
from typing import Final

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.trees import parts_outside

_PROGRAMS: Final = (lang.Cells, lang.Aggregate, lang.Combination)


def plain_groups(rows: lang.Rows) -> tuple[lang.Groups, list[lang.Condition]] | None:
    """Groups under conditions alone, which GROUP BY and HAVING can say; None for all else."""
    conditions: list[lang.Condition] = []
    while isinstance(rows, lang.Where):
        conditions.insert(0, rows.condition)
        rows = rows.rows
    if isinstance(rows, lang.All) and isinstance(rows.source, lang.Groups):
        return rows.source, conditions
    return None


def is_plain(condition: lang.Condition) -> bool:
    """Whether a condition looks at its own row alone, so that FILTER can have it everywhere."""
    return not any(isinstance(part, _PROGRAMS) for part in parts_outside(condition, ()))


def looks_in_cells(condition: lang.Condition) -> bool:
    """Whether IN stands in a condition: of a missing value it says no where nothing is to be found."""
    equal = (Comparison.EQUAL, Comparison.DIFFERS)
    compared = (part for part in parts_outside(condition, _PROGRAMS) if isinstance(part, lang.Compare))
    return any(part.comparison in equal and isinstance(part.operand, lang.Cells) for part in compared)


def opposite(condition: lang.Condition) -> lang.Condition:
    """The opposite of a condition, said without a NOT before an IN."""
    match condition:
        case lang.Compare(term, (Comparison.EQUAL | Comparison.DIFFERS) as comparison, lang.Cells() as cells):
            return lang.Compare(term, comparison.opposite, cells)
        case lang.Not(part):
            return part
        case lang.And(parts):
            return lang.Or(tuple(map(opposite, parts)))
        case lang.Or(parts):
            return lang.And(tuple(map(opposite, parts)))
    return lang.Not(condition)


def measure_name(groups: lang.Groups) -> str:
    """What an analyst would call the measure of groups."""
    if groups.term is None:
        return "n"
    word = groups.aggregation.value
    return f"{word}_{groups.term.name.lower()}" if isinstance(groups.term, lang.Field) else word


def unlike(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    numbered = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
    return next(each for each in numbered if each not in taken)
