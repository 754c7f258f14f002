"""The picture of an answer: the table, above it the fields each executor read, beside it the rows it marked.

Only this module knows matplotlib, which is slow to load.
"""

import os
import textwrap
import unicodedata
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from neural_enquirer.explanation import Trace
from neural_enquirer.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".png", ".svg", ".pdf")
MOST_FIELDS = 20
MOST_ROWS = 30

# Sizes in inches. A column is as wide as its longest text, within limits.
_CHARACTER = 0.075
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 6, 20
_MANY_FIELDS, _CHARACTERS_AMONG_MANY = 10, 14
_LINE = 0.24
_EXECUTOR = 0.42
_LEFT, _RIGHT, _TOP, _BOTTOM, _GAP = 0.95, 0.25, 0.8, 0.35, 0.3
_NARROWEST = 5.5

_WORTH_WRITING = 0.01
_SHADES = "Blues"
_ANSWER_COLOUR = "#d95f02"
_GREY = "#666666"


class FigureError(ValueError):
    """A figure that cannot be written; the message is one line that says why."""


@dataclass(frozen=True)
class Caption:
    """What the picture says in words.

    Attributes:
        question: the question.
        answer: the answer, as it is told to people.
        cell: the answer's row and field, by index; None where no cell answers.
        confidence: how probable the answer is.
        is_unsure: whether that is too little to rely on.
    """

    question: str
    answer: str
    cell: tuple[int, int] | None
    confidence: float
    is_unsure: bool


@dataclass(frozen=True)
class _Excerpt:
    """What of a table is shown: rows and fields by index, the texts of their cells, where columns end."""

    rows: list[int]
    fields: list[int]
    headers: list[str]
    cells: list[list[str]]
    edges: npt.NDArray[np.float64]


def check_suffix(path: str | os.PathLike[str]) -> None:
    """Raises FigureError where the name of a figure does not say what kind of file it is to be."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise FigureError(f"{os.fspath(path)}: a figure's name ends in {', '.join(SUFFIXES)}")


def draw(path: str | os.PathLike[str], table: Table, trace: Trace, caption: Caption) -> None:
    """Writes the picture of an answer; the file appears whole or not at all."""
    check_suffix(path)
    target = Path(path)
    temporary = target.with_name(f".{target.stem}.partial{target.suffix}")
    # Not every script has glyphs in matplotlib's font: they show as boxes, which is better than no picture.
    with mpl.rc_context({"text.parse_math": False, "svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure = _figure(table, trace, caption)
        try:
            figure.savefig(temporary, dpi=150)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


def _figure(table: Table, trace: Trace, caption: Caption) -> Figure:
    excerpt = _excerpt(table, trace, caption.cell)
    executors = len(trace.field_weights)
    table_width = float(excerpt.edges[-1])
    sizes = (table_width, executors * _EXECUTOR, executors * _LINE, len(excerpt.rows) * _LINE)
    across, beside, above, down = sizes
    width = max(_LEFT + across + _GAP + beside + _RIGHT, _NARROWEST)
    lines = _wrapped(caption.question, width)
    top = _TOP + 0.2 * (len(lines) - 1)
    height = top + above + _GAP + down + _BOTTOM
    figure = Figure(figsize=(width, height))

    def axes(left: float, bottom: float, wide: float, high: float) -> "Axes":
        return figure.add_axes((left / width, bottom / height, wide / width, high / height))

    _draw_weights(axes(_LEFT, _BOTTOM + down + _GAP, across, above), trace, excerpt)
    _draw_cells(axes(_LEFT, _BOTTOM, across, down), excerpt, caption.cell)
    _draw_marks(axes(_LEFT + across + _GAP, _BOTTOM, beside, down), trace, excerpt)
    _draw_words(figure, caption, lines, _left_out(table, excerpt))
    return figure


def _excerpt(table: Table, trace: Trace, cell: tuple[int, int] | None) -> _Excerpt:
    row, field = (None, None) if cell is None else cell
    fields = _most_telling(trace.field_weights, MOST_FIELDS, field)
    rows = _most_telling(trace.row_marks, MOST_ROWS, row)
    most = _MOST_CHARACTERS if len(fields) <= _MANY_FIELDS else _CHARACTERS_AMONG_MANY
    headers = [_short(table.fields[index].name, most) for index in fields]
    cells = [[_short(table.text(index, column), most) for column in fields] for index in rows]
    lengths = [max(map(len, column)) for column in zip(headers, *cells, strict=True)]
    widths = [_CHARACTER * (2 + max(length, _FEWEST_CHARACTERS)) for length in lengths]
    return _Excerpt(rows, fields, headers, cells, np.concatenate(([0], np.cumsum(widths))))


def _most_telling(scores: npt.NDArray[np.float32], most: int, always: int | None) -> list[int]:
    """The rows or fields to show, in the table's order: those with the highest scores of any executor."""
    best = scores.max(axis=0, initial=0).astype(float)
    if always is not None:
        best[always] = np.inf
    return sorted(np.argsort(-best, kind="stable")[:most].tolist())


def _draw_weights(axes: "Axes", trace: Trace, excerpt: _Excerpt) -> None:
    shown = trace.field_weights[:, excerpt.fields]
    _shade(axes, excerpt.edges, shown)
    centres = (excerpt.edges[:-1] + excerpt.edges[1:]) / 2
    _no_frame(axes)
    axes.set_yticks(np.arange(len(shown)) + 0.5, [f"executor {i + 1}" for i in range(len(shown))], fontsize=8)
    axes.set_xticks(centres, excerpt.headers, fontsize=8, fontweight="bold")


def _draw_cells(axes: "Axes", excerpt: _Excerpt, answer: tuple[int, int] | None) -> None:
    axes.set_xlim(0, float(excerpt.edges[-1]))
    axes.set_ylim(len(excerpt.rows), 0)
    _no_frame(axes)
    axes.set_xticks([])
    axes.set_yticks(np.arange(len(excerpt.rows)) + 0.5, [f"row {row:,}" for row in excerpt.rows], fontsize=8)
    for line, texts in enumerate(excerpt.cells):
        axes.axhline(line, color="#dddddd", linewidth=0.5)
        for column, text in enumerate(texts):
            centre = (excerpt.edges[column] + excerpt.edges[column + 1]) / 2
            is_answer = (excerpt.rows[line], excerpt.fields[column]) == answer
            weight = "bold" if is_answer else "normal"
            axes.text(centre, line + 0.5, text, fontsize=8, ha="center", va="center", fontweight=weight)
            if is_answer:
                _frame(axes, excerpt.edges[column], line, excerpt.edges[column + 1] - excerpt.edges[column])


def _draw_marks(axes: "Axes", trace: Trace, excerpt: _Excerpt) -> None:
    shown = trace.row_marks[:, excerpt.rows].T
    executors = np.arange(shown.shape[1])
    _shade(axes, np.arange(shown.shape[1] + 1, dtype=float), shown)
    _no_frame(axes)
    axes.set_yticks([])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xticks(executors + 0.5, [str(i + 1) for i in executors], fontsize=8)
    axes.set_title("rows marked by executor", fontsize=8, color=_GREY, pad=6)


def _shade(axes: "Axes", edges: npt.NDArray[np.float64], shown: npt.NDArray[np.float32]) -> None:
    """Shades cells by a number from 0 to 1 and writes it into those where it matters."""
    lines = np.arange(len(shown) + 1)
    axes.pcolormesh(edges, lines, shown, cmap=_SHADES, vmin=0, vmax=1, edgecolors="white", linewidth=1)
    axes.set_ylim(len(shown), 0)
    centres = (edges[:-1] + edges[1:]) / 2
    for line, column in np.argwhere(shown >= _WORTH_WRITING).tolist():
        number = float(shown[line, column])
        colour = "white" if number > 0.6 else "#333333"
        place = (float(centres[column]), line + 0.5)
        axes.text(*place, f"{number:.2f}", fontsize=7, ha="center", va="center", color=colour)


def _draw_words(figure: Figure, caption: Caption, lines: Sequence[str], left_out: str) -> None:
    height = figure.get_figheight()
    left = 0.15 / figure.get_figwidth()
    figure.text(left, 1 - 0.12 / height, "\n".join(lines), fontsize=10, va="top", color=_GREY)
    below = 1 - (0.15 + 0.2 * len(lines)) / height
    sure = "unsure, " if caption.is_unsure else ""
    answer = f"{_short(caption.answer, 60)}  ({sure}{caption.confidence:.0%})"
    figure.text(left, below, answer, fontsize=12, va="top", fontweight="bold", color=_ANSWER_COLOUR)
    figure.text(left, 0.12 / height, left_out, fontsize=8, va="bottom", color=_GREY)


def _left_out(table: Table, excerpt: _Excerpt) -> str:
    counts = [
        (table.row_count - len(excerpt.rows), "rows"),
        (len(table.fields) - len(excerpt.fields), "fields"),
    ]
    parts = [f"{count:,} {what}" for count, what in counts if count]
    return f"not shown: {' and '.join(parts)} that were marked or read less" if parts else ""


def _frame(axes: "Axes", left: float, line: int, width: float) -> None:
    box = Rectangle((left, line), width, 1, fill=False, edgecolor=_ANSWER_COLOUR, linewidth=2, clip_on=False)
    axes.add_patch(box)


def _no_frame(axes: "Axes") -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _short(text: str, most: int) -> str:
    """One line without what a font cannot draw, cut where it is too long."""
    start = text[: 4 * most]  # before anything is done with a cell of a million letters
    plain = " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in start).split())
    return plain if len(plain) <= most and len(start) == len(text) else f"{plain[: most - 1]}…"


def _wrapped(question: str, width: float, most_lines: int = 3) -> list[str]:
    letters = min(int((width - 0.3) / 0.088), 120)
    lines = textwrap.wrap(_short(question, letters * most_lines), letters) or [""]
    return lines[:most_lines]
