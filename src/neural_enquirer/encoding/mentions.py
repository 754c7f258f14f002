"""Mentions: the words of a question that stand for cells, and how they were recognised.

Longer mentions come before shorter ones, and of equal length the surest: the whole text of a cell, another
form of it, another name, a field that says yes, a part of cells, an abbreviation.
"""

import enum
import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.aliases import Sense, aliases, key
from neural_enquirer.encoding.cell_index import CellIndex, Cells
from neural_enquirer.encoding.respelling import respellings
from neural_enquirer.encoding.said import Said, Span
from neural_enquirer.encoding.text import STOP_WORDS

__all__ = ["How", "Mention", "all_mentions", "whole_mentions"]

_LONGEST_JOINED: Final = 4
_LONGEST_TURNED: Final = 4
_LONGEST_SHARED: Final = 3
"""Longer cells are all of what is meant, even where others have them as a part."""
_LONGEST_CUT: Final = 6
_SHORTEST_JOINED: Final = 4
_SHORTEST_ROOT: Final = 5
_SHORTEST_NAME: Final = 4
_LONGEST: Final = 12
"""Cells of more words are descriptions: what stands in them by chance is rarely meant."""
_FEW: Final = 3
_LARGEST_SHARE: Final = 0.5
_LARGEST_SHARE_OF_NAMES: Final = 0.9
"""A word that stands in more of the different cells of a field says little of any of them."""
_BETWEEN_INITIALS: Final = frozenset(["of", "and", "the", "for"])
_COUNTING: Final = frozenset(["many", "most", "of"])
_LIGHT: Final = frozenset(["st", "nd", "rd", "th", "of", "the"])
"""Words between a day and its month."""
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
    """Some words of cells, in any order and form, or another name of a part."""
    SHORT = 5
    """Initials and beginnings: "PB" for peanut butter, "Swabian" for Swab."""


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


def whole_mentions(said: Said, index: CellIndex) -> list[Mention]:
    """Finds the cells whose whole text the question has, in any form, the longest first."""
    return _chosen(_wholes(said, index))


def all_mentions(
    said: Said,
    whole: Sequence[Mention],
    named: Sequence[Collection[int]],
    is_header: Sequence[bool],
    index: CellIndex,
) -> list[Mention]:
    """Finds the cells that a question has in any way, the surest first.

    Args:
        said: the question.
        whole: what `whole_mentions` found.
        named: for each word the fields that it names.
        is_header: for each word whether it is all of a field's name.
        index: the cells.
    """
    anywhere = [True] * len(said.words)
    dated = (pair for pair in _loose_runs(said, anywhere, index) if said.has_number(pair.span))
    finders = (_turned, _joined, _seasons, _respelled, _aliased, _runs, _cut_to_initials)
    others = (
        mention
        for mention in itertools.chain(whole, *(find(said, index) for find in finders), dated)
        if mention.how is How.WHOLE or mention.span[1] - mention.span[0] > 1 or not is_header[mention.span[0]]
    )
    chosen = _chosen(others)
    free = [True] * len(said.words)
    _take(free, chosen)
    loose = _chosen(_loose_runs(said, free, index))
    _take(free, loose)
    flags = [*_flagged(free, named, index), *_denied(said, free, named, index)]
    parts = [
        mention
        for i, fields in enumerate(named)
        if free[i] and said.telling[i] and (not fields or said.proper[i])
        for mention in _part(said, i, index)
    ]
    kept = [*chosen, *_hidden(whole, chosen)]
    widened = [each for mention in kept for each in _widened(said, mention, index)]
    return sorted([*widened, *flags, *loose, *parts], key=lambda mention: mention.how)[:_MOST]


def _hidden(whole: Sequence[Mention], chosen: Sequence[Mention]) -> Iterator[Mention]:
    """Whole cells within longer parts of cells of other fields: Telugu where a remark has "Telugu film"."""
    for part in (mention for mention in chosen if mention.how is How.PART):
        for mention in whole:
            others = {n: own for n, own in mention.cells.items() if n not in part.cells}
            inside = set(range(*mention.span)) < set(range(*part.span))
            if inside and others and mention.how is How.WHOLE:
                yield Mention(mention.span, How.WHOLE, others)


def _take(free: list[bool], mentions: Iterable[Mention]) -> None:
    for mention in mentions:
        free[slice(*mention.span)] = [False] * (mention.span[1] - mention.span[0])


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


def _wholes(said: Said, index: CellIndex) -> list[Mention]:
    """Cells whose whole text the question has, in any form."""
    found: dict[tuple[Span, How], list[str]] = {}
    for start, place in enumerate(said.places):
        for phrase in index.beginning(said.keys[start]):
            if said.keyed.startswith(index.keyed[phrase], place):
                end = start + phrase.count(" ") - 1
                how = How.WHOLE if phrase == f" {' '.join(said.words[start:end])} " else How.FORM
                if end > start + 1 or _may_be_alone(said, start, phrase, how, index):
                    found.setdefault(((start, end), how), []).append(phrase)
    return [Mention(span, how, index.cells(phrases)) for (span, how), phrases in found.items()]


def _may_be_alone(said: Said, i: int, phrase: str, how: How, index: CellIndex) -> bool:
    """Whether a word is a cell by itself: of common ones only plurals, not counted, in fields of few."""
    if how is How.WHOLE or said.telling[i]:
        return said.values[i]
    is_plural = said.words[i] in (f"{phrase.strip()}s", f"{phrase.strip()}es")
    is_counted = i > 0 and said.words[i - 1] in _COUNTING
    return said.values[i] and is_plural and not is_counted and index.has_few(phrase)


def _turned(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Cells whose whole text the question has in another order: Ron Paul for "Paul, Ron"."""
    known = [index.has_key(each) for each in said.keys]
    for start in range(len(said.words)):
        for end in range(start + 2, min(start + _LONGEST_TURNED, len(said.words)) + 1):
            if not all(known[start:end]):
                break
            phrases = index.turned(said.keys[start:end])
            if phrases:
                yield Mention((start, end), How.FORM, index.cells(phrases))


def _joined(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Cells whose whole text the question has with other spaces: Los Angeles for LosAngeles."""
    for start in range(len(said.words)):
        joined = ""
        for end, word in enumerate(said.words[start : start + _LONGEST_JOINED], start=start + 1):
            joined += word
            if len(joined) < _SHORTEST_JOINED or (end == start + 1 and not said.telling[start]):
                continue
            phrases = index.joined(joined)
            if phrases:
                yield Mention((start, end), How.FORM, index.cells(phrases))


def _seasons(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Cells with two years in a row, however short: 07/08 for 2007/08, 2003-04 for 2003-2004."""
    for start, (one, other) in enumerate(itertools.pairwise(said.words)):
        if one.isdigit() and other.isdigit() and (int(one) + 1 - int(other)) % 100 == 0:
            firsts = (one, one[-2:]) if len(one) > 2 else (one, f"19{one}", f"20{one}")
            phrases = [
                phrase
                for first in firsts
                for last in (other[-2:], f"{first[:-2]}{other[-2:]}")
                for phrase in _having([first, last], index)
            ]
            if phrases:
                yield Mention((start, start + 2), How.FORM, index.cells(phrases))


def _respelled(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Cells with what the question says in other words or digits: with more words, or as all of a cell."""
    for each in respellings(said):
        if not all(index.has_key(key(word)) for word in each.words):
            continue
        again, first, length = said.with_words(each.span, each.words), each.span[0], len(each.words)
        more = each.span[1] - first - length
        for mention in itertools.chain(_wholes(again, index), _turned(again, index), _runs(again, index)):
            start, end = mention.span
            is_all = end - start == length and each.may_be_all and mention.how is not How.PART
            others = (*range(start, first), *range(first + length, end))
            says_more = any(again.telling[i] or again.words[i].isdigit() for i in others)
            if start <= first and first + length <= end and (says_more or is_all):
                yield Mention((start, end + more), max(mention.how, How.FORM), mention.cells)


def _aliased(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Cells that are called by another name."""
    for start, first in enumerate(said.stems):
        longest = aliases().longest.get(first, 1 if said.may_be_code(start) else 0)
        for end in range(start + 1, min(start + longest, len(said.words)) + 1):
            if end > start + 1 or said.telling[start]:
                senses = _senses(said, start, end)
                cells = index.called(senses) if senses else {}
                if cells:
                    cells = _with_own(cells, f" {' '.join(said.keys[start:end])} ", index)
                    yield Mention((start, end), How.ALIAS, cells)
                elif end > start + 1:
                    yield from _of_parts((start, end), _having_names(senses, index), True, index)


def _with_own(cells: Cells, text: str, index: CellIndex) -> Cells:
    """Of each field the cells that have the words themselves, if there are any: separated is not divorced."""
    owns = {n: frozenset(one for one in known if text in index.keyed[one]) for n, known in cells.items()}
    return {n: owns[n] or known for n, known in cells.items()}


def _senses(said: Said, start: int, end: int) -> tuple[Sense, ...]:
    senses = aliases().by_said.get(" ".join(said.stems[start:end]), ())
    if end == start + 1 and said.may_be_code(start):
        by_code, word = aliases().by_code, said.words[start]
        senses += by_code.get(word) or by_code.get(word.removesuffix("s"), ())
    return senses


def _runs(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Words in a row that stand so in cells without being all of them: a name, the main part of a title."""
    for start, word in enumerate(said.words):
        if word in STOP_WORDS and not said.values[start] and not said.glued[start]:
            continue
        phrases, end = index.having(said.keys[start]), start + 1
        last, found = end, phrases
        while phrases and end < len(said.words):
            end += 1
            text = f" {' '.join(said.keys[start:end])} "
            phrases = [phrase for phrase in phrases if text in index.keyed[phrase]]
            if phrases and said.words[end - 1] not in STOP_WORDS:
                last, found = end, phrases
        is_name = said.glued[start] or sum(said.telling[start:last]) > 1
        if last > start + 1 and (is_name or any(said.telling[start:last])):
            yield from _of_parts((start, last), found, is_name, index)


def _loose_runs(said: Said, free: Sequence[bool], index: CellIndex) -> Iterator[Mention]:
    """Two words that stand in cells in any order: Ada Marsh in "Marsh, Mrs Ada", 3rd of May in "May 3"."""
    for first, last in _pairs(said, free):
        one, other = said.keys[first], f" {said.keys[last]} "
        phrases = [phrase for phrase in index.having(one) if other in index.keyed[phrase]]
        text = f" {one}{other}"
        in_a_row = [phrase for phrase in phrases if text in index.keyed[phrase]]
        yield from _of_parts((first, last + 1), in_a_row or phrases, bool(in_a_row), index)


def _pairs(said: Said, free: Sequence[bool]) -> Iterator[Span]:
    """The places of two words with nothing of weight between them; one may be a number."""
    weighty = [here or word.isdigit() for here, word in zip(said.telling, said.words, strict=True)]
    for first in itertools.compress(range(len(weighty)), weighty):
        last = first + 1
        while last < len(weighty) and said.words[last] in _LIGHT:
            last += 1
        if (
            last < len(weighty)
            and weighty[last]
            and (said.telling[first] or said.telling[last])
            and all(free[first : last + 1])
            and said.keys[first] != said.keys[last]
        ):
            yield first, last


def _of_parts(span: Span, phrases: Sequence[str], is_name: bool, index: CellIndex) -> Iterator[Mention]:
    cells = _telling_cells(phrases, is_name, index)
    if cells:
        yield Mention(span, How.PART, cells)


def _flagged(free: Sequence[bool], named: Sequence[Collection[int]], index: CellIndex) -> Iterator[Mention]:
    """Fields that say yes or no, where the question names them."""
    for n, phrases in index.flags.items():
        places = [i for i, fields in enumerate(named) if n in fields and free[i]]
        if places:
            yield Mention((places[0], places[0] + 1), How.FLAG, {n: phrases})


def _denied(
    said: Said, free: Sequence[bool], named: Sequence[Collection[int]], index: CellIndex
) -> Iterator[Mention]:
    """Cells that say no of what the question says there is none of: no wind, without a school."""
    found: dict[int, Mention] = {}
    for i, fields in enumerate(named if index.denials else ()):
        cells = {n: own for n in fields if (own := index.denials.get(n))}
        start = said.denied_from(i) if cells else None
        if start is not None and all(free[start + 1 : i + 1]):
            found[start] = Mention((start, i + 1), How.ALIAS, cells)
    yield from found.values()


def _cut_to_initials(said: Said, index: CellIndex) -> Iterator[Mention]:
    """Cells that are the initials of words which no cell has: GDP of gross domestic product."""
    for start in itertools.compress(range(len(said.words)), said.telling):
        letters = ""
        for end, word in enumerate(said.words[start : start + _LONGEST_CUT], start=start + 1):
            if word in _BETWEEN_INITIALS:
                continue
            if not said.values[end - 1] or not word.isalpha() or index.having(said.keys[end - 1]):
                break
            letters += word[0]
            phrase = f" {letters} "
            is_sure = len(letters) > 2 or (end == start + 2 and index.has_few(phrase))
            if len(letters) > 1 and is_sure and phrase in index.phrases:
                yield Mention((start, end), How.SHORT, index.cells([phrase]))


def _part(said: Said, i: int, index: CellIndex) -> Iterator[Mention]:
    """Cells that have a word, another name of what it means, a word of the same root, or its initials."""
    word, how = said.words[i], How.PART
    phrases = [*index.having(said.keys[i]), *_having_names(_senses(said, i, i + 1), index)]
    if not phrases and len(word) >= _SHORTEST_ROOT and word.isalpha():
        phrases = index.derived(word)
    if not phrases and (said.loud[i] or said.rare[i]):
        phrases, how = index.with_initials(word.removesuffix("s") if said.loud[i] else word), How.SHORT
    if not phrases and len(word) >= _SHORTEST_NAME and word.isalpha():
        phrases, how = index.begun(word, said.rare[i]), How.SHORT
    cells = _telling_cells(phrases, said.is_name(i), index)
    if cells:
        yield Mention((i, i + 1), how, cells)


def _widened(said: Said, mention: Mention, index: CellIndex) -> Iterator[Mention]:
    """A mention with the fields that have what it means as a part, and one of parts in its own fields."""
    start, end = mention.span
    if mention.how > How.ALIAS or not any(said.telling[start:end]):
        yield mention
        return
    if mention.how is How.ALIAS:
        senses = _senses(said, start, end)
        phrases = _having_names(senses, index)
        parts = _telling_cells(phrases, said.is_name(start), index) | index.edged(senses)
    else:
        phrases = _having(said.keys[start:end], index)
        parts = _telling_cells(phrases, said.is_name(start), index)
    yield Mention(mention.span, mention.how, parts | mention.cells)
    more = {
        n: own for n, own in parts.items() if n in mention.cells and not set(own) <= set(mention.cells[n])
    }
    if more and mention.how is not How.FORM and end - start <= _LONGEST_SHARED:
        yield Mention(mention.span, How.PART, more)


def _having(keys: Sequence[str], index: CellIndex) -> list[str]:
    """The phrases that have some keys in a row."""
    rarest = min((index.having(each) for each in keys), key=len)
    text = f" {' '.join(keys)} "
    return [phrase for phrase in rarest if text in index.keyed[phrase]]


def _having_names(senses: Iterable[Sense], index: CellIndex) -> list[str]:
    """The phrases that have a name of senses as a part."""
    names = (name for sense in senses if sense.family.in_parts for name in sense.names)
    return [phrase for name in names for phrase in _having([key(word) for word in name.split()], index)]


def _telling_cells(phrases: Sequence[str], is_name: bool, index: CellIndex) -> Cells:
    """The cells with some phrases, but for long texts and for fields where most cells have one of them."""
    if not phrases:
        return {}
    short = phrases if is_name else [phrase for phrase in phrases if phrase.count(" ") <= _LONGEST + 1]
    share = _LARGEST_SHARE_OF_NAMES if is_name else _LARGEST_SHARE
    return {
        n: own
        for n, own in index.cells(short).items()
        if len(own) <= _FEW or len(own) <= share * len(index.fields[n])
    }
