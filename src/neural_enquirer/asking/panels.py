"""What the picture of an answer shows, apart from how it is drawn: for each table, steps and cells."""

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.asking.cascade import Cascade
from neural_enquirer.asking.program_steps import ProgramStep
from neural_enquirer.programs.language import All
from neural_enquirer.tables import Table
from neural_enquirer.tables.wording import listed

if TYPE_CHECKING:
    from neural_enquirer.asking.answer import Answer  # which draws itself by this

_SECONDARY: Final = 0.5
"""How much the cascade counts beside a program when rows and fields to show are chosen."""


@dataclass(frozen=True)
class Caption:
    """What the picture says in words.

    Attributes:
        question: the question.
        answer: the answer, as it is told to people.
        confidence: how probable the answer is.
        doubt: what is said of that in words where it is too little to rely on.
        note: what else is to be said.
    """

    question: str
    answer: str
    confidence: float
    doubt: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class Layer:
    """One step in one table.

    Attributes:
        name: what it is called: a word and its number.
        fields: by field from 0 to 1, how much it read each.
        rows: by row, which it kept or how much it marked each; None where it looks at no rows.
        exact: whether it is a step of a program, for which all is 0 or 1.
        weight: how much it says about which rows and fields to show.
    """

    name: str
    fields: npt.NDArray[np.float32]
    rows: npt.NDArray[np.float32] | None = None
    exact: bool = False
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Panel:
    """One table of a picture.

    Attributes:
        table: the table.
        layers: the steps, in order.
        cells: the cells of the answer, by row and field.
        title: what the table is called; nothing where it is the only one.
    """

    table: Table
    layers: tuple[Layer, ...]
    cells: frozenset[tuple[int, int]] = frozenset()
    title: str = ""

    @property
    def beside(self) -> list[list[Layer]]:
        """The steps that tell of rows: those of a program, then those of the cascade."""
        kinds = ([layer for layer in self.layers if layer.exact == exact] for exact in (True, False))
        told = ([layer for layer in layers if layer.rows is not None] for layers in kinds)
        return [layers for layers in told if layers]

    @functools.cached_property
    def row_importance(self) -> npt.NDArray[np.float64]:
        """How much each row should be shown; those of the answer above all."""
        best = np.zeros(self.table.row_count)
        for layer in self.layers:
            if layer.rows is not None:
                np.maximum(best, layer.weight * layer.rows, out=best)
        best[[row for row, _ in self.cells]] = np.inf
        return best

    @functools.cached_property
    def field_importance(self) -> npt.NDArray[np.float64]:
        """How much each field should be shown; those of the answer above all."""
        best = np.zeros(len(self.table.fields))
        for layer in self.layers:
            np.maximum(best, layer.weight * layer.fields, out=best)
        best[[field for _, field in self.cells]] = np.inf
        return best

    @property
    def needed_fields(self) -> set[int]:
        """The fields without which a step, or the answer, cannot be understood."""
        read = (layer.fields for layer in self.layers if layer.fields.any())
        most = {field for weights in read for field in np.flatnonzero(weights == weights.max()).tolist()}
        return most | {field for _, field in self.cells}


def panels_of(answer: "Answer") -> list[Panel]:
    """The tables of an answer: the program's steps, and where a cell answers, the cascade's."""
    steps = _telling_steps(answer)
    result = answer.best.result
    panels = []
    for k, table in enumerate(answer.tables):
        layers = [_of_program(step, number, len(answer.steps), k, table) for number, step in steps.items()]
        if answer.cascade and (answer.best.cell or not steps):
            layers += _of_cascade(answer.cascade, k, bool(steps))
        cells = () if result is None else (cell for cell in result.cells if cell.table == k)
        title = table.name if len(answer.tables) > 1 else ""
        panels.append(Panel(table, tuple(layers), frozenset((one.row, one.column) for one in cells), title))
    return panels


def caption_of(answer: "Answer") -> Caption:
    """The question, the answer, and the steps in words."""
    steps = _telling_steps(answer)
    notes = [f"{number}. {step}" for number, step in steps.items()] or [answer.sentence]
    cascade = answer.cascade
    if cascade and not steps:
        notes += [f"Linked {link}." for link in cascade.links[:1]]
        if looked := cascade.cell_looks_told:
            notes.append(f"In {cascade.tables[cascade.table].name}, {listed(looked)}.")
    doubt = answer.sureness if answer.is_unsure else ""
    return Caption(answer.question, str(answer), answer.confidence, doubt, " ".join(notes))


def _telling_steps(answer: "Answer") -> dict[int, ProgramStep]:
    """The program's steps by their numbers, but for those that only take every row of a table."""
    return {
        number: step
        for number, step in enumerate(answer.steps, start=1)
        if step.fields or step.kept is None or not isinstance(step.kept.step, All)
    }


def _of_program(step: ProgramStep, number: int, count: int, k: int, table: Table) -> Layer:
    fields = np.zeros(len(table.fields), np.float32)
    fields[[table.field_index(name) for own, name in step.fields if own == k]] = 1
    rows = None
    if step.kept is not None:
        rows = np.zeros(table.row_count, np.float32)
        rows[list(step.kept.of_table(k))] = 1
    return Layer(f"step {number}", fields, rows, exact=True, weight=number / count)


def _of_cascade(cascade: Cascade, k: int, second: bool) -> list[Layer]:
    trace, name, weight = cascade.traces[k], "cascade" if second else "step", _SECONDARY if second else 1.0
    layers = [
        Layer(f"{name} {executor}", read, marks, weight=weight)
        for executor, read, marks in zip(cascade.executors, trace.field_weights, trace.row_marks, strict=True)
    ]
    if trace.answer_weights is not None:
        layers.append(Layer("its answer" if second else "answer", trace.answer_weights, weight=weight))
    return layers
