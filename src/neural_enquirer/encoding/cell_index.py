"""CellIndex: which cells words may mean, by their own text, by other forms of it and by other names."""

import bisect
import functools
import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.aliases import Sense, key, senses_of, spaced
from neural_enquirer.encoding.codes import marks_of, senses_of_codes
from neural_enquirer.encoding.text import STOP_WORDS, root
from neural_enquirer.encoding.word_vectors import row_of, vectors

__all__ = ["FLAGGED", "CellIndex", "Cells"]

Cells = dict[int, frozenset[str]]
"""The phrases of some cells, by their field."""

FLAGGED: Final = " 1 "
"""The phrase of a cell that is set in a field of ones and zeros."""

_YES_OR_NO: Final = "yes or no"
_MOST_UNSURE: Final = 1
_LONGEST_JOINED: Final = 40
_LONGEST_INITIALS: Final = 6
_SHORTEST_BEGINNING: Final = 3
_START: Final = 4
_FEW: Final = 16
"""Different values of a field whose words may be meant by others."""
_CONSONANTS: Final = frozenset("bcdfghjklmnpqrstvwxz")
_CLIPPED_LENGTHS: Final = (3, 4)
_MOST_KEPT: Final = 256
"""Of so many words it is kept which phrases have them."""


class CellIndex:
    """The different phrases of the cells of fields, which may belong to several tables.

    A phrase is the folded words of a cell with one space between and around them.
    """

    def __init__(self, fields: Sequence[frozenset[str]], flags: Collection[int] = ()) -> None:
        """Takes the phrases of each field, and the fields of ones and zeros, which have none."""
        self.fields = fields
        self.numeric_flags = flags
        self._codes: dict[int, dict[Sense, frozenset[str]]] = {}
        self._found: dict[str, list[str]] = {}

    @functools.cached_property
    def phrases(self) -> frozenset[str]:
        """All phrases."""
        return frozenset[str]().union(*self.fields) - {""}

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All words of all phrases."""
        return frozenset("".join(self.phrases).split())

    @functools.cached_property
    def _key_of(self) -> dict[str, str]:
        """The key of each word; one that is no text has none but itself."""
        return {word: key(word) if word.isalpha() else word for word in self.words}

    @functools.cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(self._key_of.values())

    @functools.cached_property
    def keyed(self) -> dict[str, str]:
        """Maps phrases to the keys of their words, with one space between and around them."""
        keys = self._key_of
        return {phrase: f" {' '.join([keys[word] for word in phrase.split()])} " for phrase in self.phrases}

    @functools.cached_property
    def _lines(self) -> str:
        """The keys of all phrases, a line each."""
        return "\n".join(["", *self.keyed.values(), ""])

    @functools.cached_property
    def _by_line(self) -> tuple[list[int], list[str]]:
        """Where the line of each phrase begins, and the phrases."""
        lengths = itertools.accumulate(
            map(len, self.keyed.values()), lambda end, size: end + size + 1, initial=0
        )
        return list(lengths)[:-1], list(self.keyed)

    @functools.cached_property
    def meanings(self) -> tuple[list[str], npt.NDArray[np.float32]]:
        """The values of one word that fields with few values have, and the word's fixed vector."""
        rows = {
            one: row_of(one.strip())
            for own in self._few.values()
            for one in own
            if one.strip() not in STOP_WORDS
        }
        known = sorted(one for one, row in rows.items() if row)
        return known, vectors([rows[one] for one in known])

    @functools.cached_property
    def _few(self) -> dict[int, frozenset[str]]:
        """The values of the fields that have few."""
        return {n: own for n, own in enumerate(self.fields) if len(own) <= _FEW}

    def meant(self, phrase: str) -> Cells:
        """The cells with one of these values."""
        return {n: frozenset([phrase]) for n, own in self._few.items() if phrase in own}

    def has_key(self, one: str) -> bool:
        """Whether a word of a phrase has a key."""
        return one in self._keys

    def having(self, one: str) -> list[str]:
        """The phrases that have a word with a key."""
        return self._with_key(f" {one} ", one)

    def beginning(self, one: str) -> list[str]:
        """The phrases whose first word has a key."""
        return self._with_key(f"\n {one} ", one)

    def _with_key(self, text: str, one: str) -> list[str]:
        """The phrases whose line has a text; lines are looked through once for each that is asked."""
        if one not in self._keys:
            return []
        known = self._found.get(text)
        if known is None:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            known = self._found[text] = list(self._looked_up(text))
        return known

    def _looked_up(self, text: str) -> Iterator[str]:
        lines, (starts, phrases) = self._lines, self._by_line
        place = lines.find(text)
        while place >= 0:
            yield phrases[bisect.bisect_right(starts, place) - 1]
            end = lines.find("\n", place + 1)
            place = lines.find(text, end)

    @functools.cached_property
    def by_joined(self) -> dict[str, str]:
        """Maps phrases of several words, written as one, to the phrases: `losangeles` is Los Angeles."""
        several = (
            phrase for phrase in self.phrases if len(phrase) < _LONGEST_JOINED and phrase.count(" ") > 2
        )
        return {phrase.replace(" ", ""): phrase for phrase in several}

    @functools.cached_property
    def by_initials(self) -> dict[str, list[str]]:
        """Maps the first letters of the words of phrases to the phrases: gta is Grand Theft Auto."""
        return _gathered(
            ("".join([word[0] for word in words if word not in STOP_WORDS]), phrase)
            for phrase in self.phrases
            if 2 <= len(words := phrase.split()) <= _LONGEST_INITIALS
        )

    @functools.cached_property
    def _all_words(self) -> str:
        """All words with a space before each."""
        return f" {' '.join(self.words)} "

    def _beginning_with(self, letters: str) -> Iterator[str]:
        """The words of cells that begin with some letters."""
        text = self._all_words
        place = text.find(f" {letters}")
        while place >= 0:
            end = text.index(" ", place + 1)
            yield text[place + 1 : end]
            place = text.find(f" {letters}", end)

    @functools.cached_property
    def _clipped(self) -> dict[str, list[str]]:
        """Maps the first letter of cells of a few consonants to the phrases: BNK, CTRL."""
        short = (phrase for phrase in self.phrases if len(phrase) - 2 in _CLIPPED_LENGTHS)
        return _gathered((phrase[1], phrase) for phrase in short if _CONSONANTS.issuperset(phrase[1:-1]))

    @functools.cached_property
    def flags(self) -> Cells:
        """The cells that say yes in fields that say little but yes and no."""
        found: Cells = {n: frozenset([FLAGGED]) for n in self.numeric_flags}
        yes, no = ({f" {name} " for name in sense.names + sense.codes} for sense in senses_of(_YES_OR_NO))
        for n, phrases in enumerate(self.fields):
            said, denied = phrases & yes, phrases & no
            others = len(phrases - said - denied - {""})
            if said and others <= _MOST_UNSURE and (denied or "" in phrases):
                found[n] = said
        return found

    def cells(self, phrases: Iterable[str]) -> Cells:
        """The cells that have one of some phrases."""
        wanted = frozenset(phrases)
        found = ((n, wanted & known) for n, known in enumerate(self.fields)) if wanted else ()
        return {n: own for n, own in found if own}

    def called(self, senses: Sequence[Sense]) -> Cells:
        """The cells that are a name of one of some senses, or a code of it in a column of codes.

        In a column where no cell is, those that begin or end so: W 3-1.
        """
        whole = {f" {name} " for sense in senses for name in sense.names + sense.codes}
        coded = {n: own & whole or own for n, own in self.edged(senses).items()}
        named = self.cells(f" {each} " for sense in senses for name in sense.names for each in spaced(name))
        return coded | {n: own | (coded.get(n, own) & whole) for n, own in named.items()}

    def edged(self, senses: Sequence[Sense]) -> Cells:
        """The cells that begin or end with a code of one of some senses, in columns of such."""
        found: Cells = {}
        for sense in senses:
            for n in self.cells(phrase for word in marks_of(sense) for phrase in self.having(key(word))):
                own = self._coded(n).get(sense)
                if own:
                    found[n] = found.get(n, frozenset()) | own
        return found

    def _coded(self, n: int) -> dict[Sense, frozenset[str]]:
        """The cells of a field by the sense of their code; found out when it is first asked."""
        known = self._codes.get(n)
        if known is None:
            known = self._codes[n] = senses_of_codes(self.fields[n] - {""})
        return known

    def derived(self, word: str) -> list[str]:
        """The phrases with a word of the same root: rental for rented."""
        base = root(word)
        alike = (other for other in self._beginning_with(word[:_START]) if root(other) == base)
        return [phrase for other in alike for phrase in self.having(key(other))]

    def begun(self, word: str, rare: bool) -> list[str]:
        """The phrases with a word that begins with a word, or that is its beginning: Rajini, Prot."""
        if rare and len(word) > _START:
            longer = list(self._beginning_with(word))
            if longer:
                return [phrase for other in longer for phrase in self.having(key(other))]
        for end in range(len(word) - 2, _SHORTEST_BEGINNING - 1, -1):
            if f" {word[:end]} " in self.phrases or (rare and end >= _START and word[:end] in self.words):
                return self.having(key(word[:end]))
        return [phrase for phrase in self._clipped.get(word[0], ()) if _is_within(phrase.strip(), word)]

    def has_form(self, word: str) -> bool:
        """Whether a word of a cell is a form of a word or derived from it."""
        return self.has_key(key(word)) or bool(self.derived(word))

    def is_joined(self, *runs: Sequence[str]) -> bool:
        """Whether one of some runs of words is a cell when they are written as one word."""
        return any(len(run) > 1 and bool(self.joined("".join(run))) for run in runs)

    def turned(self, keys: Sequence[str]) -> list[str]:
        """The phrases that have some keys and no others, in any order."""
        rarest = min((self.having(each) for each in keys), key=len)
        wanted, spaces = sorted(keys), len(keys) + 1
        return [
            phrase
            for phrase in rarest
            if phrase.count(" ") == spaces and sorted(self.keyed[phrase].split()) == wanted
        ]

    def joined(self, letters: str) -> list[str]:
        """The phrases that are some words written as one, or that are these when written so."""
        whole, apart = f" {letters} ", self.by_joined.get(letters)
        return [*([whole] if whole in self.phrases else ()), *([apart] if apart else ())]


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, each in pairs:
        found[name].append(each)
    return dict(found)


def _is_within(letters: str, word: str) -> bool:
    """Whether a word has some letters in their order."""
    rest = iter(word)
    return all(letter in rest for letter in letters)
