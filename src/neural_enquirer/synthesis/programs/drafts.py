"""What all kinds of questions are drafted with: programs, sentences, the words for fields and orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Cells, Direction, Extreme, Program, ProgramError, Rows, Term
from neural_enquirer.synthesis.open.draw import NoQuestionError, known
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.programs.filters import Filter, draw_filters, equal
from neural_enquirer.synthesis.programs.phrases import PHRASES, said
from neural_enquirer.synthesis.programs.subject import Asked
from neural_enquirer.synthesis.programs.wording import Words, doing_of
from neural_enquirer.tables import FieldType, Value

_BRIEF: Final = 0.24
_LONGEST_NAME: Final = 60


@dataclass(frozen=True)
class Draft:
    """A program and the question that it answers."""

    program: Program
    text: str
    kind: str
    brief: bool = False
    """Whether the question is of key words only."""
    natural: bool = False
    """Whether it may speak of fields as people do, or calls them by their names only."""


def write(
    words: Words,
    program: Program,
    kind: str,
    name: str,
    slots: Mapping[str, str],
    filters: Sequence[Filter] = (),
) -> Draft:
    """Puts a program into a sentence of a list, or of its list of key words, if one fits."""
    brief = f"{name}_brief" in PHRASES and words.draw.chance(_BRIEF)
    for key_words in (brief, not brief):
        listed = f"{name}_brief" if key_words else name
        if listed in PHRASES and (text := said(words.draw, listed, slots, bool(filters))):
            return Draft(program, text, kind, key_words)
    raise NoQuestionError


def result(words: Words, program: Program) -> tuple[Value, ...]:
    """What a program gives; nothing where it cannot be run."""
    try:
        return run(program, [words.subject.table]).values
    except ProgramError:
        return ()


def number(words: Words, program: Program) -> int | float:
    """The one number that a program gives."""
    values = result(words, program)
    if len(values) != 1 or not isinstance(values[0], int | float):
        raise NoQuestionError
    return values[0]


def drawn_filters(
    words: Words,
    shares: Sequence[float],
    avoid: Sequence[Asked] = (),
    least: int = 1,
    several: bool = False,
) -> list[Filter]:
    """So many filters as the shares say, which are those of none, one, two and so on."""
    kind, count = words.draw.random() - shares[0], 0
    while kind >= 0 and count < len(shares) - 1:
        count += 1
        kind -= shares[count]
    if not count:
        return []
    return draw_filters(words.draw, words.subject, count, avoid, least=least, several=several)


def named_row(words: Words) -> int | None:
    """A row that can be called by its name."""
    key = words.subject.key
    if key is None:
        return None
    row = words.draw.below(words.subject.row_count)
    text = key.text(row)
    fit = len(text) <= _LONGEST_NAME and any(map(str.isalnum, text)) and key.unique(row)
    return row if fit else None


def called(words: Words, row: int) -> Filter:
    """A row by its name."""
    return equal(words.draw, known(words.subject.key), row)


def asked_slots(words: Words, field: Asked) -> dict[str, str]:
    """The words for a field that is asked for."""
    name = words.name(field)
    times = field.year or field.type is FieldType.DATE
    return {
        "f": name,
        "fs": field.plural,
        "count": field.name if field.counted else "",
        "who": name if field.person else "",
        "in": name if field.place else "",
        "when": name if times else "",
        "who_is": "who is" if field.person else "",
        "who_are": "who are" if field.person else "",
        "who_has": "who has" if field.person else "",
        "who_else": "who else" if field.person else "",
        "where_is": "where is" if field.place else "",
        "where_are": "where are" if field.place else "",
        "when_was": "when was" if times else "",
    }


# Orders.


def order_slots(words: Words, by: Asked, direction: Direction, plain: bool = False) -> dict[str, str]:
    """The words for one end of a field: highest, most, tallest; `plain` where a number stands before them."""
    largest = direction is Direction.LARGEST
    family = by.family
    adjective = words.own(by, () if family is None else family.most if largest else family.least)
    after = words.own(by, () if family is None else family.most_after if largest else family.least_after)
    return {
        "b": by.name if by.counted else words.name(by),
        "c": by.name if by.counted else "",
        "s": superlative(words, by, largest, plain),
        "hi": ("highest" if largest else "lowest") if by.amount is not None else "",
        "most": ("most" if largest else words.draw.of(("fewest", "least", "fewest"))) if by.counted else "",
        "a": adjective,
        "after": after,
        "a_does": doing_of(words.draw, after),
    }


def superlative(words: Words, by: Asked, largest: bool, plain: bool = False) -> str:
    """A superlative that may stand before any field of a kind."""
    if by.rank:  # "the highest rank" may be either end
        return words.draw.of(("worst", "largest", "last") if largest else ("best", "best", "top", "smallest"))
    kind = "date" if by.type is FieldType.DATE else "year" if by.year else "number"
    usual = SHAPES[f"{'plain_most' if largest else 'plain_least'}.{kind}"]
    if not plain and kind == "number" and not by.counted:
        usual += ("maximum", "biggest", "top", "max") if largest else ("minimum", "min", "least")
    elif not plain:
        every = SHAPES[f"{'most' if largest else 'least'}.{kind}"]
        usual = tuple(word for word in every if word not in ("most", "fewest"))
    return words.draw.of(usual)


def comparative_slots(words: Words, by: Asked, larger: bool) -> dict[str, str]:
    """The words for more and less of a field: higher, more, taller than."""
    family, times = None if by.rank else by.family, by.year or by.type is FieldType.DATE
    usual = (SHAPES["later" if larger else "earlier"]) if times else (SHAPES["higher" if larger else "lower"])
    phrases = () if family is None else family.more if larger else family.less
    own = words.own(by, [phrase for phrase in phrases if phrase.endswith((" than", "after", "before"))])
    first = own.removesuffix(" than")
    return {
        "f": by.name if by.counted else words.name(by),
        "c": by.name if by.counted else "",
        "er": ("worse" if larger else "better") if by.rank else words.draw.of(usual),
        "more": ("more" if larger else words.draw.of(("fewer", "less"))) if by.counted else "",
        "own": own,
        "a": first if own.endswith(" than") and " " not in first else "",
    }


def values_in_order(words: Words, direction: Direction, term: Term, rows: Rows, count: int) -> list[Value]:
    """The first values when rows are put in order, as many as there are if they are fewer."""
    found = list(result(words, Cells((term,), Extreme(direction, term, rows, count=count))))
    return found[: count + 1]
