"""Draws how a question on several tables was answered: what was read, and what tables asked each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from torch import Tensor

from neural_enquirer.model.trace import Trace
from neural_enquirer.reproduction.attention_figure import TablePanel, draw_table
from neural_enquirer.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL, _WIDE, _GAP, _LEFT, _TOP, _NAMES, _LINE = 0.19, 0.85, 0.25, 0.8, 0.45, 0.6, 0.25
_TEXT, _SMALL = 6.5, 5.5
_WORTH_WRITING = 0.3

Pair = tuple[int, int]


@dataclass(frozen=True)
class _Matrix:
    """Weights over the rows (or fields) of one table for those of another."""

    title: str
    weights: npt.NDArray[np.float32]
    down: Sequence[str]
    across: Sequence[str]


def plot_tables(
    question: str,
    tables: Sequence[Table],
    trace: Trace,
    answer: tuple[int, int, int] | None = None,
    index: int = 0,
) -> "Figure":
    """Returns the picture of one question of a batch.

    Above, for every table, the field weights of Executors (ℓ, k) and the probabilities of all cells; below,
    for every later executor, which rows of another table each row attended to, and where the model links
    tables by shared values, these rows and the pair of fields that it found.

    Args:
        question: as it was asked.
        tables: its tables.
        trace: how the batch was answered.
        answer: table, row and field of the right answer, which is framed.
        index: which question of the batch.
    """
    panels = [
        TablePanel(
            table,
            part.field_weights[index, :, : len(table.fields)].numpy(),
            part.answer_probabilities[index, : table.row_count, : len(table.fields)].numpy(),
            answer[1:] if answer is not None and answer[0] == k else None,
        )
        for k, (table, part) in enumerate(zip(tables, trace.tables, strict=True))
    ]
    lines = _matrices(tables, trace, index)
    heights = [max(len(matrix.down) for matrix in line) * _CELL + _NAMES + _LINE for line in lines]
    upper = _table_height(panels)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_width(panels, lines), _TOP + upper + sum(heights)))
    _write_title(figure, question)
    _draw_tables(figure, panels)
    top = float(figure.get_size_inches()[1]) - _TOP - upper
    for line, height in zip(lines, heights, strict=True):
        _draw_line(figure, line, top)
        top -= height
    return figure


def _matrices(tables: Sequence[Table], trace: Trace, index: int) -> list[list[_Matrix]]:
    """Returns what tables asked each other, a line for each executor that asks; the links end the last."""
    links = {pair: _part(weights, index) for pair, weights in trace.linking_fields.items()}
    lines: list[list[_Matrix]] = []
    for number, (plain, linked) in enumerate(
        zip(trace.attention, trace.linked_attention, strict=True), start=1
    ):
        for kind, layer in (("attention γ", plain), ("linked rows", linked)):
            line = [
                _row_matrix(
                    f"Executor-({number}, {k + 1}): {kind}", tables, (k, j), links, _part(weights, index)
                )
                for (k, j), weights in layer.items()
            ]
            lines += [line] if line else []
    fields = [
        _Matrix(
            f"linking fields, Table-{k + 1} and Table-{j + 1}",
            weights[: len(tables[k].fields), : len(tables[j].fields)],
            tables[k].field_names,
            tables[j].field_names,
        )
        for (k, j), weights in links.items()
        if k < j
    ]
    return [*lines[:-1], [*lines[-1], *fields]] if lines else []


def _row_matrix(
    title: str,
    tables: Sequence[Table],
    pair: Pair,
    links: Mapping[Pair, npt.NDArray[np.float32]],
    weights: npt.NDArray[np.float32],
) -> _Matrix:
    asking, asked = (tables[k] for k in pair)
    own, other = _label_fields(asking, asked, links.get(pair))
    return _Matrix(
        f"{title} over Table-{pair[1] + 1}",
        weights[: asking.row_count, : asked.row_count],
        [asking.text(row, own) for row in range(asking.row_count)],
        [asked.text(row, other) for row in range(asked.row_count)],
    )


def _label_fields(asking: Table, asked: Table, link: npt.NDArray[np.float32] | None) -> tuple[int, int]:
    """Returns the fields that rows are called by: those that link the tables, of one name, or the first."""
    if link is not None and link.max() > 0:
        own, other = divmod(int(link.argmax()), link.shape[1])
        return own, other
    shared = [name for name in asking.field_names if name in asked.field_names]
    if not shared:
        return 0, 0
    return asking.field_names.index(shared[0]), asked.field_names.index(shared[0])


def _part(weights: Tensor, index: int) -> npt.NDArray[np.float32]:
    part: npt.NDArray[np.float32] = weights[index].detach().float().numpy()
    return part


def _width(panels: Sequence[TablePanel], lines: Sequence[Sequence[_Matrix]]) -> float:
    above = sum(len(panel.table.fields) * _WIDE for panel in panels) + _LEFT + _GAP * len(panels)
    below = [sum(_matrix_width(matrix) for matrix in line) for line in lines]
    return max(above, *below, 4.0)


def _matrix_width(matrix: _Matrix) -> float:
    return max(len(matrix.across) * _CELL * 1.6, 2.2) + _LEFT + 0.3


def _table_height(panels: Sequence[TablePanel]) -> float:
    lines = len(panels[0].field_weights) + max(panel.table.row_count for panel in panels)
    return lines * 0.17 + 0.22 + 0.25


def _write_title(figure: "Figure", question: str) -> None:
    width, height = figure.get_size_inches()
    figure.text(0.1 / width, 1 - 0.1 / height, question, fontsize=9, va="top", fontweight="bold")


def _draw_tables(figure: "Figure", panels: Sequence[TablePanel]) -> None:
    left, top = _LEFT, float(figure.get_size_inches()[1]) - _TOP
    for k, panel in enumerate(panels):
        wide = len(panel.table.fields) * _WIDE
        draw_table(figure, panel, (left, top, wide), names=k == 0)
        left += wide + _GAP


def _draw_line(figure: "Figure", line: Sequence[_Matrix], top: float) -> None:
    width, height = figure.get_size_inches()
    left = _LEFT
    for matrix in line:
        wide, high = len(matrix.across) * _CELL * 1.6, len(matrix.down) * _CELL
        place = (left / width, (top - _LINE - high) / height, wide / width, high / height)
        _draw_matrix(figure.add_axes(place), matrix)
        left += _matrix_width(matrix)


def _draw_matrix(axes: "Axes", matrix: _Matrix) -> None:
    axes.pcolormesh(matrix.weights, cmap="Blues", vmin=0, vmax=1.2, edgecolors="#dddddd", linewidth=0.5)
    axes.set_ylim(len(matrix.weights), 0)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(matrix.title, fontsize=_TEXT, loc="left", color="#444444", pad=3)
    axes.set_yticks(np.arange(len(matrix.down)) + 0.5, list(matrix.down), fontsize=_SMALL)
    axes.set_xticks(np.arange(len(matrix.across)) + 0.5, list(matrix.across), fontsize=_SMALL, rotation=60)
    for row, column in np.argwhere(matrix.weights >= _WORTH_WRITING).tolist():
        number = float(matrix.weights[row, column])
        colour = "white" if number > 0.7 else "#333333"
        text = f"{number:.2f}"
        axes.text(column + 0.5, row + 0.5, text, fontsize=_SMALL, ha="center", va="center", color=colour)
