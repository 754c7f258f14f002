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
    """Every seventh example, 2,500 of a split at most: later ones are drawn as these are."""
    for split in SPLITS:
        sample = data_set(task, split).select(slice(0, 7 * 2500, 7))
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


def test_a_comparison_with_several_rows_is_found() -> None:
    """The language takes "less than all of them"; the task wants one row to be named."""
    form = "where year < (select year, where host_city = {}), argmax(year, year)"
    drawn = generate("olympics-100k", "train", examples=1)
    (block,) = drawn.tables
    year, city = (
        block.fields[0].tolist().index(drawn.field_names.index(name)) for name in ("year", "host_city")
    )
    order = block.cells[0, :, year].argsort()
    named = drawn.words[block.cells[0, order[5], city]]
    right = dataclasses.replace(
        drawn, logical_forms=[form.format(named)], answers=np.array([[0, order[4], year]], np.int16)
    )
    cells = block.cells.copy()
    cells[0, order[8], city] = cells[0, order[5], city]

    verify(right)
    with pytest.raises(VerificationError, match=r"^example 0, .* it compares with the rows \["):
        verify(dataclasses.replace(right, tables=(TableBlock(block.fields, cells),)))


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
