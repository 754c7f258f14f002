"""Linking: which words of a question mention which cells and fields of a table.

Nothing here is learned. Cells are mentioned by their text, by a part of it or by another name (see
`mentions`), fields by any telling word of their header. What the links mean is for the model to find out.
"""

import functools
import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.aliases import aliases, common_words, senses_of
from neural_enquirer.encoding.cell_index import CellIndex
from neural_enquirer.encoding.hints import hinted_fields
from neural_enquirer.encoding.mentions import How, Mention, all_mentions, whole_mentions
from neural_enquirer.encoding.quantities import Quantity, quantities_in
from neural_enquirer.encoding.row_noun import RowNoun
from neural_enquirer.encoding.said import Said, Span, is_country
from neural_enquirer.encoding.synonyms import synonyms
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.text import (
    NEVER_LAST,
    STOP_WORDS,
    denied,
    fold,
    one_edit_away,
    places_of,
    plain,
    root,
    stem,
)
from neural_enquirer.encoding.unsaid import Unsaid
from neural_enquirer.encoding.word_index import JoinedIndex, WordIndex
from neural_enquirer.encoding.word_vectors import is_word
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables.units import Kind, meanings

WEAK, SHARED, STRONG = 1, 2, 3
"""How a word names a field: by its beginning or its meaning only; by a whole word, but another field is named
more fully; by a whole word, and no other field more fully."""

LESS, EQUAL, MORE = 1, 2, 3
"""How a cell compares with a quantity."""

OUTSIDE, INSIDE, FOUND = 1, 2, 3
"""How a quantity lies to a field: beyond all its cells, among them, equal to one of them."""

QUANTITY, MENTION, PART, NAMED, HINTED, UNKNOWN_WORD, CORRECTED, ALONE = (1 << bit for bit in range(8))
"""The flags of a word: in a quantity; mentions a whole cell, or a part of one; names a field, or hints at one
by its beginning or its meaning; is not in the vocabulary; was misspelled; is neither in the vocabulary nor
linked to anything."""
LINKED = MENTION | PART | NAMED | HINTED | QUANTITY
"""The flags of words that are linked to something."""

_CLOSING = frozenset(',;:?!)]"”')
_ENDING = frozenset(".?!:")
_VALUES_AFTER = {"the": ("us",), "said": ("no",), "say": ("no",), "says": ("no",), "voted": ("no",)}
"""Words that are values behind others: the US, who said no."""
_SHORTEST_CORRECTED, _LONGEST_CORRECTED = 5, 30
_SHORTEST_BEGINNING = 4
_TWO = 2

MentionedRows = tuple[tuple[int, npt.NDArray[np.intp]], ...]
"""The rows whose cells a mention stands for, by their field."""


@dataclass(frozen=True)
class Links:
    """A question and what its words point at.

    Attributes:
        words: the question's folded words, misspelled ones put right.
        flags: for each word the sum of the flags that hold.
        levels: for each word and field how the word names the field, 0 where it does not.
        coverage: for each field the share of its header's telling words that the question has.
        mentions: the words (first, behind last) of each mention.
        hows: how each mention was recognised.
        mentioned: the cells of each mention; a cell may have several.
        cell_mentions: for each cell the number of its surest mention, from 1; 0 where it has none.
        quantities: the words of each quantity.
        relations: for each quantity and cell how the cell compares, 0 where it cannot.
        quantity_fields: for each quantity and field how it lies to the field, 0 where it cannot be compared.
        unsaid: values of the table that may be meant though no word stands for them.
    """

    words: tuple[str, ...]
    flags: npt.NDArray[np.uint8]
    levels: npt.NDArray[np.uint8]
    coverage: npt.NDArray[np.float32]
    mentions: tuple[Span, ...]
    hows: tuple[How, ...]
    mentioned: tuple[MentionedRows, ...]
    cell_mentions: npt.NDArray[np.int32]
    quantities: tuple[Span, ...]
    relations: npt.NDArray[np.uint8]
    quantity_fields: npt.NDArray[np.uint8]
    unsaid: tuple[Unsaid, ...] = ()

    def select(self, rows: npt.NDArray[np.intp]) -> "Links":
        """Returns the links to some rows only, which are in order."""
        mentioned = tuple(
            tuple((n, np.flatnonzero(np.isin(rows, own, assume_unique=True))) for n, own in cells)
            for cells in self.mentioned
        )
        return replace(
            self,
            mentioned=tuple(tuple((n, own) for n, own in cells if len(own)) for cells in mentioned),
            cell_mentions=self.cell_mentions[rows],
            relations=self.relations[:, rows],
        )


def link(question: str, index: TableIndex, vocabulary: Vocabulary) -> Links:
    """Links a question to a table."""
    return _link(question, index, (index,), vocabulary)[0]


def link_tables(question: str, index: JoinedIndex, vocabulary: Vocabulary) -> list[Links]:
    """Links a question to tables at once: they share its words, mentions and quantities."""
    return _link(question, index, index.tables, vocabulary)


def _link(
    question: str, index: WordIndex, tables: Sequence[TableIndex], vocabulary: Vocabulary
) -> list[Links]:
    folded = fold(question)
    places = places_of(folded)
    typed = [folded[start:end].replace(",", "") for start, end in places]
    said = _said(question, folded, places, typed, index, vocabulary)
    whole = whole_mentions(said, index.cells)
    levels, coverage = _name_levels(said.words, [mention.span for mention in whole], index)
    if isinstance(index, JoinedIndex):
        levels = _with_titles(levels, said.words, index)
    elif isinstance(index, TableIndex) and index.row_noun is not None:
        levels = _with_row_noun(levels, said.words, whole, index.row_noun)
    named = _named_fields(said.words, levels, index)
    is_header = [any(len(index.names[n].stems) == 1 for n in fields) for fields in named]
    for n in index.cells.flags:
        for i in np.flatnonzero(levels[:, n] == WEAK).tolist():
            if said.stems[i] not in common_words():
                named[i].add(n)
    mentions = all_mentions(said, whole, named, is_header, index.cells)
    if vocabulary.vectors:
        more = synonyms(said, mentions, named, index.cells)
        mentions = sorted([*mentions, *more], key=lambda mention: mention.how)
    exact = [mention.span for mention in mentions if mention.how <= How.ALIAS]
    spans, quantities = _quantity_spans(quantities_in(folded), places, exact)
    levels = _with_units(levels, said.words, spans, tables)
    flags = _flags(typed, said, levels, mentions, spans)
    if vocabulary.vectors:
        _hint(levels, flags, said, index)
    links, first = [], 0
    for table in tables:
        own = slice(first, first + len(table.names))
        mentioned = _mentioned_rows(mentions, first, table)
        relations, quantity_fields = _compare(quantities, table)
        links.append(
            Links(
                words=tuple(said.words),
                flags=flags,
                levels=levels[:, own],
                coverage=coverage[own],
                mentions=tuple(mention.span for mention in mentions),
                hows=tuple(mention.how for mention in mentions),
                mentioned=mentioned,
                cell_mentions=_cell_mentions(mentioned, table),
                quantities=tuple(spans),
                relations=relations,
                quantity_fields=quantity_fields,
                unsaid=table.unsaid if vocabulary.unsaid else (),
            )
        )
        first = own.stop
    return links


def _said(
    question: str,
    folded: str,
    places: list[Span],
    typed: list[str],
    index: WordIndex,
    vocabulary: Vocabulary,
) -> Said:
    """The words of a question, misspelled ones put right, and what can be seen of them."""
    written = _written(question, folded)
    loud = [written[start:end].removesuffix("s").isupper() for start, end in places]
    proper = [
        written[start : start + 1].isupper() and start > 0 and written[:start].rstrip()[-1:] not in _ENDING
        for start, _ in places
    ]
    closed = [folded[end : end + 1] in _CLOSING or (end == len(folded) == start + 1) for start, end in places]
    words = [_corrected(typed, i, proper[i], index, vocabulary) for i in range(len(typed))]
    values = [
        word not in STOP_WORDS
        or loud[i]
        or (word == "us" and is_country(words, i))
        or (closed[i] and word in NEVER_LAST)
        or (i > 0 and word in _VALUES_AFTER.get(words[i - 1], ()))
        for i, word in enumerate(words)
    ]
    glued = [
        word.isalpha() and other.isdigit() and folded[places[i][1] : places[i + 1][0]] in ("", "-")
        for i, (word, other) in enumerate(itertools.pairwise(typed))
    ]
    rare = [word not in vocabulary.codes for word in words]
    return Said(words, values, loud, proper, rare, [*glued, False])


def _written(question: str, folded: str) -> str:
    """The question as it was typed if its letters stand where they do when folded, else without capitals."""
    written = plain(question)
    return folded if len(written) != len(folded) or question.isupper() else written


def _flags(
    typed: list[str],
    said: Said,
    levels: npt.NDArray[np.uint8],
    mentions: Sequence[Mention],
    quantities: Sequence[Span],
) -> npt.NDArray[np.uint8]:
    """The flags of each word."""
    flags = [CORRECTED * (old != new) for old, new in zip(typed, said.words, strict=True)]
    for i, level in enumerate(levels.max(axis=1, initial=0).tolist()):
        flags[i] |= NAMED * (level >= SHARED) | HINTED * (level == WEAK) | UNKNOWN_WORD * said.rare[i]
    for mention in mentions:
        _flag(flags, [mention.span], MENTION if mention.how <= How.ALIAS else PART)
    _flag(flags, quantities, QUANTITY)
    alone = [ALONE * (flag & UNKNOWN_WORD > 0 and not flag & LINKED) for flag in flags]
    return np.array([flag | more for flag, more in zip(flags, alone, strict=True)], dtype=np.uint8)


def _hint(levels: npt.NDArray[np.uint8], flags: npt.NDArray[np.uint8], said: Said, index: WordIndex) -> None:
    """Lets words that nobody taught, and that nothing links, hint at the field that they mean."""
    strange = [
        i
        for i in np.flatnonzero(flags & ALONE).tolist()
        if said.words[i] not in STOP_WORDS and not said.proper[i]
    ]
    if not strange:
        return
    for i, n in zip(strange, hinted_fields([said.words[i] for i in strange], index), strict=True):
        if n is not None:
            levels[i, n] = WEAK
            flags[i] = (flags[i] | HINTED) & ~np.uint8(ALONE)


def _flag(flags: list[int], spans: Iterable[Span], flag: int) -> None:
    for start, end in spans:
        for i in range(start, end):
            flags[i] |= flag


def _corrected(said: list[str], i: int, is_name: bool, index: WordIndex, vocabulary: Vocabulary) -> str:
    """Puts a misspelled word right: one that nobody knows but for one letter of it; a name by cells only."""
    word, cells = said[i], index.cells
    if not _SHORTEST_CORRECTED <= len(word) <= _LONGEST_CORRECTED:
        return word
    if word in vocabulary.codes or not word.isalpha() or is_word(word):
        return word
    if word in cells.words or stem(word) in index.fields_by_stem or word in index.fields_by_joined:
        return word
    near = one_edit_away(word)
    for known in (index.header_words, cells.words, () if is_name else vocabulary.codes.keys()):
        close = sorted(other for other in near.intersection(known) if len(other) >= _SHORTEST_CORRECTED - 1)
        if close:
            return word if _is_meant(said, i, cells) else close[0]
    return word


def _is_meant(said: list[str], i: int, cells: CellIndex) -> bool:
    """Whether a word that no cell has is right all the same: Turks, Ashley Rails for AshleyRails."""
    if stem(said[i]) in aliases().stems or cells.has_form(said[i]):
        return True
    return cells.is_joined(said[i : i + 2], said[max(i - 1, 0) : i + 1])


def _mentioned_rows(mentions: list[Mention], first: int, table: TableIndex) -> tuple[MentionedRows, ...]:
    """The rows of each mention in a table, whose fields begin at a place among those of all tables."""
    fields = len(table.names)
    return tuple(
        tuple(
            (n - first, table.rows_with(n - first, phrases))
            for n, phrases in sorted(mention.cells.items(), key=lambda cells: cells[0])
            if first <= n < first + fields
        )
        for mention in mentions
    )


def _cell_mentions(mentioned: tuple[MentionedRows, ...], table: TableIndex) -> npt.NDArray[np.int32]:
    """Gives each cell the number of its first mention, which is its surest."""
    cells = np.zeros(table.shape, dtype=np.int32)
    for number in range(len(mentioned), 0, -1):
        for n, rows in mentioned[number - 1]:
            cells[rows, n] = number
    return cells


def _quantity_spans(
    quantities: Sequence[Quantity], places: list[Span], whole: list[Span]
) -> tuple[list[Span], list[Quantity]]:
    """The words of each quantity; one inside a longer mention (Apollo 11) is none."""
    spans, kept = [], []
    starts, ends = [start for start, _ in places], [end for _, end in places]
    for quantity in quantities:
        span = bisect_right(ends, quantity.start), bisect_left(starts, quantity.end)
        if not any(
            start <= span[0] and span[1] <= end and end - start > span[1] - span[0] for start, end in whole
        ):
            spans.append(span)
            kept.append(quantity)
    return spans, kept


def _name_levels(
    words: Sequence[str], whole: list[Span], index: WordIndex
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """How each word names each field, and how much of each header the question has."""
    strong: dict[int, set[int]] = {}
    weak: dict[int, set[int]] = {}
    inside = {i for start, end in whole if end - start > 1 for i in range(start, end)}
    stems = [stem(word) for word in words]
    for i, (word, own) in enumerate(zip(words, stems, strict=True)):
        if i in inside:
            continue
        if own in index.fields_by_stem and (word not in STOP_WORDS or own in index.fields_by_joined):
            strong.setdefault(i, set()).update(index.fields_by_stem[own])
        elif len(word) >= _SHORTEST_BEGINNING and word not in STOP_WORDS:
            for other in index.stems_by_start.get(own[:3], ()):
                if _begins(own, other):
                    weak.setdefault(i, set()).update(index.fields_by_stem[other])
    for start in range(len(words)):
        joined = ""
        for end, word in enumerate(words[start : start + 3], start=start + 1):
            joined += word
            for n in index.fields_by_joined.get(joined, ()):
                for i in range(start, end):
                    strong.setdefault(i, set()).add(n)
    coverage = _coverage(stems, strong, index)
    fields = len(index.names)
    levels = bytearray(len(words) * fields)
    for i, hinted in weak.items():
        for n in hinted:
            levels[i * fields + n] = WEAK
    for i, named in strong.items():
        best = max(coverage[n] for n in named)
        for n in named:
            levels[i * fields + n] = STRONG if coverage[n] == best else SHARED
    shaped = np.frombuffer(levels, dtype=np.uint8).reshape(len(words), fields)
    return shaped, np.array(coverage, dtype=np.float32)


def _named_fields(words: Sequence[str], levels: npt.NDArray[np.uint8], index: WordIndex) -> list[set[int]]:
    """The fields that each word names; those of yes and no also by other names: `female` by women."""
    named: list[set[int]] = [set() for _ in words]
    for i, n in np.argwhere(levels >= SHARED).tolist():
        named[i].add(n)
    if index.cells.flags:
        for fields, word in zip(named, words, strict=True):
            for base in {root(word), root(denied(word))}:
                fields.update(index.flags_by_root.get(base, ()))
            for name in _other_names(word):
                known = index.fields_by_stem.get(name)
                if known:
                    fields.update(n for n in known if n in index.cells.flags)
    return named


@functools.lru_cache(maxsize=65536)
def _other_names(word: str) -> tuple[str, ...]:
    """The stems of what a word means, of what is its one opposite, and of what it says is not so."""
    senses = aliases().by_said.get(stem(word), ())
    both = (senses_of(sense.family.name) for sense in senses)
    opposite = (sense for pair in both if len(pair) == _TWO for sense in pair)
    meant = (name for sense in dict.fromkeys((*senses, *opposite)) for name in sense.names)
    return tuple(dict.fromkeys(stem(name) for name in (denied(word), *meant)))


def _with_titles(
    levels: npt.NDArray[np.uint8], words: Sequence[str], index: JoinedIndex
) -> npt.NDArray[np.uint8]:
    """Lets a word that is in the title of a table hint at all its fields: a customer is in customers.csv."""
    hinted, first = levels.copy(), 0
    for table, title in zip(index.tables, index.titles, strict=True):
        own = slice(first, first + len(table.names) - 1)  # all but the order of rows
        for i, word in enumerate(words):
            if word not in STOP_WORDS and stem(word) in title:
                hinted[i, own] = np.maximum(hinted[i, own], WEAK)
        first += len(table.names)
    return hinted


def _with_row_noun(
    levels: npt.NDArray[np.uint8], words: Sequence[str], whole: Sequence[Mention], noun: RowNoun
) -> npt.NDArray[np.uint8]:
    """Lets a word for the rows name the field that tells them apart, unless it names or mentions another."""
    taken = {i for mention in whole for i in range(*mention.span)}
    named = levels.copy()
    for i in noun.places(words):
        if i not in taken and not levels[i].any():
            named[i, noun.field] = STRONG
    return named


def _with_units(
    levels: npt.NDArray[np.uint8], words: Sequence[str], numbers: Sequence[Span], tables: Sequence[TableIndex]
) -> npt.NDArray[np.uint8]:
    """Lets a unit behind a number name the fields with amounts of its kind: hours a runtime in minutes."""
    named, first = levels.copy(), 0
    behind = [end for _, end in numbers if end < len(words) and not levels[end].any()]
    for table in tables:
        for i in behind:
            kinds = {meaning.unit.kind for meaning in meanings(words[i])} - {Kind.NUMBER}
            own = [first + n for n, kind in enumerate(table.kinds) if kind in kinds]
            named[i, own] = SHARED if len(own) > 1 else STRONG
        first += len(table.names)
    return named


def _begins(one: str, other: str) -> bool:
    """Whether one word is the beginning of the other: `temp` of temperature, `pop` of population."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return (
        len(short) >= 3 and long.startswith(short) and (len(short) >= _SHORTEST_BEGINNING or short == other)
    )


def _coverage(stems: list[str], strong: dict[int, set[int]], index: WordIndex) -> list[float]:
    coverage = [0.0] * len(index.names)
    said: dict[int, set[str]] = {}
    for i, fields in strong.items():
        for n in fields:
            said.setdefault(n, set()).add(stems[i])
    for n, own in said.items():
        telling = set(index.names[n].stems)
        hits = len(telling & own)
        # A header met as one word (boxoffice) is met in full.
        coverage[n] = hits / len(telling) if hits or own & set(index.names[n].asides) else 1.0
    return coverage


def _compare(
    quantities: list[Quantity], index: TableIndex
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Compares each quantity with each cell that has a number or a date."""
    rows, fields = index.shape
    relations = np.zeros((len(quantities), rows, fields), dtype=np.uint8)
    lies = np.zeros((len(quantities), fields), dtype=np.uint8)
    numbers = index.numbers
    for k, quantity in enumerate(quantities):
        low, high = np.full((2, fields), np.nan)
        if quantity.number is not None:
            value = _in_the_fields_unit(quantity, index)
            slack = 1e-9 * np.abs(value)
            plain = ~index.is_date
            plain[-1] = False  # a number of the question says nothing of the order of rows
            low[plain], high[plain] = (value - slack)[plain], (value + slack)[plain]
            if quantity.last is not None:
                high = np.where(plain, quantity.last_from(0.0) + value, high)
        if quantity.days is not None:
            low[index.is_date], high[index.is_date] = quantity.days
        for n in range(fields - 1) if quantity.of_a_year is not None else ():
            low[n], high[n] = index.day_of_a_year(quantity, n)
        less, more = numbers < low, numbers > high
        equal = numbers >= low
        equal &= numbers <= high
        relation = relations[k]
        for holds, kind in ((less, LESS), (equal, EQUAL), (more, MORE)):
            relation += holds.view(np.uint8) * np.uint8(kind)
        below, found, above = less.any(axis=0), equal.any(axis=0), more.any(axis=0)
        lies[k] = np.where(found, FOUND, np.where(below & above, INSIDE, OUTSIDE * (below | above)))
    return relations, lies


def _in_the_fields_unit(quantity: Quantity, index: TableIndex) -> npt.NDArray[np.float64]:
    """The number as each field counts: 8.4 million is 8.4 where the field's numbers are about that large."""
    value = np.full(len(index.names), quantity.number, dtype=np.float64)
    if quantity.unscaled is not None and quantity.number is not None:
        is_year = quantity.unscaled > quantity.number
        fits = index.has_years if is_year else index.largest**2 < quantity.unscaled * quantity.number
        value[fits] = quantity.unscaled
    return value
