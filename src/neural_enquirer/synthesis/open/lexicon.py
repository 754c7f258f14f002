"""What an attribute family and a topic are; they are written in `data/vocabulary`."""

from dataclasses import dataclass


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
