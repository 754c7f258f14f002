"""All attribute families: what things in tables can have, and the words people use for it.

They are written in `data/vocabulary/families`, without what can be derived.
"""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from neural_enquirer.synthesis.open.family_checks import faults
from neural_enquirer.synthesis.open.grammar import opposite
from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.word_files import DATA, Entry, entries

_FOLDER: Final = DATA / "vocabulary" / "families"
_FILES: Final = (
    "measures",
    "money",
    "times",
    "milestones",
    "people",
    "places",
    "works",
    "sports",
    "nature",
    "technology",
    "business",
    "categories",
)
"""In the order in which families are drawn from."""
_OPPOSITES: Final = {"more": "less", "most_after": "least_after"}


@functools.cache
def all_families() -> tuple[Family, ...]:
    """All families."""
    return read_families(_FOLDER / f"{name}.toml" for name in _FILES)


def family(key: str) -> Family:
    """The family with this key."""
    return _by_key()[key]


def has_family(key: str) -> bool:
    """Whether there is a family with this key."""
    return key in _by_key()


@functools.cache
def _by_key() -> dict[str, Family]:
    return {each.key: each for each in all_families()}


def read_families(paths: Iterable[Path]) -> tuple[Family, ...]:
    """The families of several files.

    Raises:
        VocabularyError: if one is not as it should be.
    """
    return tuple(map(_family, entries(paths)))


def _family(entry: Entry) -> Family:
    values = entry.values(Family, name="key")
    _derive_openers(entry, values)
    for given, derived in _OPPOSITES.items():
        if given in values and derived not in values:
            values[derived] = tuple(_opposite(entry, derived, phrase) for phrase in values[given])
    family = Family(**values)
    for fault in faults(family):
        raise entry.error(fault)
    return family


def _derive_openers(entry: Entry, values: dict[str, Any]) -> None:
    """A question that takes a description {d} takes a name as well."""
    asks = values.get("asks", ())
    descriptive = tuple(ask for ask in asks if "{d}" in ask)
    if descriptive and "openers" in values:
        raise entry.error(f"'openers' are there, so that '{descriptive[0]}' should take a name only, {{e}}")
    if descriptive:
        values["openers"] = descriptive
        values["asks"] = tuple(ask.replace("{d}", "{e}") for ask in asks)


def _opposite(entry: Entry, derived: str, phrase: str) -> str:
    turned = opposite(phrase)
    if turned is None:
        raise entry.error(f"'{derived}' is missing, and nothing is known to be the opposite of '{phrase}'")
    return turned
