import numpy as np
import pytest

from neural_enquirer.programs.paper import the_cell
from neural_enquirer.reproduction.figure_questions import (
    Q5,
    Q7,
    Q8,
    TWO_TABLES,
    UNSEEN,
    FigureQuestion,
    asked,
)
from neural_enquirer.synthesis.olympics import FIELD_NAMES


@pytest.mark.parametrize("question", [Q5, Q7, Q8, UNSEEN, TWO_TABLES])
def test_every_table_has_one_answer(question: FigureQuestion) -> None:
    questions = asked(question)
    assert len(questions) > 5
    for index in range(len(questions)):
        example = questions.example(index)
        cell = the_cell(example.program, example.tables)
        assert example.cells == ((cell.table, cell.row, cell.column),)


def test_fields_stand_as_in_the_paper() -> None:
    (table,) = asked(Q5).example(0).tables
    assert table.field_names == FIELD_NAMES


def test_the_same_tables_every_time() -> None:
    first, second = asked(Q7), asked(Q7)
    assert np.array_equal(first.tables[0].cells, second.tables[0].cells)
