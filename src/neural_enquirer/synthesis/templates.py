"""From a program of the paper's task to a question in plain words."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Final

from neural_enquirer.programs.language import Cells, Compare, Comparison, Direction, Extreme
from neural_enquirer.programs.paper import field_name, named_by, parts, said_value
from neural_enquirer.synthesis.olympics import FieldPhrases

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
    """Writes questions about things, given what one and several are called, with the phrases of fields."""

    def __init__(self, phrases: Mapping[str, FieldPhrases], one: str, several: str) -> None:
        self._one, self._several = one, several
        self._phrases = {name: _shortest_first(own) for name, own in phrases.items()}
        self._closing = {name: _closing(phrases) for name, phrases in self._phrases.items()}

    def write(self, program: Cells, draws: Sequence[int]) -> str:
        """A question for `program`; `draws` (of length :data:`DRAWS`) choose among the ways to say it.

        A question that comes out longer than :data:`MAX_WORDS` is said again in other words, at last in the
        shortest.
        """
        for attempt in range(4):
            text = self._write(program, [draw // 11**attempt for draw in draws])
            if _word_count(text) <= MAX_WORDS:
                return text
        return self._write(program, [0] * DRAWS)

    def _write(self, program: Cells, draws: Sequence[int]) -> str:
        choices = _Choices(draws)
        select, extreme, conditions = parts(program)
        if extreme is None:
            text = self._question(select, self._named(conditions[0], choices), choices)
        elif not conditions:
            it = self._extreme(extreme, choices).replace("{thing}", self._one)
            text = self._question(select, it, choices)
        else:
            text = self._filtered(select, extreme, self._narrowed(conditions[0], choices), choices)
        return text[0].upper() + text[1:]

    def _narrowed(self, condition: Compare, choices: _Choices) -> str:
        """What a condition adds to the subject's noun, be it on a value or on a named row."""
        named = named_by(condition)
        if named is None:
            return self._filter(condition, choices)
        return self._comparison(condition, choices).replace("{it}", self._named(named, choices))

    def _question(self, select: str, it: str, choices: _Choices) -> str:
        """The question for a field of whatever `it` names."""
        phrases = (self._phrases if _word_count(it) <= _SHORT else self._closing)[select]
        if choices.once_in(3):
            question = choices.of(_NOUN_QUESTIONS).replace("{noun}", choices.of(phrases.nouns))
        else:
            question = choices.of(phrases.questions) + "?"
        return question.replace("{it}", it)

    def _named(self, condition: Compare, choices: _Choices) -> str:
        """The one row that a condition names: ``the game in Athens``."""
        names = self._phrases[field_name(condition.term)].names
        if names:
            return choices.of(names).replace("{value}", said_value(condition))
        return f"the {self._one} {self._filter(condition, choices)}"

    def _filter(self, condition: Compare, choices: _Choices) -> str:
        """What a condition adds to the subject's noun: ``with fewer than 3,000 participants``."""
        phrases = self._phrases[field_name(condition.term)]
        options = {
            Comparison.EQUAL: phrases.equal,
            Comparison.LESS: phrases.less,
            Comparison.MORE: phrases.more,
        }[condition.comparison]
        return choices.of(options).replace("{value}", said_value(condition))

    def _comparison(self, condition: Compare, choices: _Choices) -> str:
        """What a comparison with another row adds to the subject's noun: ``with fewer medals than {it}``."""
        phrases = self._phrases[field_name(condition.term)]
        return choices.of(phrases.less_than if condition.comparison is Comparison.LESS else phrases.more_than)

    def _extreme(self, extreme: Extreme, choices: _Choices) -> str:
        phrases = self._phrases[field_name(extreme.by)]
        return choices.of(phrases.largest if extreme.direction is Direction.LARGEST else phrases.smallest)

    def _filtered(self, select: str, extreme: Extreme, narrowed: str, choices: _Choices) -> str:
        """A superlative among some of the rows, which stand first in the sentence or beside the superlative.

        The filter follows the noun only where an adjective came before it (``the longest game before 2008``);
        after ``the game with the most medals`` it would seem to speak of the medals.
        """
        said = self._extreme(extreme, choices)
        if choices.once_in(3):
            question = self._question(select, said.replace("{thing}", "one"), choices)
            fronted = choices.of(_FRONTED).replace("{things}", self._several)
            return fronted.replace("{filter}", narrowed).replace("{question}", question)
        subject = self._one
        if said.endswith("{thing}"):
            it = said.replace("{thing}", f"{subject} {narrowed}")
        else:
            it = f"{said.replace('{thing}', subject)} among those {narrowed}"
        return self._question(select, it, choices)


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
