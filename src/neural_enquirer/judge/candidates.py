"""Candidates: programs that were written, run, and gathered by what they answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, Derivation, Pool, build
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
    refusals, empty = np.zeros(len(REFUSALS)), 0.0
    found: dict[tuple[str, ...], list[_Run]] = {}
    runner = Runner(asked.tables)
    for way in ways:
        refusal = _refusal(way.derivation)
        if refusal is not None:
            refusals[refusal] += np.exp(way.score)
            continue
        try:
            program, result = _larger_first(build(way.derivation, asked), runner)
        except ProgramError:
            result = None
        if result is None or not result.values:
            empty += float(np.exp(way.score))
            continue
        texts = result.texts(asked.tables)
        found.setdefault(tuple(sorted(texts)), []).append(_Run(way, program, result, texts))
    answers = [_candidate(some) for some in found.values()]
    return Candidates(tuple(sorted(answers, key=lambda one: -one.score)), tuple(refusals.tolist()), empty)


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
    scores: npt.NDArray[np.float64] = np.array([one.way.score for one in some])
    return Found(
        texts=best.texts,
        program=best.program,
        derivation=best.way.derivation,
        result=best.result,
        score=float(np.logaddexp.reduce(scores)),
        best=best.way.score,
        programs=len(some),
        steps=best.way.steps,
    )
