"""A question that may lean on the one before, read with it or by itself, whichever makes more sense."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.asking.accounting import understand
from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.candidate import Candidate
from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.last import About, Last
from neural_enquirer.asking.follow_ups.leaning import Leaning, odds
from neural_enquirer.asking.follow_ups.opinions import Ask, Opinion, opinion_of
from neural_enquirer.asking.follow_ups.readings import Readings
from neural_enquirer.asking.follow_ups.signs import leans
from neural_enquirer.asking.heard import Heard
from neural_enquirer.asking.questions import QuestionError
from neural_enquirer.programs.execution import Runner
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Cells,
    Compare,
    Comparison,
    Extreme,
    Field,
    Measure,
    Program,
    ProgramError,
    Where,
)
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken import noun_phrase
from neural_enquirer.programs.types import check

__all__ = ["follow_up", "read_with"]

_LONGEST: Final = 25
"""A question of more words says all it needs."""
_MOST_RUN: Final = 60
_UNUSED: Final = 1.5
"""The cost of words that a reading makes nothing of."""
_EMPTY: Final = 5.0
_KNOWN: Final = 5.0
"""The cost of an answer that the question, or the last answer, has said."""
_MOST_FOR: Final = 4.0
"""What a reading says at most for a question to lean."""
_ALONE: Final = 2.5
"""The cost of a single group."""
_CHOSEN_OF_ONE: Final = 5.0
"""The cost of choosing or counting where there is but one row."""
_NONE_COUNTED: Final = 1.0
_SAID_BEFORE: Final = 1.0
"""The cost of a list that was answered before."""
_UNCHANGED: Final = 7.0
_FARTHEST: Final = 6.0
"""A reading that costs more is none."""
_SUREST: Final = 0.9
_SHARPNESS: Final = 2.5
_AGREED: Final = 0.7
"""What speaks for a program that words and the model agree on."""


@dataclass(frozen=True)
class _Read:
    """A reading that was run."""

    program: Program
    result: Result
    cost: float


def follow_up(plain: Answer, last: Last | None, ask: Ask | None = None) -> Answer:
    """Reads a question with the one before, where it leans on that.

    Args:
        plain: the question as it was answered by itself.
        last: the question before, if there was one.
        ask: answers questions that are put together from both.

    Returns:
        An answer that says in `read_as` how the question was read; the plain one where it stands by itself.
    """
    if last is None or not plain.heard.links or len(plain.heard.words) > _LONGEST:
        return plain
    if any(table.is_elsewhere for table in plain.tables):
        ask = None  # each question would cost the engine several programs
    read, signs = read_with(plain, last, ask)
    return plain if read is None or leans(signs) <= 0 else read


def read_with(
    plain: Answer, last: Last, ask: Ask | None, always: bool = False
) -> tuple[Answer | None, dict[str, float]]:
    """A question as it is read with the one before, and what tells whether it should be.

    Args:
        plain: the question as it was answered by itself.
        last: the question before.
        ask: answers questions that are put together from both.
        always: whether to read it even where it stands by itself whatever would be read.
    """
    fragment = Fragment(plain)
    leaning = Leaning(fragment, last)
    signs = leaning.signs(plain)
    if not always and (leaning.is_of_all or leans(signs) + _MOST_FOR <= 0):
        return None, signs
    try:
        check(last.program, plain.tables)
        about = About(last, plain.tables, plain.run or Runner(plain.tables).run)
        opinion = Opinion() if ask is None else opinion_of(about, fragment, leaning, ask)
        edits = list(Readings(plain, about, fragment, leaning))
    except (ProgramError, QuestionError):  # of other tables, or too long when both are put together
        return None, signs
    found = _tried(edits, opinion.edits, plain, about)
    if not found or found[0].cost > _FARTHEST:
        return None, signs
    read = _answer(plain, last, found)
    agreed = any(edit.program == found[0].program for edit in opinion.edits)
    return read, signs | {
        "read": odds(read.confidence),
        "far-fetched": found[0].cost,
        "agreed": agreed,
        "whole": opinion.confidence,
        "nothing whole": opinion.refuses,
    }


def _tried(edits: Sequence[Edit], whole: Sequence[Edit], plain: Answer, about: About) -> list[_Read]:
    """The readings that make sense, the best first; of those with the same answer the best only."""
    cheapest: dict[Program, float] = {}
    for edit in edits:
        cheapest[edit.program] = min(edit.cost, cheapest.get(edit.program, math.inf))
    agreed = {edit.program for edit in whole} & cheapest.keys()
    for edit in whole:
        cheapest[edit.program] = min(edit.cost, cheapest.get(edit.program, math.inf))
    for program in agreed:
        cheapest[program] -= _AGREED
    likeliest = sorted(cheapest.items(), key=lambda pair: pair[1])[:_MOST_RUN]
    read = [one for program, cost in likeliest if (one := _run(program, cost, plain, about)) is not None]
    best: dict[tuple[object, ...], _Read] = {}
    for one in sorted(read, key=lambda each: each.cost):
        best.setdefault(one.result.values, one)
    return list(best.values())


def _run(program: Program, cost: float, plain: Answer, about: About) -> _Read | None:
    try:
        check(program, plain.tables)
        result = about.run(program)
    except ProgramError:
        return None
    return _Read(program, result, cost + _doubts(program, result, plain.heard, about))


def _doubts(program: Program, result: Result, heard: Heard, about: About) -> float:
    """What speaks against a reading once it is run."""
    cost = _UNUSED * len(understand(heard, program).unused)
    if not result.values:
        cost += _EMPTY
    elif (
        isinstance(program, Aggregate) and program.aggregation is Aggregation.COUNT and result.values == (0,)
    ):
        cost += _NONE_COUNTED
    elif _is_one_group(program, result):
        cost += _ALONE
    if _chooses_of_one(result) or (_is_count_of_one(program, result) and about.count(about.rows) == 1):
        cost += _CHOSEN_OF_ONE
    if _is_known(program):
        cost += _KNOWN
    if len(result.values) > 1 and set(result.values) == set(about.values):
        cost += _SAID_BEFORE
    return cost + (_UNCHANGED if program == about.program else 0.0)


def _is_one_group(program: Program, result: Result) -> bool:
    """Whether a program tells all groups, and there is but one."""
    is_telling = isinstance(program, Cells) and program.terms[1:] == (Measure(),)
    return is_telling and len(result.values) == len(("group", "measure"))


def _is_count_of_one(program: Program, result: Result) -> bool:
    is_count = isinstance(program, Aggregate) and program.aggregation is Aggregation.COUNT
    return is_count and result.values == (1,)


def _chooses_of_one(result: Result) -> bool:
    """Whether the largest, first and the like is looked for where there is but one row."""
    counts = {each.step: len(each) for each in result.steps}
    return any(isinstance(step, Extreme) and counts.get(step.rows) == 1 for step in counts)


def _is_known(program: Program) -> bool:
    """Whether a program looks a value up that it looks up by."""
    match program:
        case Cells((Field() as term,), Where(_, Compare(own, Comparison.EQUAL))):
            return term == own
    return False


def _answer(plain: Answer, last: Last, found: Sequence[_Read]) -> Answer:
    best = found[0]
    weights = [math.exp(-_SHARPNESS * (each.cost - best.cost)) for each in found]
    most = _SUREST * math.sqrt(last.confidence) / sum(weights)  # going on from an answer speaks for it
    ranked = tuple(
        Candidate(plain.tables, most * weight, each.result, each.program)
        for each, weight in zip(found, weights, strict=True)
    )[: max(1, len(plain.ranked))]
    read_as = noun_phrase(best.program, best.result, plain.tables)
    return dataclasses.replace(plain, ranked=ranked, cascade=None, reason=None, read_as=read_as)
