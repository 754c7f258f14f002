"""A column of a drawn table, with all that questions need to know to speak of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from neural_enquirer.synthesis.open.headers import content_words, plain_name, positives
from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.open.shapes import KINDS
from neural_enquirer.tables import Value

T = TypeVar("T")

_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2100


@dataclass(slots=True, eq=False)
class Column:
    """A header, its cells, and where they come from."""

    header: str
    name: str
    """What a literal question calls it: the header's words, without style and units."""
    kind: str
    """"number", "date" or "text"."""
    family: Family | None
    """None where the header is made up, or where two columns are of one family: it is only called by name."""
    cells: list[Value | None]
    unit: str = ""
    """What may be said behind its numbers."""
    maker: str | tuple[str, ...] = ""
    """Of its text."""
    year: bool = False
    key: bool = False
    silent: bool = False
    """Nobody asks for it: numbers of rows, remarks."""
    amounts: list[Value | None] | None = None
    """The numbers behind cells of text that can be ordered: "1st", "2:04:11", "12 km"."""
    spelled: str = ""
    """How those are written: "place", "clock", "unit", "note"."""
    words: frozenset[str] = field(init=False)
    """The telling words of its name."""

    def __post_init__(self) -> None:
        self.words = content_words(self.name)

    @property
    def ordered(self) -> bool:
        """Whether its cells can be more or less."""
        return self.kind != "text"


def once_per_family(function: Callable[[Family], T]) -> Callable[[Family], T]:
    """The function, computed once for each family; hashing all of a family would take longer."""
    known: dict[str, T] = {}

    def remembered(family: Family) -> T:
        if family.key not in known:
            known[family.key] = function(family)
        return known[family.key]

    return remembered


@once_per_family
def is_year(family: Family) -> bool:
    """Whether the numbers of a family are years, which are written without separators and units."""
    return (
        family.kind == "number"
        and family.low >= _FIRST_YEAR
        and family.high <= _LAST_YEAR
        and not family.units
        and not family.decimals
    )


@once_per_family
def is_place(family: Family) -> bool:
    """Whether a family says where something is."""
    return isinstance(family.values, str) and family.values in KINDS["place_makers"]


@once_per_family
def phrases_of(family: Family) -> frozenset[str]:
    """All that is ever said of a family."""
    return frozenset(
        (
            *family.nouns,
            *family.most,
            *family.least,
            *family.most_after,
            *family.least_after,
            *family.more,
            *family.less,
            *family.equal,
            *family.asks,
            *family.openers,
        )
    )


@once_per_family
def family_words(family: Family) -> frozenset[str]:
    """All telling words of a family's phrases and headers."""
    words: set[str] = set()
    for phrase in phrases_of(family):
        words |= content_words(phrase)
    for header in family.headers:
        words |= content_words(plain_name(header))
    return frozenset(words)


@once_per_family
def tellings_of(family: Family) -> frozenset[frozenset[str]]:
    """The telling words of each phrase of a family, without degrees."""
    return frozenset(map(positives, phrases_of(family)))


def is_rank(column: Column) -> bool:
    """Whether the least number is the best, so that "highest" may mean either end."""
    if column.kind != "number":
        return False
    if column.family is None:
        return bool(KINDS["ranks"] & column.words)
    return best_is_least(column.family)


@once_per_family
def best_is_least(family: Family) -> bool:
    """Whether the least of a family's numbers is the best."""
    return any(not KINDS["best"].isdisjoint(adjective.split()) for adjective in family.least)
