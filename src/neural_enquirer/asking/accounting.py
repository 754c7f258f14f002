"""Which words of a question a program accounts for, as what, and which it leaves unused."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.asking.heard import Heard, Places, Span
from neural_enquirer.asking.parts import Column, columns_in
from neural_enquirer.asking.writing import operation_name
from neural_enquirer.encoding.linking import ALONE, MENTION, NAMED, PART, QUANTITY
from neural_enquirer.encoding.text import STOP_WORDS
from neural_enquirer.encoding.wording import is_superlative, operation_words, plain_words
from neural_enquirer.judge.turned import is_denial
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.text import condition_text
from neural_enquirer.programs.trees import parts

_BEFORE: Final = frozenset(["in", "by", "from", "at", "of", "with", "for", "on", "to", "than", "the"])
"""Words that belong to what follows them: in Sales, by the director."""
_COMPARED: Final = {
    lang.Comparison.LESS: "less",
    lang.Comparison.AT_MOST: "less",
    lang.Comparison.MORE: "more",
    lang.Comparison.AT_LEAST: "more",
    lang.Comparison.DIFFERS: "not",
}
_ENDS: Final = {
    lang.Direction.LARGEST: "largest",
    lang.Direction.SMALLEST: "smallest",
    lang.Aggregation.MAXIMUM: "largest",
    lang.Aggregation.MINIMUM: "smallest",
}
_SUPERLATIVES: Final = frozenset([*_ENDS.values(), lang.Aggregation.RANGE.value])
_TOLD: Final = frozenset(
    [
        *(each.value for each in lang.Aggregation if each not in _ENDS),
        *(lang.Operation.DIFFERENCE.value, lang.Operation.RATIO.value, lang.Operation.PERCENTAGE.value),
        *_SUPERLATIVES,
    ]
)
"""Operations that people want to hear of; others, such as comparisons, are told with what is compared."""


@dataclass(frozen=True)
class Understood:
    """Words of a question and what they were taken for: in Sales, department = Sales.

    `span` is where they stand in the question, or the first of them; None where that cannot be told.
    """

    words: str
    meaning: str
    span: Span | None = None

    def to_json(self) -> dict[str, Any]:
        """As an object of the command line's JSON."""
        start, end = self.span or (None, None)
        return {"words": self.words, "as": self.meaning, "start": start, "end": end}


@dataclass(frozen=True)
class Understanding:
    """How a program reads a question.

    Attributes:
        understood: words that the program uses, in the order of the question.
        unused: telling words that it does not use, those that stand together as one.
        unused_spans: where those stand in the question.
    """

    understood: tuple[Understood, ...] = ()
    unused: tuple[str, ...] = ()
    unused_spans: tuple[Span, ...] = ()


def understand(heard: Heard, program: lang.Program | None, unheard: Iterable[int] = ()) -> Understanding:
    """What a program makes of the words of a question; no program makes nothing of them.

    Args:
        heard: the question.
        program: what answers it.
        unheard: places of words that it is known to do nothing with.
    """
    if program is None:
        return Understanding()
    done = frozenset(name for part in parts(program) for name in _operations_in(part))
    meanings = [*_conditions(heard, program), *_asked(heard, program, done)]
    told = _told(heard, meanings)
    hinted = (heard.hinting(column) for column in _columns(heard, program))
    used = Places().union(*(places for places, _ in meanings), *hinted, _counted(heard, program))
    unused = (_asking_for_something(heard) | Places(unheard)) - used
    return Understanding(told, heard.phrases(unused), heard.spans(unused))


def mentioned(heard: Heard) -> Understanding:
    """What a question names although nothing answers it, and where the words stand that name nothing."""
    mentions = enumerate(heard.links[0].mentions) if heard.links else ()
    meanings = []
    for mention, span in mentions:
        values = heard.cells_of(mention)  # several leave open which is meant
        meanings.append((Places(range(*span)), str(values[0]) if len(values) == 1 else ""))
    return Understanding(_told(heard, meanings), (), heard.spans(content(heard)) if heard.links else ())


_Meaning = tuple[Places, str]


def _told(heard: Heard, meanings: Iterable[_Meaning]) -> tuple[Understood, ...]:
    """Each word once, with the first meaning that takes it."""
    taken: set[int] = set()
    found: list[tuple[int, Understood]] = []
    for places, meaning in meanings:
        free = places - taken
        if free and meaning:
            span = next(iter(heard.spans(Places(free), near=True)), None)
            found.append((min(free), Understood(heard.phrase(Places(free)), meaning, span)))
            taken |= free
    return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))


# Conditions.


def _conditions(heard: Heard, program: lang.Program) -> Iterator[_Meaning]:
    for part in parts(program):
        condition = _as_condition(part)
        if condition is None:
            continue
        places = _standing_for(heard, condition)
        if places:
            yield _with_what_precedes(heard, places, condition), condition_text(condition)


def _as_condition(part: Any) -> lang.Compare | lang.Between | None:
    """A comparison with values that are named; None where a part is none."""
    match part:
        case lang.Compare(_, _, lang.Constant() | lang.OneOf()) | lang.Between():
            return part
        case lang.Holds(lang.Cells((term,)), comparison, lang.Constant() | lang.OneOf() as right):
            return lang.Compare(term, comparison, right)
    return None


def _standing_for(heard: Heard, condition: lang.Compare | lang.Between) -> Places:
    """The words for the values of a condition."""
    columns = list(_columns(heard, condition.term))
    part = isinstance(condition, lang.Compare) and condition.comparison.of_text
    months = isinstance(condition.term, lang.PartOf) and condition.term.part is lang.Part.MONTH
    found = Places()
    for each in parts(condition):
        if isinstance(each, lang.Constant):
            found |= heard.standing_for(each.value, columns, part) or _denying(heard, columns)
            found |= heard.month(each.value) if months else Places()
            found |= heard.spelling(each.spelling or "")  # 3 hours, of which 180 minutes were made
    return found


def _denying(heard: Heard, columns: Iterable[Column]) -> Places:
    """The words that a prefix turns round, of other values of some fields: unpaid, of paid = yes."""
    mentions = heard.mentions_in(columns) if heard.links else ()
    spans = (heard.links[0].mentions[mention] for mention in mentions)
    return Places(start for start, end in spans if end == start + 1 and is_denial(heard.words[start]))


def _with_what_precedes(heard: Heard, places: Places, condition: lang.Compare | lang.Between) -> Places:
    """Words with those before them that say how they are compared, or name their field."""
    named = Places().union(*(heard.naming(column) for column in _columns(heard, condition.term)))
    compared = Places().union(*(heard.operations[name] for name in _comparisons_in(condition)))
    first = min(places)
    start = first
    while start and (heard.words[start - 1] in _BEFORE or start - 1 in named | compared):
        start -= 1
    return places | Places(range(start, first))


def _columns(heard: Heard, part: Any) -> Iterator[Column]:
    """The fields that a part of a program reads."""
    return columns_in(parts(part), heard.tables)


# Fields, operations and numbers.


def _asked(heard: Heard, program: lang.Program, done: frozenset[str]) -> Iterator[_Meaning]:
    """Words that name the fields that are read, and the operations that are done."""
    for number, field in dict.fromkeys(_columns(heard, program)):
        places = heard.naming((number, field))
        if places:
            yield places, heard.tables[number].field_names[field]
    for name in sorted(done):
        places = heard.operations.get(name, Places())
        if name in _SUPERLATIVES:
            places |= _superlatives(heard)
        if places:
            yield places, name.replace("_", " ") if name in _TOLD else ""


def _counted(heard: Heard, program: lang.Program) -> Places:
    """The words for numbers that are no values: the top three, the second."""
    numbers = [each for each in parts(program) if isinstance(each, lang.Extreme)]
    found = Places().union(*(heard.measuring(max(each.nth, each.count)) for each in numbers))
    loose = [each.value for each in parts(program) if isinstance(each, lang.Constant)]
    return found.union(*(heard.standing_for(value, ()) for value in loose))


def _operations_in(part: Any) -> Iterator[str]:
    """What a part of a program does, by the names that lists of words have."""
    match part:
        case lang.Aggregate(aggregation) | lang.Groups(aggregation=aggregation):
            yield _ENDS.get(aggregation, aggregation.value)
            if aggregation is lang.Aggregation.COUNT_DISTINCT:
                yield from ("count", "distinct")
            if isinstance(part, lang.Groups):
                yield "groups"
        case lang.Combination(operation) | lang.Arithmetic(operation):
            yield (
                lang.Aggregation.SUM.value if operation is lang.Operation.TOTAL else operation_name(operation)
            )
        case lang.Cells(distinct=True):
            yield "distinct"
        case lang.Extreme(direction, by):
            yield from (_ENDS[direction], "order") if by is not None else ("order",)
        case lang.Beside():
            yield "order"
        case lang.Exists() | lang.Holds():
            yield "yes_no"
    yield from _comparisons_in(part)


def _comparisons_in(part: Any) -> Iterator[str]:
    match part:
        case lang.Compare(_, comparison, operand) | lang.Holds(_, comparison, operand):
            if comparison in _COMPARED:
                yield _COMPARED[comparison]
            if isinstance(operand, lang.OneOf):
                yield "both"
        case lang.Between():
            yield from ("more", "less", "both")
        case lang.Not():
            yield "not"
        case lang.Missing():
            yield "missing"
        case lang.Or() | lang.And():
            yield "both"


# What is left.


def content(heard: Heard) -> Places:
    """The words that say something and that the tables have nothing to do with."""
    linked = MENTION | PART | NAMED | QUANTITY
    flags = heard.links[0].flags
    return Places(place for place in _spoken(heard) if not flags[place] & linked)


def names(heard: Heard, places: Places) -> Places:
    """Those of some words that are written as names, or that nobody knows."""
    flags = heard.links[0].flags
    return Places(place for place in places if flags[place] & ALONE or heard.is_capital(place))


def _spoken(heard: Heard) -> Iterator[int]:
    """The words that are more than common wording."""
    wording = STOP_WORDS | plain_words()
    asking = Places().union(*heard.operations.values(), _superlatives(heard))
    yield from (
        place for place, word in enumerate(heard.words) if word not in wording and place not in asking
    )


def _asking_for_something(heard: Heard) -> Places:
    """The words that surely do: they name cells, numbers or operations, or are written as names."""
    flags = heard.links[0].flags
    told = Places(
        place
        for place in _spoken(heard)
        if flags[place] & (MENTION | PART | QUANTITY) or heard.is_capital(place)
    )
    silent = Places().union(*(heard.operations[each.name] for each in operation_words() if not each.telling))
    asking = Places().union(*heard.operations.values()) - silent
    return told | asking | _superlatives(heard)


def _superlatives(heard: Heard) -> Places:
    """The words that are superlatives of their own, such as longest, and name nothing in the tables."""
    linked = MENTION | PART | NAMED
    return Places(
        place
        for place, (word, flags) in enumerate(zip(heard.words, heard.links[0].flags.tolist(), strict=True))
        if is_superlative(word) and not flags & linked
    )
