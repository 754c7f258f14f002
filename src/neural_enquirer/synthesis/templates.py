"""From a logical form to a question in plain words."""

import dataclasses
from collections.abc import Sequence
from typing import Final

from neural_enquirer.query import (
    Comparison,
    Condition,
    Direction,
    Nest,
    Query,
    SelectWhere,
    Superlative,
    WhereSuperlative,
)
from neural_enquirer.synthesis.schema import FieldPhrases, Schema

__all__ = ["DRAWS", "MAX_WORDS", "QuestionWriter"]

MAX_WORDS: Final = 34
DRAWS: Final = 8
"""How many random numbers :meth:`QuestionWriter.write` chooses its phrases by."""

_SHORT: Final = 7
"""Words of a thing that may stand in the middle of a question; a longer one stands at its end."""

_NOUN_QUESTIONS: Final = (
    "what is {noun}?",
    "tell me {noun}.",
    "give me {noun}.",
    "find {noun}.",
    "name {noun}.",
)
_FRONTED: Final = (
    "among the {things} {filter}, {question}",
    "of all {things} {filter}, {question}",
    "out of the {things} {filter}, {question}",
    "considering only {things} {filter}, {question}",
    "looking at the {things} {filter}, {question}",
)


class _Choices:
    """Takes one phrase after another by random numbers that were drawn beforehand."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = iter(draws)

    def of(self, phrases: Sequence[str]) -> str:
        """The smaller of two choices, so that the first phrases, which are short, are the likelier ones."""
        draw, count = next(self._draws), len(phrases)
        return phrases[min(draw % count, (draw >> 15) % count)]

    def once_in(self, times: int) -> bool:
        return next(self._draws) % times == times - 1


class QuestionWriter:
    """Writes questions with the phrases of a schema."""

    def __init__(self, schema: Schema) -> None:
        self._subject = schema.subject
        self._phrases = {field.name: _shortest_first(field.phrases) for field in schema.fields}
        self._closing = {name: _closing(phrases) for name, phrases in self._phrases.items()}

    def write(self, query: Query, draws: Sequence[int]) -> str:
        """A question for `query`; `draws` (of length :data:`DRAWS`) choose among the ways to say it.

        A question that comes out longer than :data:`MAX_WORDS` is said again in other words, at last in the
        shortest.
        """
        for attempt in range(4):
            text = self._write(query, [draw // 11**attempt for draw in draws])
            if _word_count(text) <= MAX_WORDS:
                return text
        return self._write(query, [0] * DRAWS)

    def _write(self, query: Query, draws: Sequence[int]) -> str:
        choices = _Choices(draws)
        match query:
            case SelectWhere(select, condition):
                text = self._question(select, self._named(condition, choices), choices)
            case Superlative(select, direction, by):
                it = self._extreme(direction, by, choices).replace("{thing}", self._subject.singular)
                text = self._question(select, it, choices)
            case WhereSuperlative(condition, superlative):
                text = self._filtered(superlative, self._filter(condition, choices), choices)
            case Nest(compared, comparison, condition, superlative):
                than = self._comparison(compared, comparison, choices)
                text = self._filtered(
                    superlative, than.replace("{it}", self._named(condition, choices)), choices
                )
        return text[0].upper() + text[1:]

    def _question(self, select: str, it: str, choices: _Choices) -> str:
        """The question for a field of whatever `it` names."""
        phrases = (self._phrases if _word_count(it) <= _SHORT else self._closing)[select]
        if choices.once_in(3):
            question = choices.of(_NOUN_QUESTIONS).replace("{noun}", choices.of(phrases.nouns))
        else:
            question = choices.of(phrases.questions) + "?"
        return question.replace("{it}", it)

    def _named(self, condition: Condition, choices: _Choices) -> str:
        """The one row that a condition names: ``the game in Athens``."""
        names = self._phrases[condition.field].names
        if names:
            return choices.of(names).replace("{value}", _spelling(condition))
        return f"the {self._subject.singular} {self._filter(condition, choices)}"

    def _filter(self, condition: Condition, choices: _Choices) -> str:
        """What a condition adds to the subject's noun: ``with fewer than 3,000 participants``."""
        phrases = self._phrases[condition.field]
        options = {
            Comparison.EQUAL: phrases.equal,
            Comparison.LESS: phrases.less,
            Comparison.MORE: phrases.more,
        }[condition.comparison]
        return choices.of(options).replace("{value}", _spelling(condition))

    def _comparison(self, compared: str, comparison: Comparison, choices: _Choices) -> str:
        """What a comparison with another row adds to the subject's noun: ``with fewer medals than {it}``."""
        phrases = self._phrases[compared]
        return choices.of(phrases.less_than if comparison is Comparison.LESS else phrases.more_than)

    def _extreme(self, direction: Direction, by: str, choices: _Choices) -> str:
        phrases = self._phrases[by]
        return choices.of(phrases.largest if direction is Direction.ARGMAX else phrases.smallest)

    def _filtered(self, superlative: Superlative, narrowed: str, choices: _Choices) -> str:
        """A superlative among some of the rows, which stand first in the sentence or beside the superlative.

        The filter follows the noun only where an adjective came before it (``the longest game before 2008``);
        after ``the game with the most medals`` it would seem to speak of the medals.
        """
        extreme = self._extreme(superlative.direction, superlative.by, choices)
        if choices.once_in(3):
            question = self._question(superlative.select, extreme.replace("{thing}", "one"), choices)
            fronted = choices.of(_FRONTED).replace("{things}", self._subject.plural)
            return fronted.replace("{filter}", narrowed).replace("{question}", question)
        subject = self._subject.singular
        if extreme.endswith("{thing}"):
            it = extreme.replace("{thing}", f"{subject} {narrowed}")
        else:
            it = f"{extreme.replace('{thing}', subject)} among those {narrowed}"
        return self._question(superlative.select, it, choices)


def _spelling(condition: Condition) -> str:
    return condition.spelling or str(condition.value)


def _shortest_first(phrases: FieldPhrases) -> FieldPhrases:
    kinds = dataclasses.asdict(phrases)
    return FieldPhrases(**{kind: tuple(sorted(texts, key=_word_count)) for kind, texts in kinds.items()})


def _closing(phrases: FieldPhrases) -> FieldPhrases:
    """Only the questions and nouns that end with what they ask about."""
    return dataclasses.replace(
        phrases,
        questions=tuple(phrase for phrase in phrases.questions if phrase.endswith("{it}")),
        nouns=tuple(phrase for phrase in phrases.nouns if phrase.endswith("{it}")),
    )


def _word_count(text: str) -> int:
    """Words of a question, where a comma between clauses counts as one."""
    return text.count(" ") + 1 + text.count(", ")
