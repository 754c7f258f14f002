"""What things in tables can have, what tables are about, and the words people use for both.

They are written in `data/vocabulary/families` and `data/vocabulary/topics`, without what can be derived.
"""

import functools
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.synthesis.open.grammar import opposite, plural_of
from neural_enquirer.synthesis.word_files import DATA, Entry, entries

_FAMILIES: Final = (
    "measures", "money", "times", "milestones", "people", "places", "works", "sports", "nature", "technology",
    "business", "categories",
)  # fmt: skip
_TOPICS: Final = (
    "people", "places", "works", "sports", "business", "technology", "nature", "food", "culture",
)  # fmt: skip
"""The files, in the order in which families and topics are drawn from."""
_OPPOSITES: Final = {"more": "less", "most_after": "least_after"}


@dataclass(frozen=True)
class Family:
    """One attribute that things can have, and how people speak of it. All phrases are lower case.

    "Greatest" is always said of the column's value: the *best* rank is the least one, the *youngest* person
    has the greatest date of birth. A unit that is also a noun ("goals") can be counted: "with more than 20
    goals".
    """

    key: str
    kind: str
    """"number", "date" or "text"; a column of plain years is a number."""
    nouns: tuple[str, ...]
    """Heads of its headers and how it is named literally, the usual one first."""
    headers: tuple[str, ...] = ()
    """Other headers seen in files, in any style: "ht", "height_cm", "Height (m)"."""
    units: tuple[str, ...] = ()
    """Said after a number."""
    low: float = 0.0
    """Least value of a number; first year of a date."""
    high: float = 100.0
    """Greatest value of a number; last year of a date."""
    decimals: int = 0
    log: bool = False
    """Whether values spread over orders of magnitude."""
    most: tuple[str, ...] = ()
    """Adjectives for the greatest value, before a noun: "tallest"."""
    least: tuple[str, ...] = ()
    most_after: tuple[str, ...] = ()
    """The same behind a noun: "that costs the most"."""
    least_after: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    """Directly before a number or another thing's name: "taller than", "released after"."""
    less: tuple[str, ...] = ()
    equal: tuple[str, ...] = ()
    """Behind a noun, with {v}: "born in {v}"."""
    asks: tuple[str, ...] = ()
    """Questions for its value of the thing {e}: "how tall is {e}"."""
    openers: tuple[str, ...] = ()
    """The same, with a description {d} of the thing ("the oldest tower in Rome"), however long."""
    values: str | tuple[str, ...] = ""
    """Text only: the name of a maker of values ("person", "city", ...) or the values themselves."""
    held_out: bool = False
    """Kept from training: its nouns and phrases share no content word with any family that is not."""


@dataclass(frozen=True)
class Topic:
    """A kind of thing that tables are about."""

    noun: str
    plural: str
    key_headers: tuple[str, ...]
    """Of the column that names it: "building", "name", "Building Name"."""
    maker: str
    """Of its names: "person", "city", "title", "code", "place", "product", ..."""
    families: tuple[str, ...]
    """Keys of the families that such things have."""

    @property
    def person(self) -> bool:
        """Whether it is asked for with "who"."""
        return self.maker == "person"


@functools.cache
def all_families() -> tuple[Family, ...]:
    """All families."""
    files = (DATA / "vocabulary" / "families" / f"{name}.toml" for name in _FAMILIES)
    return tuple(map(read_family, entries(files)))


@functools.cache
def all_topics() -> tuple[Topic, ...]:
    """All topics."""
    files = (DATA / "vocabulary" / "topics" / f"{name}.toml" for name in _TOPICS)
    return tuple(
        entry.make(Topic, {"noun": entry.name, "plural": plural_of(entry.name), **entry.keys})
        for entry in entries(files)
    )


@functools.cache
def _by_key() -> dict[str, Family]:
    return {each.key: each for each in all_families()}


def family(key: str) -> Family:
    """The family with this key."""
    return _by_key()[key]


def read_family(entry: Entry) -> Family:
    """The family that an entry of a file describes.

    Raises:
        VocabularyError: if it does not describe one.
    """
    values = {"key": entry.name, **entry.keys}
    _derive_openers(entry, values)
    for given, derived in _OPPOSITES.items():
        if given in values and derived not in values:
            values[derived] = tuple(_opposite(entry, derived, phrase) for phrase in values[given])
    return entry.make(Family, values)


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
