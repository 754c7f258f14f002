"""What the words of a question rule out, however likely a program seemed.

The youngest has the least age, and the last year of birth. And whoever made the most films, in a table of
films, has the most rows: no field of it counts them. Nor does any where whoever read the most is asked for
and no word speaks of a number. Of other words the decoder knows better.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.quantities import FIRST_YEAR, LAST_YEAR
from neural_enquirer.encoding.row_noun import is_noun, noun_in_title
from neural_enquirer.encoding.text import fold, words_of
from neural_enquirer.encoding.wording import asked_for
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.trees import parts
from neural_enquirer.tables import FieldType, Table

_AGES: Final = re.compile(r"\b(youngest|oldest)\b")
_AGE: Final = re.compile(r"(?<![a-z])age[sd]?(?![a-z])", re.IGNORECASE)
_LEAST: Final = (lang.Direction.SMALLEST, lang.Aggregation.MINIMUM)
_MOST: Final = (lang.Direction.LARGEST, lang.Aggregation.MAXIMUM)
_COUNTED: Final = re.compile(r"\b(how many|number of|most|fewest)\s+(?:the\s+)?(\w+)")
_OFTENEST: Final = re.compile(r"\b(?:most|least)\W*$")
_HINTED_AT: Final = 0.25
"""From here on a word may speak of a field."""
_COUNTS: Final = (lang.Aggregation.COUNT, lang.Aggregation.COUNT_DISTINCT)


def ruled_out(
    asked: Asked, programs: Sequence[lang.Program], says: npt.NDArray[np.float32] | None = None
) -> list[bool]:
    """Which programs cannot be what a question means.

    Args:
        asked: the question.
        programs: what may answer it.
        says: how much each word speaks of each field; None where nobody knows.
    """
    said = set(_AGES.findall(asked.question.lower()))
    counted = _COUNTED.search(fold(asked.question))
    counts_most = counted is not None and counted[1] in ("most", "fewest")
    counts_rows = counted is not None and _are_rows(counted[2], asked)
    often = _asks_who_most(asked) and any(map(_goes_by_rows, programs))
    return [
        (len(said) == 1 and _takes_wrong_end(program, asked, *said))
        or (counts_rows and _counts_something_else(program, counts_most))
        or (often and says is not None and _goes_by_unsaid(program, asked, says))
        for program in programs
    ]


def _asks_who_most(asked: Asked) -> bool:
    """Whether a question ends with "the most", and says nothing of adding up."""
    is_end = _OFTENEST.search(asked.question.lower()) is not None
    return is_end and not asked_for(asked.links[0].words)["sum"]


def _goes_by_rows(program: lang.Program) -> bool:
    """Whether a program takes the group with the most rows, or with the fewest."""
    return isinstance(program, lang.Cells) and any(
        isinstance(part, lang.Groups) and part.aggregation is lang.Aggregation.COUNT
        for part in parts(program)
    )


def _goes_by_unsaid(program: lang.Program, asked: Asked, says: npt.NDArray[np.float32]) -> bool:
    """Whether a program goes by the numbers of fields that no word speaks of."""
    measured = [part for part in parts(program) if _goes_by_a_field(part)]
    terms = [part.by if isinstance(part, lang.Extreme) else part.term for part in measured]
    fields = [one for term in terms for one in parts(term) if isinstance(one, lang.Field)]
    pointers = [asked.pointer(field) for field in fields]
    return bool(pointers) and float(says[:, pointers].max()) < _HINTED_AT


def _are_rows(word: str, asked: Asked) -> bool:
    """Whether a word is what the rows of the only table are called, by its title and by no field."""
    noun = noun_in_title(asked.tables[0]) if len(asked.tables) == 1 else None
    if noun is None or not is_noun(word, noun):
        return False
    return not any(is_noun(one, noun) for name in asked.tables[0].field_names for one in words_of(name))


def _counts_something_else(program: lang.Program, most: bool) -> bool:
    """Whether a program goes by the numbers of a field; for the most, whether it orders by them."""
    if most:
        return any(_goes_by_a_field(part) for part in parts(program))
    return isinstance(program, lang.Aggregate) and program.aggregation not in _COUNTS


def _goes_by_a_field(part: object) -> bool:
    """Whether a part of a program puts rows or groups in order by the values of a field."""
    match part:
        case lang.Extreme(by=lang.Field() | lang.PartOf()):
            return True
        case lang.Groups(aggregation=measured):
            return measured not in _COUNTS
        case _:
            return False


def _takes_wrong_end(program: lang.Program, asked: Asked, said: str) -> bool:
    """Whether a program answers a question about the youngest by the oldest, or the other way round."""
    ends = [end for part in parts(program) if (end := _end(part, asked)) is not None]
    return len(ends) == 1 and ends[0] != said


def _end(part: object, asked: Asked) -> str | None:
    """Whom a part of a program finds by an age or a date: the youngest or the oldest."""
    match part:
        case lang.Extreme(direction=taken, by=lang.Field(name, table)):
            pass
        case lang.Aggregate(aggregation=taken, term=lang.Field(name, table)) if taken in (*_LEAST, *_MOST):
            pass
        case _:
            return None
    least_is = _least_is(name, next(own for own in asked.tables if table in (None, own.name)))
    if least_is is None:
        return None
    return least_is if taken in _LEAST else ({"youngest", "oldest"} - {least_is}).pop()


def _least_is(name: str, table: Table) -> str | None:
    """Whose is the least value of a field; None where it is neither of ages nor of times."""
    place = table.field_places.get(name)
    if place is None or table.fields[place].type is FieldType.TEXT:
        return None
    if table.fields[place].type is FieldType.DATE:
        return "oldest"
    if _AGE.search(name):
        return "youngest"
    numbers = [value for value in table.columns[place] if isinstance(value, int | float)]
    return "oldest" if numbers and all(FIRST_YEAR <= value <= LAST_YEAR for value in numbers) else None
