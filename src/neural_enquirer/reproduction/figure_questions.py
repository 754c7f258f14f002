"""The questions of the paper's figures, on tables of the task on which they have one answer."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Aggregate, Aggregation, Cells, Extreme, ProgramError
from neural_enquirer.programs.paper import over, the_cell
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.programs.result import Cell
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, STEPS, ExampleSet, TableBlock
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.tables import Table

_TABLES: Final = 600
"""Tables that are looked through; a named city stands in about one of seven."""
_MOST: Final = 20


@dataclass(frozen=True)
class FigureQuestion:
    """A question of the paper.

    Attributes:
        text: as people ask it, in words that the templates of our task have.
        form: its logical form.
        type: one of `PROGRAM_TYPES`.
        task: whose tables it is asked on.
    """

    text: str
    form: str
    type: str
    task: str = "olympics-100k"


Q5: Final = FigureQuestion(
    "How long is the game with the most medals that had fewer than 3,000 participants?",
    "where #_participants < 3,000, argmax(#_duration, #_medals)",
    "where_superlative",
)
Q7: Final = FigureQuestion(
    "Which country hosted the longest game before the game in Athens?",
    "where year < (select year, where host_city = Athens), argmax(host_country, #_duration)",
    "nest",
)
Q8: Final = FigureQuestion(
    "How many people watched the earliest game that lasted for more days than the game in 1956?",
    "where #_duration > (select #_duration, where year = 1956), argmin(#_audience, year)",
    "nest",
)
UNSEEN: Final = FigureQuestion(
    "How many people watched the game in Macau?",
    "select #_audience, where host_city = Macau",
    "select_where",
    "olympics-oov",
)
TWO_TABLES: Final = FigureQuestion(
    "How big is the country that hosted the game in 2012?",
    "select country_size, where year = 2012",
    "select_where",
    "olympics-two-tables",
)


def asked(question: FigureQuestion, tables: int = _TABLES) -> ExampleSet:
    """Asks the question on tables of its task's test set, as many as have one answer to it, but not too many.

    Fields stand in the order of the schema, as in the paper.
    """
    drawn = _in_order(generate(question.task, "test", examples=tables))
    answers = list(islice(_answers(question, drawn), _MOST))
    chosen = drawn.select([index for index, _ in answers])
    count = len(answers)
    return replace(
        chosen,
        types=np.full(count, PROGRAM_TYPES.index(question.type), dtype=np.uint8),
        questions=[question.text] * count,
        logical_forms=[question.form] * count,
        answers=np.array([[cell.table, cell.row, cell.column] for _, cell in answers], np.int16).reshape(
            -1, 3
        ),
        steps=np.full((count, STEPS), -1, dtype=np.int8),
    )


def _in_order(examples: ExampleSet) -> ExampleSet:
    """Puts the columns of every table into the order of the schema."""
    blocks = []
    for block in examples.tables:
        order = block.fields.argsort(axis=1)
        cells = np.take_along_axis(block.cells, order[:, None, :], axis=2)
        blocks.append(TableBlock(np.take_along_axis(block.fields, order, axis=1), cells))
    return replace(examples, tables=tuple(blocks))


def _answers(question: FigureQuestion, drawn: ExampleSet) -> Iterator[tuple[int, Cell]]:
    """Returns the tables that have one answer, with its cell."""
    program = parse_paper(question.form)
    for index in range(len(drawn)):
        tables = drawn.example(index).tables
        try:
            cell = the_cell(over(program, tables), tables)
        except ProgramError:
            continue
        if leaves_a_choice(program, tables):
            yield index, cell


def leaves_a_choice(program: Cells, tables: tuple[Table, ...]) -> bool:
    """Returns whether a superlative has several rows to choose from, as in the task."""
    if not isinstance(program.rows, Extreme):
        return True
    (count,) = run(Aggregate(Aggregation.COUNT, None, program.rows.rows), tables).values
    return count != 1
