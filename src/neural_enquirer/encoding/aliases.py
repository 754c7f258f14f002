"""Aliases: what has several names, and the words that stand for each other, read from `data/aliases`.

A *sense* is one thing with its names: Switzerland, Swiss, CH. Its codes are too short to mean anything by
themselves; they count in columns that have little else than codes of one family, such as M and F.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from neural_enquirer.encoding.text import phrase_of, stem

__all__ = ["Aliases", "Family", "Sense", "aliases", "common_words", "key", "senses_of", "spaced"]

_FOLDER: Final = Path(__file__).parents[1] / "data" / "aliases"
_WORDS: Final = "words.txt"
_COMMON: Final = "common.txt"
_FAMILY: Final = re.compile(r"\[(?P<name>[^\]]+)\](?: (?P<share>0\.\d+))?(?P<whole> whole)?")
_SHARE: Final = 0.6


@dataclass(frozen=True, eq=False)
class Family:
    """Senses that a column may have one of in each cell.

    Attributes:
        name: what they are.
        share: the share of a column's different cells that must have a code for codes to count in it.
        in_parts: whether their names count where they are a part of a cell.
    """

    name: str
    share: float
    in_parts: bool


@dataclass(frozen=True, eq=False)
class Sense:
    """One thing; all names are folded words with one space between them.

    Attributes:
        family: where it belongs.
        names: what questions and cells call it.
        said: what only questions call it.
        codes: what columns of codes call it, and questions in capitals.
        is_rest: whether it is meant where a column of codes has no code (* among the codes): in a column of
            opponents with "at" before some of them, the others came home.
    """

    family: Family
    names: tuple[str, ...]
    said: tuple[str, ...]
    codes: tuple[str, ...]
    is_rest: bool


@dataclass(frozen=True)
class Aliases:
    """All senses, by what they are called.

    Attributes:
        by_name: senses by the names that cells have.
        by_said: senses by the stems of what questions say.
        by_code: senses by their codes.
        rests: the sense of a family that is meant where a column of codes has none.
        longest: the number of words of the longest name that begins with a stem.
        stems: the stems of all words of what questions say.
    """

    by_name: dict[str, tuple[Sense, ...]]
    by_said: dict[str, tuple[Sense, ...]]
    by_code: dict[str, tuple[Sense, ...]]
    rests: dict[Family, Sense]
    longest: dict[str, int]
    stems: frozenset[str]


@functools.cache
def aliases() -> Aliases:
    """Returns the aliases, read when they are first needed."""
    senses = [sense for path in sorted(_FOLDER.glob("*.txt")) for sense in _senses(path)]
    by_name = _gathered((each, sense) for sense in senses for name in sense.names for each in spaced(name))
    by_said = _gathered((_stems(name), sense) for sense in senses for name in (*sense.names, *sense.said))
    by_code = _gathered((name, sense) for sense in senses for name in sense.codes)
    longest: dict[str, int] = {}
    for name in by_said:
        first = name.partition(" ")[0]
        longest[first] = max(longest.get(first, 1), name.count(" ") + 1)
    rests = {sense.family: sense for sense in senses if sense.is_rest}
    stems = frozenset(word for name in by_said for word in name.split())
    return Aliases(by_name, by_said, by_code, rests, longest, stems)


@functools.cache
def senses_of(family: str) -> tuple[Sense, ...]:
    """The senses of a family, in the order of its file."""
    every = dict.fromkeys(sense for senses in aliases().by_name.values() for sense in senses)
    return tuple(sense for sense in every if sense.family.name == family)


def _gathered(pairs: Iterable[tuple[str, Sense]]) -> dict[str, tuple[Sense, ...]]:
    senses: dict[str, dict[Sense, None]] = {}
    for name, sense in pairs:
        senses.setdefault(name, {})[sense] = None
    return {name: tuple(known) for name, known in senses.items()}


def spaced(name: str) -> tuple[str, ...]:
    """A name with its spaces, and as one word: FullTime."""
    return (name, name.replace(" ", "")) if " " in name else (name,)


def _stems(name: str) -> str:
    """The stems of a name's words."""
    return " ".join(map(stem, name.split()))


def _senses(path: Path) -> Iterator[Sense]:
    """Reads the senses of a file: names | what is only said | codes, under the [name] of their family."""
    if path.name in (_WORDS, _COMMON):
        return
    family: Family | None = None
    for line in _lines(path):
        match = _FAMILY.fullmatch(line)
        if match is not None:
            family = Family(match["name"], float(match["share"] or _SHARE), match["whole"] is None)
            continue
        names, said, codes, *more = (*line.split("|"), "", "")[: max(3, line.count("|") + 1)]
        if family is None or not names.strip() or more:
            raise ValueError(f"{path.name}: '{line}' is not 'names | said | codes' under a [family]")
        yield Sense(family, tuple(_names(names)), tuple(_names(said)), tuple(_names(codes)), "*" in codes)


def _names(listed: str) -> Iterator[str]:
    for name in listed.split(","):
        words = phrase_of(name).strip()
        if words:
            yield words


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


@functools.cache
def _standing_for() -> dict[str, str]:
    """Maps a word to the first of the words that stand for each other."""
    groups = [line.split() for line in _lines(_FOLDER / _WORDS)]
    return {word: group[0] for group in groups for word in group}


@functools.cache
def common_words() -> frozenset[str]:
    """The stems of words that questions are made of: a part of a cell is seldom meant by them."""
    return frozenset(stem(word) for line in _lines(_FOLDER / _COMMON) for word in line.split())


@functools.lru_cache(maxsize=65536)
def key(word: str) -> str:
    """What words have in common that are forms of each other: plurals, St and Saint, II and 2."""
    return stem(_standing_for().get(word, word))
