import dataclasses

import numpy as np
import pytest

from neural_enquirer.programs.paper import shape, steps, the_cell, to_paper_text
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet, concatenate
from neural_enquirer.synthesis.tasks import TASKS, generate


@pytest.fixture(scope="module")
def examples() -> ExampleSet:
    return generate("olympics-100k", "train", examples=50)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_programs_find_every_answer_and_step(task: str, split: str) -> None:
    examples = generate(task, split, seed=3, examples=400)
    words = examples.answer_words()

    for index in range(len(examples)):
        example = examples.example(index)
        cell = the_cell(example.program, example.tables)
        assert example.cells == ((cell.table, cell.row, cell.column),)
        assert example.tables[cell.table].text(cell.row, cell.column) == words[index]
        assert to_paper_text(example.program) == examples.logical_forms[index]
        assert shape(example.program).value == example.type
        names = [name for table in example.tables for name in table.field_names]
        read = [names[column] for column in examples.steps[index] if column >= 0]
        assert tuple(read) == steps(example.program)


def test_steps_are_aligned_to_the_right(examples: ExampleSet) -> None:
    lengths = {"select_where": 2, "superlative": 2, "where_superlative": 3, "nest": 5}
    for read, kind in zip(examples.steps, examples.types, strict=True):
        length = lengths[PROGRAM_TYPES[kind]]
        assert (read[: 5 - length] == -1).all()
        assert (read[5 - length :] >= 0).all()
    assert (examples.steps[:, -1] == examples.answers[:, 2]).all()


def test_an_example_can_be_read(examples: ExampleSet) -> None:
    example = examples.example(7)

    assert example.question == examples.questions[7]
    assert example.program == parse_paper(examples.logical_forms[7])
    assert example.tables[0].row_count == 10
    assert set(example.tables[0].field_names) == set(examples.field_names)


def test_columns_stand_in_another_order_in_every_table(examples: ExampleSet) -> None:
    orders = {tuple(order) for order in examples.tables[0].fields.tolist()}

    assert len(orders) == len(examples)
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(10))}


def test_select_and_concatenate_keep_examples_whole(examples: ExampleSet) -> None:
    chosen = examples.select(np.array([4, 2, 9]))
    rejoined = concatenate([examples.select(slice(20)), examples.select(slice(20, None))])

    assert chosen.example(2) == examples.example(9)
    assert len(chosen) == 3
    assert rejoined.questions == examples.questions
    assert [rejoined.example(index) for index in range(50)] == [
        examples.example(index) for index in range(50)
    ]


def test_sets_of_different_schemas_do_not_mix(examples: ExampleSet) -> None:
    other = dataclasses.replace(examples, words=examples.words[::-1])

    with pytest.raises(ValueError, match="different schemas"):
        concatenate([examples, other])
