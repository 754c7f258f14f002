"""A question as the parser sees it: its words, the values it is anchored in, and the phrases around them."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

_MOST_ANCHORS: Final = 8
"""Values of one question beyond these are not looked at."""
_REACH: Final = 3
"""Words on either side that say what a value is."""

_TOKEN: Final = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?|[^\W\d_]+|[^\w\s]")
_BEGIN, _END, _TEXT, _NUMBER = "<s>", "</s>", "<text>", "<number>"


@dataclass(frozen=True)
class Anchor:
    """A value that the question names."""

    place: int
    """Where it stands among the question's words."""
    text: str
    """Its words, in small letters, as the cells' texts are compared."""
    number: float | None
    """What it says as a number, if it is one."""


@dataclass(frozen=True)
class Question:
    """The words, with a mark in the place of every value, and the values."""

    words: tuple[str, ...]
    anchors: tuple[Anchor, ...]


def _tokens(text: str) -> list[str]:
    """The words, numbers and marks of a text, in small letters."""
    return _TOKEN.findall(text.casefold())


def normal(text: str) -> str:
    """A text as texts are compared: in small letters, its tokens one blank apart."""
    return " ".join(_tokens(text))


def name_words(name: str) -> frozenset[str]:
    """The words of a field's name; one-letter pieces say nothing."""
    return frozenset(word for word in _tokens(name) if len(word) > 1)


def read_question(text: str, cell_texts: Collection[str], longest: int) -> Question:
    """Finds the values in a question: every number, and the longest spans that some cell spells.

    Args:
        text: the question.
        cell_texts: the normal texts of the table's cells, in which to look is quick.
        longest: the most words of such a text.
    """
    source = _tokens(text)
    words: list[str] = []
    anchors: list[Anchor] = []
    position = 0
    while position < len(source):
        length = _cell_length(source, position, cell_texts, longest)
        number = _number(source[position]) if length <= 1 else None
        if (length or number is not None) and len(anchors) < _MOST_ANCHORS:
            length = max(length, 1)
            anchors.append(Anchor(len(words), " ".join(source[position : position + length]), number))
            words.append(_TEXT if number is None else _NUMBER)
        else:
            length = 1
            words.append(source[position])
        position += length
    return Question(tuple(words), tuple(anchors))


def _cell_length(source: list[str], position: int, cell_texts: Collection[str], longest: int) -> int:
    """The most words from a position on that together spell a cell."""
    lengths = range(min(longest, len(source) - position), 0, -1)
    return next((n for n in lengths if " ".join(source[position : position + n]) in cell_texts), 0)


def _number(token: str) -> float | None:
    return float(token.replace(",", "")) if "0" <= token[0] <= "9" else None


def phrases(question: Question, longest: int) -> set[str]:
    """All spans of up to `longest` words, marks for the question's ends among them; and the empty one.

    The empty phrase, which every question holds, says how likely a predicate is whatever the question says.
    """
    words = (_BEGIN, *question.words, _END)
    spans = {
        " ".join(words[start : start + length])
        for length in range(1, longest + 1)
        for start in range(len(words) - length + 1)
    }
    return spans | {""}


def contexts(question: Question, anchor: Anchor) -> set[str]:
    """The words around a value: some on its left, some on its right, the nearest on both sides."""
    words = (*[_BEGIN] * _REACH, *question.words, *[_END] * _REACH)
    here = anchor.place + _REACH
    mark = words[here]
    left = {" ".join(words[here - reach : here + 1]) for reach in range(_REACH + 1)}
    right = {" ".join(words[here : here + reach + 1]) for reach in range(_REACH + 1)}
    return left | right | {f"{words[here - 1]} {mark} {words[here + 1]}"}
