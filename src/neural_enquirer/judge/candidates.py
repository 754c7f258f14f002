"""Candidates: programs that were written, run, and gathered by what they answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, Builder, Derivation, Pool
from neural_enquirer.encoding.actions.grammar import REFUSALS
from neural_enquirer.programs.execution import Runner
from neural_enquirer.programs.language import Combination, Operation, Program, ProgramError
from neural_enquirer.programs.result import Result
from neural_enquirer.runtime.beam_search import Way


@dataclass(frozen=True)
class Found:
    """An answer that programs gave.

    Attributes:
        texts: its values, as the tables or people spell them.
        program: the likeliest program that gives it.
        derivation: that program's.
        result: what running it gave.
        score: the log of the summed probability of all programs that give it.
        best: the log-probability of the likeliest.
        programs: how many programs give it.
        steps: the log-probability of each step of the derivation.
    """

    texts: tuple[str, ...]
    program: Program
    derivation: Derivation
    result: Result
    score: float
    best: float
    programs: int
    steps: tuple[float, ...] = ()


@dataclass(frozen=True)
class Candidates:
    """All that a decoder wrote for a question, run.

    Attributes:
        answers: what came out, the likeliest first.
        refusals: the probability of each kind of refusal.
        empty: the summed probability of programs that gave nothing, or could not be run.
    """

    answers: tuple[Found, ...]
    refusals: tuple[float, ...]
    empty: float


class _Run(NamedTuple):
    """A program that was written and what running it gave."""

    way: Way
    program: Program
    result: Result
    texts: tuple[str, ...]


def gather(ways: Sequence[Way], asked: Asked) -> Candidates:
    """Runs programs and puts those together that give the same."""
    refusals, empty = [0.0] * len(REFUSALS), 0.0
    found: dict[tuple[str, ...], list[_Run]] = {}
    builder, runner = Builder(asked), Runner(asked.tables)
    for way in ways:
        refusal = _refusal(way.derivation)
        if refusal is not None:
            refusals[refusal] += math.exp(way.score)
            continue
        try:
            program, result = _larger_first(builder.build(way.derivation), runner)
        except ProgramError:
            result = None
        if result is None or not result.values:
            empty += math.exp(way.score)
            continue
        texts = result.texts(asked.tables)
        found.setdefault(tuple(sorted(texts)), []).append(_Run(way, program, result, texts))
    answers = [_candidate(some) for some in found.values()]
    return Candidates(tuple(sorted(answers, key=lambda one: -one.score)), tuple(refusals), empty)


def _larger_first(program: Program, runner: Runner) -> tuple[Program, Result]:
    """Runs a program; a difference takes the larger value first, since nobody calls 3 less -3 more."""
    result = runner.run(program)
    match program, result.values:
        case Combination(Operation.DIFFERENCE, left, right), (int() | float() as value,) if value < 0:
            turned = Combination(Operation.DIFFERENCE, right, left)
            return turned, runner.run(turned)
    return program, result


def _refusal(derivation: Derivation) -> int | None:
    first = derivation[0]
    name = PRODUCTIONS[first.number].name if first.pool is Pool.PRODUCTION else ""
    return REFUSALS.index(name) if name in REFUSALS else None


def _candidate(some: Sequence[_Run]) -> Found:
    best = max(some, key=lambda one: one.way.score)
    return Found(
        texts=best.texts,
        program=best.program,
        derivation=best.way.derivation,
        result=best.result,
        score=best.way.score + math.log(sum(math.exp(one.way.score - best.way.score) for one in some)),
        best=best.way.score,
        programs=len(some),
        steps=best.way.steps,
    )
