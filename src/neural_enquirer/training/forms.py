"""Which values may stand in a training question: those that make it a logical form of training.

A logical form of the one-table tasks names one value at most. What is left without it is its pattern, and
whether a pattern and a value together belong to training is looked up, on a GPU as well, without writing
the form.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.words import PADDING, Vocabulary
from neural_enquirer.synthesis.examples import ExampleSet, word_value
from neural_enquirer.synthesis.splits import split_of

_VALUE: Final = re.compile(r"(?<= [=<>] )(?!\()[^\s)]*[^\s),]")
_PLACE: Final = "\0"
"""Stands in a pattern where a form has its value."""


def taken_apart(logical_form: str) -> tuple[str, str | None]:
    """Returns the pattern of a logical form, and the value that it names, if it names one.

    Raises:
        ValueError: if it names several.
    """
    found = _VALUE.findall(logical_form)
    if len(found) > 1:
        raise ValueError(f"a form to rename names one value at most, not {', '.join(found)}")
    return _VALUE.sub(_PLACE, logical_form), found[0] if found else None


@dataclass(frozen=True)
class TrainingForms:
    """The logical forms of training examples, and those that others could take their place.

    Attributes:
        places: the pattern of each example's form, and the code of its value; `PADDING` where it has none.
        allowed: whether a pattern with the value of a code is a form of training.
    """

    places: Int[Tensor, "example 2"]
    allowed: Bool[Tensor, "pattern code"]

    @classmethod
    def of(cls, examples: ExampleSet, vocabulary: Vocabulary) -> "TrainingForms":
        """Looks up each value that stands in a cell of the examples with each of their patterns."""
        forms = [taken_apart(form) for form in examples.logical_forms]
        numbers = {pattern: number for number, pattern in enumerate(dict.fromkeys(form for form, _ in forms))}
        codes = vocabulary.codes
        places = [
            (numbers[pattern], PADDING if value is None else codes[value.lower()]) for pattern, value in forms
        ]
        allowed = torch.zeros(len(numbers), len(vocabulary), dtype=torch.bool)
        values = _values(examples)
        for pattern, text in {(pattern, _is_text(value)) for pattern, value in forms if value is not None}:
            right = [codes[word.lower()] for word in values[text] if _trains(pattern, word)]
            allowed[numbers[pattern], right] = True
        allowed[:, PADDING] = torch.tensor([_PLACE not in pattern for pattern in numbers])
        return cls(torch.tensor(places, dtype=torch.int64).view(-1, 2), allowed)


def _values(examples: ExampleSet) -> dict[bool, list[str]]:
    """Returns the words in the cells of the examples: names, and numbers."""
    used = np.unique(np.concatenate([block.cells.ravel() for block in examples.tables]))
    values: dict[bool, list[str]] = {True: [], False: []}
    for code in used.tolist():
        word = examples.words[code]
        values[_is_text(word)].append(word)
    return values


def _is_text(word: str | None) -> bool:
    return word is not None and isinstance(word_value(word), str)


def _trains(pattern: str, value: str) -> bool:
    return split_of(pattern.replace(_PLACE, value)) == "train"
