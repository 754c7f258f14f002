"""Which questions are drafted, how often, and the last touch on their words."""

import bisect
import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw, require
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.open.surface import finished
from neural_enquirer.synthesis.programs import amount_questions as amounts
from neural_enquirer.synthesis.programs import comparison_questions as comparisons
from neural_enquirer.synthesis.programs import row_questions as rows
from neural_enquirer.synthesis.programs.drafts import Draft
from neural_enquirer.synthesis.programs.subject import Subject
from neural_enquirer.synthesis.programs.wording import Words

Drafter = Callable[[Words], Draft]

DRAFTERS: Final[tuple[tuple[float, Drafter], ...]] = (
    (12, rows.looked_up),
    (17, rows.found_by_conditions),
    (1, rows.different_values),
    (18, rows.superlative),
    (3, rows.extreme_value),
    (2, rows.nth_in_order),
    (3, rows.top),
    (1.5, rows.end_of_rows),
    (2, rows.beside_a_row),
    (1, rows.next_in_order),
    (11, amounts.count),
    (1.6, amounts.distinct_count),
    (9, amounts.aggregate),
    (1, amounts.amount_of_two),
    (2.5, amounts.share),
    (0.6, amounts.share_of_total),
    (5, amounts.group_of_most),
    (4, amounts.group_of_most_measure),
    (1.5, amounts.per_group),
    (1.5, amounts.groups_beyond),
    (0.8, amounts.top_groups),
    (7, comparisons.beyond_another),
    (1, comparisons.same_as_another),
    (3.5, comparisons.difference),
    (0.5, comparisons.difference_of_fields),
    (1.5, comparisons.difference_of_groups),
    (2, comparisons.either),
    (0.8, comparisons.either_group),
    (1.2, comparisons.exists),
    (0.8, comparisons.is_value),
    (0.8, comparisons.is_beyond),
    (1.3, comparisons.is_more),
    (0.5, comparisons.group_is_more),
    (0.5, comparisons.count_beyond),
    (0.5, comparisons.all_are),
)
"""What drafts questions, and how often; about as often as people ask so."""
OF_ROWS_IN_ORDER: Final = frozenset({rows.end_of_rows, rows.beside_a_row})
"""Those that only the rows of one table, which have an order, can be asked about."""
_NATURAL: Final = 0.7


NAMING_ROWS: Final[tuple[Drafter, ...]] = (
    rows.looked_up,
    rows.looked_up,
    rows.looked_up,
    rows.found_by_conditions,
    rows.found_by_conditions,
    rows.superlative,
    amounts.aggregate,
    comparisons.difference,
    comparisons.either,
)
"""Those whose questions mostly have no answer where a row that they name is missing."""


def drafted(draw: Draw, subject: Subject, ordered: bool = True) -> Draft:
    """A question about a subject."""
    drafter = DRAFTERS[bisect.bisect(_ends(), draw.random() * _ends()[-1])][1]
    require(ordered or drafter not in OF_ROWS_IN_ORDER)
    words = any_words(draw, subject)
    return dataclasses.replace(drafter(words), natural=words.natural)


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
