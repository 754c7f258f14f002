"""Questions about tables that are elsewhere: judged on the rows that matter, answered over all rows."""

import dataclasses
import time
from collections.abc import Sequence
from typing import Final

from neural_enquirer.asking.answer import Answer, answer_of
from neural_enquirer.asking.stand_ins import Linker, stand_ins
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.judge.ranked import UNSUPPORTED, Ranked
from neural_enquirer.prediction import Predictor, Tables
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.tables import TableError

_MOST_TRIED: Final = 3
"""So many programs are run at most, until one finds something."""
_SECONDS_FOR_OTHERS: Final = 0.5


def answer_elsewhere(predictor: Predictor, tables: Tables, question: str, top: int) -> Answer:
    """Answers a question about tables of one engine.

    Raises:
        TableError: if they are not of one engine, or the model cannot write programs.
    """
    there = _there(tables)
    if not isinstance(predictor, Linker):
        raise TableError(f"the model {predictor.name} reads tables in memory; ask with --engine memory")
    rows = stand_ins(predictor, there, question)
    verdict = predictor.judge([(rows, question)])[0]
    ranked, reason = _run(verdict.ranked, there, top)
    answer = answer_of(question, rows, verdict.links, ranked, predictor.name)
    engine = there[0].engine
    return dataclasses.replace(
        answer,
        reason=reason,
        page=lambda program, start, count: engine.rows(program, there, start, count),
        run=lambda program: engine.run(program, there),
    )


def _there(tables: Tables) -> list[EngineTable]:
    there = [table for table in tables if isinstance(table, EngineTable)]
    if len(there) < len(tables) or not all(there[0].engine.is_beside(table.engine) for table in there):
        names = " and ".join(table.name for table in tables)
        raise TableError(f"{names} are in different places; ask tables of one engine together")
    return there


def _run(
    outcomes: Sequence[Ranked], tables: Sequence[EngineTable], top: int
) -> tuple[list[Ranked], str | None]:
    """Outcomes with what the engine finds, and why the likeliest program cannot be run, where it cannot.

    The others are only run where the likeliest finds nothing, or where tables are small and it takes no time.
    """
    small = all(table.known.is_whole for table in tables)
    last = time.perf_counter() + _SECONDS_FOR_OTHERS
    ranked: list[Ranked] = []
    for outcome in outcomes[:top]:
        is_missing = len(ranked) < _MOST_TRIED and not any(map(_finds_something, ranked))
        if outcome.program is None:
            ranked.append(outcome)
        elif is_missing or (small and time.perf_counter() < last):
            try:
                result = tables[0].engine.run(outcome.program, tables)
            except ProgramError as error:
                if not ranked:
                    told = f"{str(error)[0].upper()}{str(error)[1:]}."
                    return [Ranked(None, UNSUPPORTED, None, outcome.probability)], told
                continue
            ranked.append(dataclasses.replace(outcome, result=result))
    if ranked and ranked[0].program is not None and not _finds_something(ranked[0]):
        ranked.sort(key=lambda outcome: not _finds_something(outcome))
    return ranked, None


def _finds_something(outcome: Ranked) -> bool:
    return outcome.result is not None and bool(outcome.result.values)
