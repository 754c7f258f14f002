"""Which tables nothing is learned from, so that what they are asked can be measured: a tenth, for good."""

import hashlib
import re
from typing import Final

_ONE_IN: Final = 10
_OF_WIKI_TABLE_QUESTIONS: Final = re.compile(r"(\d+)-(\d+)")


def is_held_out(table: str) -> bool:
    """Whether nothing is learned from a training table of real questions, by a hash of its name.

    Everyday questions are asked of tables of WikiTableQuestions, too: 204-680 is w_204_680 there, and held
    out on both sides or on none.
    """
    wiki = _OF_WIKI_TABLE_QUESTIONS.fullmatch(table)
    name = f"w_{wiki[1]}_{wiki[2]}" if wiki else table
    return int(hashlib.sha256(name.encode("utf-8")).hexdigest()[:8], 16) % _ONE_IN == 0
