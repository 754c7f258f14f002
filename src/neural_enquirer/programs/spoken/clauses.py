"""What conditions say of a subject, joined with "and" and "or" so that nobody can take them wrongly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.spoken.terms import Kind
from neural_enquirer.programs.spoken.values import few
from neural_enquirer.tables.wording import listed


@dataclass(frozen=True)
class Clause:
    """Something said of a subject: year | is after 1980.

    `choice` has the values that the subject may be any of.
    """

    subject: str
    predicate: str
    choice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Joint:
    """Several clauses, all or at least one of which hold."""

    word: Literal["and", "or"]
    parts: tuple["Clauses", ...]


Clauses: TypeAlias = Clause | Joint

_DENIED: Final = (Comparison.EQUAL, Comparison.DIFFERS, Comparison.AT_LEAST, Comparison.AT_MOST)
"""Comparisons whose opposite has words of its own; others are denied with a "not"."""
THAT: Final = "that "
"""Stands for a value that was just named, of other rows: year is before that in the row where …"""
_PREDICATES: Final = {
    Comparison.EQUAL: "is {}",
    Comparison.DIFFERS: "is not {}",
    Comparison.LESS: "is less than {}",
    Comparison.MORE: "is more than {}",
    Comparison.AT_MOST: "is at most {}",
    Comparison.AT_LEAST: "is at least {}",
    Comparison.CONTAINS: "contains {}",
    Comparison.STARTS: "starts with {}",
    Comparison.ENDS: "ends with {}",
}
_OF_TIME: Final = _PREDICATES | {
    Comparison.LESS: "is before {}",
    Comparison.MORE: "is after {}",
    Comparison.AT_MOST: "is not after {}",
    Comparison.AT_LEAST: "is not before {}",
}
_OF_GIVEN_TIME: Final = _OF_TIME | {
    Comparison.AT_MOST: "is {} or earlier",
    Comparison.AT_LEAST: "is {} or later",
}
_OF_TEXT: Final = _PREDICATES | {
    Comparison.LESS: "comes before {} in the alphabet",
    Comparison.MORE: "comes after {} in the alphabet",
    Comparison.AT_MOST: "does not come after {} in the alphabet",
    Comparison.AT_LEAST: "does not come before {} in the alphabet",
}
_NEGATIVES: Final = {
    "is": "is not",
    "comes": "does not come",
    "contains": "does not contain",
    "starts": "does not start",
    "ends": "does not end",
}


def predicate(
    comparison: Comparison, kind: Kind, operand: str, negative: bool = False, given: bool = False
) -> str:
    """What a comparison with one value says: is more than 5, is before 1980, does not contain “a”.

    The operand may be given as a value and nothing more, after which words may follow.
    """
    if negative and comparison in _DENIED:
        return predicate(comparison.opposite, kind, operand, given=given)
    if comparison in (Comparison.EQUAL, Comparison.DIFFERS) and not given:
        operand = than("the same as", operand)
    templates = _OF_GIVEN_TIME if given and kind.of_time else _templates(kind)
    before, _, after = templates[comparison].partition(" {}")
    text = f"{than(before, operand)}{after}"
    return _negative(text) if negative else text


def than(relation: str, operand: str) -> str:
    """A relation and what it is to: more than 5, more than in the first row, before that in the first row."""
    if relation.endswith((" than", " as")) and operand.startswith(f"{THAT}in "):
        operand = operand.removeprefix(THAT)
    return f"{relation} {operand}"


def predicate_of_all(comparison: Comparison, kind: Kind, operands: str, negative: bool = False) -> str:
    """What a comparison with several values says: more is more than all, different is different from all."""
    templates = _templates(kind)
    match comparison:
        case Comparison.EQUAL | Comparison.DIFFERS:
            is_one = (comparison is Comparison.EQUAL) != negative
            return f"is one of {operands}" if is_one else f"is none of {operands}"
        case Comparison.LESS | Comparison.MORE:
            text = templates[comparison].format(f"all of {operands}")
            return _negative(text) if negative else text
    beyond = templates[comparison.opposite]
    if negative:
        return beyond.format(f"at least one of {operands}")
    return _negative(beyond.format(f"any of {operands}"))


def choice(parts: Sequence[str]) -> str:
    """That something is one of several values: is A, B or C."""
    return f"is {few(parts, last='or')}"


def no_choice(parts: Sequence[str]) -> str:
    """That something is none of several values: is neither A nor B."""
    return f"is neither {parts[0]} nor {parts[1]}" if len(parts) == 2 else f"is none of {few(parts)}"


def joint(word: Literal["and", "or"], parts: Sequence[Clauses]) -> Joint:
    """Several clauses as one; those that are joined with the same word already are taken apart."""
    flat = (each.parts if isinstance(each, Joint) and each.word == word else (each,) for each in parts)
    return Joint(word, tuple(part for several in flat for part in several))


def said(clauses: Clauses) -> str:
    """Clauses as a sentence has them; the simple ones come first."""
    if isinstance(clauses, Clause):
        return f"{clauses.subject} {clauses.predicate}"
    word = clauses.word
    simple = _merged(clauses)
    nested = [_within(part, word) for part in clauses.parts if isinstance(part, Joint)]
    if len(nested) > (word == "and"):  # a single "either … or …" at the end is clear without a comma
        return f", {word} ".join(simple + nested)
    return listed(simple + nested, word)


def _merged(clauses: Joint) -> list[str]:
    """The simple clauses, those of one subject in a row as one: year is after 1950 and before 1980."""
    simple: Iterable[Clause] = (part for part in clauses.parts if isinstance(part, Clause))
    if clauses.word == "and":
        simple = map(_closed, simple)
    merged = []
    for subject, several in groupby(simple, key=lambda clause: clause.subject):
        first, *others = (clause.predicate for clause in several)
        if first.startswith("is "):
            others = [other.removeprefix("is ") for other in others]
        merged.append(f"{subject} {listed([first, *others], clauses.word)}")
    return merged


def _closed(clause: Clause) -> Clause:
    """A clause after which an "and" cannot be taken for one of its own."""
    if not clause.choice:
        return clause
    either = len(clause.choice) == 2
    said = f"either {' or '.join(clause.choice)}" if either else f"one of {few(clause.choice)}"
    return Clause(clause.subject, f"is {said}")


def _within(inner: Joint, word: str) -> str:
    """Clauses joined with one word, as a part of others that are joined with the other word."""
    text = said(inner)
    if any(isinstance(part, Joint) for part in inner.parts):
        return f"({text})"
    if word == "or":
        return text
    first = next(part for part in inner.parts if isinstance(part, Clause))
    of_one = all(isinstance(part, Clause) and part.subject == first.subject for part in inner.parts)
    if of_one and first.predicate.startswith("is "):
        return f"{first.subject} is either {text.removeprefix(f'{first.subject} is ')}"
    return f"either {text}"


def _templates(kind: Kind) -> dict[Comparison, str]:
    if kind.of_time:
        return _OF_TIME
    return _OF_TEXT if kind is Kind.TEXT else _PREDICATES


def _negative(predicate: str) -> str:
    verb, _, rest = predicate.partition(" ")
    return f"{_NEGATIVES[verb]} {rest}"
