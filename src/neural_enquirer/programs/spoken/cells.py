"""What a sentence says of cells: those of certain rows, those at the end of a field, those of groups."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Direction
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.programs.spoken.rows import Phrases, is_amount_of
from neural_enquirer.programs.types import source_of
from neural_enquirer.tables import Value
from neural_enquirer.tables.wording import listed

_Record = tuple[Value, ...]
_COMMON: Final = {Direction.LARGEST: "most common", Direction.SMALLEST: "least common"}


def cells(program: lang.Cells, values: Sequence[Value], say: Phrases) -> str:
    """What is said of a list of cells; without the full stop."""
    if not values:
        return _none(program, say)
    program = replace(program, rows=say.plainly(program.rows))
    terms, rows, source = program.terms, program.rows, source_of(program.rows)
    records = [tuple(values[start : start + len(terms)]) for start in range(0, len(values), len(terms))]
    if isinstance(rows, lang.Extreme) and rows.by is not None:
        choice = isinstance(rows.rows, lang.All) or say.count(rows.rows) > 1
        if choice and isinstance(source, lang.Groups) and rows.by == lang.Measure() and source.by in terms:
            return _best_groups(source, rows, records, terms.index(source.by), say)
        if choice and len(terms) == 1 and (rows.count == 1 or rows.by not in terms):
            return _at_end(program, rows, values, say)
    if isinstance(source, lang.Groups):
        return _groups(source, program, records, say)
    if _is_told(program):
        return f"there {'are' if say.count(rows) > 1 else 'is only'} {say.some(rows, len(records))}"
    return f"in {say.rows(rows, True)}, {_listed(program, records, say)}"


def _is_told(program: lang.Cells) -> bool:
    """Whether the conditions on the rows say all that is asked: the name of those whose name is Ann."""
    rows, told = program.rows, set()
    while isinstance(rows, lang.Where):
        match rows.condition:
            case lang.Compare(term, lang.Comparison.EQUAL, lang.Constant()):
                told.add(term)
        rows = rows.rows
    return told.issuperset(program.terms)


def _none(program: lang.Cells, say: Phrases) -> str:
    known = say.terms(program.rows)
    names = [known.subject(term) for term in program.terms]
    if not say.count(program.rows):
        source = source_of(program.rows)
        if isinstance(source, lang.Groups) and program.terms == (source.by,):
            return f"looked for {say.rows(program.rows)}, but {say.nothing(program.rows)}"
        return f"looked for {listed(names)} in {say.rows(program.rows)}, but {say.nothing(program.rows)}"
    return f"in {say.rows(program.rows, True)}, {listed(names, 'or')} is missing"


def _listed(program: lang.Cells, records: Sequence[_Record], say: Phrases) -> str:
    """The values of terms in rows that are told already."""
    terms, known = program.terms, say.terms(program.rows)
    count = say.count(program.rows)
    if count == 1:
        parts = zip(terms, records[0], strict=True)
        return listed([f"{known.subject(term)} is {known.value(value, term)}" for term, value in parts])
    note = _missing(program, say)
    if len(terms) == 1 and len(set(records)) == 1:
        always = "always " * (len(records) > 1 or program.distinct)
        return f"{known.subject(terms[0])} is {always}{known.value(records[0][0], terms[0])}{note}"
    others = [known.subject(term) for term in terms[1:]]
    beside = f" (and {listed(others)})" if others else ""
    different = "different " * program.distinct
    values = _few(terms, records, program.rows, say)
    return f"the {different}values of {known.subject(terms[0])}{beside} are {values}{note}"


def _few(terms: Sequence[lang.Term], records: Sequence[_Record], rows: lang.Rows, say: Phrases) -> str:
    """The values of rows as a list, all but the first of each row in brackets."""
    known = say.terms(rows)

    def written(record: _Record) -> str:
        first, *others = (known.value(value, term) for term, value in zip(terms, record, strict=True))
        return f"{first} ({', '.join(others)})" if others else first

    return spoken.few(records, written)


def _missing(program: lang.Cells, say: Phrases) -> str:
    """That some rows do not have all that is asked for."""
    missing = [lang.Missing(term) for term in program.terms]
    count = say.count(lang.Where(program.rows, missing[0] if len(missing) == 1 else lang.Or(tuple(missing))))
    return f" ({count:,} {'is' if count == 1 else 'are'} missing)" if count else ""


def _at_end(program: lang.Cells, rows: lang.Extreme, values: Sequence[Value], say: Phrases) -> str:
    """The values of a term in the rows at the end of another."""
    (term,) = program.terms
    assert rows.by is not None
    known, count = say.terms(rows), say.count(rows)
    opening = "" if say.is_whole(rows.rows) else say.opening("among", rows.rows)
    is_end = is_amount_of(rows.by, term)
    if is_end or count == 1:
        often = f", {'for' if known.each else 'in'} {count:,} {say.noun(rows, count)}" if count > 1 else ""
        reached = "" if is_end else say.reached(rows)
        return f"{opening}the {say.at_end(term, rows)}{reached} is {known.value(values[0], term)}{often}"
    noun = "" if opening else f" {say.noun(rows, count)}"
    listed = _few((term,), [(value,) for value in dict.fromkeys(values)], rows, say)
    note = _missing(program, say)
    if rows.count == 1:
        tie = f"{spoken.in_words(count)}{noun} tie for {_end(rows, say)}{say.reached(rows)}"
        return f"{opening}{tie}, with {known.noun(term)} {listed}{note}"
    if not note and not program.distinct:
        ranks = say.values(lang.Cells((rows.by,), rows))
        listed = _few((term, rows.by), list(dict.fromkeys(zip(values, ranks, strict=True))), rows, say)
    return f"{opening}{_best(rows, noun, say)} have {known.noun(term)} {listed}{note}"


def _end(rows: lang.Extreme, say: Phrases) -> str:
    assert rows.by is not None
    return say.terms(rows).distinction(rows.direction, rows.by, rows.nth)


def _best(rows: lang.Extreme, noun: str, say: Phrases) -> str:
    """Several rows at the end of a term: the 3 rows with the largest price, and 1 more that ties."""
    ties = say.ties(rows)
    return f"the {min(say.count(rows), rows.count):,}{noun} with {_end(rows, say)}{ties}{',' * bool(ties)}"


def _best_groups(
    groups: lang.Groups, rows: lang.Extreme, records: Sequence[_Record], place: int, say: Phrases
) -> str:
    """The groups at the end of their measure; `place` is where the records have their names."""
    known, inner, count = say.terms(rows), rows.rows, say.count(rows)
    opening = say.opening("among", inner)
    by = known.noun(groups.by)
    names = _few((groups.by,), [(record[place],) for record in records], rows, say)
    if rows.count > 1 and count > 1:
        measures = say.values(lang.Cells((groups.by, lang.Measure()), rows))
        pairs = list(zip(measures[::2], measures[1::2], strict=True))
        names = _few((groups.by, lang.Measure()), pairs, rows, say)
        return f"{opening}{_best(rows, f' {known.rows(count)}', say)} are {names}"
    if count > 1:
        tie = f"{spoken.in_words(count)} {known.rows(count)} tie for {_end(rows, say)}"
        return f"{opening}{tie}{say.reached(rows)}: {names}"
    if groups.term is None and rows.nth == 1 and isinstance(inner, lang.All):
        (often,) = say.values(lang.Cells((lang.Measure(),), rows))
        counted = f"{known.value(often, lang.Measure())} {known.grouped.rows(1 if often == 1 else 2)}"
        return f"{opening}the {_COMMON[rows.direction]} {by} is {names} ({counted})"
    return f"{opening}the {say.at_end(groups.by, rows)}{say.reached(rows)} is {names}"


def _groups(groups: lang.Groups, program: lang.Cells, records: Sequence[_Record], say: Phrases) -> str:
    """Groups and what was measured of them."""
    rows, terms = program.rows, program.terms
    known, count = say.terms(rows), say.count(rows)
    measured = functools.partial(known.value, term=lang.Measure())
    if terms == (groups.by,):
        names = _few(terms, records, rows, say)
        if not isinstance(rows, lang.All):
            return f"{say.rows(rows, True)} {'is' if count == 1 else 'are'} {names}"
        number = f"{count:,} {known.rows()} are" if count > 1 else f"only {known.rows(1)} is"
        return f"{say.opening('among', rows)}the {number} {names}"
    if set(terms) == {groups.by, lang.Measure()} and len(terms) == 2:
        pairs = [(record[terms.index(groups.by)], record[terms.index(lang.Measure())]) for record in records]
        values = spoken.few(pairs, lambda pair: f"{measured(pair[1])} for {known.value(pair[0], groups.by)}")
    elif terms == (lang.Measure(),):
        values = _few(terms, records, rows, say)
    else:
        return f"for {say.rows(rows, True)}, {_listed(program, records, say)}"
    if isinstance(rows, lang.All):
        return f"{say.opening('among', rows)}the {known.noun(lang.Measure())}{known.each} is {values}"
    return f"for {say.rows(rows, True)}, the {known.noun(lang.Measure())} is {values}"
