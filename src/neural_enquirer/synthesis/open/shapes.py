"""The shapes of sentences: all words of questions but values and those of families and topics.

They are written in `data/vocabulary/sentences`, where each file explains its slots.
"""

from typing import Final

from neural_enquirer.synthesis.open.grammar import plural_of
from neural_enquirer.synthesis.word_files import DATA, WordLists

_FOLDER: Final = DATA / "vocabulary" / "sentences"

# Headers.

_HEADERS: Final = WordLists(_FOLDER / "headers.toml")
QUALIFIERS: Final = _HEADERS.phrases("qualifiers")
ASIDES: Final = _HEADERS.phrases("asides")
COUNTED_HEADERS: Final = _HEADERS.phrases("counted_headers")
TWINS: Final = {
    kind: tuple(tuple(pair.split(" / ")) for pair in pairs)
    for kind, pairs in _HEADERS.groups("twins").items()
}
"""What two fields of one noun are called, by the kind of their values."""
DISTRACTORS: Final = tuple(
    (header, kind) for kind, headers in _HEADERS.groups("distractors").items() for header in headers
)
"""Headers of columns that nobody asks for, and what they hold."""
YEAR_HEADERS: Final = _HEADERS.phrases("year_headers")

# What is asked.

_QUESTIONS: Final = WordLists(_FOLDER / "questions.toml")
COUNT_OF: Final = _QUESTIONS.phrases("count_of")
THINGS: Final = _QUESTIONS.phrases("things")
THINGS_PLURAL: Final = tuple(map(plural_of, THINGS))
WHEN: Final = _QUESTIONS.phrases("when")
THINGLESS: Final = _QUESTIONS.phrases("thingless")
ATTRIBUTE_QUESTIONS: Final = _QUESTIONS.phrases("attribute_questions")
ATTRIBUTE_PHRASES: Final = _QUESTIONS.phrases("attribute_phrases")
NAME_ATTRIBUTE: Final = _QUESTIONS.phrases("name_attribute")
PERSON_ATTRIBUTE: Final = _QUESTIONS.phrases("person_attribute")
PLACE_ATTRIBUTE: Final = _QUESTIONS.phrases("place_attribute")
YEAR_ATTRIBUTE: Final = _QUESTIONS.phrases("year_attribute")
YEAR_QUESTIONS: Final = _QUESTIONS.phrases("year_questions")
HEAD_QUESTIONS: Final = _QUESTIONS.phrases("head_questions")
PERSON_QUESTIONS: Final = _QUESTIONS.phrases("person_questions")
FRONTED: Final = _QUESTIONS.phrases("fronted")
COUNT_QUESTIONS: Final = _QUESTIONS.phrases("count_questions")
NUMBER_QUESTIONS: Final = _QUESTIONS.phrases("number_questions")
DATE_QUESTIONS: Final = _QUESTIONS.phrases("date_questions")
KEY_QUESTIONS: Final = _QUESTIONS.phrases("key_questions")
EXTREME_QUESTIONS: Final = _QUESTIONS.phrases("extreme_questions")
AMONG: Final = _QUESTIONS.phrases("among")
IMPERATIVES: Final = _QUESTIONS.phrases("imperatives")
BEFORE_QUESTIONS: Final = _QUESTIONS.phrases("before_questions")
AFTER_QUESTIONS: Final = _QUESTIONS.phrases("after_questions")
SHORT_NAMES: Final = _QUESTIONS.phrases("short_names")

# Superlatives, conditions, comparisons.

_CONDITIONS: Final = WordLists(_FOLDER / "conditions.toml")
MOST: Final = _CONDITIONS.groups("most")
LEAST: Final = _CONDITIONS.groups("least")
PLAIN_MOST: Final = _CONDITIONS.groups("plain_most")
PLAIN_LEAST: Final = _CONDITIONS.groups("plain_least")
SUPERLATIVE_AFTER: Final = _CONDITIONS.phrases("superlative_after")
SUPERLATIVE_DOES: Final = _CONDITIONS.phrases("superlative_does")
IS_THE_MOST: Final = _CONDITIONS.phrases("is_the_most")
EXTREME_VALUE: Final = _CONDITIONS.phrases("extreme_value")
EQUAL_TEXT: Final = _CONDITIONS.phrases("equal_text")
EQUAL_BARE: Final = _CONDITIONS.phrases("equal_bare")
EQUAL_PLACE: Final = _CONDITIONS.phrases("equal_place")
EQUAL_NUMBER: Final = _CONDITIONS.phrases("equal_number")
EQUAL_COUNT: Final = _CONDITIONS.phrases("equal_count")
EQUAL_DATE: Final = _CONDITIONS.phrases("equal_date")
DURING: Final = _CONDITIONS.phrases("during")
COMPARED_NUMBER: Final = _CONDITIONS.phrases("compared_number")
COMPARED_LOOSELY: Final = _CONDITIONS.phrases("compared_loosely")
COMPARED_COUNT: Final = _CONDITIONS.phrases("compared_count")
COMPARED_DATE: Final = _CONDITIONS.phrases("compared_date")
BETWEEN: Final = _CONDITIONS.phrases("between")
BETWEEN_DATES: Final = _CONDITIONS.phrases("between_dates")
MORE_WORDS: Final = _CONDITIONS.phrases("more_words")
LESS_WORDS: Final = _CONDITIONS.phrases("less_words")
AT_LEAST: Final = _CONDITIONS.phrases("at_least")
AT_MOST: Final = _CONDITIONS.phrases("at_most")
MORE_COUNT: Final = _CONDITIONS.phrases("more_count")
LESS_COUNT: Final = _CONDITIONS.phrases("less_count")
AFTER_WORDS: Final = _CONDITIONS.phrases("after_words")
BEFORE_WORDS: Final = _CONDITIONS.phrases("before_words")
CLAUSE_EQUAL: Final = _CONDITIONS.phrases("clause_equal")
CLAUSE_DURING: Final = _CONDITIONS.phrases("clause_during")
CLAUSE_COMPARED: Final = _CONDITIONS.phrases("clause_compared")
CLAUSE_BETWEEN: Final = _CONDITIONS.phrases("clause_between")
CLAUSE_EXTREME: Final = _CONDITIONS.phrases("clause_extreme")
MORE_THAN_THING: Final = _CONDITIONS.phrases("more_than_thing")
HIGHER: Final = _CONDITIONS.phrases("higher")
LOWER: Final = _CONDITIONS.phrases("lower")
LATER: Final = _CONDITIONS.phrases("later")
EARLIER: Final = _CONDITIONS.phrases("earlier")
COUNT_THAN_THING: Final = _CONDITIONS.phrases("count_than_thing")
MORE_OF: Final = _CONDITIONS.phrases("more_of")
LESS_OF: Final = _CONDITIONS.phrases("less_of")
SAME_AS_THING: Final = _CONDITIONS.phrases("same_as_thing")
OTHERS: Final = _CONDITIONS.phrases("others")
NAMED_BY: Final = _CONDITIONS.phrases("named_by")
MORE_SIGN: Final = ">"
LESS_SIGN: Final = "<"

# A choice between two things.

_CHOICES: Final = WordLists(_FOLDER / "choices.toml")
EITHER: Final = _CHOICES.phrases("either")
EITHER_PERSON: Final = _CHOICES.phrases("either_person")
EITHER_INVERTED: Final = _CHOICES.phrases("either_inverted")
EITHER_BRIEF: Final = _CHOICES.phrases("either_brief")
EITHER_HAS: Final = _CHOICES.phrases("either_has")
EITHER_HAS_MANY: Final = _CHOICES.phrases("either_has_many")
EITHER_LATER: Final = _CHOICES.phrases("either_later")
EITHER_EARLIER: Final = _CHOICES.phrases("either_earlier")
EITHER_FIELD: Final = _CHOICES.phrases("either_field")
EITHER_FIELD_ADJECTIVE: Final = _CHOICES.phrases("either_field_adjective")

# The order of rows.

_ORDER: Final = WordLists(_FOLDER / "row_order.toml")
ORDER_RIGHT: Final = _ORDER.phrases("order_right")
ORDER_TOP: Final = _ORDER.phrases("order_top")
ORDER_BOTTOM: Final = _ORDER.phrases("order_bottom")
ORDER_NEXT: Final = _ORDER.phrases("order_next")
ORDER_PREVIOUS: Final = _ORDER.phrases("order_previous")
ORDER_NEXT_AFTER: Final = _ORDER.phrases("order_next_after")
ORDER_JUST_BEFORE: Final = _ORDER.phrases("order_just_before")
ORDER_BELOW: Final = _ORDER.phrases("order_below")
ORDER_ABOVE: Final = _ORDER.phrases("order_above")
ORDER_FOLLOWS: Final = _ORDER.phrases("order_follows")
ORDER_PRECEDES: Final = _ORDER.phrases("order_precedes")
ORDER_IN_TABLE: Final = _ORDER.phrases("order_in_table")
ORDER_END: Final = _ORDER.phrases("order_end")
ORDER_END_FIELD: Final = _ORDER.phrases("order_end_field")
ORDER_END_PERSON: Final = _ORDER.phrases("order_end_person")
ORDER_END_LOOSE: Final = _ORDER.phrases("order_end_loose")
ORDER_END_BRIEF: Final = _ORDER.phrases("order_end_brief")
ORDER_BESIDE: Final = _ORDER.phrases("order_beside")
ORDER_BESIDE_PERSON: Final = _ORDER.phrases("order_beside_person")
ORDER_BESIDE_PERSON_LOOSE: Final = _ORDER.phrases("order_beside_person_loose")
ORDER_BESIDE_LOOSE: Final = _ORDER.phrases("order_beside_loose")
ORDER_BESIDE_FIELD: Final = _ORDER.phrases("order_beside_field")
ORDER_BESIDE_ROW: Final = _ORDER.phrases("order_beside_row")
ORDER_AMONG: Final = _ORDER.phrases("order_among")
ORDER_AMONG_FIELD: Final = _ORDER.phrases("order_among_field")
ORDER_AMONG_LOOSE: Final = _ORDER.phrases("order_among_loose")
ORDER_AMONG_BRIEF: Final = _ORDER.phrases("order_among_brief")

# What one cell cannot answer.

_UNANSWERABLE: Final = WordLists(_FOLDER / "unanswerable.toml")
COUNTS: Final = _UNANSWERABLE.phrases("counts")
AVERAGES: Final = _UNANSWERABLE.phrases("averages")
SUMS: Final = _UNANSWERABLE.phrases("sums")
LISTS: Final = _UNANSWERABLE.phrases("lists")
RANKS: Final = _UNANSWERABLE.phrases("ranks")
SHARES: Final = _UNANSWERABLE.phrases("shares")
YES_NO: Final = _UNANSWERABLE.phrases("yes_no")
DIFFERENCES: Final = _UNANSWERABLE.phrases("differences")

# Numbers and dates in words.

_AMOUNTS: Final = WordLists(_FOLDER / "amounts.toml")
MONTHS: Final = _AMOUNTS.phrases("months")
DAY_ENDINGS: Final = _AMOUNTS.phrases("day_endings")
SMALL_NUMBERS: Final = ("", "", *_AMOUNTS.phrases("small_numbers"))
SCALES: Final = (
    (1e9, _AMOUNTS.phrases("billions")),
    (1e6, _AMOUNTS.phrases("millions")),
    (1e3, _AMOUNTS.phrases("thousands")),
)

TEXTS: Final = (
    *_HEADERS.finish(),
    *_QUESTIONS.finish(),
    *THINGS_PLURAL,
    *_CONDITIONS.finish(),
    *_CHOICES.finish(),
    *_ORDER.finish(),
    *_UNANSWERABLE.finish(),
    *_AMOUNTS.finish(),
)
"""Every phrase above."""
