"""Correcting: what people type after `:wrong`, as a correction of the last answer."""

from collections.abc import Sequence

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.candidate import Candidate
from neural_enquirer.learning.corrections import Correction, CorrectionError, references
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

_NOTHING = frozenset({"none", "no answer", "nothing"})


def other_readings(answer: Answer) -> list[Candidate]:
    """What else the question may mean: the candidates behind the answer that have a program."""
    return [one for one in answer.ranked[1:] if one.program is not None and one.text is not None]


def correction_of(answer: Answer, tables: Sequence[Table], said: str) -> Correction:
    """What somebody says is right.

    Args:
        answer: the answer that is wrong.
        tables: what was asked.
        said: the number of another reading, from 1; `none` where nothing answers; else the right answer,
            after a sign of equality where it is a number; semicolons part several values.

    Raises:
        CorrectionError: if there is no such reading.
    """
    asked = answer.question, references(tables)
    if said.casefold() in _NOTHING:
        return Correction(*asked, refuse=True)
    if said.isdecimal():
        return Correction(*asked, program=_reading(answer, int(said)))
    values = [one.strip() for one in said.removeprefix("=").split(";")]
    return Correction(*asked, answers=tuple(one for one in values if one))


def _reading(answer: Answer, number: int) -> str:
    readings = other_readings(answer)
    if not 1 <= number <= len(readings):
        count = f"there are {len(readings)}" if readings else "there is none"
        raise CorrectionError(f"no other reading has the number {number}: {count}; an answer is “= {number}”")
    program = readings[number - 1].program
    assert program is not None
    return to_text(program)
