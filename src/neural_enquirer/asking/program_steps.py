"""A program step by step: what each step does, how many rows are left, and some of them."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never

from neural_enquirer.asking.parts import own_columns
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.result import Result, StepRows
from neural_enquirer.programs.spoken.rows import Phrases
from neural_enquirer.programs.trees import parts
from neural_enquirer.programs.types import GroupScope, scope_of, source_of
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.wording import cut, listed

_MOST_SHOWN: Final = 3
_MOST_FIELDS: Final = 4
_LONGEST_CELL: Final = 30
_MOST_KEPT: Final = 1000
_COMBINED: Final = {
    lang.Operation.DIFFERENCE: "take the second value from the first",
    lang.Operation.DISTANCE: "see how far the values are apart",
    lang.Operation.TOTAL: "add the values",
    lang.Operation.PRODUCT: "multiply the values",
    lang.Operation.RATIO: "divide the first value by the second",
    lang.Operation.PERCENTAGE: "work out how many percent of the second value the first is",
}


@dataclass(frozen=True)
class ProgramStep:
    """One step of a program.

    Attributes:
        text: what it does, in plain English: a sentence without its full stop.
        rows: how many rows, or groups, there are then; None for the last step, which gives the answer.
        noun: what those are called: row, rows, values of borough.
        shown: some of them, each in a few words; nothing where all rows are left.
        fields: the fields that it reads: the numbers of their tables, and their names.
        kept: the rows that there are then; None for the last step, and where an engine has them.
        table: the name of the table that those are rows of, or the first of several; None for the last step.
        kept_rows: the numbers of those rows, the first 1,000 of them.
        kept_count: how many of them there are; of groups, the rows that they are made of.
    """

    text: str
    rows: int | None
    noun: str = ""
    shown: tuple[str, ...] = ()
    fields: tuple[tuple[int, str], ...] = ()
    kept: StepRows | None = dataclasses.field(default=None, repr=False, compare=False)
    table: str | None = None
    kept_rows: tuple[int, ...] = dataclasses.field(default=(), repr=False)
    kept_count: int = 0

    def __str__(self) -> str:
        return f"{self.text}." if self.rows is None else f"{self.text}: {self.rows:,} {self.noun}."

    def to_json(self) -> dict[str, Any]:
        """As an object of the command line's JSON."""
        return {
            "step": str(self),
            "fields": list(dict.fromkeys(name for _, name in self.fields)),
            "rows": self.rows,
            "shown": list(self.shown),
            "table": self.table,
            "kept": list(self.kept_rows),
            "kept_count": self.kept_count,
        }


def program_steps(program: lang.Program, result: Result, tables: Sequence[Table]) -> tuple[ProgramStep, ...]:
    """The steps of a program in the order in which they were done, those of inner programs first."""
    say = Phrases.of(program, result, tables)
    last = ProgramStep(_opened(_last(program, say)), rows=None, fields=_fields(program, tables))
    if result.parts is not None:
        return (*_elsewhere(program, say, tables), last)
    once = {each.step: each for each in result.steps}
    names = [part.name for part in parts(program) if isinstance(part, lang.Field)]
    steps = [
        ProgramStep(
            text=_opened(say.step(each.step)),
            rows=len(each),
            noun=say.terms(each.step).rows(len(each)),
            shown=tuple(_shown(each, names, say, tables)),
            fields=_fields(each.step, tables),
            kept=each,
            table=tables[home := home_of(each.step, tables)].name,
            kept_rows=each.of_table(home, _MOST_KEPT),
            kept_count=each.count_of_table(home),
        )
        for each in once.values()
    ]
    return (*steps, last)


def _elsewhere(program: lang.Program, say: Phrases, tables: Sequence[Table]) -> Iterator[ProgramStep]:
    """The steps of a program that an engine ran: how many rows each leaves, but not which."""
    for step in row_steps(program):
        rows = say.count(step)
        yield ProgramStep(
            text=_opened(say.step(step)),
            rows=rows,
            noun=say.terms(step).rows(rows),
            fields=_fields(step, tables),
            table=tables[home_of(step, tables)].name,
        )


def row_steps(program: lang.Program) -> tuple[lang.Rows, ...]:
    """The steps of a program that keep rows, those of inner programs first."""
    inner_first = (
        part
        for part in reversed(parts(program))
        if isinstance(part, lang.All | lang.Where | lang.Extreme | lang.Beside)
    )
    return tuple(dict.fromkeys(inner_first))


def home_of(step: lang.Rows, tables: Sequence[Table]) -> int:
    """The number of the table that rows are of, or the first of several; below groups, what is grouped."""
    scope = scope_of(step, tables)
    while isinstance(scope, GroupScope):
        scope = scope_of(scope.groups.rows, tables)
    return scope.members[0]


def _fields(step: lang.Rows | lang.Program, tables: Sequence[Table]) -> tuple[tuple[int, str], ...]:
    return tuple((table, tables[table].field_names[field]) for table, field in own_columns(step, tables))


def _opened(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _last(program: lang.Program, say: Phrases) -> str:
    """What is done with the rows in the end."""
    match program:
        case lang.Cells(terms, rows, distinct):
            known = say.terms(rows)
            return f"read {listed(map(known.subject, terms))}{', each value once' * distinct}"
        case lang.Aggregate(_, None, _):
            return "count them"
        case lang.Aggregate(aggregation, term, rows):
            assert term is not None
            return f"work out the {say.terms(rows).computed(aggregation, term)}"
        case lang.Combination(operation):
            return _COMBINED[operation]
        case lang.Exists():
            return "see whether there is any"
        case lang.Holds():
            return "compare the values"
    assert_never(program)


def _shown(step: StepRows, names: Sequence[str], say: Phrases, tables: Sequence[Table]) -> list[str]:
    """The first rows after a step: groups with their measures, rows with the fields that are read."""
    source = source_of(step.step)
    if isinstance(source, lang.Groups):
        terms = say.terms(step.step)
        values = say.values(lang.Cells((source.by, lang.Measure()), step.step))[: 2 * _MOST_SHOWN]
        pairs = zip(values[::2], values[1::2], strict=True)
        return [f"{terms.value(by, source.by)}: {terms.value(value, lang.Measure())}" for by, value in pairs]
    if isinstance(step.step, lang.All):
        return []
    table, rows = next(
        (table, rows)
        for number, table in enumerate(tables)
        if (rows := step.of_table(number, _MOST_SHOWN)) or not len(step)
    )
    return [f"row {row + 1:,}: {_told(table, row, names)}" for row in rows]


def _told(table: Table, row: int, names: Sequence[str]) -> str:
    """A row in a few words: its first text, and the fields that the program reads."""
    text = next((field.name for field in table.fields if field.type is FieldType.TEXT), table.field_names[0])
    read = [name for name in dict.fromkeys([text, *names]) if name in table.field_names]
    cells = ((name, table.text(row, table.field_index(name))) for name in read[:_MOST_FIELDS])
    return ", ".join(f"{cut(name, _LONGEST_CELL)} {cut(cell, _LONGEST_CELL) or '-'}" for name, cell in cells)
