"""Rows below a table that sum it up, as spreadsheets have them: totals, averages, and what is below these.

Such a row is no data: it doubles every sum, spoils averages and counts, and its label makes a column of dates
one of text. Its label or its gaps tell it, and its figures, which are those of the rows above.
"""

import math
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from neural_enquirer.tables import measures
from neural_enquirer.tables.cell_types import FieldType, TypedColumn, spelling, type_column
from neural_enquirer.tables.raw_table import TableWarning
from neural_enquirer.tables.wording import cut

CALLED_TOTAL: Final = r"(grand |sub ?)?totals?|sum"
"""What a row of totals is called in English."""

_TOTAL = re.compile(
    rf"{CALLED_TOTAL}|(grand|sub|overall)[ -]totals?|sums|[Σ∑]|(gesamt|zwischen)?summe|(ins)?gesamt|somme"
    r"|sous-total|total général|totale|totaal|suma|soma|razem|toplam|итого|всего|合计|合計|总计|小计|합계",
    re.IGNORECASE,
)
_SAYS_TOTAL = re.compile(r"(sub)?totals?\b.*|.*\b(sub)?totals?( \(.*\))?|sum of .*", re.IGNORECASE)
_AVERAGE = re.compile(r"averages?|avg\.?|mean|ø|durchschnitt|mittelwert|moyenne|promedio", re.IGNORECASE)
_OTHER_FIGURE = re.compile(r"count|median|max(imum)?|min(imum)?|st(andar)?d\.? ?dev(iation)?", re.IGNORECASE)
_LONGEST_LABEL = 40
_AFTER_LABEL = " :.="
_NOTHING = frozenset({"", "-", "–", "—", "--", "n/a"})
_FIGURE = re.compile(r"\(?[+\-−]?\s?(?:[A-Z]{1,3}\s?)?[$€£¥₹₩₽₺₪฿]?\s?[+\-−]?\.?\d")
_MOST_BELOW = 5
_FEWEST_ABOVE = 2
_FULL = 0.9
_NEARLY = 0.005
"""By how much a row that is called a total may miss the sum: a row above may have been changed since."""
_ROWS_TRIED = 100
"""Where these sum up to more than a row says, the others need not be looked at."""
_LONGEST_TOLD = 60

_Figure = Callable[[Sequence[float]], float]


def rows_of_data(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> int:
    """How many rows there are before those that sum them up; all, unless it is safe to say.

    Args:
        headers: The names of the columns.
        rows: As many cells each, as the source has them.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        for place in range(max(len(rows) - _MOST_BELOW, _FEWEST_ABOVE), len(rows)):
            row = _Row(rows[place])
            if row.may_sum_up:
                above = _Above(headers, rows[:place])
                if _is_last(row, map(_Row, rows[place + 1 :]), above) and _sums_up(row, above):
                    return place
    return len(rows)


def told_of(rows: Sequence[Sequence[object]], kept: int) -> str | None:
    """What to tell of the last rows, of which some were left out; None where there is nothing to tell."""
    if kept == len(rows):
        last = _Row(rows[-1]) if rows else None
        if last is None or not last.is_total or len(last.cells) < 2:
            return None
        return (
            f"the last row, '{last}', is not the sum of those above and was kept; if it is a total, delete it"
        )
    first = _Row(rows[kept])
    more = len(rows) - kept
    what = f"the last row, '{first}', sums" if more == 1 else f"the last {more} rows, from '{first}' on, sum"
    if more > 1:
        return f"{what} up those above and were left out; to keep them, give them other names"
    name = "another name" if first.label else "a name"
    return f"{what} up those above and was left out; to keep it, give it {name}"


class _Row:
    """One of the last rows.

    Attributes:
        cells: As the source has them.
        texts: The same as texts.
        filled: The columns in which it has something.
        words: Those of them in which that is no figure.
    """

    def __init__(self, cells: Sequence[object]) -> None:
        self.cells = cells
        self.texts = [_text(cell) for cell in cells]
        self.filled = [place for place, text in enumerate(self.texts) if text.casefold() not in _NOTHING]
        self.words = [place for place in self.filled if not _FIGURE.match(self.texts[place])]

    def __str__(self) -> str:
        return cut(" ".join(self.texts[place] for place in self.filled), _LONGEST_TOLD)

    @cached_property
    def label(self) -> str:
        """What it is called, if that comes first."""
        is_first = bool(self.words) and self.words[0] == self.filled[0]
        return self.texts[self.words[0]].rstrip(_AFTER_LABEL) if is_first else ""

    @property
    def is_total(self) -> bool:
        """Whether it is called a total and nothing else."""
        return _TOTAL.fullmatch(self.label) is not None

    @property
    def says_total(self) -> bool:
        """Whether it may be called a total of something."""
        is_short = len(self.label) <= _LONGEST_LABEL
        return self.is_total or (is_short and _SAYS_TOTAL.fullmatch(self.label) is not None)

    @property
    def is_average(self) -> bool:
        return _AVERAGE.fullmatch(self.label) is not None

    @property
    def names_figure(self) -> bool:
        """Whether it is called what a table is summed up by."""
        return self.says_total or self.is_average or _OTHER_FIGURE.fullmatch(self.label) is not None

    @property
    def may_sum_up(self) -> bool:
        """Whether the rows above are worth a look."""
        has_gaps = 0 < len(self.filled) < len(self.cells)
        return self.says_total or self.is_average or (has_gaps and not self.words)

    @property
    def has_other_words(self) -> bool:
        """Whether there are words that do not repeat the label, as cells that were one do."""
        return any(self.texts[place].rstrip(_AFTER_LABEL) != self.label for place in self.words)


class _Above:
    """The rows above, column by column."""

    def __init__(self, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        self.headers, self.rows = headers, rows

    def typed(self, place: int, *more: object) -> TypedColumn:
        """A column, with more cells below it."""
        return type_column(self.headers[place], [*(row[place] for row in self.rows), *more])

    def gaps(self, row: _Row) -> list[int]:
        """The columns in which a row has nothing, but nearly all above have something."""
        return [
            place for place in range(len(self.headers)) if place not in row.filled and self._is_full(place)
        ]

    def _is_full(self, place: int) -> bool:
        filled = sum(_text(row[place]).casefold() not in _NOTHING for row in self.rows)
        return filled >= _FULL * len(self.rows)

    def all_amounts(self, row: _Row) -> list[list[float] | None]:
        """What each column amounts to in which a row has a figure."""
        return [self.amounts(place, row) for place in row.filled if place not in row.words]

    def amounts(self, place: int, row: _Row) -> list[float] | None:
        """What the cells of a column amount to, and a row's last; None where they are no amounts."""
        together = self.typed(place, row.cells[place])
        if together.type is FieldType.TEXT:
            alone, own = self.typed(place), measures.measure(row.texts[place])
            if alone.type is not FieldType.NUMBER or own is None:
                return _durations(self.headers[place], together.texts)
            return [*_numbers(alone), measures.nearest(own.value)]
        return _numbers(together) if together.type is FieldType.NUMBER else None


def _sums_up(row: _Row, above: _Above) -> bool:
    """Whether a row says what the rows above come to."""
    if not row.label:
        return _sums_up_unsaid(row, above)
    agreeing, compared = _agreement(above.all_amounts(row), _mean if row.is_average else sum, _NEARLY)
    if row.is_total:
        return agreeing > 0 or _is_out_of_place(row, above)
    return agreeing * 2 > compared and not row.has_other_words


def _sums_up_unsaid(row: _Row, above: _Above) -> bool:
    """The same of a row without a label, all figures of which are amounts, and most of them sums."""
    first = _Above(above.headers, above.rows[:_ROWS_TRIED]).all_amounts(row)
    exceeded = [
        amounts for amounts in first if amounts and min(amounts) >= 0 and sum(amounts) > 2.1 * amounts[-1]
    ]
    if len(exceeded) * 2 >= len(first):
        return False
    known = above.all_amounts(row)
    agreeing, compared = _agreement(known, sum, 0)
    is_clear = agreeing > 1 or len(above.rows) > _FEWEST_ABOVE
    return None not in known and agreeing * 2 > compared and is_clear


def _is_out_of_place(row: _Row, above: _Above) -> bool:
    """Whether a label stands among numbers or dates, or there is hardly anything beside it."""
    is_among_words = above.typed(row.words[0]).type is FieldType.TEXT
    return not is_among_words or (not row.has_other_words and len(above.gaps(row)) > 1)


def _agreement(known: Sequence[list[float] | None], figure: _Figure, nearly: float) -> tuple[int, int]:
    """In how many columns the last amount is the figure of the others, and of how many that can be said."""
    telling = [  # the sum of one amount and of nothing else says little
        (amounts[:-1], amounts[-1]) for amounts in known if amounts and sum(map(bool, amounts[:-1])) > 1
    ]
    return sum(_agrees(amounts, own, figure, nearly) for amounts, own in telling), len(telling)


def _agrees(amounts: Sequence[float], own: float, figure: _Figure, nearly: float) -> bool:
    """Whether an amount is the figure of others, all of which may be rounded."""
    right = figure(amounts)
    if not math.isfinite(right):
        return False
    if figure is _mean:
        rounding = 0.5 * 10.0 ** -_decimals(own)
    else:
        decimals = max(map(_decimals, [*amounts, own]))
        rounding = math.sqrt(len(amounts)) * 10.0**-decimals if decimals else 0
    return abs(own - right) <= max(rounding, max(nearly, 1e-9) * abs(right))


def _is_last(row: _Row, below: Iterable[_Row], above: _Above) -> bool:
    """Whether no data may be below a row: only other figures, notes, and what has the same gaps."""
    gaps = above.gaps(row)
    is_named = bool(row.label)
    return (is_named or bool(gaps)) and all(
        len(each.filled) < 2 or each.names_figure or (gaps and not set(gaps) & set(each.filled))
        for each in below
    )


def _durations(header: str, texts: Sequence[str]) -> list[float] | None:
    """What texts such as "2 h" and "7:30" amount to, of which the latter may look like times of day."""
    from neural_enquirer.tables.readings import read_cells  # those who only read numbers need no numpy
    from neural_enquirer.tables.units import Kind

    reading = read_cells(texts, header)
    if reading is None or reading.kind not in (Kind.DURATION, Kind.TIME):
        return None
    values = [value for value, text in zip(reading.values.tolist(), texts, strict=True) if text]
    return None if any(map(math.isnan, values)) else values


def _numbers(column: TypedColumn) -> list[float]:
    return [measures.nearest(value) for value in column.values if isinstance(value, int | float)]


def _mean(amounts: Sequence[float]) -> float:
    return sum(amounts) / len(amounts)


def _decimals(amount: float) -> int:
    return len(spelling(amount).partition(".")[2])


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
