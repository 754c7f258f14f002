"""Questions with their tables and answers: one by one, or many at a time as columns of codes."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import Cells
from neural_enquirer.programs.paper import Shape, over
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.tables import Field, FieldType, Table, Value

PROGRAM_TYPES: Final = tuple(shape.value for shape in Shape)
STEPS: Final = 5
"""The longest logical form reads five fields, one after another."""


WORDINGS: Final = ("literal", "natural")

Cell = tuple[int, int, int]
"""Table, row and column, each from 0."""


def word_value(word: str) -> Value:
    """The typed value of a cell's word: ``3,500`` is a number, ``Athens`` is text."""
    return int(word.replace(",", "")) if word[0].isdigit() else word


@dataclass(frozen=True)
class Example:
    """Tables, a question about them, and the cell that answers it."""

    tables: tuple[Table, ...]
    question: str
    type: str
    """One of :data:`PROGRAM_TYPES`, or of the open tasks, which say what theirs mean."""
    wording: str
    """"literal": fields are called by words of their headers only; "natural": by adjectives, verbs and
    question words as well."""
    cells: tuple[Cell, ...]
    """The cells that answer: one; or two, where the link of two tables is asked for, which both have; none
    where the tables cannot answer."""
    program: Cells | None
    """None for questions that no program of the paper can say. Over a join, its headers are `headers`."""
    link: tuple[str, str] | None = None
    """The fields that link two tables, first table's first; None where nothing does."""
    headers: tuple[tuple[str, int, str], ...] = ()
    """For each column of a join its name there, its table and its own header."""


@dataclass(frozen=True)
class TableBlock:
    """One table per example, as codes."""

    fields: npt.NDArray[np.uint8]
    """``[example, field]``: which field of the schema stands in each column; the order differs by example."""
    cells: npt.NDArray[np.int16]
    """``[example, row, field]``: which of the example set's words stands in each cell."""

    def select(self, indices: Any) -> "TableBlock":
        """The tables at `indices`, an array or a slice."""
        return TableBlock(self.fields[indices], self.cells[indices])


@dataclass(frozen=True)
class ExampleSet:
    """Columns of examples; entry i of every column belongs to example i."""

    field_names: tuple[str, ...]
    """All fields of the schema."""
    words: tuple[str, ...]
    """All words that may stand in cells; the codes in `tables` are positions in here."""
    entity_words: frozenset[str]
    """The words among them that name cities and countries."""
    tables: tuple[TableBlock, ...]
    """One block, or two where every question has two tables."""
    types: npt.NDArray[np.uint8]
    """``[example]``: position in :data:`PROGRAM_TYPES`."""
    questions: list[str]
    """Natural language, as a person would write it."""
    logical_forms: list[str]
    """SQL-like text."""
    answers: npt.NDArray[np.int16]
    """``[example, 3]``: table, row and column of the answer's cell."""
    steps: npt.NDArray[np.int8]
    """``[example, 5]``: the column that each of five executors reads, the last of them the answer's; -1 where
    a shorter logical form has no step. Columns of a second table count on from those of the first."""

    def __len__(self) -> int:
        return len(self.questions)

    def select(self, indices: slice | npt.NDArray[np.integer[Any]] | Sequence[int]) -> "ExampleSet":
        """The examples at `indices`, in that order."""
        chosen = np.arange(len(self))[indices]
        return dataclasses.replace(
            self,
            tables=tuple(block.select(chosen) for block in self.tables),
            types=self.types[chosen],
            questions=[self.questions[index] for index in chosen],
            logical_forms=[self.logical_forms[index] for index in chosen],
            answers=self.answers[chosen],
            steps=self.steps[chosen],
        )

    def answer_places(self) -> npt.NDArray[np.int64]:
        """Where the answers stand among all cells, counted table by table and row by row."""
        table, row, column = self.answers.T.astype(np.int64)
        widths = np.array([block.cells.shape[2] for block in self.tables])
        sizes = np.array([block.cells.shape[1] * block.cells.shape[2] for block in self.tables])
        before = np.cumsum(sizes) - sizes
        places: npt.NDArray[np.int64] = before[table] + row * widths[table] + column
        return places

    def answer_words(self) -> list[str]:
        """The word in each answer's cell."""
        tables, rows, columns = self.answers.T
        codes = np.zeros(len(self), dtype=np.int16)
        for number, block in enumerate(self.tables):
            here = np.flatnonzero(tables == number)
            codes[here] = block.cells[here, rows[here], columns[here]]
        return [self.words[code] for code in codes]

    def example(self, index: int) -> Example:
        """Example `index` with its tables and program spelled out."""
        tables = tuple(
            self._table(block, index, f"table_{n}") for n, block in enumerate(self.tables, start=1)
        )
        table, row, column = self.answers[index].tolist()
        return Example(
            tables,
            self.questions[index],
            PROGRAM_TYPES[self.types[index]],
            "natural",
            ((table, row, column),),
            over(parse_paper(self.logical_forms[index]), tables),
        )

    def _table(self, block: TableBlock, index: int, name: str) -> Table:
        texts = tuple(tuple(self.words[code] for code in column) for column in block.cells[index].T)
        columns = tuple(tuple(word_value(word) for word in column) for column in texts)
        fields = tuple(
            Field(self.field_names[code], FieldType.TEXT if isinstance(column[0], str) else FieldType.NUMBER)
            for code, column in zip(block.fields[index], columns, strict=True)
        )
        return Table(fields=fields, columns=columns, name=name, texts=texts)


def concatenate(sets: Sequence[ExampleSet]) -> ExampleSet:
    """Examples of one task, set after set."""
    first = sets[0]
    if any((each.field_names, each.words) != (first.field_names, first.words) for each in sets):
        raise ValueError("examples of different schemas cannot be put into one set")
    return dataclasses.replace(
        first,
        tables=tuple(
            TableBlock(
                np.concatenate([block.fields for block in blocks]),
                np.concatenate([block.cells for block in blocks]),
            )
            for blocks in zip(*(each.tables for each in sets), strict=True)
        ),
        types=np.concatenate([each.types for each in sets]),
        questions=[question for each in sets for question in each.questions],
        logical_forms=[form for each in sets for form in each.logical_forms],
        answers=np.concatenate([each.answers for each in sets]),
        steps=np.concatenate([each.steps for each in sets]),
    )
