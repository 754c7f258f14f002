"""Amounts as people write them: 1,234.5 km, $3.5M, 2h 15m, 5'11", 10–20 %, 3 1/2 cups, (1,200)."""

import functools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from neural_enquirer.tables.units import (
    BARE,
    Kind,
    Meaning,
    Unit,
    currency,
    meanings,
    meanings_of_money,
    words,
)

LONGEST: Final = 40
"""Longer cells are descriptions, whatever they begin with."""

_LONGEST_WITH_NOTES: Final = 200

_VULGAR: Final = {
    "½": 1 / 2,
    "¼": 1 / 4,
    "¾": 3 / 4,
    "⅓": 1 / 3,
    "⅔": 2 / 3,
    "⅛": 1 / 8,
    "⅜": 3 / 8,
    "⅝": 5 / 8,
}
_SPACES: Final = "[ \u00a0\u202f\u2009]"
_PLAIN: Final = (
    rf"(?:\d{{1,3}}(?:{_SPACES}\d{{3}})+(?![\d])(?:[.,]\d+)?|\d{{1,3}}(?:[.,'’]\d{{3}})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,2}(?:,\d\d)+,\d{3}(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:[eE][+-]?\d+(?![\w.]))?"
)
_NUMBER: Final = re.compile(
    rf"(?P<over>\d+(?:\.\d+)?)/(?P<under>\d+)(?![\d/])"
    rf"|(?P<plain>{_PLAIN})(?:\s?(?P<vulgar>[{''.join(_VULGAR)}])|\s(?P<above>\d)/(?P<below>\d{{1,2}})(?![\d/]))?"
    rf"|(?P<alone>[{''.join(_VULGAR)}])"
)
_SIMPLE: Final = re.compile(
    r"([$€£]?)(\d{1,15}(?:\.\d{1,15})?|\d{1,3}(?:,\d{3})+(?:\.\d{1,15})?)(\s?[A-Za-z°]{0,12}|%)"
)
"""What most amounts are, and fast to read."""
_SIGN: Final = r"(?P<{}>[+−–-]\s?)?"
_NOTE: Final = re.compile(r"\s*(?:\[[^\]]*\]|\([^()]*\)|[*†‡§^?]|(?<=[\d)])[¹²³⁴⁵]+)+\s*$")
_GAPS: Final = re.compile(r"[\s'’]")
_ASIDE: Final = re.compile(r" / |(?<=\d)\s?±")
_SQUARED: Final = re.compile(r"(?<=[^\W\dh_])(?P<power>[23])(?![\w.,])")
_ISO: Final = re.compile(r"P(?=[\dT])[\dYMWDTHS.]+")
_DIGIT: Final = re.compile(r"\d")
_RANGE: Final = re.compile(
    r"(?P<unit>[^\d–—-]*?)\s*(?:[–—-]|\bto\b)\s*(?P<high>[^\d–—-]*\d[^–—-]*)", re.IGNORECASE
)
_PIECE: Final = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[^\d.,]*)[.,]?\s*")
_CLIPPED: Final = {"h": "min", "min": "s", "ft": "in", "m": "cm"}
"""The last part of 1h30 and 5'11 has no unit: what it is counted in, by the unit before it."""
_PHONE: Final = re.compile(r"\d{3}-\d{4}")
_NO_TAIL: Final = re.compile(r"[.:/,–-]?\d")
_YEAR: Final = re.compile(r"\b[12]\d{3}\b")
_COMMA: Final = re.compile(r"\d,(?:\d{1,2}|\d{4,})(?![\d,])(?!\.\d)|\d\.\d{3},\d")
_POINT: Final = re.compile(r"\d\.(?:\d{1,2}|\d{4,})(?![\d.])|\d,\d{3}\.\d")
_NEGATIVE: Final = re.compile(r"\(\s*(?:[$€£¥₹]\s?[\d.,]+|\d[\d\s]*[.,][\d.,]*|\d+%)[^\d()]*\)")
_INDIAN: Final = re.compile(r"\d,\d\d,\d{3}")


class Style(NamedTuple):
    """How a column writes its numbers."""

    commas: bool = False
    """Whether the comma is the decimal mark: 1.234,5."""
    brackets: bool = False
    """Whether brackets are a minus: (1,200)."""


_ENGLISH: Final = Style()


class Amount(NamedTuple):
    """What a cell may be an amount of.

    Attributes:
        unit: the unit that it is given in.
        base: the number, in the first unit of its kind.
        is_bare: whether it is a mere number, without unit or scale.
        is_range: whether it is the middle of a range.
    """

    unit: Unit
    base: float
    is_bare: bool = False
    is_range: bool = False


def cleaned(text: str) -> str:
    """The first line of a cell without its footnotes, and without what stands in brackets behind it."""
    text = text.strip()
    if "\n" in text:
        text = text.partition("\n")[0].rstrip()
    if len(text) > _LONGEST_WITH_NOTES:
        return text
    if " / " in text or "±" in text:  # 832 mm / 32.8 in, 5.7±0.28
        text = _ASIDE.split(text, maxsplit=1)[0]
    if text and text[-1] in ")]*†‡§^?¹²³⁴⁵":
        text = _NOTE.sub("", text) or text
    return text.lstrip("*†‡§^ ")


def style_of(texts: Sequence[str]) -> Style:
    """How a column writes its numbers; what is doubtful is English."""
    texts = [text for text in texts if len(text) <= LONGEST]
    brackets = any(text[:1] == "(" and _NEGATIVE.fullmatch(text) for text in texts)
    if not any("," in text for text in texts):
        return Style(brackets=brackets)
    telling = any(_COMMA.search(text) and not _INDIAN.search(text) for text in texts)
    return Style(telling and not any(map(_POINT.search, texts)), brackets)


def amounts(text: str, style: Style = _ENGLISH) -> tuple[Amount, ...]:
    """All that a cell may be an amount of, one for each kind; none where it is no amount."""
    if not style.commas and (simple := _SIMPLE.fullmatch(text)) is not None:
        return _simple(*simple.groups())
    text = cleaned(text)
    if not 0 < len(text) <= LONGEST:
        return ()
    in_brackets = text[0] == "(" and text[-1] == ")"
    if in_brackets:
        text = text[1:-1]
    elif _ISO.fullmatch(text):  # PT1H30M
        return _compound(text.replace("P", "").replace("T", "").lower())
    lead = _lead().match(text)
    assert lead is not None  # it may be empty
    number = _NUMBER.match(text, lead.end())
    if number is None:
        return ()
    is_negative = (in_brackets and style.brackets) or _is_minus(lead["first"]) or _is_minus(lead["second"])
    value = _value(number, style.commas) * (-1 if is_negative else 1)
    rest = _SQUARED.sub(lambda match: "²" if match["power"] == "2" else "³", text[number.end() :])
    money = currency(lead["money"].strip()) if lead["money"] else None
    if _DIGIT.search(rest):
        return _longer(text[number.start() :], value, money, rest.strip(), style)
    if money is None and not rest and _is_code(number[0]):
        return ()
    return _meant(value, meanings_of_money(rest, money) if money else meanings(rest))


def _simple(money: str, number: str, rest: str) -> tuple[Amount, ...]:
    value = float(number.replace(",", "") if "," in number else number)
    if money:
        return _meant(value, meanings_of_money(rest, money))
    return () if not rest and _is_code(number) else _meant(value, meanings(rest))


def _is_minus(sign: str | None) -> bool:
    return sign is not None and sign[0] != "+"


def _meant(value: float, possible: Sequence[Meaning]) -> tuple[Amount, ...]:
    return tuple(
        [Amount(unit, unit.based(value * times), unit is BARE and times == 1) for unit, times in possible]
    )


@functools.cache
def _lead() -> re.Pattern[str]:
    """What may stand before a number: hedges, signs, marks of money."""
    hedges = "|".join(re.escape(word) for word in sorted(words()["hedges"]["words"], key=len, reverse=True))
    marks = {mark for names in words()["currencies"].values() for mark in names}
    money = "|".join(re.escape(mark) for mark in sorted(marks, key=len, reverse=True))
    return re.compile(
        rf"(?:[~≈#<>≤≥=@±]+\s*|(?:{hedges})(?:\s+|(?=\d)|(?=[$€£])))*{_SIGN.format('first')}"
        rf"(?:(?P<money>{money})\.?\s?)?{_SIGN.format('second')}",
        re.IGNORECASE,
    )


def _value(match: re.Match[str], commas: bool) -> float:
    if match["over"]:
        return float(match["over"]) / (float(match["under"]) or float("nan"))
    if match["alone"]:
        return _VULGAR[match["alone"]]
    value = _plain(match["plain"], commas)
    if match["vulgar"]:
        return value + _VULGAR[match["vulgar"]]
    return (
        value + float(match["above"]) / (float(match["below"]) or float("nan")) if match["above"] else value
    )


def _plain(digits: str, commas: bool) -> float:
    """The number that is written with separators of thousands, whichever they are."""
    digits = _GAPS.sub("", digits)
    if commas and digits.count(",") < 2:
        return float(digits.replace(".", "").replace(",", "."))
    if digits.count(".") > 1:
        digits = digits.replace(".", "")
    is_decimal = digits.count(",") == 1 and len(digits.rpartition(",")[2]) != 3 and "." not in digits
    return float(digits.replace(",", "." if is_decimal else ""))


def _is_code(digits: str) -> bool:
    """Whether a number has zeros in front, as codes have."""
    return len(digits) > 2 and digits[0] == "0" and digits.isdigit()


def _longer(text: str, value: float, money: str | None, rest: str, style: Style) -> tuple[Amount, ...]:
    """An amount behind whose number there are more digits: a range, a sum of units, or a year in a note."""
    span = _RANGE.fullmatch(rest)
    if span is not None:
        return () if _PHONE.fullmatch(text) else _range(value, money, span["unit"], span["high"], style)
    if money is None and (found := _compound(text)):
        return found
    if _NO_TAIL.match(rest) or _DIGIT.search(_YEAR.sub("", rest)):
        return ()
    return _meant(value, meanings_of_money(rest, money) if money else meanings(rest))


def _range(low: float, money: str | None, unit: str, high: str, style: Style) -> tuple[Amount, ...]:
    """The middle of a range, in each unit that its upper end may have; the lower end may go without."""
    lows = _meant(low, meanings_of_money(unit, money) if money else meanings(unit))
    found = []
    for top in amounts(high, style):
        own = next((each.base for each in lows if each.unit.kind is top.unit.kind and unit), None)
        bottom = top.unit.based(low) if own is None else own
        if top.is_bare and money:
            top = Amount(lows[0].unit, top.base)
        if bottom < top.base:
            found.append(Amount(top.unit, (bottom + top.base) / 2, top.is_bare, is_range=True))
    return tuple(found)


def _compound(text: str) -> tuple[Amount, ...]:
    """Several numbers of one kind, each with a smaller unit than the one before: 2h 15m, 5 ft 11 in."""
    place, pieces = 0, []
    while (piece := _PIECE.match(text, place)) is not None:
        pieces.append((float(piece["number"].replace(",", ".")), piece["unit"].strip()))
        place = piece.end()
    if not pieces or place < len(text):
        return ()
    sums = [_sum(unit, pieces) for unit, _ in meanings(pieces[0][1]) if unit.kind is not Kind.NUMBER]
    return tuple([each for each in sums if each is not None])


def _sum(unit: Unit, pieces: Sequence[tuple[float, str]]) -> Amount | None:
    total = unit.based(pieces[0][0])
    for number, name in pieces[1:]:
        smaller = _smaller(name or _CLIPPED.get(unit.name, ""), unit)
        if smaller is None:
            return None
        total, unit = total + smaller.based(number), smaller
    return Amount(unit, total)


def _smaller(name: str, larger: Unit) -> Unit | None:
    """The unit of this name that is of the same kind as a larger one."""
    units = (unit for unit, times in meanings(name) if times == 1 and unit.kind is larger.kind)
    return next((unit for unit in units if unit.factor < larger.factor), None)
