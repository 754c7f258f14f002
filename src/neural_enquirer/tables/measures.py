"""Numbers as people write them: with thousands separators, and a whole column of them with one unit.

"$1,200", "45%", "12 km" and "3.5 million" are numbers where every cell of a column is written that way, with
the same unit; one cell alone says too little, so columns are read, not cells.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

# No leading zeros: "02134" is a code, not a number. Commas must stand every three digits: "1,2" is a list.
_DIGITS = r"(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?"
_SIGN = r"[+\-−]?"
_NUMBER = re.compile(_SIGN + _DIGITS, re.IGNORECASE | re.ASCII)

_CURRENCY = (
    r"(?:[A-Z]{1,3})?[$€£¥₹₩₽₺₪฿]|(?:USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK|NOK|DKK|Rs\.?)(?=[\s\d.+\-−])"
)
_SCALES = {
    **dict.fromkeys(("thousand", "thousands"), 10**3),
    **dict.fromkeys(("million", "millions", "mn", "mln", "mio"), 10**6),
    **dict.fromkeys(("billion", "billions", "bn", "bln"), 10**9),
    **dict.fromkeys(("trillion", "trillions", "tn"), 10**12),
}
# After an amount of money only: "12 m" is a length, "$12m" is not.
_SCALES_OF_MONEY = {"k": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}
_WORD = r"(?:[^\W\d_]+[²³]?|[%‰°º′″'\"€£$¥₹]+[^\W\d_]*)"
_UNIT = rf"{_WORD}(?:\s?[/·*]\s?{_WORD})?(?:\s{_WORD}(?:\s?/\s?{_WORD})?)?"
_MEASURE = re.compile(
    rf"(?P<sign>{_SIGN})\s?(?P<money>{_CURRENCY})?\s?(?P<number>{_SIGN}{_DIGITS})\s?(?P<unit>{_UNIT})?",
    re.IGNORECASE,
)
_LONGEST_MEASURE = 60
_SAFE_DIGITS = 300  # with more, an integer may be too large for a float
# What follows a number without measuring it: their order is not that of the numbers, or they are names.
_NO_UNITS = frozenset({"st", "nd", "rd", "th", "am", "pm", "bc", "bce", "ad", "ce"})
# Units that no address or name ends in: one such cell is enough to tell.
_UNMISTAKABLE = frozenset("%‰°€£$¥₹")
_EXCHANGED = str.maketrans(".,", ",.")
_THOUSANDS_AND_DECIMALS = re.compile(r"\d\.\d{3},\d")


@dataclass(frozen=True)
class Measure:
    """A number and what it counts: "" for mere numbers, and the same for "1 day" and "2 days"."""

    value: int | float
    unit: str


def number(text: str) -> int | float | None:
    """The number that a text is, or None; what is too large for a float is not one."""
    if not _NUMBER.fullmatch(text):
        return None
    digits = text.replace(",", "").replace("−", "-")
    if len(digits) < _SAFE_DIGITS and digits.lstrip("+-").isdigit():
        return int(digits)
    inexact = float(digits)
    return inexact if math.isfinite(inexact) else None


def nearest(number: int | float | Fraction) -> float:
    """The nearest float; one without end where the number is too large."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def measure(text: str) -> Measure | None:
    """A number, with a unit, a currency or a word such as million; None where the text is anything else."""
    if len(text) > _LONGEST_MEASURE or not (match := _MEASURE.fullmatch(text)):
        return None
    value = number(match["sign"] + match["number"])
    if value is None:
        return None
    money = (match["money"] or "").rstrip(".").upper()
    scale, unit = _scaled(_plain_unit(match["unit"] or ""), bool(money))
    if unit in _NO_UNITS:
        return None
    return Measure(_times(value, scale), f"{money} {unit}".strip())


def measured(texts: Iterable[str]) -> list[int | float] | None:
    """The values of texts that all measure in one unit; None where one does not, or too little is there."""
    values: list[int | float] = []
    unit = None
    for text in texts:
        found = measure(text)
        if found is None or (unit is not None and found.unit != unit):
            return None
        unit = found.unit
        values.append(found.value)
    tells_little = len(values) == 1 and unit and not _UNMISTAKABLE & set(unit)
    return None if unit is None or tells_little else values


def with_decimal_commas(texts: Sequence[str]) -> list[int | float] | None:
    """The values of texts such as "1.250,00 €" and "928,20 €"; None where they are not all written that way.

    They are English numbers once commas and dots are exchanged. Where all of them can be English as they are,
    they are; and one "1,2" alone may be a list of two.
    """
    values = measured(text.translate(_EXCHANGED) for text in texts)
    if values is None:
        return None
    telling = {text for text in texts if "," in text and measure(text) is None}
    is_clear = len(telling) > 1 or any(map(_THOUSANDS_AND_DECIMALS.search, telling))
    return values if is_clear else None


def _plain_unit(unit: str) -> str:
    """Lower case and one space, for comparison; "days" and "day", "hrs" and "hr" are one unit."""
    words = unit.replace("²", "2").replace("³", "3").casefold().split()
    return " ".join(word[:-1] if len(word) > 2 and word[-1] == "s" else word for word in words)


def _scaled(unit: str, is_money: bool) -> tuple[int, str]:
    """Takes a word such as million off a unit: what it multiplies by, and the unit that is left."""
    first, _, rest = unit.partition(" ")
    known = _SCALES | _SCALES_OF_MONEY if is_money else _SCALES
    return (known[first], rest) if first in known else (1, unit)


def _times(value: int | float, scale: int) -> int | float:
    if isinstance(value, int):
        return value * scale
    product = round(value * scale, 6) if scale > 1 else value  # 1.1 million is 1,100,000, not …000.0000001
    return int(product) if scale > 1 and product.is_integer() else product
