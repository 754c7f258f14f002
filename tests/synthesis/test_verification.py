import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from neural_enquirer.synthesis.examples import ExampleSet, TableBlock
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.synthesis.tasks import TASKS, generate
from neural_enquirer.synthesis.verification import VerificationError, verify

DataSet = Callable[[str, str], ExampleSet]

COUNT = 10


@pytest.fixture(scope="module", params=["olympics-100k", "olympics-two-tables"])
def examples(request: pytest.FixtureRequest) -> ExampleSet:
    return generate(request.param, "train", examples=COUNT)


@pytest.mark.parametrize("task", TASKS)
def test_a_large_sample_of_every_set_is_right(task: str, data_set: DataSet) -> None:
    for split in SPLITS:
        sample = data_set(task, split).select(slice(0, None, 7))
        checked: list[int] = []
        verify(sample, progress=checked.append)
        assert sum(checked) == len(sample) > 600


@pytest.mark.parametrize("index", range(5))
def test_a_wrong_row_is_found(examples: ExampleSet, index: int) -> None:
    answers = examples.answers.copy()
    answers[index, 1] = (answers[index, 1] + 1) % 10

    with pytest.raises(VerificationError, match=rf"^example {index}, .* its SQL finds the rows"):
        verify(dataclasses.replace(examples, answers=answers))


@pytest.mark.parametrize("index", range(5))
def test_a_wrong_column_is_found(examples: ExampleSet, index: int) -> None:
    answers = examples.answers.copy()
    answers[index, 2] = (answers[index, 2] + 1) % examples.tables[answers[index, 0]].fields.shape[1]

    with pytest.raises(VerificationError, match=rf"^example {index}, .* should be in the field"):
        verify(dataclasses.replace(examples, answers=answers))


@pytest.mark.parametrize("index", range(5))
def test_an_answer_that_is_not_unique_is_found(examples: ExampleSet, index: int) -> None:
    """All rows of the example's table are made equal to the first: several answer, or none is left."""
    blocks = []
    for block in examples.tables:
        cells = block.cells.copy()
        cells[index] = cells[index, :1]
        blocks.append(TableBlock(block.fields, cells))

    with pytest.raises(VerificationError, match=rf"^example {index}, "):
        verify(dataclasses.replace(examples, tables=tuple(blocks)))


def test_a_form_that_does_not_fit_its_table_is_found(examples: ExampleSet) -> None:
    for form in ("select GNP, where host_city = Athens", "select, where"):
        forms = [*examples.logical_forms[:-1], form]
        with pytest.raises(VerificationError, match=rf"^example {COUNT - 1}"):
            verify(dataclasses.replace(examples, logical_forms=forms))


def test_nothing_to_verify_is_right() -> None:
    verify(generate("olympics-25k", "test", examples=0))


def test_messages_are_one_line(examples: ExampleSet) -> None:
    answers = np.zeros_like(examples.answers)

    with pytest.raises(VerificationError) as caught:
        verify(dataclasses.replace(examples, answers=answers))

    assert "\n" not in str(caught.value)
