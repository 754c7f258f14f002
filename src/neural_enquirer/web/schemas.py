"""What goes over the wire, for those who check it and for /openapi.json."""

import enum
from typing import Annotated, Any, Literal

import pydantic


class _Given(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class AskRequest(_Given):
    """A question, about tables that the server knows or about one that comes with it."""

    question: str
    table: str | None = None
    tables: Annotated[list[str], pydantic.Field(min_length=1)] | None = None
    records: list[dict[str, Any]] | None = None
    top: Annotated[int, pydantic.Field(ge=1, le=1_000_000)] = 5
    steps: bool | None = None
    after: "Before | None" = None


class Before(_Given):
    """The question before, which another may lean on, the program that answered it, and how sure that was."""

    question: str
    program: str | None = None
    confidence: Annotated[float, pydantic.Field(ge=0, le=1)] = 1.0


class RowGiven(_Given):
    """A row of a table: the table's id, and the row from 0."""

    table: str
    row: Annotated[int, pydantic.Field(ge=0, le=10**12)]


class CellGiven(RowGiven):
    """A cell of a table: the table's id, the row from 0, the name of the field."""

    field: str


class CorrectionRequest(_Given):
    """A question that was answered wrongly, and what is right: one of the last five."""

    question: str
    tables: Annotated[list[str], pydantic.Field(min_length=1)]
    program: str | None = None
    answers: Annotated[list[str], pydantic.Field(min_length=1)] | None = None
    cells: Annotated[list[CellGiven], pydantic.Field(min_length=1)] | None = None
    rows: Annotated[list[RowGiven], pydantic.Field(min_length=1)] | None = None
    refuse: Literal[True] | None = None


class FigureForm(enum.StrEnum):
    """What a figure can be drawn as."""

    PNG = "png"
    SVG = "svg"


class Told(pydantic.BaseModel):
    """What is wrong, in one plain sentence."""

    detail: str


class FieldShown(pydantic.BaseModel):
    """A field of a table: what its cells are, how they are read, and some of them."""

    name: str
    type: Literal["text", "number", "date"]
    unit: str | None
    kind: str
    reading: str
    missing: int
    distinct: int | None
    examples: list[str]


class TableShown(pydantic.BaseModel):
    """A table that can be asked; `rows` of its rows can be shown, and `rows_there` are there."""

    id: str
    name: str
    rows: int
    rows_there: int
    fields: list[FieldShown]
    uploaded: bool
    example: bool
    forgotten_in: int | None


class UploadedTable(TableShown):
    """An uploaded table, what was odd about it, and the session that may ask it."""

    warnings: list[str]
    session: str


class TableRows(TableShown):
    """Some rows of a table with their numbers in it, how many are wanted in all, and questions to try."""

    start: int
    cells: list[list[str]]
    numbers: list[int | None]
    matching: int
    examples: list[str]


class TablesLinked(pydantic.BaseModel):
    """Two fields of two tables that have values in common, and how many."""

    tables: list[str]
    fields: list[str]
    shared: int


class ExampleShown(pydantic.BaseModel):
    """A question to try, and what kind of question it is."""

    kind: str
    question: str


class CorrectionKept(pydantic.BaseModel):
    """Where a correction was kept, and how many there are now."""

    kept_in: str
    count: int


class CellShown(pydantic.BaseModel):
    """A place in a table."""

    table: str
    row: int
    field: str


class CandidateShown(pydantic.BaseModel):
    """What may be the answer, or the finding that there is none; a place where one cell answers."""

    answer: str | None
    aggregation: str
    table: str | None
    row: int | None
    field: str | None
    probability: float


class Mark(pydantic.BaseModel):
    """How strongly an executor marked a row."""

    row: int
    mark: float


class LinkShown(pydantic.BaseModel):
    """Two fields whose equal values link two tables."""

    tables: list[str]
    fields: list[str]
    weight: float


class LookShown(pydantic.BaseModel):
    """A row that looked at a row of another table."""

    row: int
    table: str
    other_row: int
    weight: float


class StepShown(pydantic.BaseModel):
    """What an executor read and marked in a table: all rows, or those marked most.

    Where there are several tables, `looked_at` says which rows looked at rows of others.
    """

    executor: int
    table: str
    fields: dict[str, float]
    rows: list[float] | None = None
    marked: list[Mark] | None = None
    marked_count: int | None = None
    looked_at: list[LookShown] | None = None


class WordsShown(pydantic.BaseModel):
    """Words of a question and what they were taken for."""

    words: str
    meaning: Annotated[str, pydantic.Field(alias="as")]
    start: int | None
    end: int | None


class SpanShown(pydantic.BaseModel):
    """Where words stand in a question, by its characters."""

    start: int
    end: int


class RefusalShown(pydantic.BaseModel):
    """Why there is no answer."""

    kind: str
    message: str


class ProgramStepShown(pydantic.BaseModel):
    """A step of a program, how many rows there are then, and some of them."""

    step: str
    fields: list[str]
    rows: int | None
    shown: list[str]
    table: str | None
    kept: list[int]
    kept_count: int


class ChartShown(pydantic.BaseModel):
    """Points to be drawn; those marked are the answer, where that is not all of them."""

    kind: Literal["bars", "line"]
    labels: list[str]
    values: list[int | float]
    label: str
    value: str
    marked: list[int]


class NearestShown(pydantic.BaseModel):
    """What comes nearest where there is no answer."""

    table: str
    row: int | None
    fields: list[str]
    message: str
    count: int


class AlternativeShown(pydantic.BaseModel):
    """Another reading of the question."""

    answer: str | None
    answers: list[str]
    sentence: str | None
    program: str
    probability: float


class RowsShown(pydantic.BaseModel):
    """Some of the rows that an answer is made of, where an engine has them."""

    table: str
    fields: list[str]
    rows: list[list[str]]


class AnswerShown(pydantic.BaseModel):
    """The answer to a question, as `enquirer ask --json` prints it."""

    question: str
    read_as: str | None
    answer: str | None
    answers: list[str]
    aggregation: str
    row: int | None
    field: str | None
    table: str | None
    cells: list[CellShown]
    cells_count: int
    confidence: float
    sentence: str
    program: str | None
    sql: str | None
    understood: list[WordsShown]
    unused: list[str]
    unused_spans: list[SpanShown]
    refusal: RefusalShown | None
    nearest: NearestShown | None
    ranked: list[CandidateShown]
    alternatives: list[AlternativeShown]
    tables: list[str]
    links: list[LinkShown]
    program_steps: list[ProgramStepShown]
    chart: ChartShown | None
    evidence: RowsShown | None = None
    steps: list[StepShown] | None = None
    model: str


class ModelShown(pydantic.BaseModel):
    """A model that comes with the program."""

    name: str
    task: str | None
    bytes: int
    accuracy: float | None
    accuracy_of: str | None = None
    in_use: bool


class Health(pydantic.BaseModel):
    """That the server is there."""

    status: Literal["ok"]
