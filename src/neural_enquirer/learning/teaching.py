"""Teaching: from what people say is right to the program that it is about.

A correction names a program, or what a program should give: an answer, cells or rows. Programs that give it
are found by enumeration, and among those that the model writes itself; the model says which is the likeliest.
"""

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.candidates import candidates_of
from neural_enquirer.learning.corrections import Correction, CorrectionError, TableRef
from neural_enquirer.programs.enumeration import Candidates, LinkedCondition
from neural_enquirer.programs.enumeration.search import programs_for
from neural_enquirer.programs.execution import Runner
from neural_enquirer.programs.language import (
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Field,
    OneOf,
    Program,
    ProgramError,
    Where,
)
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.result import Result
from neural_enquirer.real_questions.denotation import wanted_values
from neural_enquirer.real_questions.everyday.scoring import same_parts
from neural_enquirer.tables import Table, TableError, Value

Tables = tuple[Table, ...]
_MOST_ROWS: Final = 20_000
"""In longer tables programs are not looked for, which would take minutes; the model writes some itself."""
_MOST_FOUND: Final = 32
_FEW: Final = 8
"""Of fields with so many different values, one may be meant though nobody says it."""


class Scorer(Protocol):
    """Anything that knows how likely programs are."""

    def scores(self, asked: Asked, programs: Sequence[Program]) -> Sequence[float]:
        """The log-probability of each of some programs for a question."""
        ...


def tables_of(correction: Correction, tables: Sequence[tuple[TableRef, Table]]) -> Tables | None:
    """Those of some tables that a correction is about; None where one of them is not there, or has changed.

    Places of cells and rows mean nothing in a table that has changed; all else still holds there.
    """
    by_content = {ref.fingerprint: table for ref, table in tables}
    by_name = {} if correction.cells or correction.rows else {ref.name: table for ref, table in tables}
    found = [by_content.get(one.fingerprint) or by_name.get(one.name) for one in correction.tables]
    return tuple(table for table in found if table is not None) if all(found) else None


def is_right(correction: Correction, asked: Asked) -> Callable[[Result | None], bool]:
    """Tells whether what came out is what a correction says; None is a refusal."""
    if correction.refuse:
        return lambda result: result is None
    if correction.program is not None:
        wanted = _run(correction.program, asked).texts(asked.tables)
        return lambda result: result is not None and same_parts(wanted, result.texts(asked.tables))
    if correction.answers:
        return lambda result: (
            result is not None and same_parts(correction.answers, result.texts(asked.tables))
        )
    if correction.cells:
        cells = {_place(asked, one.table, one.row, one.field) for one in correction.cells}
        return lambda result: result is not None and result.verbatim and _cells(result) == cells
    rows = {_place(asked, one.table, one.row)[:2] for one in correction.rows}
    return lambda result: result is not None and bool(result.values) and _rows(result, asked) == rows


def right_program(
    correction: Correction, asked: Asked, written: Iterable[Program], scorer: Scorer
) -> Program | None:
    """The likeliest program that gives what a correction says; None where nothing answers.

    Args:
        correction: what is right.
        asked: its question.
        written: programs that the model wrote for it, right or wrong.
        scorer: the model, which says which program is the likeliest.

    Raises:
        CorrectionError: if there is none, or the correction speaks of what its tables do not have.
    """
    if correction.refuse:
        return None
    right, runner = is_right(correction, asked), Runner(asked.tables)
    if correction.program is not None:
        return parse(correction.program)
    for programs in _looked_for(correction, asked, written):
        found = [one for one in dict.fromkeys(programs) if _gives(one, runner, right)]
        if found:
            scores = scorer.scores(asked, found)
            return found[max(range(len(found)), key=scores.__getitem__)]
    raise CorrectionError("no program was found that answers it so")


def _gives(program: Program, runner: Runner, right: Callable[[Result], bool]) -> bool:
    try:
        return right(runner.run(program))
    except ProgramError:
        return False


def _looked_for(
    correction: Correction, asked: Asked, written: Iterable[Program]
) -> Iterator[Iterable[Program]]:
    """Programs that may be meant, the best first: of what is said, of what goes without saying, lists."""
    short = max(table.row_count for table in asked.tables) <= _MOST_ROWS
    answers = list(_answers(correction, asked)) if short else []
    yield itertools.chain(written, _enumerated(asked, answers, unsaid=False))
    yield _enumerated(asked, answers, unsaid=True)
    yield (program for texts in answers for program in _listing(asked, texts))


def _enumerated(asked: Asked, answers: Sequence[Sequence[str]], unsaid: bool) -> Iterator[Program]:
    candidates = [_candidates(asked, place, unsaid) for place in range(len(asked.tables))]
    pairs = itertools.permutations(range(len(asked.tables)), 2)
    joins = [join for pair in pairs if (join := asked.join(*pair)) is not None]
    for texts in answers:
        wanted = wanted_values(texts)
        yield from programs_for(asked.tables, candidates, wanted, joins=joins, limit=_MOST_FOUND)


def _candidates(asked: Asked, place: int, unsaid: bool) -> Candidates:
    """What a question may say of one of its tables, and what goes without saying there."""
    table = asked.tables[place]
    source = table.name if len(asked.tables) > 1 else None
    found = candidates_of(asked.question, table, asked.links[place], source)
    if not unsaid:
        return found
    conditions = (
        LinkedCondition(Compare(Field(field.name, source), Comparison.EQUAL, Constant(value)), frozenset())
        for number, field in enumerate(table.fields)
        if len(values := _values(table, number)) <= min(_FEW, table.row_count // 2)
        for value in values
    )
    return dataclasses.replace(found, conditions=(*found.conditions, *conditions))


def _values(table: Table, number: int) -> list[Value]:
    """The different values of a field."""
    return [one for one in dict.fromkeys(table.different(number)) if one is not None]


def _listing(asked: Asked, texts: Sequence[str]) -> Iterator[Program]:
    """Programs that name the cells one by one, where nothing tells what they have in common."""
    wanted = {text.casefold() for text in texts}
    for table in asked.tables:
        source = table.name if len(asked.tables) > 1 else None
        for number in range(len(table.fields)):
            values = [Constant(one) for one in _values(table, number) if str(one).casefold() in wanted]
            if len(values) > 1:
                field = Field(table.field_names[number], source)
                named = Compare(field, Comparison.EQUAL, OneOf(tuple(values)))
                yield Cells((field,), Where(All(source), named))


def _answers(correction: Correction, asked: Asked) -> Iterator[list[str]]:
    """The texts of answers that may be meant: of rows, how many there are and what each field has."""
    if correction.answers:
        yield list(correction.answers)
    elif correction.cells:
        places = [_place(asked, one.table, one.row, one.field) for one in correction.cells]
        yield [asked.tables[table].text(row, column) for table, row, column in places]
    else:
        rows = [_place(asked, one.table, one.row)[:2] for one in correction.rows]
        yield [str(len(rows))]
        for column in range(len(asked.tables[rows[0][0]].fields)):
            yield [asked.tables[table].text(row, column) for table, row in rows]


def _run(program: str, asked: Asked) -> Result:
    try:
        return Runner(asked.tables).run(parse(program))
    except ProgramError as error:
        raise CorrectionError(str(error)) from None


def _place(asked: Asked, table: str, row: int, field: str | None = None) -> tuple[int, int, int]:
    """Where a cell stands, by numbers; the first one of a row where no field is named."""
    for number, own in enumerate(asked.tables):
        if own.name == table or len(asked.tables) == 1:
            if row >= own.row_count:
                raise CorrectionError(f"{table} has no row {row + 1:,}")
            try:
                return number, row, 0 if field is None else own.field_index(field)
            except TableError as error:
                raise CorrectionError(str(error)) from None
    raise CorrectionError(f"it was not asked of {table}")


def _cells(result: Result) -> set[tuple[int, int, int]]:
    return {(cell.table, cell.row, cell.column) for cell in result.cells}


def _rows(result: Result, asked: Asked) -> set[tuple[int, int]]:
    """The rows that are left after the last step."""
    if not result.steps:
        return set()
    last = result.steps[-1]
    return {(number, row) for number in range(len(asked.tables)) for row in last.of_table(number)}
