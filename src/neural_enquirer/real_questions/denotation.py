"""Denotations: when two answers are the same, by the rules of each data set's own evaluation.

WikiTableQuestions (Pasupat and Liang, 2015) compares sets of values: texts without accents, footnotes,
remarks in brackets, case; numbers as numbers; dates part by part. WikiSQL (Zhong et al., 2017) runs two
queries and compares what they give: lists of cells, in which an answer that comes twice counts twice.
"""

import functools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from neural_enquirer.programs.enumeration import Wanted
from neural_enquirer.real_questions.example import RealExample
from neural_enquirer.tables import Table
from neural_enquirer.tables.measures import number

_TOLERANCE = 1e-6
_PLACES = 6
"""Decimal places to which numbers are compared where programs are looked for."""
_SINGLE_QUOTES, _DOUBLE_QUOTES = re.compile("[‘’´`ʹ]"), re.compile("[“”″]")
_DASHES = re.compile("[‐‑‒–—−―]")
_FOOTNOTES = re.compile(r"(?:(?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])+$")
_REMARK = re.compile(r"(?<!^)(?: \([^)]*\))+$")
_QUOTED = re.compile(r'"([^"]*)"')
_DATE = re.compile(r"(?P<year>\d{4}|xxxx|xx)-(?P<month>\d{1,2}|xx)-(?P<day>\d{1,2}|xx)")
_SEPARATED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NO_LETTERS = re.compile(r"[\W_]+")

Value = tuple[str, str | float | tuple[int, int, int]]
"""A text, a number or a date, and which of them it is."""


def right(example: RealExample, predicted: Sequence[str]) -> bool:
    """Whether predicted texts are the answer, by the rules of the question's data set."""
    same = same_rows if example.query is not None else same_values
    return same(example.answers, predicted)


def same_values(target: Iterable[str], predicted: Iterable[str]) -> bool:
    """Whether two answers are the same set of values: the rule of WikiTableQuestions."""
    wanted, given = ({value_of(text) for text in texts} for texts in (target, predicted))
    return len(wanted) == len(given) and all(any(_match(one, other) for other in given) for one in wanted)


def same_rows(target: Iterable[str], predicted: Iterable[str]) -> bool:
    """Whether two answers have the same cells as often: the rule of WikiSQL, the order aside."""
    return Counter(map(cell_key, target)) == Counter(map(cell_key, predicted))


@functools.lru_cache(maxsize=65536)
def normalized(text: str) -> str:
    """Takes away what the evaluator of WikiTableQuestions overlooks in texts."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    plain = _DASHES.sub("-", _DOUBLE_QUOTES.sub('"', _SINGLE_QUOTES.sub("'", plain)))
    before = None
    while before != plain:
        before = plain
        plain = _FOOTNOTES.sub("", plain.strip()).strip()
        plain = _REMARK.sub("", plain).strip()
        if quoted := _QUOTED.fullmatch(plain):
            plain = quoted[1]
    return " ".join(plain.removesuffix(".").split()).lower()


@functools.lru_cache(maxsize=65536)
def value_of(text: str) -> Value:
    """Reads an answer of WikiTableQuestions: a number, a date such as 1995-xx-05, or a text."""
    plain = normalized(text)
    digits = plain.replace(",", "") if _SEPARATED.fullmatch(plain) else plain
    try:
        amount = float(digits)
        if math.isfinite(amount) and "_" not in digits:
            return "number", amount
    except ValueError:
        pass
    date = _date_parts(plain)
    if date is None:
        return "text", plain
    year, month, day = date
    return ("number", float(year)) if month == day == -1 else ("date", date)


def _date_parts(plain: str) -> tuple[int, int, int] | None:
    """Year, month and day, -1 where one is not known; None where it is no date."""
    match = _DATE.fullmatch(plain)
    if match is None:
        return None
    year, month, day = (-1 if part.startswith("x") else int(part) for part in match.groups())
    if (year, month, day) == (-1, -1, -1) or not (month == -1 or 1 <= month <= 12):
        return None
    return (year, month, day) if day == -1 or 1 <= day <= 31 else None


def _match(one: Value, other: Value) -> bool:
    if isinstance(one[1], float) and isinstance(other[1], float):
        return abs(one[1] - other[1]) < _TOLERANCE
    return one == other


@functools.lru_cache(maxsize=65536)
def cell_key(text: str) -> Value:
    """What two cells of WikiSQL have in common: their number, or their letters and digits."""
    stripped = text.strip()
    amount = number(stripped)
    if amount is not None:
        return "number", round(float(amount), 6)
    plain = unicodedata.normalize("NFKD", stripped.casefold())
    return "text", _NO_LETTERS.sub("", plain) or stripped


def wanted(example: RealExample) -> Wanted:
    """What programs for a question shall give, as enumeration wants it: by the rules of its data set."""
    if example.query is not None:
        return Wanted.of(example.answers, cell_key, counted=True)
    return wanted_values(example.answers)


def wanted_values(answers: Iterable[str]) -> Wanted:
    """What programs shall give whose answer is a set of values."""
    return Wanted.of(answers, _rounded_value, counted=False)


def _rounded_value(text: str) -> Value:
    """The value of a text; numbers that count as equal have equal values."""
    kind, value = value_of(text)
    return (kind, round(value, _PLACES)) if isinstance(value, float) else (kind, value)


class CellFinder:
    """Finds the cells of a table that hold an answer."""

    def __init__(self, table: Table, key: Callable[[str], Value]) -> None:
        """Reads the cells; texts with one key are one answer. A missing cell holds none."""
        self._key = key
        self._cells: dict[Value, list[tuple[int, int]]] = {}
        for n, column in enumerate(table.columns):
            for m, value in enumerate(column):
                if value is not None:
                    self._cells.setdefault(key(table.text(m, n)), []).append((m, n))

    def cells(self, answers: Iterable[str]) -> tuple[tuple[int, int], ...] | None:
        """Returns the cells of all answers together; None where one of them is in no cell."""
        keys = {self._key(answer) for answer in answers}
        if not keys or not keys <= self._cells.keys():
            return None
        return tuple(sorted(cell for key in keys for cell in self._cells[key]))
