"""Questions that count what the rows are, by whatever name: how many purchases are there, of a budget.

Nothing else is asked than how many there are. Who narrows them down, or adds something up, must be able to
say by which word; otherwise all rows are counted.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import LINKED, MENTION, NAMED, QUANTITY
from neural_enquirer.encoding.row_noun import SAYS_NOTHING
from neural_enquirer.encoding.text import STOP_WORDS, stem, words_of
from neural_enquirer.encoding.wording import asked_for
from neural_enquirer.judge.candidates import Found
from neural_enquirer.judge.features import Use
from neural_enquirer.programs import language as lang

_ASKED: Final = re.compile(
    r"(?:how many|(?:the )?(?:total )?number of|count(?: of)?)(?: the| of the)? (?!of )\w+"
)
_SPOKEN_OF: Final = 0.5
"""From here on a word speaks of a value, or of numbers that are added up."""
_HINTED_AT: Final = 0.3
"""From here on it may speak of a field whose different values are counted."""
_COUNTS: Final = (lang.Aggregation.COUNT, lang.Aggregation.COUNT_DISTINCT)
_ROWS: Final = lang.Aggregate(lang.Aggregation.COUNT, None, lang.All(None))


def counts_all(
    asked: Asked, answers: Sequence[Found], likeliest: Found | None, says: npt.NDArray[np.float32]
) -> list[bool] | None:
    """Which answers are ruled out where a question counts all rows; None where it may ask for anything else.

    Args:
        asked: the question.
        answers: what programs gave.
        likeliest: the likeliest of them; None where it is likelier that nothing answers.
        says: how much each word speaks of each field, mention and quantity.
    """
    noun = _noun(asked) if any(one.program == _ROWS for one in answers) else None
    if noun is None or (likeliest is not None and _counts_values(likeliest.program)):
        return None
    return [not _is_said(asked, one, says[noun], noun) for one in answers]


def _counts_values(program: lang.Program) -> bool:
    """Whether a program counts the different values of a field, which may tell things apart."""
    return isinstance(program, lang.Aggregate) and program.aggregation is lang.Aggregation.COUNT_DISTINCT


def _noun(asked: Asked) -> int | None:
    """The place of the only word that tells something, which is what is counted and names nothing."""
    words, flags = asked.links[0].words, asked.links[0].flags
    match = _ASKED.match(" ".join(words))
    if match is None or len(asked.tables) > 1:
        return None
    noun = match[0].count(" ")
    all_in_all = asked_for(words)["sum"]
    rest = [n for n in range(noun + 1, len(words)) if n not in all_in_all and words[n] not in SAYS_NOTHING]
    is_alone = all(words[n] in STOP_WORDS and not flags[n] & LINKED for n in rest)
    return noun if is_alone and not flags[noun] & (MENTION | NAMED | QUANTITY) else None


def _is_said(asked: Asked, one: Found, says: npt.NDArray[np.float32], noun: int) -> bool:
    """Whether the noun speaks of what narrows rows down, of what is added up, of whose values are counted."""
    use, own = Use.of(asked, one), stem(asked.links[0].words[noun])
    parts = (asked.links[0].mentioned[number] for number in use.mentions)
    cells = (
        asked.tables[0].columns[field][row] for part in parts for field, rows in part for row in rows[:1]
    )
    if not all(own in map(stem, words_of(str(cell))) for cell in cells):
        return False
    if any(says[len(asked.places) + number] < _SPOKEN_OF for number in use.unsaid):
        return False
    counts = isinstance(one.program, lang.Aggregate) and one.program.aggregation in _COUNTS
    least = _HINTED_AT if counts else _SPOKEN_OF
    return bool(use.unsaid or use.mentions) or all(says[field] >= least for field in use.fields)
