"""Right answers by what makes questions hard: conditions, headers that are not named, large tables."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from neural_enquirer.encoding.linking import SHARED, WEAK, link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.evaluation.scoring import Answered, grouped, right
from neural_enquirer.real_questions import RealExample

MANY_CONDITIONS: Final = 4
TABLE_SIZES: Final = (50, 100, 200, 400)
"""The cells of a table up to which it belongs to a class of sizes."""

_NO_WORDS: Final = Vocabulary((), frozenset())


@dataclass(frozen=True)
class Share:
    """A share of right answers, and of how many questions."""

    accuracy: float
    examples: int


def breakdown(answered: Sequence[Answered]) -> dict[str, dict[str, Share]]:
    """By number of conditions, by how the question names the field of the answer, by table size.

    Everyday questions, of which nothing of this is known, are parted by the table that they are about.
    """
    aspects = {"conditions": _conditions, "header": header_naming, "table": _table_size}
    found = {aspect: _shares(grouped(answered, partial(_of_real, name))) for aspect, name in aspects.items()}
    return found | {"about": _shares(grouped(answered, _everyday_table))}


def header_naming(example: RealExample) -> str | None:
    """Says how the question has the answer's field: `named`, `hinted` or `not named`; None if unknown."""
    if example.query is not None:
        fields = {example.query.select}
    elif example.cells is not None:
        fields = {field for _, field in example.cells}
    else:
        return None
    levels = link(example.question, TableIndex.of(example.table), _NO_WORDS).levels[:, sorted(fields)]
    best = int(levels.max(initial=0))
    return "named" if best >= SHARED else "hinted" if best == WEAK else "not named"


def _shares(groups: Mapping[str, Sequence[Answered]]) -> dict[str, Share]:
    return {
        group: Share(right(groups[group]) or 0.0, len(groups[group])) for group in sorted(groups, key=_order)
    }


def _of_real(name: Callable[[RealExample], str | None], one: Answered) -> str | None:
    return None if one.question.real is None else name(one.question.real)


def _everyday_table(one: Answered) -> str | None:
    return one.question.tables[0].name if one.question.real is None else None


def _order(group: str) -> tuple[int, str]:
    """Puts groups that begin with a number in the order of their numbers."""
    number = re.match(r"\d+", group)
    return (int(number[0]) if number else 0, group)


def _conditions(example: RealExample) -> str | None:
    count = example.conditions
    return None if count is None else str(count) if count < MANY_CONDITIONS else f"{MANY_CONDITIONS}+"


def _table_size(example: RealExample) -> str:
    cells = example.table.row_count * len(example.table.fields)
    least = 1
    for most in TABLE_SIZES:
        if cells <= most:
            return f"{least}-{most} cells"
        least = most + 1
    return f"{least}+ cells"
