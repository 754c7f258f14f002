"""Which tables a model learns nothing from, so that what they are asked can be measured: a tenth of them.

Models that are trained side by side may each leave out another tenth. What all of them answer about their own
is then more than one of them could say.
"""

import hashlib
import re
from typing import Final

TENTHS: Final = 10
_OF_WIKI_TABLE_QUESTIONS: Final = re.compile(r"(\d+)-(\d+)")


def tenth_of(table: str) -> int:
    """The tenth to which a training table of real questions belongs for good, by a hash of its name.

    Everyday questions are asked of tables of WikiTableQuestions, too: 204-680 is w_204_680 there, and of the
    same tenth.
    """
    wiki = _OF_WIKI_TABLE_QUESTIONS.fullmatch(table)
    name = f"w_{wiki[1]}_{wiki[2]}" if wiki else table
    return int(hashlib.sha256(name.encode("utf-8")).hexdigest()[:8], 16) % TENTHS
