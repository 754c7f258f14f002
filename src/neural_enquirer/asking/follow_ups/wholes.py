"""Whole questions: what somebody would ask who had not asked before, put together from two questions.

`how many did he lose?` after one about Noah Quist is `how many did Noah Quist lose?`, and `in January?` after
`who has the highest Elo in June?` asks who has it in January. The model reads them like any other question.
"""

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.last import About
from neural_enquirer.asking.follow_ups.leaning import Leaning
from neural_enquirer.asking.follow_ups.vocabulary import Span, vocabulary
from neural_enquirer.encoding.text import header_words, stem, words_of
from neural_enquirer.programs.language import (
    Between,
    Cells,
    Compare,
    Comparison,
    Constant,
    Extreme,
    Field,
    OneOf,
    Program,
)
from neural_enquirer.programs.trees import Leaf, field_of, leaves, over, parts, without
from neural_enquirer.tables import Value

__all__ = ["Whole", "whole_questions"]

_ASKED_OF: Final = 0.4
"""The cost of a field that is asked of something that the question does not say."""
_ADDED: Final = 0.8
_OTHER_FIELD: Final = 0.8
_ANOTHER_FIELD: Final = 0.5
_NUMBER: Final = 0.6
_PHRASE: Final = 0.0
_MOST: Final = 4
"""So many questions are asked; more of them hardly ever help."""


@dataclass(frozen=True)
class Whole:
    """A question that leans on none.

    Attributes:
        question: its words.
        cost: how far-fetched it is to put the two together so.
        named: what it names in the place of a word that stands for it.
        was_answered: whether that was the last answer.
    """

    question: str
    cost: float
    named: Value | None = None
    was_answered: bool = False

    def read(self, program: Program, about: About) -> Program:
        """The program of an answer to it, about the rows that the last answer was about."""
        named = [leaf for leaf in leaves(program) if self._is_about(leaf)]
        nested = any(isinstance(part, Compare) and isinstance(part.operand, Cells) for part in parts(program))
        of_all = self.was_answered and not isinstance(program, Cells)  # how often did he win?
        if len(named) != 1 or nested or of_all:
            return program
        return over(without(program, self._is_about), about.rows)

    def forgets(self, program: Program) -> bool:
        """Whether a program is not about what the question names."""
        return self.named is not None and not any(map(self._is_about, leaves(program)))

    def _is_about(self, leaf: Leaf) -> bool:
        return isinstance(leaf, Compare) and self.named in _values(leaf)


def whole_questions(about: About, fragment: Fragment, leaning: Leaning) -> list[Whole]:
    """What may be meant, the likeliest first."""
    composer = _Composer(about, fragment, leaning)
    found: dict[str, Whole] = {}
    for each in sorted(composer, key=lambda one: one.cost):
        found.setdefault(each.question, each)
    return list(found.values())[:_MOST]


@dataclass(frozen=True, eq=False)
class _Composer:
    about: About
    fragment: Fragment
    leaning: Leaning

    def __iter__(self) -> Iterator[Whole]:
        if not self._words:
            return
        yield from self._named()
        if self.fragment.told:
            yield from self._with_values()
        elif self.leaning.back is None:
            yield from self._with_phrases()
            yield from self._with_fields()
            yield from self._with_ends()

    @functools.cached_property
    def _words(self) -> list[str]:
        """The words of the question, but for those that go on from the last one."""
        words = list(self.fragment.words[self.leaning.opening :])
        while words[1:] and words[-1] in _small("idle"):
            words.pop()
        return words

    @functools.cached_property
    def _last(self) -> list[str]:
        return words_of(self.about.last.question)

    @property
    def _asks(self) -> bool:
        """Whether the question begins as one of its own does."""
        return vocabulary().asked.length_at_start(self._words) > 0

    # A name in the place of a word that stands for it.

    def _named(self) -> Iterator[Whole]:
        for named in self._referents():
            name = str(named.named).casefold()
            standing = self._standing()
            if standing is not None:
                (start, end), before, behind = standing
                words = [*self._words[:start], *before, name + behind, *self._words[end:]]
                yield dataclasses.replace(named, question=" ".join(words))
            elif not self.fragment.told and self.leaning.back is None and not self._is_phrase:
                asks = self._words if self._asks else ["what", "is", *self._words]
                cost = named.cost + _ASKED_OF
                yield dataclasses.replace(named, question=" ".join([*asks, "of", name]), cost=cost)

    @property
    def _is_phrase(self) -> bool:
        """Whether it is a preposition with its words, and asks for nothing."""
        return self._words[0] in _small("preposition") and not set(self._words) & {"whom", "which", "what"}

    def _referents(self) -> Iterator[Whole]:
        """What the last question or its answer named, which words may stand for, in no question yet."""
        program, values = self.about.program, self.about.values
        if isinstance(program, Cells) and len(set(values)) == 1:
            yield Whole("", 0.0 if isinstance(values[0], str) else _NUMBER, values[0], True)
        for leaf in leaves(program):
            if isinstance(leaf, Compare) and leaf.comparison is Comparison.EQUAL and len(_values(leaf)) == 1:
                yield Whole("", 0.0, _values(leaf)[0])

    def _standing(self) -> tuple[Span, list[str], str] | None:
        """Words that stand for a name, and what is to stand before and behind that."""
        known = vocabulary().back
        opening = self.leaning.opening
        for span in sorted(known["name"].spans(self._words), key=lambda each: each[0] - each[1]):
            first = self._words[span[0]]
            if known["owner"].are_in([first]):
                return span, [], " 's"
            if first in ("there", "then") or known["time"].are_in(self._words[slice(*span)]):
                is_bound = span[0] and self._words[span[0] - 1] in _small("preposition")
                return span, [] if is_bound else ["in"], ""
            if self.leaning.stands_for_something((span[0] + opening, span[1] + opening)):
                return span, [], ""
        return None

    # The last question with other words in it.

    def _with_values(self) -> Iterator[Whole]:
        for told in self.fragment.told:
            fields = {field_of(each.term) for one in told.conditions for each in parts(one) if _is_leaf(each)}
            said = list(self.fragment.words[slice(*told.span)]) if self._asks else self._words
            for leaf in leaves(self.about.program):
                cost = 0.0 if field_of(leaf.term) in fields else _OTHER_FIELD
                for span in self._mentions(leaf):
                    yield Whole(self._replaced(span, said), cost)
        is_cut = self.leaning.narrows and any(isinstance(part, Extreme) for part in parts(self.about.program))
        if not self._asks and not is_cut:
            narrowing = vocabulary().opening["narrowing"].length_at_start(self._words)
            cost = 0.0 if self.leaning.narrows else _ADDED
            yield Whole(" ".join([*self._last, *self._words[narrowing:]]), cost)

    def _with_phrases(self) -> Iterator[Whole]:
        """With another phrase of the same preposition: in the evening for in the morning."""
        places = [place for place, word in enumerate(self._last) if word in _small("preposition")]
        for start, end in itertools.pairwise([*places, len(self._last)]):
            if self._last[start] == self._words[0]:
                yield Whole(" ".join([*self._last[:start], *self._words, *self._last[end:]]), _PHRASE)

    def _with_fields(self) -> Iterator[Whole]:
        if self.fragment.fields:
            fields = (part for part in parts(self.about.program) if isinstance(part, Field))
            for field in dict.fromkeys(fields):
                span = _longest(self._last, [word for own in header_words(field.name) for word in own])
                if span is not None:
                    yield Whole(self._replaced(span, self._words), _ANOTHER_FIELD)

    def _with_ends(self) -> Iterator[Whole]:
        if self.fragment.is_placed:
            for phrases in vocabulary().ends.values():
                for span in phrases.spans(self._last):
                    yield Whole(self._replaced(span, self._words), _ANOTHER_FIELD)

    def _mentions(self, leaf: Leaf) -> Iterator[Span]:
        """Where the last question says the values of a condition."""
        found = [_longest(self._last, words_of(str(value))) for value in _values(leaf)]
        spans = [span for span in found if span is not None]
        if isinstance(leaf, Between) and spans:
            spans = [(min(start for start, _ in spans), max(end for _, end in spans))]
        yield from spans

    def _replaced(self, span: Span, words: Sequence[str]) -> str:
        """The last question with other words in the place of some, one preposition and one article before."""
        start, end = span
        last, new = self._last, list(words)
        if new[0] in _small("preposition"):
            while start and last[start - 1] in _small("article"):
                start -= 1
            while start and (last[start - 1] in _small("preposition") or last[start - 1] in _small("more")):
                start -= 1
        elif start and last[start - 1] in _small("article"):
            new = [word for word in new if word not in _small("article")]
        return " ".join([*last[:start], *new, *last[end:]])


def _small(kind: str) -> frozenset[str]:
    return vocabulary().small[kind]


def _is_leaf(part: object) -> bool:
    return isinstance(part, Compare | Between)


def _values(leaf: Leaf) -> tuple[Value, ...]:
    """What a condition compares with."""
    match leaf:
        case Compare(_, _, Constant(value)):
            return (value,)
        case Compare(_, _, OneOf(values)):
            return tuple(each.value for each in values)
        case Between(_, Constant(low), Constant(high)):
            return low, high
    return ()


def _longest(last: Sequence[str], words: Sequence[str]) -> Span | None:
    """The longest run of words of the last question that are some words."""
    own = {stem(word) for word in words}
    best, start = None, 0
    while start < len(last):
        end = start
        while end < len(last) and stem(last[end]) in own:
            end += 1
        if end > start and (best is None or end - start > best[1] - best[0]):
            best = start, end
        start = max(end, start + 1)
    return best
