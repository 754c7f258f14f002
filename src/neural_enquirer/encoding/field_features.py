"""Field features: what a field holds, in numbers that mean the same for every table.

A question's words say what is wanted, and a field's name what it is called. These say what it is: names of
people or places, codes, years, a running number, a measure. They are counted over a sample of the rows.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.quantities import FIRST_YEAR, LAST_YEAR
from neural_enquirer.tables import FieldType, Table

SAMPLE: Final = 40
"""How many cells of a field are looked at."""
_FEW: Final = 12
_LONGEST_NAME: Final = 5
_LONGEST_CODE: Final = 3
_OF_KIND: Final = (
    "text", "number", "date", "read as an amount",
    "first", "first text", "last", "place",
    "distinct share", "missing share", "constant", "few", "all distinct", "log distinct", "log rows",
)  # fmt: skip
_OF_TEXTS: Final = ("words", "capital", "names", "codes", "digits")
_OF_NUMBERS: Final = ("whole", "magnitude", "negative", "years", "two values", "running")
_NAMES: Final = (*_OF_KIND, *_OF_TEXTS, *_OF_NUMBERS, "order of rows")

FIELD_FEATURES: Final = len(_NAMES)
_NO_TEXTS: Final = (0.0,) * len(_OF_TEXTS)
_NO_NUMBERS: Final = (0.0,) * len(_OF_NUMBERS)


def field_features(
    table: Table, numbers: npt.NDArray[np.float64], distinct: Sequence[int], missing: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float32]:
    """Returns a row for each field, and one for the order of rows.

    Args:
        table: the table.
        numbers: its cells as numbers; NaN where there is none.
        distinct: how many different values each field has.
        missing: which cells are missing.
    """
    rows: list[tuple[float, ...]] = []
    types = [field.type for field in table.fields]
    first_text = types.index(FieldType.TEXT) if FieldType.TEXT in types else -1
    absent = missing.sum(axis=0).tolist()
    any_number: list[bool] = np.asarray((~np.isnan(numbers)).any(axis=0)).tolist()
    for n, kind in enumerate(types):
        present = table.row_count - absent[n]
        has_numbers = present > 0 and any_number[n]
        of_kind = (
            kind is FieldType.TEXT,
            kind is FieldType.NUMBER,
            kind is FieldType.DATE,
            kind is FieldType.TEXT and has_numbers,
            n == 0,
            n == first_text,
            n == len(types) - 1,
            n / len(types),
            distinct[n] / present if present else 0.0,
            absent[n] / max(1, table.row_count),
            distinct[n] < 2,
            distinct[n] <= _FEW and 2 * distinct[n] <= present,
            distinct[n] == present,
            math.log1p(distinct[n]) / 5,
            math.log1p(table.row_count) / 5,
        )
        of_texts = _of_texts(_sample(table.columns[n])) if kind is FieldType.TEXT else _NO_TEXTS
        of_numbers = _of_numbers(numbers[:, n], distinct[n]) if has_numbers else _NO_NUMBERS
        rows.append((*of_kind, *of_texts, *of_numbers, 0.0))
    rows.append((*(0.0,) * (FIELD_FEATURES - 1), 1.0))
    return np.array(rows, np.float32)


def _sample(column: Sequence[Any]) -> list[str]:
    """Some of a field's cells, from its first row to its last."""
    there = [str(cell) for cell in column[:: max(1, len(column) // SAMPLE)] if cell is not None]
    return there[:SAMPLE]


def _of_texts(texts: Sequence[str]) -> tuple[float, ...]:
    if not texts:
        return _NO_TEXTS
    count = len(texts)
    without_digits = [text for text in texts if text.isalpha() or not any(map(str.isdigit, text))]
    return (
        min(sum([text.count(" ") + 1 for text in texts]) / count, 10.0) / 3,
        sum([text[:1].isupper() for text in texts]) / count,
        sum(map(_is_name, without_digits)) / count,
        sum([len(text) <= _LONGEST_CODE for text in texts]) / count,
        (count - len(without_digits)) / count,
    )


def _is_name(text: str) -> bool:
    """Whether a text has a few words with capitals, as names of people and places have."""
    words = text.split()
    return 2 <= len(words) <= _LONGEST_NAME and all(word[0].isupper() for word in words)


def _of_numbers(column: npt.NDArray[np.float64], distinct: int) -> tuple[float, ...]:
    values = column[np.isfinite(column)]
    if not len(values):
        return _NO_NUMBERS
    share = np.count_nonzero(values == np.floor(values)) / len(values)
    least, most = float(np.minimum.reduce(values)), float(np.maximum.reduce(values))
    return (
        share,
        min(math.log10(1 + _median(np.abs(values))), 12.0) / 4,
        float(least < 0),
        float(share == 1 and least >= FIRST_YEAR and most <= LAST_YEAR),
        float(distinct == 2),
        float(share == 1 and distinct == len(values) == most - least + 1),
    )


def _median(values: npt.NDArray[np.float64]) -> float:
    """The median; numpy's own loads masked arrays."""
    low, high = (len(values) - 1) // 2, len(values) // 2
    parted = np.partition(values, (low, high))
    return (float(parted[low]) + float(parted[high])) / 2
