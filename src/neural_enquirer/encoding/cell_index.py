"""CellIndex: which cells words may mean, by their own text, by other forms of it and by other names."""

import bisect
import functools
import itertools
import re
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

_DENIAL: Final = re.compile(
    r" (?:\d )?(?:did |is |was )?(?:none|no|not|never|nil|nothing|without|absent)(?: [^ ]+){0,3} $"
)
_YES_OR_NO: Final = "yes or no"
_MOST_UNSURE: Final = 1
_LONGEST_JOINED: Final = 40
_LONGEST_INITIALS: Final = 6
_SHORTEST_INITIALS: Final = 3
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
        self.keyed = _Keyed()

    @functools.cached_property
    def phrases(self) -> frozenset[str]:
        """All phrases."""
        return frozenset[str]().union(*self.fields) - {""}

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All words of all phrases."""
        return frozenset("".join(self.phrases).split())

    @functools.cached_property
    def _by_key(self) -> dict[str, list[str]]:
        """The words by their keys; a number has none but itself."""
        return _gathered((key(word), word) for word in self.words if not word[0].isdigit())

    def _with_key(self, one: str) -> list[str]:
        """The words that have a key."""
        own = [one] if one in self.words and one[0].isdigit() else []
        return self._by_key.get(one, []) + own

    @functools.cached_property
    def _lines(self) -> tuple[str, list[str], list[int]]:
        """The text of all phrases, a line each; the phrases; and where their lines begin."""
        phrases = list(self.phrases)
        starts = itertools.accumulate([len(phrase) + 1 for phrase in phrases], initial=0)
        return "\n".join(["", *phrases, ""]), phrases, list(starts)

    @functools.cached_property
    def known(self) -> list[str]:
        """The values of one word that fields with few values have, where the word has a fixed vector."""
        words = {one: one.strip() for own in self._few.values() for one in own if one.count(" ") == 2}
        return sorted(one for one, word in words.items() if word not in STOP_WORDS and row_of(word))

    @functools.cached_property
    def meanings(self) -> npt.NDArray[np.float32]:
        """These vectors."""
        return vectors([row_of(one.strip()) for one in self.known])

    @functools.cached_property
    def _few(self) -> dict[int, frozenset[str]]:
        """The values of the fields that have few."""
        return {n: own for n, own in enumerate(self.fields) if len(own) <= _FEW}

    def meant(self, phrase: str) -> Cells:
        """The cells with one of these values."""
        return {n: frozenset([phrase]) for n, own in self._few.items() if phrase in own}

    def has_few(self, phrase: str) -> bool:
        """Whether a field that has a phrase has few others."""
        return any(phrase in own for own in self._few.values())

    def has_key(self, one: str) -> bool:
        """Whether a word of a phrase has a key."""
        return bool(self._with_key(one))

    def having(self, one: str) -> list[str]:
        """The phrases that have a word with a key."""
        return self._found_with(" ", one)

    def beginning(self, one: str) -> list[str]:
        """The phrases whose first word has a key."""
        return self._found_with("\n ", one)

    def _found_with(self, before: str, one: str) -> list[str]:
        """The phrases with something before a word with a key; they are looked through once for each word."""
        known = self._found.get(before + one)
        if known is None:
            if len(self._found) >= _MOST_KEPT:
                self._found.clear()
            texts = [f"{before}{word} " for word in self._with_key(one)]
            places = sorted({place for text in texts for place in self._looked_up(text)})
            known = self._found[before + one] = [self._lines[1][place] for place in places]
        return known

    def _looked_up(self, text: str) -> Iterator[int]:
        """The lines that have a text."""
        lines, _, starts = self._lines
        place = lines.find(text)
        while place >= 0:
            line = bisect.bisect_right(starts, place) - 1
            yield line
            place = lines.find(text, starts[line + 1])

    @functools.cached_property
    def by_joined(self) -> dict[str, str]:
        """Maps phrases of several words, written as one, to the phrases: `losangeles` is Los Angeles."""
        several = [
            phrase for phrase in self.phrases if len(phrase) < _LONGEST_JOINED and phrase.count(" ") > 2
        ]
        return dict(zip("\n".join(several).replace(" ", "").split("\n"), several, strict=False))

    @functools.cached_property
    def by_initials(self) -> dict[str, list[str]]:
        """Maps the first letters of the words of phrases to the phrases: gta is Grand Theft Auto."""
        return _gathered(
            ("".join([word[0] for word in words if word not in STOP_WORDS]), phrase)
            for phrase in self.phrases
            if 2 <= len(words := phrase.split()) <= _LONGEST_INITIALS
        )

    def with_initials(self, letters: str) -> list[str]:
        """The phrases with some initials, or with words that have: RCAF, Royal Canadian Air Force 1942."""
        if letters in self.by_initials:
            return self.by_initials[letters]
        if not letters.isalpha() or not _SHORTEST_INITIALS <= len(letters) <= _LONGEST_INITIALS:
            return []
        text, phrases, starts = self._lines
        part = re.compile("".join(f" {letter}[^ \n]+(?: of| and| for| the)*" for letter in letters) + " ")
        places = {bisect.bisect_right(starts, match.start()) - 1 for match in part.finditer(text)}
        return [phrases[place] for place in sorted(places)]

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
            others = len(phrases) - len(said | denied) - ("" in phrases)
            if said and others <= _MOST_UNSURE and (denied or "" in phrases):
                found[n] = said
        return found

    @functools.cached_property
    def denials(self) -> Cells:
        """The cells that say no in fields where others say more than yes: none, never, no map."""
        found = (
            (n, frozenset([one for one in own if _DENIAL.match(one)])) for n, own in enumerate(self.fields)
        )
        return {n: own for n, own in found if own and n not in self.flags and own != self.fields[n]}

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
        names = [name for sense in senses for name in sense.names]
        turned = [
            phrase for name in names if " " in name for phrase in self.turned(list(map(key, name.split())))
        ]
        named = self.cells([*turned, *(f" {each} " for name in names for each in spaced(name))])
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
            short = word.removesuffix("y").removesuffix("ie")  # Vandy, Chewie
            longer = list(self._beginning_with(short if len(short) >= _START else word))
            if longer:
                return [phrase for other in longer for phrase in self.having(key(other))]
        for end in range(len(word) - 1, _SHORTEST_BEGINNING - 1, -1):
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


class _Keyed(dict[str, str]):
    """The keys of the words of phrases, with one space between and around them, made when first asked for."""

    def __missing__(self, phrase: str) -> str:
        keys = [word if word[0].isdigit() else key(word) for word in phrase.split()]
        keyed = self[phrase] = f" {' '.join(keys)} "
        return keyed


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, each in pairs:
        found[name].append(each)
    return dict(found)


def _is_within(letters: str, word: str) -> bool:
    """Whether a word has some letters in their order."""
    rest = iter(word)
    return all(letter in rest for letter in letters)
