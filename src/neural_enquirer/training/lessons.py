"""Lessons: questions with what is known of their answers, from all sources, to learn programs from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.programs.enumeration import Wanted
from neural_enquirer.programs.language import Program
from neural_enquirer.programs.parsing import parse
from neural_enquirer.real_questions import RealExample
from neural_enquirer.real_questions.everyday import read_everyday, read_programs, read_tables
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of
from neural_enquirer.real_questions.held_out import tenth_of
from neural_enquirer.real_questions.wanted import wanted
from neural_enquirer.tables import Table


@dataclass(frozen=True)
class Lesson:
    """A question to learn from.

    Attributes:
        tables: what it is about.
        question: as it was typed.
        program: what answers it, where that is known.
        wanted: the answer, where only that is known.
        refusal: why nothing answers it, where nothing does.
        tenths: the tenths of real tables to which its tables belong.
    """

    tables: tuple[Table, ...]
    question: str
    program: Program | None = None
    wanted: Wanted | None = None
    refusal: str | None = None
    tenths: frozenset[int] = frozenset()


def everyday_lessons(folder: Path) -> list[Lesson]:
    """The everyday questions whose program is known, and those that nothing answers.

    Raises:
        RealDataError: if the folder lacks questions, programs or tables.
    """
    questions, programs = read_everyday(folder), read_programs(folder)
    tables = read_tables(folder, questions)
    lessons = []
    for question in questions:
        program = programs.get(question.id)
        if program is None and question.sql is not None:
            continue
        lesson = Lesson(
            tuple(tables[name] for name in question.tables),
            question.question,
            program=None if program is None else parse(program),
            refusal=None if program is not None else question.reason or "no_field",
            tenths=tenths_of(question.tables),
        )
        lessons.append(lesson)
    return lessons


def real_lessons(examples: Iterable[RealExample]) -> list[Lesson]:
    """Training questions whose answers alone are learned from."""
    return [
        Lesson((one.table,), one.question, wanted=wanted(one), tenths=frozenset({tenth_of(one.table.name)}))
        for one in examples
    ]


def tables_of(lessons: Sequence[Lesson]) -> list[tuple[Table, ...]]:
    """The tables of lessons, each once, in the order in which they come."""
    return list({tuple(map(id, lesson.tables)): lesson.tables for lesson in lessons}.values())


def by_tables(lessons: Sequence[Lesson], most: int) -> Iterator[list[Lesson]]:
    """Puts lessons about the same tables together, no more than so many."""
    groups: dict[tuple[int, ...], list[Lesson]] = {}
    for lesson in lessons:
        groups.setdefault(tuple(map(id, lesson.tables)), []).append(lesson)
    block: list[Lesson] = []
    for group in groups.values():
        for start in range(0, len(group), most):
            if len(block) + len(group[start : start + most]) > most:
                yield block
                block = []
            block += group[start : start + most]
    if block:
        yield block
