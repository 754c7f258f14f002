"""When an answer to an everyday question is right.

Texts are compared without case, outer spaces, quotes and full stops; yes is true and no is false; dates and
clock times are equal in all common spellings; numbers may differ by a thousandth, and signs of currency,
percent, thousands commas and a unit after them do not count. Whole numbers below 10,000 must be equal: they
are counts and years. An answer of several parts must have the same parts, in any order.
"""

import datetime
import math
import re
from collections.abc import Sequence

_TOLERANCE = 1e-3
_EXACT_BELOW = 10_000
_YES, _NO = frozenset({"yes", "true", "y"}), frozenset({"no", "false", "n"})
_DATES = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%m/%d/%Y",
    "%m/%d/%y",
    "%d %B %Y",
    "%B %d, %Y",
    "%B %d %Y",
    "%d %b %Y",
    "%b %d, %Y",
    "%Y.%m.%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
)
_CLOCK = re.compile(r"0*(\d+):(\d\d):(\d\d)(?:\.0+)?")
_CURRENCY = "[$£€¥₪]"
_NUMBER = re.compile(
    rf"(?P<minus>-?)\s*{_CURRENCY}?\s*(?P<digits>-?\d[\d,]*\.?\d*|-?\.\d+)(?P<power>e[+-]?\d+)?"
    rf"\s*(?:%|{_CURRENCY}|[a-z°/²³.]{{1,12}})?"
)


def is_right(given: Sequence[str], accepted: Sequence[Sequence[str]]) -> bool:
    """Whether an answer is one of those that are accepted; where none is, only a refusal is right."""
    if not accepted:
        return not given
    return bool(given) and any(same_parts(answer, given) for answer in accepted)


def same_parts(wanted: Sequence[str], given: Sequence[str]) -> bool:
    """Whether two answers have the same parts, in any order."""
    if len(given) != len(wanted):
        return False
    left = list(wanted)
    for part in given:
        place = next((place for place, other in enumerate(left) if same(part, other)), None)
        if place is None:
            return False
        left.pop(place)
    return True


def same(one: str, other: str) -> bool:
    """Whether two texts say the same."""
    texts = (_plain(one), _plain(other))
    if texts[0] == texts[1] or any(group.issuperset(texts) for group in (_YES, _NO)):
        return True
    for read in (_clock, _date):
        first, second = map(read, texts)
        if first is not None and first == second:
            return True
    first_number, second_number = map(_number, texts)
    return first_number is not None and second_number is not None and _close(first_number, second_number)


def _plain(text: str) -> str:
    return " ".join(text.split()).strip('"“”.').strip().casefold()


def _clock(text: str) -> tuple[int, ...] | None:
    match = _CLOCK.fullmatch(text)
    return None if match is None else tuple(map(int, match.groups()))


def _date(text: str) -> datetime.date | None:
    for form in _DATES:
        try:
            return datetime.datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def _number(text: str) -> float | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    value = float(match["digits"].replace(",", "") + (match["power"] or ""))
    return None if math.isinf(value) else -value if match["minus"] else value


def _close(one: float, other: float) -> bool:
    largest = max(abs(one), abs(other))
    if one.is_integer() and other.is_integer() and largest < _EXACT_BELOW:
        return one == other
    return abs(one - other) <= _TOLERANCE * largest + 1e-12
