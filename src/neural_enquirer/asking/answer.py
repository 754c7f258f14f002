"""Answer: what tables say to a question, how sure that is, how it came about, or why there is none."""

import dataclasses
import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from neural_enquirer.asking.accounting import Understanding, Understood, mentioned, understand
from neural_enquirer.asking.candidate import DIGITS, Candidate, CellPlace
from neural_enquirer.asking.cascade import Cascade, Trace, likeliest_cells
from neural_enquirer.asking.charts import Chart, chart_of
from neural_enquirer.asking.heard import Heard, Span
from neural_enquirer.asking.program_steps import ProgramStep, program_steps
from neural_enquirer.asking.refusals import Nearest, Refusal, kind_of_refusal, nearest_of, refusal_message
from neural_enquirer.asking.sql_note import sql_note
from neural_enquirer.encoding.linking import Links
from neural_enquirer.installed import check_installed
from neural_enquirer.judge.ranked import NO_FIELD, NO_ROW, NOT_ABOUT, Ranked
from neural_enquirer.prediction import Prediction
from neural_enquirer.programs.language import Join, Program, ProgramError
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.text import to_text
from neural_enquirer.programs.trees import parts
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.wording import cut, listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNSURE_BELOW: Final = 0.5
"""An answer less probable than this is more likely wrong than right."""
_SURENESS: Final = (
    (0.95, "very sure"),
    (0.8, "sure"),
    (0.6, "fairly sure"),
    (0.4, "unsure"),
    (0.0, "a guess"),
)
"""What is said of an answer that is so probable at least, here and on the page."""
_MOST_CELLS: Final = 1000
_SUREST: Final = 0.995
_MOST_OTHERS: Final = 2
_LONGEST_OTHER: Final = 40
_ROWS_SHOWN: Final = 10
_MOST_ALTERNATIVES: Final = 5
_DIALECT: Final = "duckdb"


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer to one question about one table or several.

    Attributes:
        question: the question as it was asked.
        tables: what it was asked of; no two have the same name.
        ranked: the likeliest candidates, the likeliest first; the first of them is the answer.
        heard: what the words of the question point at; no links where the model has none.
        model: the name of the model that answered.
        cascade: what the cascade did with the question; None where it has not looked at the rows.
        reason: why the tables' engine cannot run the program, where it cannot.
        page: gives some of the rows that a program's answer is made of, where an engine has them.
        run: runs other programs over the same tables, where an engine has them.
        read_as: what the question was taken for, where it leans on the one before; else None.
    """

    question: str
    tables: tuple[Table, ...] = dataclasses.field(repr=False)
    ranked: tuple[Candidate, ...]
    heard: Heard = dataclasses.field(repr=False)
    model: str = ""
    cascade: Cascade | None = dataclasses.field(default=None, repr=False)
    reason: str | None = None
    page: Callable[[Program, int, int], Table] | None = dataclasses.field(default=None, repr=False)
    run: Callable[[Program], Result] | None = dataclasses.field(default=None, repr=False)
    read_as: str | None = None

    @property
    def best(self) -> Candidate:
        """The likeliest candidate."""
        return self.ranked[0]

    @property
    def value(self) -> Value | None:
        """The value: a number, a date or text; several in one line; None where there is no answer."""
        values = self.best.values
        return values[0] if len(values) == 1 else self.text

    @property
    def values(self) -> tuple[Value, ...]:
        """Every value, in the table's order."""
        return self.best.values

    @property
    def text(self) -> str | None:
        """What is printed first: the value as people write it, several in one line; None for no answer."""
        return self.best.text

    @property
    def texts(self) -> tuple[str, ...]:
        """Every value as its cell spells it, or in its plain form."""
        return self.best.texts

    @property
    def aggregation(self) -> str:
        """What the values are made by: count, sum, …; none for cells as they are."""
        return self.best.aggregation

    @property
    def confidence(self) -> float:
        """How probable it is that the answer is right, from 0 to 1."""
        return self.best.probability

    @property
    def is_unsure(self) -> bool:
        """Whether the answer is more likely wrong than right."""
        return self.confidence < UNSURE_BELOW

    @property
    def sureness(self) -> str:
        """How sure it is, in words: very sure, sure, fairly sure, unsure, a guess."""
        return next(words for least, words in _SURENESS if self.confidence >= least)

    @property
    def row(self) -> int | None:
        """The row of the answer where it is one cell; data rows count from 0."""
        return None if self.best.cell is None else self.best.cell.row

    @property
    def field(self) -> str | None:
        """The field of the answer where it is one cell."""
        return None if self.best.cell is None else self.best.cell.field

    @property
    def table(self) -> str | None:
        """The name of the table that the answer is from; None where there is no answer."""
        if self.text is None:
            return None
        return next((cell.table for cell in self.best.cells(1)), self.tables[0].name)

    @property
    def cells(self) -> tuple[CellPlace, ...]:
        """The cells that the answer is made of, at most 1,000 of them."""
        return self.best.cells(_MOST_CELLS)

    @property
    def cells_count(self) -> int:
        """How many cells the answer is made of."""
        return 0 if self.best.result is None else self.best.result.cells_count

    @property
    def program(self) -> str | None:
        """The program in one line; None where nothing answers, or a model just points at a cell."""
        return to_text(self.best.program) if self.best.program is not None else self._baseline_program

    @functools.cached_property
    def sentence(self) -> str:
        """How the answer came about, or why there is none."""
        if self.refusal:
            return self.refusal.message
        return self.best.sentence or ""

    @functools.cached_property
    def refusal(self) -> Refusal | None:
        """Why there is no answer; None where there is one."""
        kind = self.best.refusal
        if kind is not None:
            told = kind_of_refusal(kind, self.heard)
            return Refusal(told, self.reason or refusal_message(told, self.heard, self._guess()))
        return None if self.values else Refusal(NO_ROW, self.best.sentence or "")

    @property
    def understood(self) -> tuple[Understood, ...]:
        """Which words were taken for what."""
        return self._understanding.understood

    @property
    def unused(self) -> tuple[str, ...]:
        """Which telling words were not used at all."""
        return self._understanding.unused

    @property
    def unused_spans(self) -> tuple[Span, ...]:
        """Where those words stand in the question."""
        return self._understanding.unused_spans

    @functools.cached_property
    def chart(self) -> Chart | None:
        """The answer as points to be drawn; None where a chart would show nothing."""
        program, result = self.best.program, self.best.result
        return None if program is None or result is None else chart_of(program, result, self.tables)

    @functools.cached_property
    def nearest(self) -> Nearest | None:
        """What comes nearest where there is no answer; None where there is one."""
        return nearest_of(self.heard) if self.refusal else None

    @property
    def alternatives(self) -> tuple[Candidate, ...]:
        """Other readings of the question that find something, the likeliest first, at most five."""
        others = [each for each in self.ranked[1:] if each.program is not None and each.text is not None]
        return tuple({each.program: each for each in reversed(others)}.values())[::-1][:_MOST_ALTERNATIVES]

    @functools.cached_property
    def steps(self) -> tuple[ProgramStep, ...]:
        """The program step by step, with the rows after each."""
        program, result = self.best.program, self.best.result
        if program is None or result is None:
            return ()
        return program_steps(program, result, self.tables)

    @property
    def trace(self) -> Trace | None:
        """What each executor of the cascade read and marked in the answer's table, or in the first."""
        if self.cascade is None:
            return None
        names = [table.name for table in self.tables]
        return self.cascade.traces[names.index(self.table or names[0])]

    @property
    def is_linked(self) -> bool:
        """Whether nothing speaks against asking these tables together."""
        program = self.best.program
        joins = program is not None and any(isinstance(part, Join) for part in parts(program))
        return joins or self.cascade is None or self.cascade.is_linked

    def sql(self, dialect: str = _DIALECT, pretty: bool = False) -> str | None:
        """The program as SQL; None where there is no program.

        Where a file writes numbers or dates as no database reads them, a comment at its end says so.

        Raises:
            ProgramError: with one line that says why the dialect cannot say it.
        """
        if self.best.program is None:
            return None
        from neural_enquirer.programs.sql import to_sql  # and sqlglot, only for those who want SQL

        tables = [table.listed for table in self.tables]
        return to_sql(self.best.program, tables, dialect, pretty) + sql_note(self.best.program, self.tables)

    def evidence(self, start: int = 0, count: int = _ROWS_SHOWN) -> Table | None:
        """Some of the rows that the answer is made of, where an engine has them; else None, as for cells.

        Raises:
            EngineError: if the engine cannot be reached any more.
        """
        if self.page is None or self.best.program is None:
            return None
        try:
            return self.page(self.best.program, start, count)
        except ProgramError:  # such as one that compares two values and looks at no rows
            return None

    @property
    def told(self) -> str:
        """The line under the answer: how it came about, how sure that is, and which words went unused."""
        parts = [self.sentence]
        if self.refusal is None:
            parts.append(f"{_sure(self.confidence).capitalize()} sure.")
            if self.is_unsure and len(self.ranked) > 1:
                parts.append(f"Or {self._others}.")
        if self.unused:
            parts.append(f"Not used: {', '.join(self.unused)}.")
        return " ".join(parts)

    def __str__(self) -> str:
        return self.best.told

    def to_json(self, steps: bool = True, dialect: str = _DIALECT) -> dict[str, Any]:
        """The answer as the command line's JSON object.

        Args:
            steps: whether to say what the executors did: two lists for each, as long as the table's rows.
            dialect: that of the SQL.
        """
        content: dict[str, Any] = {
            "question": self.question,
            "answer": self.text,
            "answers": list(self.texts),
            "aggregation": self.aggregation,
            "row": self.row,
            "field": self.field,
            "table": self.table,
            "cells": [dict(vars(cell)) for cell in self.cells],
            "cells_count": self.cells_count,
            "confidence": round(self.confidence, DIGITS),
            "sentence": self.sentence,
            "program": self.program,
            "sql": self._default_sql if dialect == _DIALECT else self._sql_if_sayable(dialect),
            "understood": [each.to_json() for each in self.understood],
            "unused": list(self.unused),
            "unused_spans": [dict(zip(("start", "end"), span, strict=True)) for span in self.unused_spans],
            "refusal": self.refusal and _json(self.refusal),
            "nearest": self.nearest and _json(self.nearest),
            "read_as": self.read_as,
            "ranked": [each.to_json() for each in self.ranked],
            "alternatives": [each.reading_json() for each in self.alternatives],
            "tables": [table.name for table in self.tables],
            "links": [link.to_json() for link in self.cascade.links] if self.cascade else [],
            "program_steps": [each.to_json() for each in self.steps],
            "chart": self.chart and _json(self.chart),
        }
        if (rows := self.evidence()) is not None:
            content["evidence"] = _rows_json(rows)
        if steps and self.cascade:
            content["steps"] = self.cascade.steps_json()
        return content | {"model": self.model}

    def plot(self, path: str | os.PathLike[str] | None = None, width: float | None = None) -> "Figure":
        """Draws how the answer was found, one table below the other.

        Args:
            path: where to write the picture, if anywhere; the suffix says as what: .png, .svg or .pdf.
            width: in inches, such as 3.3 for one column of a printed page; otherwise what the tables need.

        Returns:
            The figure of matplotlib, which notebooks show.

        Raises:
            FigureError: where the suffix is another, or nothing can be drawn in that width.
            NotInstalledError: where matplotlib is not there.
        """
        check_installed("matplotlib", "figure", "a picture")
        from neural_enquirer.asking import figure, panels  # and matplotlib, only for those who want a picture

        return figure.draw(path, panels.panels_of(self), panels.caption_of(self), width)

    @property
    def _baseline_program(self) -> str | None:
        """The program of a baseline, which has a language of its own."""
        by = self.cascade.program if self.cascade and self.text is not None else ()
        return ", ".join(by) or None

    @functools.cached_property
    def _understanding(self) -> Understanding:
        if self.best.refusal in (NO_FIELD, NO_ROW):
            return mentioned(self.heard)
        return understand(self.heard, self.best.program, self.best.unheard)

    @functools.cached_property
    def _default_sql(self) -> str | None:
        return self._sql_if_sayable(_DIALECT)

    def _sql_if_sayable(self, dialect: str) -> str | None:
        try:
            return self.sql(dialect)
        except ProgramError:
            return None

    @property
    def _others(self) -> str:
        """What else the answer may be."""
        others = self.ranked[1 : 1 + _MOST_OTHERS]
        return listed((f"{cut(one.told, _LONGEST_OTHER)} ({_sure(one.probability)})" for one in others), "or")

    def _guess(self) -> str | None:
        """The likeliest candidate that is an answer, with how it came about."""
        guess = next((each for each in self.ranked if each.text is not None), None)
        if guess is None or guess.sentence is None:
            return None
        return f"{guess.text} ({_sure(guess.probability)}): {guess.sentence.removesuffix('.')}"


def answer_of(
    question: str,
    tables: Sequence[Table],
    links: Sequence[Links],
    ranked: Sequence[Ranked],
    model: str = "",
    prediction: Prediction | None = None,
) -> Answer:
    """The answer that a judge's outcomes make, the likeliest of which comes first.

    Args:
        question: as it was asked.
        tables: what it was asked of; no two have the same name.
        links: between the question and each of them.
        ranked: the outcomes.
        model: its name.
        prediction: what the cascade says, if it was asked.
    """
    known = tuple(tables)
    candidates = tuple(Candidate.of(known, outcome, question) for outcome in ranked)
    cascade = None if prediction is None else Cascade.of(known, prediction)
    return Answer(question, known, candidates, Heard(question, known, tuple(links)), model, cascade)


def answer_by_cell(
    question: str, tables: Sequence[Table], prediction: Prediction, model: str, top: int
) -> Answer:
    """The answer of a model that writes no programs: the cell that it points at, or none.

    Args:
        question: as it was asked.
        tables: what it was asked of; no two have the same name.
        prediction: what the model says.
        model: its name.
        top: how many candidates to list.
    """
    known = tuple(tables)
    none = Candidate(known, float(prediction.none_probability), refusal=NOT_ABOUT)
    cells = [Candidate.of_cell(known, *found) for found in likeliest_cells(known, prediction, top)]
    candidates = sorted([none, *cells], key=lambda candidate: -candidate.probability)
    # No model takes for an answer what it gives no chance.
    possible = [candidate for candidate in candidates[1:] if candidate.probability > 0]
    ranked = (candidates[0], *possible)[:top]
    cascade = Cascade.of(known, prediction)
    return Answer(question, known, ranked, Heard(question, known, ()), model, cascade)


def _json(found: Refusal | Nearest | Chart) -> dict[str, Any]:
    """What is told of an answer, as an object of the command line's JSON."""
    return {name: list(own) if isinstance(own, tuple) else own for name, own in vars(found).items()}


def _rows_json(table: Table) -> dict[str, Any]:
    """Rows as an object of the command line's JSON."""
    places = range(len(table.fields))
    rows = [[table.text(row, place) for place in places] for row in range(table.row_count)]
    return {"table": table.name, "fields": list(table.field_names), "rows": rows}


def _sure(probability: float) -> str:
    """A probability in percent, of which none is certain."""
    return "more than 99 %" if probability >= _SUREST else f"{probability:.0%}".replace("%", " %")
