"""What people see in a terminal, and in plain text elsewhere: answers, candidates, tables."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.candidate import Candidate
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.tables import Table
from neural_enquirer.tables.wording import cut, listed, one_line, printable

if TYPE_CHECKING:
    from rich.console import Console  # and the rest of rich, only for terminals and grids

_MOST_ROWS: Final = 8
_MOST_FIELDS: Final = 12
_NARROWEST_FIELD: Final = 12
_LONGEST_CELL: Final = 40
_LONGEST_NAME: Final = 30
_WIDTH_OF_FILES: Final = 110


@dataclass(frozen=True)
class PlainText:
    """Where lines are printed as they are: a file, or another program."""

    file: TextIO
    width: int = _WIDTH_OF_FILES
    is_terminal: bool = False


Out: TypeAlias = "Console | PlainText"
"""Where answers are printed."""


def console(file: TextIO | None = None) -> Out:
    """Where to print: with colours and lines on a terminal, with plain characters anywhere else."""
    target = file or sys.stdout
    if hasattr(target, "reconfigure"):
        target.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show stops nothing
    wants_colours = target.isatty() or bool(os.environ.get("FORCE_COLOR"))
    return (
        _of_rich(target, None if target.isatty() else _WIDTH_OF_FILES) if wants_colours else PlainText(target)
    )


def _of_rich(target: TextIO, width: int | None) -> "Console":
    from rich.console import Console

    return Console(file=target, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def show_answer(out: Out, answer: Answer, top: int | None = None) -> None:
    """The answer on a line of its own, then how it came about and how sure it is."""
    doubtful = answer.text is None or answer.is_unsure
    show_line(out, one_line(str(answer)), "yellow" if doubtful else "bold green")
    show_line(out, one_line(answer.told), "yellow" if doubtful else "dim")
    if top is not None:
        _show_candidates(out, answer.ranked[:top])


def show_reading(out: Out, answer: Answer) -> None:
    """How a question was read that leans on the one before; nothing for one that stands by itself."""
    if answer.read_as is not None:
        show_line(out, one_line(f"Read as: {answer.read_as}"), "dim")


def show_short_answer(out: Out, answer: Answer, top: int | None = None) -> None:
    """A question and its answer on one line, for many of them."""
    sure = f"{answer.sureness}, " if answer.is_unsure else ""
    show_line(out, f"{cut(answer.question, 80)} -> {one_line(str(answer))} ({sure}{answer.confidence:.0%})")
    if top is not None:
        _show_candidates(out, answer.ranked[:top])


def show_message(out: Out, message: str) -> None:
    """A line to the person who is typing."""
    show_line(out, printable(message), "yellow")


def show_sql(out: Out, answer: Answer, dialect: str) -> None:
    """The answer's program as SQL, or why there is none."""
    try:
        sql = answer.sql(dialect, pretty=out.is_terminal)
    except ProgramError as error:
        show_message(out, f"there is no SQL for this: {error}")
        return
    if sql is None:
        show_message(out, "there is no SQL for this: no program gives the answer")
    else:
        show_line(out, printable(sql))


def show_readings(out: Out, readings: Sequence[Candidate]) -> None:
    """What else a question may mean, to choose from by its number."""
    rows = [
        [str(number), cut(one.told, _LONGEST_CELL), one_line(one.sentence or "")]
        for number, one in enumerate(readings, start=1)
    ]
    if rows:
        show_grid(out, ["", "answer", "how it came about"], rows)
    first = ":wrong 1 takes the first of these, " if rows else ""
    show_line(out, f"{first}:wrong none says that nothing answers, :wrong = 12 gives the answer", "dim")


def greet(out: Out, tables: Sequence[Table]) -> None:
    """What a conversation is about, and how to go on."""
    for table in tables:
        fields = listed(field_name(table, field) for field in range(min(len(table.fields), _MOST_FIELDS)))
        more = ", ..." if len(table.fields) > _MOST_FIELDS else ""
        show_line(out, f"{table_name(table)}: {table.rows_there:,} rows with {fields}{more}", "dim")
    show_line(out, "Ask in plain words; :help lists what else there is, :quit leaves.", "dim")


def show_tables(out: Out, tables: Sequence[Table]) -> None:
    """The first rows of each table, and how much more there is."""
    for table in tables:
        if len(tables) > 1:
            show_line(out, table_name(table), "bold")
        _show_table(out, table)


def show_grid(
    out: Out,
    headers: Sequence[str],
    cells: Sequence[Sequence[str]],
    chosen: Sequence[bool] = (),
) -> None:
    """Texts in rows and columns; chosen rows stand out."""
    import rich.box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=rich.box.ROUNDED if out.is_terminal else rich.box.ASCII, header_style="bold")
    for header in headers:
        grid.add_column(Text(header), overflow="fold")
    for index, row in enumerate(cells):
        is_chosen = index < len(chosen) and chosen[index]
        grid.add_row(*(Text(cell) for cell in row), style="green" if is_chosen else "")
    (_of_rich(out.file, out.width) if isinstance(out, PlainText) else out).print(grid)


def show_line(out: Out, text: str, style: str = "") -> None:
    """One line, unwrapped: what is answered stays one line for those who read it with a program."""
    if isinstance(out, PlainText):
        print(text, file=out.file)
        return
    from rich.text import Text

    out.print(Text(text, style=style), soft_wrap=True)


def table_name(table: Table) -> str:
    """What a table is called, at most so long."""
    return cut(table.name, _LONGEST_NAME)


def field_name(table: Table, field: int) -> str:
    """What a field is called, at most so long."""
    return cut(table.fields[field].name, _LONGEST_NAME)


def cell_text(table: Table, row: int, field: int) -> str:
    """What a cell says, at most so long."""
    return cut(table.text(row, field), _LONGEST_CELL)


def _show_table(out: Out, table: Table) -> None:
    fields = range(min(len(table.fields), _MOST_FIELDS, max(1, out.width // _NARROWEST_FIELD)))
    headers = [f"{field_name(table, field)}\n{table.fields[field].type.value}" for field in fields]
    rows = range(min(table.row_count, _MOST_ROWS))
    cells = [[str(row + 1), *(cell_text(table, row, field) for field in fields)] for row in rows]
    show_grid(out, ["row", *headers], cells)
    left_out = [(table.rows_there - len(rows), "row"), (len(table.fields) - len(fields), "field")]
    more = [f"{count:,} more {what}{'s' * (count > 1)}" for count, what in left_out if count]
    if more:
        show_line(out, f"and {listed(more)}", "dim")


def _show_candidates(out: Out, ranked: Sequence[Candidate]) -> None:
    cells = [
        [
            f"{candidate.probability:.1%}",
            cut(candidate.told, _LONGEST_CELL),
            one_line(candidate.sentence or ""),
        ]
        for candidate in ranked
    ]
    show_grid(out, ["probability", "answer", "how it came about"], cells)
