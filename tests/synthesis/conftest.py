import functools
from collections.abc import Callable

import pytest

from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import generate

DataSet = Callable[[str, str], ExampleSet]


@pytest.fixture(scope="session")
def data_set() -> DataSet:
    """The data sets in full, as everyone gets them; each is generated once."""
    return functools.cache(lambda task, split: generate(task, split))
