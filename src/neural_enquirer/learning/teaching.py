"""Teaching: from what people say is right to the programs that it is about.

A correction names a program, or what a program should give: an answer, cells or rows. Programs that give it
are found by enumeration, and among those that the model writes itself; the model says which are the likelier.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.actions import Action, Asked, Derivation, Pool, build, derive
from neural_enquirer.encoding.actions.grammar import PRODUCTION_NUMBERS, REFUSALS
from neural_enquirer.encoding.open import titles_of
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.learning.corrections import Correction, CorrectionError, TableRef
from neural_enquirer.programs.execution import Runner
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.result import Result
from neural_enquirer.real_questions.denotation import wanted_values
from neural_enquirer.real_questions.everyday.scoring import same_parts
from neural_enquirer.tables import Table, TableError
from neural_enquirer.training.lessons import Lesson
from neural_enquirer.training.program_data import Example, derivations_of

__all__ = ["Ground", "Taught", "derivations_for", "is_right", "tables_of"]

Tables = tuple[Table, ...]
_MOST_ROWS: Final = 20_000
"""In longer tables programs are not looked for, which would take minutes; the model writes some itself."""
_REFUSED: Final = tuple((Action(Pool.PRODUCTION, PRODUCTION_NUMBERS[name]),) for name in REFUSALS)


class Ground:
    """Tables, indexed once for many questions."""

    def __init__(self, tables: Tables, vocabulary: Vocabulary) -> None:
        """Indexes the tables."""
        self.tables, self._vocabulary = tables, vocabulary
        self._index = TablesIndex.of([TableIndex.of(table) for table in tables], titles_of(tables))

    def asked(self, question: str) -> Asked:
        """A question with its links."""
        return Asked(question, self.tables, self._index.link(question, self._vocabulary))

    def example(self, asked: Asked, derivations: Sequence[Derivation]) -> Example:
        """A question with what it teaches."""
        return Example(asked, self._index.tables, derivations)


@dataclass(frozen=True)
class Taught:
    """A correction, and the derivations of the programs that it may mean, the likeliest first."""

    correction: Correction
    asked: Asked
    derivations: tuple[Derivation, ...]


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


def derivations_for(correction: Correction, asked: Asked, written: Iterable[Derivation]) -> list[Derivation]:
    """The derivations of programs that give what a correction says, in no order.

    Args:
        correction: what is right.
        asked: its question.
        written: derivations that the model wrote for it, right or wrong.

    Raises:
        CorrectionError: if the correction speaks of what its tables do not have.
    """
    if correction.refuse:
        return list(_REFUSED)
    right, runner = is_right(correction, asked), Runner(asked.tables)
    candidates = written if correction.program is None else ()
    found = dict.fromkeys(itertools.chain(_looked_for(correction, asked), candidates))
    return [one for one in found if _gives(one, asked, runner, right)]


def _gives(derivation: Derivation, asked: Asked, runner: Runner, right: Callable[[Result], bool]) -> bool:
    if derivation in _REFUSED:
        return False
    try:
        return right(runner.run(build(derivation, asked)))
    except ProgramError:
        return False


def _looked_for(correction: Correction, asked: Asked) -> Iterator[Derivation]:
    if correction.program is not None:
        derivations = derive(parse(correction.program), asked)
        yield from derivations
        if derivations:
            return
    if max(table.row_count for table in asked.tables) > _MOST_ROWS:
        return
    for answers in _answers(correction, asked):
        lesson = Lesson(asked.tables, asked.question, wanted=wanted_values(answers))
        yield from derivations_of(lesson, asked)


def _answers(correction: Correction, asked: Asked) -> Iterator[list[str]]:
    """The texts of answers that may be meant: of rows, how many there are and what each field has."""
    if correction.program is not None:
        yield list(_run(correction.program, asked).texts(asked.tables))
    elif correction.answers:
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
