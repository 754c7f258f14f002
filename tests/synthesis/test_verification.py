"""Every answer is what a program run exactly finds, and what a database finds that knows nothing of us."""

import dataclasses
from collections.abc import Callable, Sequence

import duckdb
import pytest

from neural_enquirer.programs.language import Field as ProgramField
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.synthesis.examples import Example, ExampleSet
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.synthesis.tasks import TASKS, generate
from neural_enquirer.synthesis.verification import VerificationError, verify
from neural_enquirer.tables import Field, FieldType, Table

DataSet = Callable[[str, str], ExampleSet]

COUNT = 10


def spelled_out(examples: ExampleSet) -> list[Example]:
    return [examples.example(index) for index in range(len(examples))]


@pytest.fixture(scope="module", params=["olympics-100k", "olympics-two-tables", "open"])
def examples(request: pytest.FixtureRequest) -> list[Example]:
    if request.param == "open":
        drawn = ONE_TABLE.generate("train", examples=60)
        return [one for one in drawn if one.program is not None and one.tables[0].row_count > 1][:COUNT]
    return spelled_out(generate(request.param, "train", examples=COUNT))


@pytest.mark.parametrize("task", TASKS)
def test_a_large_sample_of_every_set_is_right(task: str, data_set: DataSet) -> None:
    """Every seventh example, 1,000 of a split at most: later ones are drawn as these are."""
    for split in SPLITS:
        sample = spelled_out(data_set(task, split).select(slice(0, 7 * 1000, 7)))
        checked: list[int] = []
        verify(sample, progress=checked.append)
        assert sum(checked) == len(sample) > 600


@pytest.mark.parametrize("task", TASKS)
def test_duckdb_finds_the_answers_of_every_set(task: str) -> None:
    assert_duckdb_agrees(spelled_out(generate(task, "test", seed=2, examples=80)))


@pytest.mark.parametrize("split", SPLITS)
def test_duckdb_finds_the_answers_of_open_questions(split: str) -> None:
    drawn = ONE_TABLE.generate(split, examples=200)
    verify(drawn)
    assert_duckdb_agrees([example for example in drawn if example.program is not None])


def assert_duckdb_agrees(examples: Sequence[Example]) -> None:
    """The SQL is asked for the row, which is stricter: another row may hold the same value."""
    with duckdb.connect(config={"threads": 1}) as database:
        for example in examples:
            tables = [_with_row_numbers(table, place) for place, table in enumerate(example.tables)]
            for table in tables:
                database.register(table.name, table.to_arrow())
            ((number, row, _),) = example.cells
            assert example.program is not None
            (term,) = example.program.terms
            assert isinstance(term, ProgramField)
            asked = dataclasses.replace(
                example.program, terms=(dataclasses.replace(term, name=f"the row {number}"),)
            )
            assert set(database.execute(to_sql(asked, tables)).fetchall()) == {(row,)}, example.question


def _with_row_numbers(table: Table, place: int) -> Table:
    numbered = (*table.fields, Field(f"the row {place}", FieldType.NUMBER))
    return Table(numbered, (*table.columns, tuple(range(table.row_count))), table.name)


def test_another_cell_is_found(examples: list[Example]) -> None:
    for example in examples:
        ((number, row, column),) = example.cells
        rows, columns = example.tables[number].row_count, len(example.tables[number].fields)
        for wrong in ((number, (row + 1) % rows, column), (number, row, (column + 1) % columns)):
            with pytest.raises(VerificationError, match=r"^example 0, .* its program finds"):
                verify([dataclasses.replace(example, cells=(wrong,))])


def test_an_answer_that_is_not_unique_is_found(examples: list[Example]) -> None:
    """All rows of the example's tables are made equal to the first: several answer, or none is left."""
    for example in examples:
        tables = tuple(
            Table(each.fields, tuple(column[:1] * each.row_count for column in each.columns), each.name)
            for each in example.tables
        )
        with pytest.raises(VerificationError, match=r"^example 0, "):
            verify([dataclasses.replace(example, tables=tables)])


def test_a_comparison_with_several_rows_is_found() -> None:
    """The language takes "less than all of them"; the task wants one row to be named."""
    form = parse_paper("where year < (select year, where city = Rome), argmax(year, year)")

    def asked(*cities: str) -> Example:
        table = Table.of_columns(["city", "year"], [cities, [1960, 1964, 1968]])
        return Example((table,), "", "nest", "natural", ((0, 1, 1),), form)

    verify([asked("Oslo", "Tokyo", "Rome")])
    with pytest.raises(VerificationError, match=r"^example 0, .* 2 cells answer"):
        verify([asked("Rome", "Tokyo", "Rome")])


def test_a_form_that_does_not_fit_its_table_is_found(examples: list[Example]) -> None:
    form = parse_paper("select GNP, where host_city = Athens")
    with pytest.raises(VerificationError, match=rf"^example {COUNT - 1}") as caught:
        verify([*examples[:-1], dataclasses.replace(examples[-1], program=form)])
    assert "\n" not in str(caught.value)


def test_answers_go_with_programs_choices_and_places() -> None:
    drawn = ONE_TABLE.generate("test", examples=200)
    answered = {one.type: one for one in drawn if one.cells}
    assert {"either", "order"} < answered.keys()
    for right in answered.values():
        with pytest.raises(VerificationError, match="example 0"):
            verify([dataclasses.replace(right, cells=())])
    refused = next(one for one in drawn if one.type == "absent")
    with pytest.raises(VerificationError, match="there should be none"):
        verify([dataclasses.replace(refused, cells=((0, 0, 0),))])


def test_nothing_to_verify_is_right() -> None:
    verify([])
