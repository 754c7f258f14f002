"""What is wrong with a family: phrases that fit into no sentence, values that do not fit its kind."""

from collections.abc import Iterator
from typing import Final

from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.open.makers import MAKERS
from neural_enquirer.synthesis.word_files import slots_in

_SLOTS: Final = {"equal": ["v"], "asks": ["e"], "openers": ["d"]}
"""What each of these phrases has filled in, once; the others have nothing."""
_PHRASES: Final = (
    "nouns", "units", "most", "least", "most_after", "least_after", "more", "less", "equal", "asks",
    "openers",
)  # fmt: skip
_OPPOSITES: Final = (("most", "least"), ("most_after", "least_after"), ("more", "less"))
_BEFORE_NUMBERS: Final = frozenset(
    ("than", "after", "before", "above", "below", "over", "under", "since", "of", "to", "behind", "year",
     "beyond")
)  # fmt: skip
_MOST_NOUNS: Final = 5
_LONGEST_NOUN: Final = 4
_FEWEST_VALUES: Final = 6
_YEARS: Final = (1700, 2100)


def faults(family: Family) -> Iterator[str]:
    """What is wrong with a family, each in a few words."""
    for name in _PHRASES:
        yield from _phrase_faults(name, getattr(family, name))
    yield from _doubles("headers", family.headers)
    if not 1 <= len(family.nouns) <= _MOST_NOUNS:
        yield f"there should be 1 to {_MOST_NOUNS} nouns, not {len(family.nouns)}"
    for noun in family.nouns:
        if len(noun.split()) > _LONGEST_NOUN:
            yield f"the noun '{noun}' is of more than {_LONGEST_NOUN} words"
    for greater, smaller in _OPPOSITES:
        for phrase in set(getattr(family, greater)) & set(getattr(family, smaller)):
            yield f"'{phrase}' is in both '{greater}' and '{smaller}'"
    for phrase in (*family.more, *family.less):
        if phrase.split()[-1] not in _BEFORE_NUMBERS:
            yield f"no number can follow the comparison '{phrase}'"
    yield from _value_faults(family)


def _phrase_faults(name: str, phrases: tuple[str, ...]) -> Iterator[str]:
    yield from _doubles(name, phrases)
    slots = _SLOTS.get(name, [])
    for phrase in phrases:
        if not phrase or phrase != " ".join(phrase.lower().split()):
            yield f"'{phrase}' in '{name}' should be in lower case, with single spaces"
        if slots_in(phrase) != slots:
            wanted = f"{{{slots[0]}}} once" if slots else "no slot"
            yield f"'{phrase}' in '{name}' should have {wanted}"


def _doubles(name: str, texts: tuple[str, ...]) -> Iterator[str]:
    if len(set(texts)) < len(texts):
        double = next(text for text in texts if texts.count(text) > 1)
        yield f"'{double}' is in '{name}' twice"


def _value_faults(family: Family) -> Iterator[str]:
    match family.kind:
        case "text":
            yield from _text_faults(family)
        case "number" | "date":
            yield from _amount_faults(family)
        case other:
            yield f"the kind should be number, date or text, not '{other}'"


def _text_faults(family: Family) -> Iterator[str]:
    if family.most or family.least or family.more or family.less or family.units:
        yield "a text is never more or less, and has no unit"
    if isinstance(family.values, tuple):
        yield from _doubles("values", family.values)
        if len(family.values) < _FEWEST_VALUES:
            yield f"there should be {_FEWEST_VALUES} values or more, not {len(family.values)}"
    elif family.values not in MAKERS:
        yield f"no maker of values is called '{family.values}'"


def _amount_faults(family: Family) -> Iterator[str]:
    if family.values:
        yield f"a {family.kind} has no 'values'"
    if not family.low < family.high:
        yield f"'low' should be below 'high', but {family.low} is not below {family.high}"
    if family.decimals < 0:
        yield f"'decimals' should be 0 or more, not {family.decimals}"
    if family.log and family.low < 0:
        yield f"values from {family.low} on cannot spread over orders of magnitude"
    if family.kind == "date":
        first, last = _YEARS
        if not first <= family.low < family.high <= last:
            yield f"the years of a date should lie from {first} to {last}"
        if family.units or family.log:
            yield "a date has neither units nor orders of magnitude"
