"""Codes: what cells such as M, TX or W 3-1 mean, recognised from all cells of a column together."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final

from neural_enquirer.encoding.aliases import Family, Sense, aliases, senses_of

__all__ = ["marks_of", "senses_of_codes"]

_FIRST, _LAST = 0, -1
_LAST_SHARE: Final = 0.6
"""So many cells of a column must end with a code; chance is larger there than at the beginning."""
_SURE_OF_ONE: Final = 0.5
"""Families that need fewer coded cells than this may have one sense alone in a column."""

Coded = list[tuple[Sense, str]]


def marks_of(sense: Sense) -> Iterator[str]:
    """The words that a column with a sense has in some of its cells."""
    for each in senses_of(sense.family.name) if sense.is_rest else (sense,):
        yield from each.codes
        yield from (name for name in each.names if " " not in name)


def senses_of_codes(phrases: Collection[str]) -> dict[Sense, frozenset[str]]:
    """The senses of a column's cells, if it has little else than codes: alone, or at one end of the cells."""
    cells = [(phrase, phrase.split()) for phrase in phrases]
    found: defaultdict[Sense, set[str]] = defaultdict(set)
    for end in (_FIRST, _LAST):
        coded = [(sense, phrase) for phrase, words in cells for sense in _senses_at(words, end)]
        fitting = list(_of_one_family(coded, len(cells), _LAST_SHARE if end else 0.0))
        for sense, phrase in (*fitting, *_rest(fitting, phrases)):
            found[sense].add(phrase)
    return {sense: frozenset(own) for sense, own in found.items()}


def _senses_at(words: list[str], end: int) -> tuple[Sense, ...]:
    """The senses of the word at one end of a cell; one letter before other words is none, but W 3-1 is."""
    if len(words) == 1:
        is_code = end == _FIRST
    else:
        is_code = len(words[end]) > 1 or end == _LAST or words[1][0].isdigit()
    if not is_code:
        return ()
    return aliases().by_code.get(words[end], ()) + aliases().by_name.get(words[end], ())


def _of_one_family(coded: Coded, count: int, least: float) -> Iterator[tuple[Sense, str]]:
    """Those codes of cells whose family has most of the cells, and more than one sense."""
    cells: defaultdict[Family, set[str]] = defaultdict(set)
    senses: defaultdict[Family, set[Sense]] = defaultdict(set)
    for sense, phrase in coded:
        cells[sense.family].add(phrase)
        senses[sense.family].add(sense)
    for sense, phrase in coded:
        family = sense.family
        enough = len(cells[family]) >= max(family.share, least) * count
        if enough and (len(senses[family]) > 1 or family.share < _SURE_OF_ONE):
            yield sense, phrase


def _rest(coded: Coded, phrases: Collection[str]) -> Iterator[tuple[Sense, str]]:
    """The cells without a code, in a column of codes where that says something."""
    for family in {sense.family for sense, _ in coded}:
        rest = aliases().rests.get(family)
        if rest is not None and rest not in {sense for sense, _ in coded}:
            with_code = {phrase for sense, phrase in coded if sense.family is family}
            yield from ((rest, phrase) for phrase in phrases if phrase not in with_code)
