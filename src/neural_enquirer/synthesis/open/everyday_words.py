"""Words of everyday questions: loose nouns, fillers, placings.

They are written in `data/vocabulary/sentences/everyday.toml`.
"""

from typing import Final

from neural_enquirer.synthesis.word_files import DATA, WordLists

_WORDS: Final = WordLists(DATA / "vocabulary" / "sentences" / "everyday.toml")

LOOSE_NOUNS: Final = _WORDS.phrases("loose_nouns")
FILLERS: Final = _WORDS.phrases("fillers")
SUPERLATIVE_FILLERS: Final = (*FILLERS, *_WORDS.phrases("superlative_fillers"))
VALUE_ADJECTIVE: Final = _WORDS.phrases("value_adjective")
VALUE_ADJECTIVE_MANY: Final = _WORDS.phrases("value_adjective_many")
VALUE_DOES: Final = _WORDS.phrases("value_does")
VALUE_DOES_MANY: Final = _WORDS.phrases("value_does_many")
VALUE_WHO_ADJECTIVE: Final = _WORDS.phrases("value_who_adjective")
VALUE_AFTER: Final = _WORDS.phrases("value_after")
BRIEF: Final = _WORDS.phrases("brief")
BRIEF_PERSON: Final = _WORDS.phrases("brief_person")
BRIEF_BY: Final = _WORDS.phrases("brief_by")
MOST_OF: Final = _WORDS.phrases("most_of")
FEWEST_OF: Final = _WORDS.phrases("fewest_of")
BEST_IN: Final = _WORDS.phrases("best_in")
WORST_IN: Final = _WORDS.phrases("worst_in")
WHO_HAS_MOST: Final = _WORDS.phrases("who_has_most")
WHO_HAS_THING: Final = _WORDS.phrases("who_has_thing")
WHO_HAS_FAMILIES: Final = _WORDS.phrases("who_has_families")
WHO_HAS_MOST_FAMILIES: Final = _WORDS.phrases("who_has_most_families")
ORDINALS: Final = _WORDS.phrases("ordinals")
PLACE_WHO: Final = _WORDS.phrases("place_who")
PLACE_WHICH: Final = _WORDS.phrases("place_which")
WINNER_WHO: Final = _WORDS.phrases("winner_who")
WINNER_WHICH: Final = _WORDS.phrases("winner_which")
SECOND_WHO: Final = _WORDS.phrases("second_who")
SECOND_WHICH: Final = _WORDS.phrases("second_which")
LAST_WHO: Final = _WORDS.phrases("last_who")
LAST_WHICH: Final = _WORDS.phrases("last_which")
WINNERS: Final = _WORDS.phrases("winners")
ZERO: Final = _WORDS.phrases("zero")
ZERO_WHO: Final = _WORDS.phrases("zero_who")
EARLY: Final = _WORDS.phrases("early")
LATE: Final = _WORDS.phrases("late")
CLOCK_WHICH: Final = _WORDS.phrases("clock_which")
CLOCK_VERBS: Final = _WORDS.groups("clock_verbs")
MODIFIERS: Final = _WORDS.groups("modifiers")

TEXTS: Final = _WORDS.finish()
"""Every phrase above."""
