"""CellIndex: which cells words may mean, by their own text, by other forms of it and by other names."""

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from neural_enquirer.encoding.aliases import Family, Sense, aliases, key
from neural_enquirer.encoding.text import STOP_WORDS, root

__all__ = ["Cells", "CellIndex", "FLAGGED"]

Cells = dict[int, Collection[str]]
"""The phrases of some cells, by their field."""

FLAGGED: Final = " 1 "
"""The phrase of a cell that is set in a field of ones and zeros."""

_YES_OR_NO: Final = "yes or no"
_LONGEST_JOINED: Final = 40
_LONGEST_INITIALS: Final = 6
_SHORTEST_BEGINNING: Final = 3
_CLIPPED: Final = re.compile(r" [b-df-hj-np-tv-z]{3,4} ")
_HALF: Final = 0.5
_SMALLEST_SHARE: Final = 0.2
_LAST_SHARE: Final = 0.6
_MOST_UNSURE: Final = 1


class CellIndex:
    """The different phrases of the cells of fields, which may belong to several tables.

    A phrase is the folded words of a cell with one space between and around them.
    """

    def __init__(self, fields: Sequence[frozenset[str]], flags: Collection[int] = ()) -> None:
        """Takes the phrases of each field, and the fields of ones and zeros, which have none."""
        self.fields = fields
        self.numeric_flags = flags

    @functools.cached_property
    def phrases(self) -> frozenset[str]:
        """All phrases."""
        return frozenset[str]().union(*self.fields) - {""}

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All words of all phrases."""
        return frozenset("".join(self.phrases).split())

    @functools.cached_property
    def keyed(self) -> dict[str, str]:
        """Maps phrases to the keys of their words, with one space between and around them."""
        keys = {word: key(word) for word in self.words}
        return {phrase: f" {' '.join([keys[word] for word in phrase.split()])} " for phrase in self.phrases}

    @functools.cached_property
    def by_first_key(self) -> dict[str, list[str]]:
        """Maps the keys of first words to the phrases that begin with them."""
        return _gathered((keys[1 : keys.find(" ", 1)], phrase) for phrase, keys in self.keyed.items())

    @functools.cached_property
    def by_key(self) -> dict[str, list[str]]:
        """Maps keys to the phrases that have a word with it."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for phrase, keys in self.keyed.items():
            for one in keys.split():
                found[one].append(phrase)
        return dict(found)

    @functools.cached_property
    def words_by_root(self) -> dict[str, list[str]]:
        """Maps roots to the words of cells that are derived from them."""
        return _gathered((root(word), word) for word in self.words)

    @functools.cached_property
    def by_joined(self) -> dict[str, list[str]]:
        """Maps phrases written as one word to the phrases: `losangeles` is Los Angeles."""
        return _gathered(
            (phrase.replace(" ", ""), phrase) for phrase in self.phrases if len(phrase) < _LONGEST_JOINED
        )

    @functools.cached_property
    def by_sense(self) -> dict[Sense, Cells]:
        """The cells that are a name of a sense, or a code of it in a column of codes."""
        by_name, by_code = aliases().by_name, aliases().by_code
        return _by_sense(
            (n, sense, phrase)
            for n, pairs in enumerate(self._coded)
            for sense, phrase in pairs
            if sense in by_name.get(phrase[1:-1], ()) or sense in by_code.get(phrase[1:-1], ())
        )

    @functools.cached_property
    def by_edge(self) -> dict[Sense, Cells]:
        """The cells that begin or end with a name or code of a sense, in columns of such: W 3-1."""
        return _by_sense((n, *pair) for n, pairs in enumerate(self._coded) for pair in pairs)

    @functools.cached_property
    def _coded(self) -> list[list[tuple[Sense, str]]]:
        return [[*_named(phrases), *_coded(phrases)] for phrases in self.fields]

    @functools.cached_property
    def flags(self) -> Cells:
        """The cells that say yes in fields that say nothing but yes and no."""
        found: Cells = {n: {FLAGGED} for n in self.numeric_flags}
        yes, no = (sense for sense in _senses_of(_YES_OR_NO))
        for n, phrases in enumerate(self.fields):
            there = phrases - {""}
            said = {phrase for phrase in there if phrase.strip() in (*yes.names, *yes.codes)}
            denied = {phrase for phrase in there if phrase.strip() in (*no.names, *no.codes)}
            if said and len(there) <= len(said | denied) + _MOST_UNSURE and (denied or "" in phrases):
                found[n] = said
        return found

    @functools.cached_property
    def by_initials(self) -> dict[str, list[str]]:
        """Maps the first letters of the words of phrases to the phrases: gta is Grand Theft Auto."""
        return _gathered(
            ("".join([word[0] for word in words if word not in STOP_WORDS]), phrase)
            for phrase in self.phrases
            if 2 <= len(words := phrase.split()) <= _LONGEST_INITIALS
        )

    @functools.cached_property
    def clipped(self) -> dict[str, list[str]]:
        """Maps the first letter of cells of a few consonants to their phrases: BNK, CTRL."""
        codes = (phrase for phrase in self.phrases if _CLIPPED.fullmatch(phrase))
        return _gathered((phrase[1], phrase) for phrase in codes)

    def begun_by(self, word: str) -> list[str]:
        """The phrases with a word that begins with a word, or that is its beginning: Rajini, Prot."""
        longer = [other for other in self.words if other.startswith(word)]
        if longer:
            return [phrase for other in longer for phrase in self.by_key[key(other)]]
        for end in range(len(word) - 2, _SHORTEST_BEGINNING - 1, -1):
            if word[:end] in self.words:
                return self.by_key[key(word[:end])]
        clipped = self.clipped.get(word[0], ())
        return [phrase for phrase in clipped if _is_within(phrase.strip(), word)]

    def has_form(self, word: str) -> bool:
        """Whether a word of a cell is a form of a word or derived from it."""
        return key(word) in self.by_key or root(word) in self.words_by_root

    def is_joined(self, *runs: Sequence[str]) -> bool:
        """Whether one of some runs of words is a cell when they are written as one word."""
        return any(len(run) > 1 and "".join(run) in self.by_joined for run in runs)

    def cells(self, phrases: Iterable[str]) -> Cells:
        """The cells that have one of some phrases."""
        wanted = frozenset(phrases)
        found = ((n, wanted & known) for n, known in enumerate(self.fields))
        return {n: own for n, own in found if own}


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, each in pairs:
        found[name].append(each)
    return dict(found)


def _is_within(letters: str, word: str) -> bool:
    """Whether a word has some letters in their order."""
    rest = iter(word)
    return all(letter in rest for letter in letters)


@functools.cache
def _senses_of(family: str) -> tuple[Sense, ...]:
    every = {sense: None for senses in aliases().by_name.values() for sense in senses}
    return tuple(sense for sense in every if sense.family.name == family)


def _by_sense(coded: Iterable[tuple[int, Sense, str]]) -> dict[Sense, Cells]:
    found: dict[Sense, Cells] = {}
    for n, sense, phrase in coded:
        found.setdefault(sense, {}).setdefault(n, set()).add(phrase)  # type: ignore[attr-defined]
    return found


def _named(phrases: Iterable[str]) -> list[tuple[Sense, str]]:
    by_name = aliases().by_name
    return [(sense, phrase) for phrase in phrases for sense in by_name.get(phrase[1:-1], ())]


def _coded(phrases: frozenset[str]) -> Iterator[tuple[Sense, str]]:
    """The senses of cells by their codes, if the field has little else; at one end of cells, or alone."""
    known, count = aliases(), len(phrases - {""})
    for end in (0, -1):
        cells = [
            (phrase, words)
            for phrase in phrases
            if (words := phrase.split()) and (words[end] in known.by_code or words[end] in known.by_name)
        ]
        if len(cells) >= _SMALLEST_SHARE * count:
            coded = [(sense, phrase) for phrase, words in cells for sense in _senses_at(words, end)]
            fitting = list(_of_one_family(coded, count, _LAST_SHARE if end else 0))
            yield from fitting
            yield from _rest(fitting, phrases)


def _rest(coded: list[tuple[Sense, str]], phrases: frozenset[str]) -> Iterator[tuple[Sense, str]]:
    """The cells without a code, in a field of codes where that says something."""
    for family in {sense.family for sense, _ in coded}:
        rest = aliases().rests.get(family)
        if rest is not None and rest not in {sense for sense, _ in coded}:
            with_code = {phrase for sense, phrase in coded if sense.family is family}
            yield from ((rest, phrase) for phrase in phrases - with_code - {""})


def _of_one_family(coded: list[tuple[Sense, str]], count: int, least: float) -> Iterator[tuple[Sense, str]]:
    """Those codes of cells whose family has most of the cells, and more than one sense."""
    cells: defaultdict[Family, set[str]] = defaultdict(set)
    senses: defaultdict[Family, set[Sense]] = defaultdict(set)
    for sense, phrase in coded:
        cells[sense.family].add(phrase)
        senses[sense.family].add(sense)
    for sense, phrase in coded:
        family = sense.family
        share = max(family.share, least)
        if len(cells[family]) >= share * count and (len(senses[family]) > 1 or family.share < _HALF):
            yield sense, phrase


def _senses_at(words: list[str], end: int) -> tuple[Sense, ...]:
    """The senses of the code at one end of a cell; one letter before other words is none, but W 3-1 is."""
    word = words[end]
    if len(words) == 1:
        is_code = end == 0
    else:
        is_code = len(word) > 1 or end == -1 or words[1][0].isdigit()
    return aliases().by_code.get(word, ()) + aliases().by_name.get(word, ()) if is_code else ()
