"""Columns of drawn tables: headers and what questions call them, with all that it takes to speak of them."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.open.shapes import KINDS
from neural_enquirer.tables import Value

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BRACKETS: Final = re.compile(r"[(\[].*?[)\]]")
_WORD: Final = re.compile(r"[^\W_]+")
_COMMON_STYLES: Final = (0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9)

_DEGREES: Final = {
    "better": "good", "best": "good", "worse": "bad", "worst": "bad", "more": "much", "most": "much",
    "less": "little", "least": "little", "fewer": "few", "fewest": "few", "further": "far", "furthest": "far",
    "farther": "far", "farthest": "far", "elder": "old", "eldest": "old",
}  # fmt: skip


def styled(words: str, style: int) -> str:
    """Words ("host city") as a header of one of ten styles."""
    match style:
        case 0:
            return words
        case 1:
            return words.title().replace("'S", "'s")
        case 2:
            return words[:1].upper() + words[1:]
        case 3:
            return words.replace(" ", "_").replace("-", "_")
        case 4:
            first, *rest = words.replace("-", " ").split()
            return first + "".join(word.capitalize() for word in rest)
        case 5:
            return "".join(word.capitalize() for word in words.replace("-", " ").split())
        case 6:
            return words.upper()
        case 7:
            return words.upper().replace(" ", "_")
        case 8:
            return words.title().replace(" ", "_")
        case _:
            return words.replace(" ", "-")


def any_style(draw: Draw) -> int:
    """A style, common ones more often."""
    return draw.of(_COMMON_STYLES)


def with_unit(header: str, unit: str, style: int, draw: Draw) -> str:
    """A header that says what its numbers count: ``Runtime (min)``, ``runtime_min``."""
    if style in (3, 7, 8) and " " not in unit and unit.isalnum():
        return f"{header}_{unit.upper() if style == 7 else unit}"
    if style in (4, 5):
        return f"{header}({unit})"
    return f"{header} {draw.of(('({})', '({})', '({})', '[{}]', 'in {}')).format(unit)}"


@functools.lru_cache(maxsize=100_000)
def plain_name(header: str) -> str:
    """What a question calls a field of this header: its words without style and units."""
    bare = _BRACKETS.sub(" ", header) if _BRACKETS.sub("", header).strip(" #") else header
    words = [word.lower() for word in _WORD.findall(_HUMP.sub(" ", bare))]
    if len(words) > 2 and words[-2] == "in":
        del words[-2:]
    while len(words) > 1 and words[-1] in KINDS["units_in_headers"] and words[-2] != "per":
        words.pop()
    return " ".join(words)


@functools.lru_cache(maxsize=100_000)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words of a lower-case phrase that tell which field it speaks of."""
    words = text.replace("{v}", "").replace("{e}", "").replace("{d}", "").split()
    telling = [word for word in words if word not in KINDS["linking"]] or words
    return frozenset(map(stem, telling))


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without the ending of a plural."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@functools.lru_cache(maxsize=100_000)
def positives(text: str) -> frozenset[str]:
    """The telling words of a phrase without degrees: "older than" and "that is the oldest" tell the same."""
    return frozenset(map(_positive, content_words(text)))


def _positive(word: str) -> str:
    if word in _DEGREES:
        return _DEGREES[word]
    for ending, instead in (("iest", "y"), ("ier", "y"), ("est", ""), ("er", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = word[: -len(ending)] + instead
            break
    return (word[:-1] if word[-2:-1] == word[-1:] else word).rstrip("e")


T = TypeVar("T")

_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2100


@dataclass(slots=True, eq=False)
class Column:
    """A header, its cells, and where they come from."""

    header: str
    kind: str
    """"number", "date" or "text"."""
    cells: list[Value | None]
    family: Family | None = None
    """None where the header is made up, or where two columns are of one family: it is only called by name."""
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
    name: str = ""
    """What a literal question calls it: by default the header's words, without style and units."""
    words: frozenset[str] = field(init=False)
    """The telling words of its name."""

    def __post_init__(self) -> None:
        self.name = self.name or plain_name(self.header)
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
