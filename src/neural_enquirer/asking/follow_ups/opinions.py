"""What the model makes of the whole questions that one which leans may stand for."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups.answers import unmeasured
from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.last import About
from neural_enquirer.asking.follow_ups.leaning import Back, Leaning
from neural_enquirer.asking.follow_ups.wholes import Whole, whole_questions
from neural_enquirer.programs.language import Aggregate

__all__ = ["Ask", "Opinion", "opinion_of"]

Ask = Callable[[Sequence[str]], Sequence[Answer]]
"""Answers questions about the same tables."""

_ASKED: Final = 0.3
"""The cost of what the model reads, besides that of putting a question together."""
_UNLIKELY: Final = 1.0
"""How much it costs that the model is less sure of it."""
_LIKELY: Final = 0.1
_FORGOTTEN: Final = 1.0
"""The cost of a program about something else than the question names."""
_UNSAID: Final = 1.0
"""The cost of a sum, a count or an average that no words ask for."""


@dataclass(frozen=True)
class Opinion:
    """What the model makes of whole questions.

    Attributes:
        edits: the programs that it reads in them.
        refuses: whether it finds no answer to any question that names that.
        confidence: how sure it is of the answer to one of those that is about what they name.
    """

    edits: tuple[Edit, ...] = ()
    refuses: bool = False
    confidence: float = 0.0


def opinion_of(about: About, fragment: Fragment, leaning: Leaning, ask: Ask) -> Opinion:
    """Asks the model the questions that one which leans may stand for."""
    wholes = whole_questions(about, fragment, leaning)
    answered = list(zip(wholes, ask([each.question for each in wholes]), strict=True))
    named = [(whole, answer) for whole, answer in answered if whole.named is not None]
    reader = _Reader(about, fragment, leaning)
    return Opinion(
        tuple(edit for pair in answered for edit in reader.edits(*pair)),
        bool(named) and all(answer.refusal is not None for _, answer in named),
        max((_confidence(*pair) for pair in named), default=0.0),
    )


def _confidence(whole: Whole, answer: Answer) -> float:
    program = answer.best.program
    return 0.0 if program is None or whole.forgets(program) else answer.confidence


@dataclass(frozen=True)
class _Reader:
    about: About
    fragment: Fragment
    leaning: Leaning

    def edits(self, whole: Whole, answer: Answer) -> Iterator[Edit]:
        """The programs of an answer that are likely enough, with their costs."""
        for each in answer.ranked:
            if each.program is not None and each.probability >= _LIKELY:
                cost = _ASKED + whole.cost - _UNLIKELY * math.log(each.probability)
                cost += _FORGOTTEN * whole.forgets(each.program)
                yield from self._as_said(Edit(whole.read(each.program, self.about), cost))

    def _as_said(self, edit: Edit) -> Iterator[Edit]:
        """A program; and if it measures what nobody wants to have measured, what each row has."""
        is_said = self.fragment.operations or self.fragment.is_placed
        if is_said or not isinstance(edit.program, Aggregate):
            yield edit
            return
        yield edit.to(edit.program, _UNSAID)
        if self.leaning.back is Back.SEVERAL:
            yield from unmeasured(edit)
