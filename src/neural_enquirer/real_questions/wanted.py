"""The answer of a real question as enumeration wants it: by the rules of the question's data set."""

from collections.abc import Iterable

from neural_enquirer.programs.enumeration import Wanted
from neural_enquirer.real_questions.denotation import Value, cell_key, value_of
from neural_enquirer.real_questions.example import RealExample

_PLACES = 6
"""Decimal places to which numbers are compared."""


def wanted(example: RealExample) -> Wanted:
    """What programs for a question shall give."""
    if example.query is not None:
        return Wanted.of(example.answers, cell_key, counted=True)
    return wanted_values(example.answers)


def wanted_values(answers: Iterable[str]) -> Wanted:
    """What programs shall give whose answer is a set of values."""
    return Wanted.of(answers, _rounded_value, counted=False)


def _rounded_value(text: str) -> Value:
    """The value of a text; numbers that count as equal have equal values."""
    kind, value = value_of(text)
    return (kind, round(value, _PLACES)) if isinstance(value, float) else (kind, value)
