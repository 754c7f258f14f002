import functools
from collections.abc import Callable

import pytest

from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import TASKS, generate

DataSet = Callable[[str, str], ExampleSet]


MOST = {"train": 25_000}
"""So many examples of a split are generated at most: blocks are drawn alike, one after the other."""


@pytest.fixture(scope="session")
def data_set() -> DataSet:
    """The data sets as everyone gets them, of those for training the first quarter; each is made once."""

    def made(task: str, split: str) -> ExampleSet:
        most = MOST.get(split)
        return generate(task, split, examples=most and min(most, TASKS[task].examples[split]))

    return functools.cache(made)
