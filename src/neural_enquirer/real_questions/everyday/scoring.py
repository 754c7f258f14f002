"""When an answer to an everyday question is right, and how well a set of answers does.

Texts are compared without case, outer spaces, quotes and full stops; yes is true and no is false; dates and
clock times are equal in all common spellings; numbers may differ by a thousandth, and signs of currency,
percent, thousands commas and a unit after them do not count. Whole numbers below 10,000 must be equal: they
are counts and years. An answer of several parts must have the same parts, in any order.
"""

import datetime
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from neural_enquirer.real_questions.everyday.questions import EverydayQuestion
from neural_enquirer.real_questions.example import RealDataError

SURE = 0.8
"""A wrong answer with at least this confidence misleads."""

_TOLERANCE = 1e-3
_EXACT_BELOW = 10_000
_BINS = 10
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


@dataclass(frozen=True)
class Given:
    """What somebody answered: texts, none where the question was refused, and how sure they were, 0 to 1."""

    answers: tuple[str, ...] = ()
    confidence: float = 0.0


@dataclass(frozen=True)
class Share:
    """How many of some questions were answered rightly, refused, or answered wrongly.

    A right refusal counts as right and as refused.
    """

    questions: int
    right: int
    refused: int
    wrong: int

    @property
    def accuracy(self) -> float:
        """The share of right answers and right refusals; 0 of no questions."""
        return self.right / max(self.questions, 1)


@dataclass(frozen=True)
class EverydayScore:
    """How well a set of answers does.

    Attributes:
        overall: over all questions.
        answerable: over those that have an answer.
        unanswerable: over those that have none; right are the refusals.
        missing: questions without a result, which count as refused.
        wrong_and_sure: wrong answers with a confidence of `SURE` or more.
        calibration_error: how far confidence and accuracy are apart over the answers given, in ten bins; None
            where there are none.
        by_kind: by what the questions ask for.
        by_table: by their first table.
    """

    overall: Share
    answerable: Share
    unanswerable: Share
    missing: int
    wrong_and_sure: int
    calibration_error: float | None
    by_kind: dict[str, Share]
    by_table: dict[str, Share]

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class _Judged:
    question: EverydayQuestion
    given: Given
    right: bool


def read_given(path: Path) -> dict[str, Given]:
    """Reads what was answered, by the ids of the questions.

    Args:
        path: JSON, an object a line or a list of them, with `id`, `answers` (texts; none where the question
            was refused) and `confidence`.

    Raises:
        RealDataError: with one line that says what is wrong with the file.
    """
    content = path.read_text(encoding="utf-8").strip()
    try:
        records = json.loads(content if content.startswith("[") else f"[{','.join(content.splitlines())}]")
        return {record["id"]: _given(record) for record in records}
    except (ValueError, TypeError, KeyError) as error:
        raise RealDataError(f"{path} is no JSON with an id, answers and a confidence a line") from error


def _given(record: Mapping[str, Any]) -> Given:
    answers = record.get("answers") or ()
    parts = answers if isinstance(answers, list | tuple) else (answers,)
    return Given(tuple(map(str, parts)), float(record.get("confidence") or 0))


def score(questions: Sequence[EverydayQuestion], given: Mapping[str, Given]) -> EverydayScore:
    """Judges answers by the ids of their questions.

    Raises:
        RealDataError: if an answer belongs to no question.
    """
    unknown = given.keys() - {question.id for question in questions}
    if unknown:
        raise RealDataError(f"{len(unknown):,} results are of no question here, such as '{min(unknown)}'")
    judged = []
    for question in questions:
        answer = given.get(question.id, Given())
        judged.append(_Judged(question, answer, is_right(answer.answers, question.answers)))
    answered = [each for each in judged if each.given.answers]
    return EverydayScore(
        overall=_share(judged),
        answerable=_share(each for each in judged if each.question.answers),
        unanswerable=_share(each for each in judged if not each.question.answers),
        missing=sum(question.id not in given for question in questions),
        wrong_and_sure=sum(not each.right and each.given.confidence >= SURE for each in answered),
        calibration_error=calibration_error([(each.given.confidence, each.right) for each in answered]),
        by_kind=_shares(judged, lambda question: question.kind),
        by_table=_shares(judged, lambda question: question.tables[0]),
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


def calibration_error(answers: Sequence[tuple[float, bool]]) -> float | None:
    """The mean distance between confidence and accuracy, over bins of equal width; None of no answers."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in answers:
        bins.setdefault(min(int(confidence * _BINS), _BINS - 1), []).append((confidence, right))
    apart = [abs(sum(confidence - right for confidence, right in some)) for some in bins.values()]
    return sum(apart) / len(answers) if answers else None


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


def _share(judged: Iterable[_Judged]) -> Share:
    judged = list(judged)
    return Share(
        questions=len(judged),
        right=sum(each.right for each in judged),
        refused=sum(not each.given.answers for each in judged),
        wrong=sum(bool(each.given.answers) and not each.right for each in judged),
    )


def _shares(judged: Iterable[_Judged], name: Callable[[EverydayQuestion], str]) -> dict[str, Share]:
    groups: dict[str, list[_Judged]] = {}
    for each in judged:
        groups.setdefault(name(each.question), []).append(each)
    return {group: _share(groups[group]) for group in sorted(groups)}
