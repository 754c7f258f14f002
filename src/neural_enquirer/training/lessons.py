"""Lessons: questions with what is known of their answers, from all sources, to learn programs from."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from neural_enquirer.programs.enumeration import Wanted
from neural_enquirer.programs.language import Field, Program
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.trees import changed
from neural_enquirer.real_questions import RealExample
from neural_enquirer.real_questions.denotation import wanted
from neural_enquirer.real_questions.everyday import read_everyday, read_tables
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of
from neural_enquirer.real_questions.everyday.other_names import OtherNames, draw_names
from neural_enquirer.real_questions.everyday.programs import read_programs
from neural_enquirer.real_questions.held_out import tenth_of
from neural_enquirer.tables import Table

RENAMINGS: Final = 4
"""Ways in which the fields of each table are named anew."""
TOLD_ANEW: Final = 2
"""Of these, the ways in which each question is learned once more."""


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


def under_other_names(lessons: Sequence[Lesson], names: OtherNames, seed: int) -> list[Lesson]:
    """The same questions about tables whose fields go by other names; tables that have none are left out."""
    found = []
    for place, group in enumerate(_grouped(lessons)):
        for way in range(RENAMINGS):
            new = draw_names(group[0].tables, names, random.Random(f"{seed} {place} {way}"))
            if new:
                tables = tuple(_renamed(table, new) for table in group[0].tables)
                dealt = [one for i, one in enumerate(group) if (way - i) % RENAMINGS < TOLD_ANEW]
                found += [_told_of(lesson, tables, new) for lesson in dealt]
    return found


def _told_of(lesson: Lesson, tables: tuple[Table, ...], new: Mapping[str, str]) -> Lesson:
    """A lesson about tables that are its own but for the names of fields."""

    def change(part: Any) -> Any:
        return replace(part, name=new[part.name]) if isinstance(part, Field) and part.name in new else part

    return replace(lesson, tables=tables, program=changed(lesson.program, change))


def _renamed(table: Table, new: Mapping[str, str]) -> Table:
    fields = tuple(replace(field, name=new.get(field.name, field.name)) for field in table.fields)
    return replace(table, fields=fields)


def tables_of(lessons: Sequence[Lesson]) -> list[tuple[Table, ...]]:
    """The tables of lessons, each once, in the order in which they come."""
    return [group[0].tables for group in _grouped(lessons)]


def by_tables(lessons: Sequence[Lesson], most: int) -> Iterator[list[Lesson]]:
    """Puts lessons about the same tables together, no more than so many."""
    block: list[Lesson] = []
    for group in _grouped(lessons):
        for start in range(0, len(group), most):
            if len(block) + len(group[start : start + most]) > most:
                yield block
                block = []
            block += group[start : start + most]
    if block:
        yield block


def _grouped(lessons: Iterable[Lesson]) -> list[list[Lesson]]:
    """Lessons by their tables, in the order in which these come."""
    groups: dict[tuple[int, ...], list[Lesson]] = {}
    for lesson in lessons:
        groups.setdefault(tuple(map(id, lesson.tables)), []).append(lesson)
    return list(groups.values())
