"""Shapes of programs that SQL says in a way of its own, and the names that it gives."""

import itertools
from collections.abc import Collection

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Comparison


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
    match condition:
        case lang.Compare(_, _, lang.Cells() | lang.Aggregate() | lang.Combination()):
            return False
        case lang.Not(part):
            return is_plain(part)
        case lang.And(parts) | lang.Or(parts):
            return all(map(is_plain, parts))
    return True


def looks_in_cells(condition: lang.Condition) -> bool:
    """Whether IN stands in a condition: of a missing value it says no where nothing is to be found."""
    match condition:
        case lang.Compare(_, Comparison.EQUAL | Comparison.DIFFERS, lang.Cells()):
            return True
        case lang.Not(part):
            return looks_in_cells(part)
        case lang.And(parts) | lang.Or(parts):
            return any(map(looks_in_cells, parts))
    return False


def opposite(condition: lang.Condition) -> lang.Condition:
    """The opposite of a condition, said without a NOT before an IN."""
    match condition:
        case lang.Compare(term, Comparison.EQUAL, lang.Cells() as cells):
            return lang.Compare(term, Comparison.DIFFERS, cells)
        case lang.Compare(term, Comparison.DIFFERS, lang.Cells() as cells):
            return lang.Compare(term, Comparison.EQUAL, cells)
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
