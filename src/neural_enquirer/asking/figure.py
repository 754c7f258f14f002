"""The picture of an answer: the table, above it the fields each step read, beside it the rows it kept.

Of what answers questions, only this module knows matplotlib, which is slow to load.
"""

import os
import textwrap
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from neural_enquirer.asking.panels import Caption, Layer, Panel
from neural_enquirer.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".png", ".svg", ".pdf")
MOST_FIELDS = 20
MOST_ROWS = 30
COLUMN = 3.3
"""The width of a printed page's column, in inches."""
NARROWEST, WIDEST = 2.5, 40.0


@dataclass(frozen=True)
class _Style:
    """Sizes, in inches where nothing else is said. A table's column is as wide as its longest text.

    Attributes:
        letters: the shortest text that a column is made for, and the longest: more than one to choose from
            where there may not be room.
        blank: letters left free in every column.
        letter: the width of a letter of a cell.
        line: the height of a row.
        executor: the width of an executor's column of marks.
        left: room for the names of rows and executors.
        right: room right of everything.
        top: room above, for the question on one line and the answer.
        bottom: room below.
        head: room for headers, between weights and cells.
        gap: between cells and marks.
        text: the size of letters in points; `number`, `question` and `answer` are those of other texts.
        most_rows: how many rows are shown.
    """

    letters: tuple[int, ...]
    blank: float
    letter: float
    line: float
    executor: float
    left: float
    right: float
    top: float
    bottom: float
    head: float
    gap: float
    text: float
    number: float
    question: float
    answer: float
    most_rows: int


_SCREEN = _Style(
    letters=(6, *range(14, 61)), blank=2, letter=0.075, line=0.24, executor=0.42,
    left=0.95, right=0.25, top=0.8, bottom=0.75, head=0.3, gap=0.3,
    text=8, number=7, question=10, answer=12, most_rows=MOST_ROWS,
)  # fmt: skip
# In print nothing is smaller than 6 points, which is about as small as journals allow.
_PRINT = _Style(
    letters=(4, *range(8, 15)), blank=0.6, letter=0.058, line=0.15, executor=0.18,
    left=0.58, right=0.04, top=0.48, bottom=0.16, head=0.24, gap=0.09,
    text=6.5, number=6, question=7, answer=8, most_rows=12,
)  # fmt: skip
_LEAST_WIDTH = 5.5
_WIDEST_TABLE = 16.0  # inches on a screen; in a wider table the longest texts are cut
_LEGEND = (0.9, 0.12)
_MEANINGS = {
    True: "green: above, the fields that a step of the program reads; beside, the rows that it keeps.",
    False: "shades, 0 to 1: above, how much a field was looked at; beside, how strongly a row was marked.",
}
"""What the shades of exact steps mean, and of others."""

_WORTH_WRITING = 0.01
_SHADES = "Blues"
_EXACT = LinearSegmentedColormap.from_list("exact", ["#f0f7f4", "#009e73"])  # as below, a bluish green
_ANSWER_COLOUR = "#d55e00"  # Okabe and Ito's, which differs from blue for every kind of colour vision
_GREY = "#666666"


class FigureError(ValueError):
    """A figure that cannot be written; the message is one line that says why."""


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


def check_width(width: float | None) -> None:
    """Raises FigureError where a figure cannot be as wide as that, in inches."""
    if width is not None and not NARROWEST <= width <= WIDEST:
        raise FigureError(f"a figure is from {NARROWEST:g} to {WIDEST:g} inches wide, not {width:g}")


def draw(
    path: str | os.PathLike[str] | None, panels: Sequence[Panel], caption: Caption, width: float | None = None
) -> Figure:
    """Draws the picture of an answer, and writes it to a file, which appears whole or not at all.

    Args:
        path: where to; the suffix says as what. None writes no file.
        panels: the tables, one below the other.
        caption: what to say in words.
        width: in inches, such as COLUMN for one column of a printed page; it then shows as many of the most
            read fields as fit. Without it, the figure is as wide as the tables need.
    """
    check_width(width)
    if path is None:
        with mpl.rc_context({"text.parse_math": False}):
            return _figure(panels, caption, width)
    check_suffix(path)
    target = Path(path)
    temporary = target.with_name(f".{target.stem}.partial{target.suffix}")
    # Not every script has glyphs in matplotlib's font: they show as boxes, which is better than no picture.
    with mpl.rc_context({"text.parse_math": False, "svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure = _figure(panels, caption, width)
        try:
            figure.savefig(temporary, dpi=150 if width is None else 300)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    return figure


def _figure(panels: Sequence[Panel], caption: Caption, wanted: float | None) -> Figure:
    style = _SCREEN if wanted is None else _PRINT
    drawn = [_measured(panel, style, wanted) for panel in panels]
    width = max(_LEAST_WIDTH, *(one.width for one in drawn)) if wanted is None else wanted
    lines = _wrapped(caption.question, width, style)
    left_out = [_left_out(one.panel, one.excerpt) for one in drawn]
    notes = textwrap.wrap(" ".join(filter(None, (caption.note, *left_out))), int(width / style.text * 120))
    top = style.top + _spacing(style.question) * (len(lines) - 1)
    below = _spacing(style.text) * max(len(notes) - 1, 0)
    between = 2 * style.gap
    high = sum(one.height for one in drawn) + between * (len(drawn) - 1)
    height = top + high + style.bottom + below
    figure = Figure(figsize=(width, height))
    floor = style.bottom + below
    for one in reversed(drawn):
        one.draw(figure, floor, style)
        floor += one.height + between
    _draw_words(figure, caption, lines, "\n".join(notes), style)
    if style is _SCREEN:  # in print, the words below the figure say it
        _draw_legend(figure, 0.45 + below, (layer for panel in panels for layer in panel.layers))
    return figure


@dataclass(frozen=True)
class _MeasuredPanel:
    """A panel, and how much room it takes, in inches."""

    panel: Panel
    excerpt: _Excerpt
    width: float
    height: float

    def draw(self, figure: Figure, floor: float, style: _Style) -> None:
        """Draws the panel above a height of the figure."""
        width, height = figure.get_size_inches()
        across, down = float(self.excerpt.edges[-1]), len(self.excerpt.rows) * style.line

        def axes(left: float, bottom: float, wide: float, high: float) -> "Axes":
            return figure.add_axes((left / width, bottom / height, wide / width, high / height))

        ceiling = floor + down + style.head
        above = len(self.panel.layers) * style.line
        _draw_weights(axes(style.left, ceiling, across, above), self.panel.layers, self.excerpt, style)
        _draw_cells(axes(style.left, floor, across, down), self.excerpt, self.panel.cells, style)
        left = style.left + across + style.gap
        for layers in self.panel.beside:
            beside = len(layers) * style.executor
            _draw_marks(axes(left, floor, beside, down), layers, self.excerpt, style)
            left += beside + style.gap
        if self.panel.title:
            place = (style.left / width, (ceiling + above + style.gap / 4) / height)
            title = _short(self.panel.title, 40)
            figure.text(*place, title, fontsize=style.text + 1, va="bottom", fontweight="bold", color=_GREY)


def _measured(panel: Panel, style: _Style, wanted: float | None) -> _MeasuredPanel:
    beside = sum(style.gap + len(layers) * style.executor for layers in panel.beside)
    around = style.left + beside + style.right
    excerpt = _excerpt(panel, style, None if wanted is None else wanted - around)
    down = (len(panel.layers) + len(excerpt.rows) + bool(panel.title)) * style.line
    return _MeasuredPanel(panel, excerpt, around + float(excerpt.edges[-1]), down + style.head)


def _excerpt(panel: Panel, style: _Style, room: float | None) -> _Excerpt:
    table = panel.table
    rows = _most_telling(panel.row_importance, style.most_rows)
    fields = _most_telling(panel.field_importance, MOST_FIELDS)
    if room is None:
        return _cut(table, rows, fields, style, _most_letters(table, rows, fields, style))
    chosen: dict[int, list[int]] = {}
    for most in style.letters[1:]:
        widths = {index: _width(table, rows, index, style, most) for index in fields}
        chosen[most] = _those_that_fit(widths, room, panel.field_importance)
    needed = panel.needed_fields
    most = max(chosen, key=lambda most: (len(needed.intersection(chosen[most])), most))
    return _cut(table, rows, chosen[most], style, most)


def _most_letters(table: Table, rows: list[int], fields: list[int], style: _Style) -> int:
    """How long texts may be so that the table does not become too wide."""
    widths = [_width(table, rows, index, style, style.letters[-1]) for index in fields]
    for most in sorted(style.letters[1:], reverse=True):
        widest = style.letter * (style.blank + most)
        if sum(min(width, widest) for width in widths) <= _WIDEST_TABLE:
            return most
    return style.letters[1]


def _cut(table: Table, rows: list[int], fields: list[int], style: _Style, most: int) -> _Excerpt:
    """These rows and fields, with no text longer than so many letters."""
    headers = [_short(table.fields[index].name, most) for index in fields]
    cells = [[_short(table.text(row, index), most) for index in fields] for row in rows]
    widths = [_width(table, rows, index, style, most) for index in fields]
    return _Excerpt(rows, fields, headers, cells, np.concatenate(([0], np.cumsum(widths))))


def _width(table: Table, rows: Sequence[int], field: int, style: _Style, most: int) -> float:
    texts = [table.fields[field].name, *(table.text(row, field) for row in rows)]
    longest = max(len(_short(text, most)) for text in texts)
    return style.letter * (style.blank + max(longest, style.letters[0]))


def _those_that_fit(widths: dict[int, float], room: float, importance: npt.NDArray[np.float64]) -> list[int]:
    """The most important fields that fit into the room together, in the table's order; at least one."""
    chosen: list[int] = []
    for index in sorted(widths, key=lambda index: -float(importance[index])):
        if not chosen or sum(widths[other] for other in chosen) + widths[index] <= room:
            chosen.append(index)
    return sorted(chosen)


def _most_telling(importance: npt.NDArray[np.float64], most: int) -> list[int]:
    """The rows or fields to show, in the table's order: the most important ones."""
    return sorted(np.argsort(-importance, kind="stable")[:most].tolist())


def _draw_weights(axes: "Axes", layers: Sequence[Layer], excerpt: _Excerpt, style: _Style) -> None:
    for line, layer in enumerate(layers):
        _shade(axes, excerpt.edges, line, layer.fields[excerpt.fields], layer.exact, style)
    axes.set_xlim(0, float(excerpt.edges[-1]))
    axes.set_ylim(max(len(layers), 1), 0)
    centres = (excerpt.edges[:-1] + excerpt.edges[1:]) / 2
    _no_frame(axes)
    axes.set_yticks(np.arange(len(layers)) + 0.5, [layer.name for layer in layers], fontsize=style.text)
    axes.set_xticks(centres, excerpt.headers, fontsize=style.text, fontweight="bold")


def _draw_cells(axes: "Axes", excerpt: _Excerpt, answer: frozenset[tuple[int, int]], style: _Style) -> None:
    axes.set_xlim(0, float(excerpt.edges[-1]))
    axes.set_ylim(len(excerpt.rows), 0)
    _no_frame(axes)
    axes.set_xticks([])
    names = [f"row {row + 1:,}" for row in excerpt.rows]
    axes.set_yticks(np.arange(len(excerpt.rows)) + 0.5, names, fontsize=style.text)
    for line, texts in enumerate(excerpt.cells):
        axes.axhline(line, color="#dddddd", linewidth=0.5)
        for column, text in enumerate(texts):
            centre = (excerpt.edges[column] + excerpt.edges[column + 1]) / 2
            is_answer = (excerpt.rows[line], excerpt.fields[column]) in answer
            weight = "bold" if is_answer else "normal"
            place = (centre, line + 0.5)
            axes.text(*place, text, fontsize=style.text, ha="center", va="center", fontweight=weight)
            if is_answer:
                corner, width = (
                    (excerpt.edges[column], line),
                    excerpt.edges[column + 1] - excerpt.edges[column],
                )
                box = Rectangle(corner, width, 1, fill=False, edgecolor=_ANSWER_COLOUR, linewidth=2)
                axes.add_patch(box).set(clip_on=False, zorder=3)


def _draw_marks(axes: "Axes", layers: Sequence[Layer], excerpt: _Excerpt, style: _Style) -> None:
    count = len(layers)
    edges = np.arange(count + 1, dtype=float)
    marks = np.stack([layer.rows for layer in layers if layer.rows is not None], axis=1)
    for line, row in enumerate(excerpt.rows):
        _shade(axes, edges, line, marks[row], layers[0].exact, style)
    axes.set_xlim(0, count)
    axes.set_ylim(len(excerpt.rows), 0)
    _no_frame(axes)
    axes.set_yticks([])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    names = [layer.name.split()[-1] for layer in layers]
    axes.set_xticks(edges[:-1] + 0.5, names, fontsize=style.text)
    title = f"rows{chr(10) if style is _PRINT else ' '}{'kept' if layers[0].exact else 'marked'}"
    axes.set_title(title, fontsize=style.text, color=_GREY, pad=style.text / 2)


def _shade(
    axes: "Axes",
    edges: npt.NDArray[np.float64],
    line: int,
    shown: npt.NDArray[np.float32],
    exact: bool,
    style: _Style,
) -> None:
    """Shades a line of cells by numbers from 0 to 1, and writes these where they say more than yes and no."""
    shades = _EXACT if exact else _SHADES
    lines = np.array([line, line + 1])
    axes.pcolormesh(edges, lines, shown[None], cmap=shades, vmin=0, vmax=1, edgecolors="white", linewidth=1)
    centres = (edges[:-1] + edges[1:]) / 2
    for column in [] if exact else np.flatnonzero(shown >= _WORTH_WRITING).tolist():
        number = float(shown[column])
        colour = "white" if number > 0.6 else "#333333"
        place = (float(centres[column]), line + 0.5)
        text = f"{number:.2f}"
        if style is _PRINT:  # 0.54 as .54, and 1 as 1.0
            text = text.removeprefix("0")[:3]
        axes.text(*place, text, fontsize=style.number, ha="center", va="center", color=colour)


def _draw_words(figure: Figure, caption: Caption, lines: Sequence[str], left_out: str, style: _Style) -> None:
    width, height = figure.get_size_inches()
    edge = 0.15 if style is _SCREEN else style.right
    question, answer = _spacing(style.question), _spacing(style.answer)
    start = 0.12 if style is _SCREEN else 0.04
    figure.text(
        edge / width, 1 - start / height, "\n".join(lines), fontsize=style.question, va="top", color=_GREY
    )
    sure = f"{caption.doubt}, " if caption.doubt else ""
    letters = int((width - 2 * edge) / answer / 0.55) - 20
    text = f"{_short(caption.answer, max(min(letters, 60), 12))}  ({sure}{caption.confidence:.0%})"
    below = 1 - (start + 0.03 + question * len(lines)) / height
    colour = _ANSWER_COLOUR
    figure.text(edge / width, below, text, fontsize=style.answer, va="top", fontweight="bold", color=colour)
    figure.text(edge / width, edge / height, left_out, fontsize=style.text, va="bottom", color=_GREY)


def _draw_legend(figure: Figure, floor: float, layers: Iterable[Layer]) -> None:
    """What the shades mean, above a height of the figure."""
    width, height = figure.get_size_inches()
    kinds = {layer.exact for layer in layers}
    if False in kinds:
        axes = figure.add_axes((0.15 / width, floor / height, _LEGEND[0] / width, _LEGEND[1] / height))
        axes.pcolormesh(np.linspace(0, 1, 33)[None], cmap=_SHADES, vmin=0, vmax=1)
        axes.set_axis_off()
    meaning = "\n".join(_MEANINGS[exact] for exact in sorted(kinds, reverse=True))
    left = 0.15 + (_LEGEND[0] + 0.1 if False in kinds else 0)
    middle = floor + _LEGEND[1] / 2
    figure.text(left / width, middle / height, meaning, fontsize=6, va="center", color=_GREY)


def _spacing(points: float) -> float:
    """How many inches lie between lines of letters."""
    return points * 1.4 / 72


def _left_out(panel: Panel, excerpt: _Excerpt) -> str:
    counts = [
        (panel.table.row_count - len(excerpt.rows), "row"),
        (len(panel.table.fields) - len(excerpt.fields), "field"),
    ]
    parts = [f"{count:,} {what}{'s' * (count > 1)}" for count, what in counts if count]
    of = f" of {_short(panel.title, 30)}" if panel.title else ""
    return f"Not shown: {' and '.join(parts)}{of} that matter less." if parts else ""


def _no_frame(axes: "Axes") -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _short(text: str, most: int) -> str:
    """One line without what a font cannot draw, cut where it is too long."""
    start = text[: 4 * most]  # before anything is done with a cell of a million letters
    plain = " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in start).split())
    return plain if len(plain) <= most and len(start) == len(text) else f"{plain[: most - 1]}…"


def _wrapped(question: str, width: float, style: _Style, most_lines: int = 3) -> list[str]:
    letters = min(int((width - 0.1) / (style.question * 0.0088)), 120)
    lines = textwrap.wrap(_short(question, letters * most_lines), letters) or [""]
    return lines[:most_lines]
