"""What a question tells of rows: values and numbers, with the conditions that they may stand for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neural_enquirer.asking.follow_ups.vocabulary import Span
from neural_enquirer.programs.language import Comparison, Condition

__all__ = ["Told", "apart"]


@dataclass(frozen=True)
class Told:
    """A value or a number of the question, and what it may say of rows.

    Attributes:
        span: its words.
        conditions: one for each field that it may be about, the likeliest first.
        costs: how far-fetched each of them is.
        left_out: whether the question wants rows without it.
        compared: whether words say how it compares.
        against: how what was asked about is to compare with it: more than Chile?
    """

    span: Span
    conditions: tuple[Condition, ...]
    costs: tuple[float, ...]
    left_out: bool = False
    compared: bool = False
    against: Comparison | None = None

    @property
    def options(self) -> Iterator[tuple[Condition, float]]:
        """The conditions with their costs."""
        return zip(self.conditions, self.costs, strict=True)


def apart(told: Iterable[Told]) -> list[Told]:
    """The longest values that do not share words."""
    kept: list[Told] = []
    for each in sorted(told, key=lambda one: one.span[0] - one.span[1]):
        if all(each.span[1] <= own.span[0] or own.span[1] <= each.span[0] for own in kept):
            kept.append(each)
    return kept
