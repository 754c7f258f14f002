"""The operations that a program is made of: each turns the rows selected so far into those selected next.

Selections are numbers between 0 and 1, so that a mixture of operations and fields is a selection too, with a
gradient; where they are 0 and 1, every operation does exactly what its name says.
"""

from dataclasses import dataclass
from typing import Final

import torch
from jaxtyping import Bool, Float
from torch import Tensor

OPERATIONS: Final = (
    "reset",
    "and",
    "or",
    "equal",
    "greater",
    "lesser",
    "argmax",
    "argmin",
    "greater_than_selected",
    "lesser_than_selected",
)
"""All operations on rows. The last two compare each row with the one selected so far; the original has no way
to make a pivot out of what it found."""

UNCONDITIONAL: Final = ("reset", "equal", "greater", "lesser")
"""Those that do not ask which rows are selected already."""

WITHOUT_FIELD: Final = 3
"""The first so many operations look at no field."""

NESTED: Final = 2
"""The last so many operations are those for nested questions."""

_ALMOST_ONE = 1 - 1e-6
"""Keeps the logarithm of what a selection leaves finite."""
_LEAST = 1e-6
"""Of the sum of a selection, which may be empty."""
_LEAST_CHANCE = 1e-4
"""Of a row that the program did not select: a wrong program must be able to improve."""


@dataclass(frozen=True)
class Facts:
    """What table and question say of rows and fields, whatever the program; true is 1 and false is 0.

    Attributes:
        there: which rows are no padding.
        numbers: which cells hold a number.
        matches: which cells the question mentions.
        over: which cells hold more than the question's number, the pivot of `greater`.
        under: which cells hold less than the pivot of `lesser`.
        order: for rows k and i and a field, whether k holds less than i, and then whether it holds more.
    """

    there: Float[Tensor, "batch row"]
    numbers: Float[Tensor, "batch field row"]
    matches: Float[Tensor, "batch field row"]
    over: Float[Tensor, "batch field row"]
    under: Float[Tensor, "batch field row"]
    order: Float[Tensor, "batch row 2 field row"]

    @classmethod
    def of(
        cls,
        there: Bool[Tensor, "batch row"],
        values: Float[Tensor, "batch field row"],
        matches: Bool[Tensor, "batch field row"],
        pivots: Float[Tensor, "batch token"],
        pivot_weights: Float[Tensor, "batch 2 token"],
    ) -> "Facts":
        """Compares numbers.

        Args:
            there: which rows are no padding.
            values: of all cells; not a number where a cell holds none.
            matches: which cells the question mentions.
            pivots: the question's numbers; not a number for its other words.
            pivot_weights: how much of the pivot of `greater` and of `lesser` each of them is.
        """
        cells, pivots = values[..., None], pivots[:, None, None]
        of_greater, of_lesser = pivot_weights[:, None, None].unbind(dim=3)
        over = ((cells > pivots) * of_greater).sum(dim=3)
        under = ((cells < pivots) * of_lesser).sum(dim=3)
        each, other = values[:, None], values.transpose(1, 2)[..., None]
        return cls(
            there.to(over),
            (~values.isnan()).to(over),
            matches.to(over),
            over,
            under,
            torch.stack((other < each, other > each), dim=2).to(over),
        )

    def usable(self) -> Bool[Tensor, "batch operation field"]:
        """Returns the fields that each operation can work with: `equal` needs a match, the others numbers."""
        every = torch.ones_like(self.numbers[..., 0])
        numbers = self.numbers.amax(dim=2)
        compared = (self.over.amax(dim=2), self.under.amax(dim=2))
        needed = (self.matches.amax(dim=2), *compared, *[numbers] * (len(OPERATIONS) - WITHOUT_FIELD - 3))
        return torch.stack((*[every] * WITHOUT_FIELD, *needed), dim=1) > 0


def advance(
    facts: Facts,
    selected: Float[Tensor, "batch row"],
    before: Float[Tensor, "batch row"],
    operation: Float[Tensor, "batch operation"],
    field: Float[Tensor, "batch field"],
) -> Float[Tensor, "batch row"]:
    """Moves the row selector on by one step: the mean over operations and fields of what each selects.

    Args:
        facts: of the table and the question.
        selected: the rows that the last step selected.
        before: those that the step before it did.
        operation: the weight of each operation; the last ones may be left out.
        field: the weight of each field.
    """
    plain, by_field = _apply_all(facts, selected, before)
    by_field = torch.einsum("bofr,bf->bor", by_field, field)
    results = torch.cat((plain, by_field), dim=1)[:, : operation.shape[1]]
    return torch.bmm(operation[:, None], results)[:, 0]


def look_up(
    facts: Facts, selected: Float[Tensor, "batch row"], field_scores: Float[Tensor, "batch field"]
) -> Float[Tensor, "batch row field"]:
    """Returns log p of each cell: that of its row, as far as it is selected, plus that of its field.

    Args:
        facts: of the table and the question.
        selected: the rows that the last step selected.
        field_scores: log p of each field.
    """
    chance = selected + _LEAST_CHANCE
    rows = (chance / (chance * facts.there).sum(dim=1, keepdim=True)).log()
    rows = rows.masked_fill(facts.there == 0, -torch.inf)
    return rows[:, :, None] + field_scores[:, None]


def _apply_all(
    facts: Facts, selected: Float[Tensor, "batch row"], before: Float[Tensor, "batch row"]
) -> tuple[Float[Tensor, "batch plain row"], Float[Tensor, "batch operation field row"]]:
    """Returns what each operation selects: those that look at no field, then the others, field by field."""
    left = torch.log1p(-_ALMOST_ONE * selected)  # log of the chance that a row is not selected
    share = selected / selected.sum(dim=1, keepdim=True).clamp(min=_LEAST)
    # Summed over the other rows k: of those that hold less, and of those that hold more.
    sums = torch.bmm(torch.stack((left, share), dim=1), facts.order.flatten(2))
    (left_less, left_more), (share_less, share_more) = (
        part.unbind(dim=1) for part in sums.unflatten(2, facts.order.shape[2:]).unbind(dim=1)
    )
    here = selected[:, None] * facts.numbers
    plain = (facts.there, torch.minimum(selected, before), torch.maximum(selected, before))
    by_field = (
        facts.matches,
        facts.over,
        facts.under,
        here * left_more.exp(),  # selected, and no selected row holds more
        here * left_less.exp(),
        share_less,
        share_more,
    )
    return torch.stack(plain, dim=1), torch.stack(by_field, dim=1)
