"""The words of questions that lean on the question before: a list under `data`, loaded once."""

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from neural_enquirer.encoding.text import stem, words_of
from neural_enquirer.encoding.wording import phrases_pattern
from neural_enquirer.programs.language import Comparison

__all__ = ["Phrases", "Span", "Vocabulary", "unmended", "vocabulary"]

_FILE: Final = Path(__file__).parents[2] / "data" / "answers" / "follow_ups.toml"
_NAMED: Final = ("opening", "back", "people", "rows", "asking", "ends", "steps")
Span = tuple[int, int]
"""Words of a question: the first, and the one behind the last."""


@dataclass(frozen=True)
class Phrases:
    """Phrases with the same meaning."""

    pattern: re.Pattern[str]

    def spans(self, words: Sequence[str]) -> list[Span]:
        """Where words say one of them."""
        text = " ".join(words)
        found = (match.span() for match in self.pattern.finditer(text))
        return [(text.count(" ", 0, start), text.count(" ", 0, end) + 1) for start, end in found]

    def are_in(self, words: Sequence[str]) -> bool:
        """Whether words say one of them."""
        return self.pattern.search(" ".join(words)) is not None

    def length_at_start(self, words: Sequence[str]) -> int:
        """How many words say one of them at the beginning."""
        match = self.pattern.match(" ".join(words))
        return 0 if match is None else match[0].count(" ") + 1

    def length_at_end(self, words: Sequence[str]) -> int:
        """How many words say one of them at the end."""
        return next((end - start for start, end in self.spans(words) if end == len(words)), 0)


_Named = Mapping[str, Phrases]


@dataclass(frozen=True)
class Vocabulary:
    """What words mean in a question that leans on another.

    Attributes:
        opening: how it begins: it goes `on` from the last, or takes a part of it (`narrowing`); what is
            `polite` may stand before.
        back: what stands for `several` rows of the last answer, for `one`, or for their `owner`; the words
            `before_that` and `told_after` say whether it does.
        people: words that stand for the same ones.
        rows: the `others`, and the `whole` of them; the `amount` that the last answer has, and how much
            `more` or `fewer` another has.
        asking: what is done with rows.
        ends: the ends of an order.
        about: for superlatives stems of the fields that they are about.
        about_other_end: for superlatives stems of the fields of which they ask for the other end.
        wanted: for question words stems of the fields that they ask for.
        steps: the `next` row, the `previous`, and all of them `sorted`, the largest first (`falling`).
        ordinals: places in an order.
        comparing: how a number compares.
        comparing_alone: the same of one that is not said again, at the end of a question.
        leaving_out: what stands before a value that is left out.
        grouping: what stands before a field that rows are grouped by.
        asked: words that a question of its own has.
        aside: how a question begins that asks for something beside the last one.
        which: how one begins that may be over after a word more.
        yes_no: how one begins that is answered by yes or no.
        small: words that stand before others: a `preposition`, an `article`, how one compares (`more`);
            and the `idle` ones at the end that say nothing.
    """

    opening: _Named
    back: _Named
    people: _Named
    rows: _Named
    asking: _Named
    ends: _Named
    about: tuple[tuple[Phrases, frozenset[str]], ...]
    about_other_end: tuple[tuple[Phrases, frozenset[str]], ...]
    wanted: tuple[tuple[Phrases, frozenset[str]], ...]
    steps: _Named
    ordinals: Mapping[int, Phrases]
    comparing: Mapping[Comparison, Phrases]
    comparing_alone: Mapping[Comparison, Phrases]
    leaving_out: Phrases
    grouping: Phrases
    asked: Phrases
    aside: Phrases
    which: Phrases
    yes_no: Phrases
    small: Mapping[str, frozenset[str]]


@functools.cache
def vocabulary() -> Vocabulary:
    """The words, as they are listed."""
    content = tomllib.loads(_FILE.read_text("utf-8"))
    named = {name: _named(content[name]) for name in _NAMED}
    return Vocabulary(
        **named,
        about=_fields(content["about"]),
        about_other_end=_fields(content["about_other_end"]),
        wanted=_fields(content["wanted"]),
        ordinals={int(name): _phrases(own) for name, own in content["ordinals"].items()},
        comparing=_compared(content["comparing"]),
        comparing_alone=_compared(content["comparing_alone"]),
        leaving_out=_phrases(content["leaving_out"]["before"]),
        grouping=_phrases(content["grouping"]["before"]),
        asked=_phrases(content["asked"]["words"]),
        aside=_phrases(content["asked"]["aside"]),
        which=_phrases(content["asked"]["which"]),
        yes_no=_phrases(content["asked"]["yes_no"]),
        small={name: frozenset(own) for name, own in content["small"].items()},
    )


def unmended(question: str, words: tuple[str, ...], kept: Phrases) -> tuple[str, ...]:
    """The words of a question, misspelled ones put right but for some: arent is no agent."""
    typed = words_of(question)
    if len(typed) != len(words):
        return words
    return tuple(own if kept.are_in([own]) else word for own, word in zip(typed, words, strict=True))


def _phrases(phrases: Sequence[str]) -> Phrases:
    return Phrases(phrases_pattern(phrases))


def _named(content: Mapping[str, Sequence[str]]) -> _Named:
    return {name: _phrases(own) for name, own in content.items()}


def _compared(content: Mapping[str, Sequence[str]]) -> Mapping[Comparison, Phrases]:
    return {Comparison(name): _phrases(own) for name, own in content.items()}


def _fields(content: Mapping[str, Sequence[str]]) -> tuple[tuple[Phrases, frozenset[str]], ...]:
    return tuple((_phrases([said]), frozenset(map(stem, own))) for said, own in content.items())
