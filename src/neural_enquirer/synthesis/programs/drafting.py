"""Which questions are drafted, how often, and the last touch on their words."""

import bisect
import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.open.surface import finished
from neural_enquirer.synthesis.programs import amount_questions as amounts
from neural_enquirer.synthesis.programs import cell_questions as cells
from neural_enquirer.synthesis.programs import comparison_questions as comparisons
from neural_enquirer.synthesis.programs import group_questions as groups
from neural_enquirer.synthesis.programs import order_questions as order
from neural_enquirer.synthesis.programs import yes_no_questions as yes_no
from neural_enquirer.synthesis.programs.drafts import Draft
from neural_enquirer.synthesis.programs.subject import Subject
from neural_enquirer.synthesis.programs.wording import Words

__all__ = ["DRAFTERS", "NAMING_ROWS", "OF_ROWS_IN_ORDER", "Drafter", "any_words", "drafted", "worded"]

Drafter = Callable[[Words], Draft | None]

DRAFTERS: Final[tuple[tuple[float, Drafter], ...]] = (
    (12, cells.looked_up),
    (17, cells.found_by_conditions),
    (1, cells.different_values),
    (18, order.superlative),
    (3, order.extreme_value),
    (2, order.nth_in_order),
    (3, order.top),
    (1.5, order.end_of_rows),
    (2, order.beside_a_row),
    (1, order.next_in_order),
    (11, amounts.count),
    (1.6, amounts.distinct_count),
    (9, amounts.aggregate),
    (1, amounts.amount_of_two),
    (2.5, amounts.share),
    (0.6, amounts.share_of_total),
    (5, groups.group_of_most),
    (4, groups.group_of_most_measure),
    (1.5, groups.per_group),
    (1.5, groups.groups_beyond),
    (0.8, groups.top_groups),
    (7, comparisons.beyond_another),
    (1, comparisons.same_as_another),
    (3.5, comparisons.difference),
    (0.5, comparisons.difference_of_fields),
    (1.5, comparisons.difference_of_groups),
    (2, comparisons.either),
    (0.8, comparisons.either_group),
    (1.2, yes_no.exists),
    (0.8, yes_no.is_value),
    (0.8, yes_no.is_beyond),
    (1.3, yes_no.is_more),
    (0.5, yes_no.group_is_more),
    (0.5, yes_no.count_beyond),
    (0.5, yes_no.all_are),
)
"""What drafts questions, and how often; about as often as people ask so."""
OF_ROWS_IN_ORDER: Final = frozenset({order.end_of_rows, order.beside_a_row})
"""Those that only the rows of one table, which have an order, can be asked about."""
_NATURAL: Final = 0.7


NAMING_ROWS: Final[tuple[Drafter, ...]] = (
    cells.looked_up,
    cells.looked_up,
    cells.looked_up,
    cells.found_by_conditions,
    cells.found_by_conditions,
    order.superlative,
    amounts.aggregate,
    comparisons.difference,
    comparisons.either,
)
"""Those whose questions mostly have no answer where a row that they name is missing."""


def drafted(draw: Draw, subject: Subject, ordered: bool = True) -> Draft | None:
    """A question about a subject; None where this draw has none."""
    drafter = DRAFTERS[bisect.bisect(_ends(), draw.random() * _ends()[-1])][1]
    if not ordered and drafter in OF_ROWS_IN_ORDER:
        return None
    words = any_words(draw, subject)
    draft = drafter(words)
    return None if draft is None else dataclasses.replace(draft, natural=words.natural)


def any_words(draw: Draw, subject: Subject) -> Words:
    """The words of a question, natural more often than not."""
    return Words(draw, subject, draw.chance(_NATURAL))


@functools.cache
def _ends() -> Sequence[float]:
    return tuple(itertools.accumulate(weight for weight, _ in DRAFTERS))


def worded(draw: Draw, draft: Draft) -> str:
    """A draft's question as somebody may type it."""
    text = draft.text
    if not draft.brief and draw.chance(0.03):
        text = f"{text} {draw.of(SHAPES['fillers'])}"
    return finished(draw, text, draft.brief)
