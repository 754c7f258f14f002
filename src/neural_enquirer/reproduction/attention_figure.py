"""Draws how a question was answered as the paper does: field weights, then the probabilities of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from neural_enquirer.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL_WIDTH, _CELL_HEIGHT = 0.85, 0.17
_LEFT, _GAP, _HEAD, _TITLE, _TOP = 0.8, 0.25, 0.22, 0.3, 0.35
_TEXT = 6.5
_SHADES = "Blues"
_RIGHT_ANSWER = "#d62728"  # the paper's red rectangle
_WORTH_WRITING = 0.05


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
    field_weights: npt.NDArray[np.float32]
    probabilities: npt.NDArray[np.float32]
    answer: tuple[int, int] | None


@dataclass(frozen=True)
class ModelPanel:
    """What a model did: its name with its answer, and its tables side by side."""

    title: str
    tables: Sequence[TablePanel]


def draw(path: Path, question: str, models: Sequence[ModelPanel]) -> None:
    """Writes the picture: a panel for each model, one below the other."""
    from matplotlib.figure import Figure  # a machine that only trains goes without

    widths = [len(panel.table.fields) * _CELL_WIDTH for panel in models[0].tables]
    heights = [_height(model) for model in models]
    width = sum(widths) + _LEFT + _GAP * len(widths)
    height = _TOP + sum(heights)
    figure = Figure(figsize=(width, height))
    figure.text(0.1 / width, 1 - 0.1 / height, question, fontsize=9, va="top", fontweight="bold")
    top = height - _TOP
    for model, own in zip(models, heights, strict=True):
        figure.text(0.1 / width, (top - 0.1) / height, model.title, fontsize=8, va="top", color="#444444")
        left = _LEFT
        for index, (panel, wide) in enumerate(zip(model.tables, widths, strict=True)):
            draw_table(figure, panel, (left, top - _TITLE, wide), names=index == 0)
            left += wide + _GAP
        top -= own
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}")
    figure.savefig(temporary, dpi=110, format="png")
    temporary.replace(path)


def _height(model: ModelPanel) -> float:
    panel = model.tables[0]
    lines = len(panel.field_weights) + max(each.table.row_count for each in model.tables)
    return _TITLE + lines * _CELL_HEIGHT + _HEAD + 0.15


def draw_table(
    figure: "Figure", panel: TablePanel, place: tuple[float, float, float], *, names: bool
) -> None:
    """Draws the weights, the field names below them, and the cells shaded by the answer's probability."""
    left, top, wide = place
    width, height = figure.get_size_inches()
    above = len(panel.field_weights) * _CELL_HEIGHT
    below = panel.table.row_count * _CELL_HEIGHT

    def axes(bottom: float, high: float) -> "Axes":
        made = figure.add_axes((left / width, bottom / height, wide / width, high / height))
        made.spines[:].set_visible(False)
        made.tick_params(length=0)
        return made

    weights = axes(top - above, above)
    _shade(weights, panel.field_weights)
    _write_numbers(weights, panel.field_weights)
    executors = [f"Executor-{number + 1}" for number in range(len(panel.field_weights))]
    weights.set_yticks(
        np.arange(len(executors)) + 0.5, executors if names else [""] * len(executors), fontsize=_TEXT
    )
    fields = [field.name for field in panel.table.fields]
    weights.set_xticks(np.arange(len(fields)) + 0.5, fields, fontsize=_TEXT, fontweight="bold")

    cells = axes(top - above - _HEAD - below, below)
    _shade(cells, panel.probabilities)
    _write_cells(cells, panel)
    cells.set_xticks([])
    middle = [panel.table.row_count / 2]
    cells.set_yticks(middle, [f"Executor-{len(executors) + 1}\n(answer)" if names else ""], fontsize=_TEXT)


def _shade(axes: "Axes", values: npt.NDArray[np.float32]) -> None:
    axes.pcolormesh(values, cmap=_SHADES, vmin=0, vmax=1.2, edgecolors="#dddddd", linewidth=0.5)
    axes.set_ylim(len(values), 0)


def _write_numbers(axes: "Axes", values: npt.NDArray[np.float32]) -> None:
    for line, column in np.argwhere(values >= _WORTH_WRITING).tolist():
        number = float(values[line, column])
        _write(axes, column, line, f"{number:.2f}", number)


def _write_cells(axes: "Axes", panel: TablePanel) -> None:
    from matplotlib.patches import Rectangle

    rows, fields = panel.probabilities.shape
    for row in range(rows):
        for column in range(fields):
            number = float(panel.probabilities[row, column])
            shown = f" {number:.0%}" if number >= _WORTH_WRITING else ""
            _write(axes, column, row, panel.table.text(row, column) + shown, number)
    if panel.answer is not None:
        row, column = panel.answer
        axes.add_patch(
            Rectangle(
                (column, row),
                1,
                1,
                fill=False,
                edgecolor=_RIGHT_ANSWER,
                linewidth=1.5,
                clip_on=False,
                zorder=3,
            )
        )


def _write(axes: "Axes", column: int, row: int, text: str, shade: float) -> None:
    colour = "white" if shade > 0.7 else "#333333"
    axes.text(column + 0.5, row + 0.5, text, fontsize=_TEXT, ha="center", va="center", color=colour)
