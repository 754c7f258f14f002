"""Draws how a question was answered as the paper does: field weights, then the probabilities of answers.

On several tables also what they asked each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from neural_enquirer.model.output import Output, Pair
from neural_enquirer.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Weights = npt.NDArray[np.float32]

_CELL_WIDTH, _CELL_HEIGHT = 0.85, 0.17
_LEFT, _GAP, _HEAD, _TITLE, _TOP = 0.8, 0.25, 0.22, 0.3, 0.35
_TEXT = 6.5
_WORTH_WRITING = 0.05
_RIGHT_ANSWER = "#d62728"  # the paper's red rectangle

_PAIR_WIDTH, _PAIR_HEIGHT, _PAIRS_TOP = 0.304, 0.19, 0.45
"""Of a cell of weights between rows, and of the title above them."""
_NAMES, _LINE = 0.6, 0.25
_SMALL = 5.5
_WORTH_WRITING_SMALL = 0.3


@dataclass(frozen=True)
class TablePanel:
    """What a model did on one table.

    Attributes:
        table: the table.
        field_weights: a row for each executor that reads.
        probabilities: of each cell being the answer.
        answer: row and field of the right answer; None if it is in another table.
    """

    table: Table
    field_weights: Weights
    probabilities: Weights
    answer: tuple[int, int] | None


@dataclass(frozen=True)
class ModelPanel:
    """What a model did: its name with its answer, and its tables side by side."""

    title: str
    tables: Sequence[TablePanel]


def panels_of(tables: Sequence[Table], output: Output, answer: tuple[int, int, int]) -> list[TablePanel]:
    """Returns what was done on each table of a single question, whose right answer is framed."""
    parts = zip(tables, output.tables, output.probabilities(), strict=True)
    return [
        TablePanel(
            table,
            part.field_weights[0].numpy(),
            probabilities[0].numpy(),
            answer[1:] if answer[0] == k else None,
        )
        for k, (table, part, probabilities) in enumerate(parts)
    ]


def draw(path: Path, question: str, models: Sequence[ModelPanel]) -> None:
    """Writes the picture: a panel for each model, one below the other."""
    from matplotlib.figure import Figure  # a machine that only trains goes without

    heights = [_TITLE + _height(model.tables) + 0.15 for model in models]
    height = _TOP + sum(heights)
    figure = Figure(figsize=(_width(models[0].tables), height))
    _write_title(figure, question)
    top = height - _TOP
    for model, own in zip(models, heights, strict=True):
        place = (0.1 / figure.get_figwidth(), (top - 0.1) / height)
        figure.text(*place, model.title, fontsize=8, va="top", color="#444444")
        _draw_tables(figure, model.tables, top - _TITLE)
        top -= own
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}")
    figure.savefig(temporary, dpi=110, format="png")
    temporary.replace(path)


def _width(panels: Sequence[TablePanel]) -> float:
    return sum(len(panel.table.fields) * _CELL_WIDTH + _GAP for panel in panels) + _LEFT


def _height(panels: Sequence[TablePanel]) -> float:
    lines = len(panels[0].field_weights) + max(panel.table.row_count for panel in panels)
    return lines * _CELL_HEIGHT + _HEAD


def _write_title(figure: "Figure", question: str) -> None:
    width, height = figure.get_size_inches()
    figure.text(0.1 / width, 1 - 0.1 / height, question, fontsize=9, va="top", fontweight="bold")


def _draw_tables(figure: "Figure", panels: Sequence[TablePanel], top: float) -> None:
    left = _LEFT
    for k, panel in enumerate(panels):
        wide = len(panel.table.fields) * _CELL_WIDTH
        _draw_table(figure, panel, (left, top, wide), names=k == 0)
        left += wide + _GAP


def _draw_table(
    figure: "Figure", panel: TablePanel, place: tuple[float, float, float], *, names: bool
) -> None:
    """Draws the weights, the field names below them, and the cells shaded by the answer's probability."""
    left, top, wide = place
    above = len(panel.field_weights) * _CELL_HEIGHT
    below = panel.table.row_count * _CELL_HEIGHT

    weights = _axes(figure, (left, top - above, wide, above))
    _shade(weights, panel.field_weights)
    _write_numbers(weights, panel.field_weights, _WORTH_WRITING, _TEXT)
    executors = [f"Executor-{number + 1}" for number in range(len(panel.field_weights))]
    weights.set_yticks(
        np.arange(len(executors)) + 0.5, executors if names else [""] * len(executors), fontsize=_TEXT
    )
    fields = panel.table.field_names
    weights.set_xticks(np.arange(len(fields)) + 0.5, fields, fontsize=_TEXT, fontweight="bold")

    cells = _axes(figure, (left, top - above - _HEAD - below, wide, below))
    _shade(cells, panel.probabilities)
    _write_cells(cells, panel)
    cells.set_xticks([])
    middle = [panel.table.row_count / 2]
    cells.set_yticks(middle, [f"Executor-{len(executors) + 1}\n(answer)" if names else ""], fontsize=_TEXT)


def _axes(figure: "Figure", place: tuple[float, float, float, float]) -> "Axes":
    """Makes axes at a place in inches: left, bottom, width, height."""
    width, height = figure.get_size_inches()
    left, bottom, wide, high = place
    axes = figure.add_axes((left / width, bottom / height, wide / width, high / height))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return axes


def _shade(axes: "Axes", values: Weights) -> None:
    axes.pcolormesh(values, cmap="Blues", vmin=0, vmax=1.2, edgecolors="#dddddd", linewidth=0.5)
    axes.set_ylim(len(values), 0)


def _write_numbers(axes: "Axes", values: Weights, least: float, size: float) -> None:
    for line, column in np.argwhere(values >= least).tolist():
        number = float(values[line, column])
        _write(axes, column, line, f"{number:.2f}", number, size)


def _write_cells(axes: "Axes", panel: TablePanel) -> None:
    from matplotlib.patches import Rectangle

    for (row, column), probability in np.ndenumerate(panel.probabilities):
        number = float(probability)
        shown = f" {number:.0%}" if number >= _WORTH_WRITING else ""
        _write(axes, column, row, panel.table.text(row, column) + shown, number, _TEXT)
    if panel.answer is not None:
        row, column = panel.answer
        frame = Rectangle((column, row), 1, 1, fill=False, edgecolor=_RIGHT_ANSWER, linewidth=1.5, zorder=3)
        frame.set_clip_on(False)
        axes.add_patch(frame)


def _write(axes: "Axes", column: int, row: int, text: str, shade: float, size: float) -> None:
    colour = "white" if shade > 0.7 else "#333333"
    axes.text(column + 0.5, row + 0.5, text, fontsize=size, ha="center", va="center", color=colour)


@dataclass(frozen=True)
class _Matrix:
    """Weights over the rows (or fields) of one table for those of another."""

    title: str
    weights: Weights
    down: Sequence[str]
    across: Sequence[str]

    @property
    def width(self) -> float:
        return max(len(self.across) * _PAIR_WIDTH, 2.2) + _LEFT + 0.3


def plot_tables(
    question: str, tables: Sequence[Table], output: Output, answer: tuple[int, int, int]
) -> "Figure":
    """Returns the picture of a single question on several tables.

    Above, for every table, the field weights of Executors (ℓ, k) and the probabilities of all cells; below,
    for every later executor, which rows of another table each row attended to, and where the model links
    tables by shared values, these rows and the pair of fields that it found.

    Args:
        question: as it was asked.
        tables: its tables.
        output: how it was answered.
        answer: table, row and field of the right answer, which is framed.
    """
    from matplotlib.figure import Figure

    panels, lines = panels_of(tables, output, answer), _matrices(tables, output)
    heights = [max(len(matrix.down) for matrix in line) * _PAIR_HEIGHT + _NAMES + _LINE for line in lines]
    width = max(_width(panels), *(sum(matrix.width for matrix in line) for line in lines), 4.0)
    upper = _height(panels) + 0.25
    height = _PAIRS_TOP + upper + sum(heights)
    figure = Figure(figsize=(width, height))
    _write_title(figure, question)
    _draw_tables(figure, panels, height - _PAIRS_TOP)
    top = height - _PAIRS_TOP - upper
    for line, high in zip(lines, heights, strict=True):
        left = _LEFT
        for matrix in line:
            _draw_matrix(figure, matrix, left, top - _LINE)
            left += matrix.width
        top -= high
    return figure


def _matrices(tables: Sequence[Table], output: Output) -> list[list[_Matrix]]:
    """Returns what tables asked each other, a line for each executor that asks; the links end the last."""
    links = {pair: link.fields[0].numpy() for pair, link in output.links.items()}
    lines: list[list[_Matrix]] = []
    for number, asked in enumerate(output.asked, start=1):
        for kind, layer in (("attention γ", asked.weights), ("linked rows", asked.linked)):
            line = [
                _row_matrix(
                    f"Executor-({number}, {k + 1}): {kind}", tables, (k, j), links, weights[0].numpy()
                )
                for (k, j), weights in layer.items()
            ]
            lines += [line] if line else []
    fields = [
        _Matrix(
            f"linking fields, Table-{k + 1} and Table-{j + 1}",
            weights,
            tables[k].field_names,
            tables[j].field_names,
        )
        for (k, j), weights in links.items()
        if k < j
    ]
    return [*lines[:-1], [*lines[-1], *fields]] if lines else []


def _row_matrix(
    title: str, tables: Sequence[Table], pair: Pair, links: Mapping[Pair, Weights], weights: Weights
) -> _Matrix:
    asking, asked = (tables[k] for k in pair)
    own, other = _label_fields(asking, asked, links.get(pair))
    return _Matrix(
        f"{title} over Table-{pair[1] + 1}",
        weights,
        [asking.text(row, own) for row in range(asking.row_count)],
        [asked.text(row, other) for row in range(asked.row_count)],
    )


def _label_fields(asking: Table, asked: Table, link: Weights | None) -> tuple[int, int]:
    """Returns the fields that rows are called by: those that link the tables, of one name, or the first."""
    if link is not None and link.max() > 0:
        own, other = divmod(int(link.argmax()), link.shape[1])
        return own, other
    shared = [name for name in asking.field_names if name in asked.field_names]
    if not shared:
        return 0, 0
    return asking.field_names.index(shared[0]), asked.field_names.index(shared[0])


def _draw_matrix(figure: "Figure", matrix: _Matrix, left: float, top: float) -> None:
    wide, high = len(matrix.across) * _PAIR_WIDTH, len(matrix.down) * _PAIR_HEIGHT
    axes = _axes(figure, (left, top - high, wide, high))
    _shade(axes, matrix.weights)
    axes.set_title(matrix.title, fontsize=_TEXT, loc="left", color="#444444", pad=3)
    axes.set_yticks(np.arange(len(matrix.down)) + 0.5, list(matrix.down), fontsize=_SMALL)
    axes.set_xticks(np.arange(len(matrix.across)) + 0.5, list(matrix.across), fontsize=_SMALL, rotation=60)
    _write_numbers(axes, matrix.weights, _WORTH_WRITING_SMALL, _SMALL)
