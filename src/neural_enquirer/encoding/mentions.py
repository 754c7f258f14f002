"""Mentions: the words of a question that stand for cells, and how they were recognised.

The surest comes first: the whole text of a cell, another form of it, another name, a field that says yes, a
part of cells, an abbreviation. A word that has been taken for something is not taken for less.
"""

import enum
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.aliases import Sense, aliases, common_words, key, stems
from neural_enquirer.encoding.cell_index import CellIndex, Cells
from neural_enquirer.encoding.text import STOP_WORDS, root, stem

__all__ = ["How", "Mention", "Said", "Span", "all_mentions", "whole_mentions"]

Span = tuple[int, int]

_LONGEST_JOINED: Final = 4
_SHORTEST_JOINED: Final = 4
_SHORTEST_ROOT: Final = 5
_LONGEST: Final = 12
"""Cells of more words are descriptions: what stands in them by chance is rarely meant."""
_FEW: Final = 3
_LARGEST_SHARE: Final = 0.5
"""A word that stands in more of the different cells of a field says little of any of them."""
_NUMBER_WORDS: Final = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
_MOST: Final = 10
"""More mentions than this in one question are noise."""


class How(enum.IntEnum):
    """How words were recognised as a mention, the surest first."""

    WHOLE = 0
    FORM = 1
    """Plurals, spaces, abbreviated words: "health plans" for Health Plan."""
    ALIAS = 2
    """Other names and codes: "Swiss" for Switzerland."""
    FLAG = 3
    """The name of a field that says yes or no: "smokers" for smoker = yes."""
    PART = 4
    """Some words of cells, in any order, or words derived from them."""
    SHORT = 5
    """Initials and beginnings: "PB" for peanut butter."""


@dataclass(frozen=True)
class Mention:
    """Words of a question that stand for cells.

    Attributes:
        span: the words (first, behind last).
        how: how they were recognised.
        cells: what they stand for.
    """

    span: Span
    how: How
    cells: Cells


@dataclass(frozen=True)
class Said:
    """The words of a question as they were typed.

    Attributes:
        words: the folded words.
        values: for each whether it may be a value by itself.
        loud: for each whether it is written in capitals.
        proper: for each whether it begins with a capital, and not because a sentence begins with it.
    """

    words: Sequence[str]
    values: Sequence[bool]
    loud: Sequence[bool]
    proper: Sequence[bool]

    def telling(self, i: int) -> bool:
        """Whether a word is rare enough to mean something by itself."""
        word = self.words[i]
        if not self.values[i] or len(word) < 2 or word in _NUMBER_WORDS or word.isdigit():
            return False
        return self.proper[i] or self.loud[i] or stem(word) not in common_words()


def whole_mentions(said: Said, index: CellIndex) -> list[Mention]:
    """Finds the cells whose whole text the question has, the longest first."""
    return _chosen(_wholes(said, index))


def all_mentions(
    said: Said, whole: Sequence[Mention], named: Sequence[Collection[int]], index: CellIndex
) -> list[Mention]:
    """Finds the cells that a question has in any way, the surest first.

    Args:
        said: the question.
        whole: what `whole_mentions` found.
        named: for each word the fields that it names.
        index: the cells.
    """
    others = (
        mention
        for mention in (*_forms(said, index), *_aliased(said, index))
        if mention.span[1] - mention.span[0] > 1 or not named[mention.span[0]]
    )
    chosen = _chosen([*whole, *others])
    free = [True] * len(said.words)
    _take(free, chosen)
    may_begin = [
        here and said.telling(i) and (not fields or said.proper[i])
        for i, (here, fields) in enumerate(zip(free, named, strict=True))
    ]
    parts = list(_parts(said, free, may_begin, index))
    wider = [each for mention in chosen for each in _wider(said, mention, index)]
    return [*chosen, *_flagged(free, named, index), *parts, *wider][:_MOST]


def _take(free: list[bool], mentions: Iterable[Mention]) -> None:
    for mention in mentions:
        start, end = mention.span
        free[start:end] = [False] * (end - start)


def _chosen(mentions: Iterable[Mention]) -> list[Mention]:
    """The longest mentions that do not overlap, the surest of equal length first."""
    taken: set[int] = set()
    chosen: list[Mention] = []
    for mention in sorted(mentions, key=_preference):
        if taken.isdisjoint(range(*mention.span)):
            chosen.append(mention)
            taken.update(range(*mention.span))
    return sorted(chosen, key=lambda mention: (mention.how, mention.span))


def _preference(mention: Mention) -> tuple[int, int, int]:
    start, end = mention.span
    return start - end, mention.how, start


def _wholes(said: Said, index: CellIndex) -> Iterator[Mention]:
    words = said.words
    for start, word in enumerate(words):
        for length in index.lengths.get(word, ()):
            end = start + length
            if end <= len(words) and (length > 1 or said.values[start]):
                phrase = f" {' '.join(words[start:end])} "
                if phrase in index.phrases:
                    yield Mention((start, end), How.WHOLE, index.cells([phrase]))


def _forms(said: Said, index: CellIndex) -> Iterator[Mention]:
    keys = [key(word) for word in said.words]
    for start, first in enumerate(keys):
        for length in index.key_lengths.get(first, ()):
            phrases = index.by_keys.get(" ".join(keys[start : start + length]))
            if phrases and start + length <= len(keys) and (length > 1 or said.telling(start)):
                yield Mention((start, start + length), How.FORM, index.cells(phrases))
        joined = ""
        for end, word in enumerate(said.words[start : start + _LONGEST_JOINED], start=start + 1):
            joined += word
            phrases = index.by_joined.get(joined)
            if phrases and len(joined) >= _SHORTEST_JOINED and (end > start + 1 or said.telling(start)):
                yield Mention((start, end), How.FORM, index.cells(phrases))


def _aliased(said: Said, index: CellIndex) -> Iterator[Mention]:
    roots = [stem(word) for word in said.words]
    for start in range(len(roots)):
        for end in range(start + 1, min(start + aliases().longest, len(roots)) + 1):
            if end == start + 1 and not said.telling(start):
                continue
            senses = aliases().by_said.get(" ".join(roots[start:end]), ())
            if end == start + 1 and said.loud[start]:
                senses += aliases().by_code.get(said.words[start], ())
            cells = _cells_of(senses, index)
            if cells:
                yield Mention((start, end), How.ALIAS, cells)


def _cells_of(senses: Iterable[Sense], index: CellIndex) -> Cells:
    """The cells that are called by a name or code of senses."""
    found: Cells = {}
    for sense in senses:
        for n, phrases in index.by_sense.get(sense, {}).items():
            found[n] = {*found.get(n, ()), *phrases}
    return found


def _having(words: Sequence[str], index: CellIndex) -> list[str]:
    """The phrases that have some words in a row."""
    rarest = min((index.by_word.get(word, []) for word in words), key=len)
    text = f" {' '.join(words)} "
    return [phrase for phrase in rarest if text in phrase]


def _flagged(free: Sequence[bool], named: Sequence[Collection[int]], index: CellIndex) -> Iterator[Mention]:
    """Fields that say yes or no, where the question names them."""
    for n, phrases in index.flags.items():
        places = [i for i, fields in enumerate(named) if n in fields and free[i]]
        if places:
            yield Mention((places[0], places[0] + 1), How.FLAG, {n: phrases})


def _parts(
    said: Said, free: Sequence[bool], may_begin: Sequence[bool], index: CellIndex
) -> Iterator[Mention]:
    """Runs of words that stand in cells without being all of them: a surname, a title's main word."""
    start = 0
    while start < len(said.words):
        phrases = _with_form(said.words[start], index) if may_begin[start] else []
        end = start + 1
        while phrases and end < len(said.words) and free[end]:
            longer = _longer(phrases, said.words[start : end + 1])
            if not longer:
                break
            end, phrases = end + 1, longer
        if may_begin[start] and not phrases:
            phrases = _having_names(said.words[start], index)
        cells = _telling_cells(phrases, said.proper[start], index)
        if cells:
            yield Mention((start, end), How.PART, cells)
        start = end


def _wider(said: Said, mention: Mention, index: CellIndex) -> Iterator[Mention]:
    """The cells that have what a mention means as a part, where others have it as the whole."""
    start, end = mention.span
    if not any(map(said.telling, range(start, end))):
        return
    if mention.how is How.ALIAS:
        phrases = _having_names(" ".join(said.words[start:end]), index)
    else:
        phrases = _having(said.words[start:end], index)
    cells = _telling_cells(phrases, said.proper[start], index)
    more = {n: own for n, own in cells.items() if not set(own) <= set(mention.cells.get(n, ()))}
    if more:
        yield Mention(mention.span, How.PART, more)


def _having_names(said: str, index: CellIndex) -> list[str]:
    """The phrases that have another name of something as a part."""
    senses = aliases().by_said.get(stems(said), ())
    return [phrase for sense in senses for name in sense.names for phrase in _having(name.split(), index)]


def _telling_cells(phrases: Sequence[str], proper: bool, index: CellIndex) -> Cells:
    """The cells with some phrases, but for long texts and for fields where most cells have one of them."""
    if not phrases:
        return {}
    short = phrases if proper else [phrase for phrase in phrases if phrase.count(" ") <= _LONGEST + 1]
    return {
        n: own
        for n, own in index.cells(short).items()
        if len(own) <= _FEW or len(own) <= _LARGEST_SHARE * len(index.fields[n])
    }


def _with_form(word: str, index: CellIndex) -> list[str]:
    """The phrases that have a word, else a form of it, else a word of the same root."""
    if word in index.by_word:
        return index.by_word[word]
    words = index.words_by_key.get(key(word), [])
    if not words and len(word) >= _SHORTEST_ROOT and word.isalpha():
        words = index.words_by_root.get(root(word), [])
    return [phrase for each in words for phrase in index.by_word[each]]


def _longer(phrases: Sequence[str], words: Sequence[str]) -> list[str]:
    """Those of some phrases that have one word more: right behind the others, or anywhere if it is no stop word."""
    text = f" {' '.join(words)} "
    in_a_row = [phrase for phrase in phrases if text in phrase]
    if in_a_row or words[-1] in STOP_WORDS:
        return in_a_row
    word = f" {words[-1]} "
    return [phrase for phrase in phrases if word in phrase]
