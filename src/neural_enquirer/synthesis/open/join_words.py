"""Words that lead from one table to another, written in `data/vocabulary/sentences/joins.toml`."""

from typing import Final

from neural_enquirer.synthesis.word_files import DATA, WordLists

_WORDS: Final = WordLists(DATA / "vocabulary" / "sentences" / "joins.toml")

FIELD_OF: Final = _WORDS.phrases("field_of")
TO_ONE: Final = _WORDS.phrases("to_one")
TO_MANY: Final = _WORDS.phrases("to_many")
HAS: Final = _WORDS.phrases("has")
NUMBERED: Final = _WORDS.phrases("numbered")
THROUGH: Final = _WORDS.phrases("through")

TEXTS: Final = _WORDS.finish()
"""Every phrase above."""
