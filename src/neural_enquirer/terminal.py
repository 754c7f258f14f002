"""What people see in a terminal, and in plain text elsewhere: answers, the steps to them, tables."""

import sys
from collections.abc import Sequence
from typing import TextIO

import rich.box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from neural_enquirer import explanation
from neural_enquirer.answer import Answer, Candidate
from neural_enquirer.explanation import Step
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.wording import cut, listed, one_line, printable, rows_told

_MOST_ROWS = 8
_MOST_FIELDS = 12
_MOST_LOOKS = 3
_NEARLY_ALL = 0.9
_NARROWEST_FIELD = 12
_LONGEST_CELL = 40
_LONGEST_NAME = 30
_WIDTH_OF_FILES = 110
_CLEARLY_READ = 0.3
_MOSTLY_READ = 0.6
_MARKS = (
    "A mark, from 0 to 1, says how much a row looks to a step like those it was after: the rows that the "
    "question names, or the answer's. Rows count from 1."
)


def console(file: TextIO | None = None) -> Console:
    """Where to print: with colours and lines on a terminal, with plain characters anywhere else."""
    target = file or sys.stdout
    if hasattr(target, "reconfigure"):
        target.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show stops nothing
    width = None if target.isatty() else _WIDTH_OF_FILES
    return Console(file=target, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def show_answer(out: Console, answer: Answer, top: int | None = None) -> None:
    """The answer on a line of its own, then where it stands and how sure it is."""
    style = "yellow" if answer.text is None or answer.is_unsure else "bold green"
    _line(out, printable(str(answer)), style)
    _line(out, _standing(answer), "yellow" if answer.is_unsure else "dim")
    if answer.program:
        _line(out, f"program: {printable(', '.join(answer.program))}", "dim")
    if top is not None:
        _show_candidates(out, answer, answer.ranked[:top])


def show_short_answer(out: Console, answer: Answer, top: int | None = None) -> None:
    """A question and its answer on one line, for many of them."""
    sure = "unsure, " if answer.is_unsure else ""
    _line(out, f"{cut(answer.question, 80)} -> {one_line(str(answer))} ({sure}{answer.confidence:.0%})")
    if top is not None:
        _show_candidates(out, answer, answer.ranked[:top])


def show_message(out: Console, message: str) -> None:
    """A line to the person who is typing."""
    _line(out, printable(message), "yellow")


def explain(out: Console, answer: Answer) -> None:
    """Each executor's step in words, with the rows that it marked; the last lines say which cell answers."""
    if len(answer.tables) > 1:
        _explain_together(out, answer)
        return
    _line(out, _MARKS, "dim")
    steps = explanation.steps(answer.trace)
    shown: tuple[tuple[int, ...], set[int]] = ((), set())  # the rows and fields of the last table
    for step in steps:
        if step.repeats:
            continue
        fields = _fields_to_show(answer, step)
        is_known = step.marked == shown[0] != () and shown[1].issuperset(fields)
        _line(out, _told(answer, step, is_known), "bold cyan")
        if not is_known:
            _show_rows(out, answer, step)
            shown = (step.marked, set(fields))
        repeated = [str(other.executor) for other in _followers(steps, step.executor)]
        if repeated:
            _line(out, f"Step{'s' * (len(repeated) > 1)} {listed(repeated)} did the same again.", "dim")
    if answer.row is not None and (chosen := explanation.answer_fields(answer.trace)):
        _line(out, _answered_from(answer, chosen), "bold cyan")
    _line(out, _conclusion(answer), "bold")


def _explain_together(out: Console, answer: Answer) -> None:
    """The same for tables that were asked together: what links them, and each step in each of them."""
    _line(out, _linked(answer), "bold cyan")
    steps = [explanation.steps(trace) for trace in answer.traces]
    told: set[tuple[str | None, str]] = set()  # which rows looked at which is said once
    for together in zip(*steps, strict=True):
        for k, step in enumerate(together):
            if not step.repeats:
                where = cut(answer.names[k], _LONGEST_NAME)
                _line(out, f"Step {step.executor} in {where} {_done(answer, k, step, told)}")
    _line(out, _conclusion(answer), "bold")
    for looked in answer.answer_looks_told:
        if (answer.table_name, looked) not in told:
            _line(out, f"R{looked[1:]}")


def _linked(answer: Answer) -> str:
    if not answer.links:
        return "Found nothing that links the tables"
    known = {link.tables: link for link in reversed(answer.links)}  # of each pair of tables the strongest
    links = [f"{cut(str(link), 100)} ({link.weight:.0%})" for link in known.values()]
    return f"Linked {listed(links)}"


def _done(answer: Answer, table: int, step: Step, told: set[tuple[str | None, str]]) -> str:
    """What a step did in one of the tables: fields it read, rows it marked, and where these looked."""
    name, asked = answer.names[table], answer.tables[table]
    read = listed(f"{_name(asked, field)} ({weight:.0%})" for field, weight in step.read)
    if len(step.marked) >= _NEARLY_ALL * asked.row_count:
        return f"reads {read}"  # to mark nearly all rows is to mark none
    looked = answer.looks_told(table, answer.looks_of(step.executor, table, step.marked))
    new = [one for one in looked if (name, one) not in told][:_MOST_LOOKS]
    told.update((name, one) for one in new)
    return "; ".join([f"reads {read} and marks {_marked(asked, step)}", *([listed(new)] if new else [])])


def _marked(table: Table, step: Step) -> str:
    """The rows that a step marked; of few, with what they hold in the field that it read most."""
    if not step.marked:
        return "no row"
    if len(step.marked) > _MOST_ROWS:
        return f"{len(step.marked):,} of {table.row_count:,} rows"
    if len(step.marked) > _MOST_LOOKS:
        return rows_told(step.marked, _MOST_ROWS)
    cells = [f"{row + 1:,} ({_cell(table, row, step.read[0][0]) or 'empty'})" for row in step.marked]
    return f"row{'s' * (len(cells) > 1)} {listed(cells)}"


def greet(out: Console, tables: Sequence[Table]) -> None:
    """What a conversation is about, and how to go on."""
    for table in tables:
        fields = listed(_name(table, field) for field in range(min(len(table.fields), _MOST_FIELDS)))
        more = ", ..." if len(table.fields) > _MOST_FIELDS else ""
        _line(out, f"{cut(table.name, _LONGEST_NAME)}: {table.row_count:,} rows with {fields}{more}", "dim")
    _line(out, "Ask in plain words; :help lists what else there is, :quit leaves.", "dim")


def show_tables(out: Console, tables: Sequence[Table]) -> None:
    """The first rows of each table, and how much more there is."""
    for table in tables:
        if len(tables) > 1:
            _line(out, cut(table.name, _LONGEST_NAME), "bold")
        _show_table(out, table)


def _show_table(out: Console, table: Table) -> None:
    fields = range(min(len(table.fields), _MOST_FIELDS, max(1, out.width // _NARROWEST_FIELD)))
    headers = [f"{_name(table, field)}\n{table.fields[field].type.value}" for field in fields]
    rows = range(min(table.row_count, _MOST_ROWS))
    cells = [[str(row + 1), *(_cell(table, row, field) for field in fields)] for row in rows]
    show_grid(out, ["row", *headers], cells)
    left_out = [(table.row_count - len(rows), "row"), (len(table.fields) - len(fields), "field")]
    more = [f"{count:,} more {what}{'s' * (count > 1)}" for count, what in left_out if count]
    if more:
        _line(out, f"and {listed(more)}", "dim")


def _standing(answer: Answer) -> str:
    """Where the answer stands in the table and how sure it is, and what else it may be where it is not."""
    sure = f"{'unsure: ' * answer.is_unsure}confidence {answer.confidence:.0%}"
    place = ""
    if answer.row is not None:
        table = f"{cut(answer.table_name or '', _LONGEST_NAME)}, " if len(answer.tables) > 1 else ""
        place = f"{table}{cut(answer.field or '', _LONGEST_NAME)}, row {answer.row + 1:,}; "
    others = [f"{_candidate(answer, other)} ({other.probability:.0%})" for other in answer.ranked[1:3]]
    return place + sure + (f"; or {listed(others, 'or')}" if answer.is_unsure and others else "")


def _candidate(answer: Answer, candidate: Candidate) -> str:
    return answer.told_as_none if candidate.text is None else cut(candidate.text, _LONGEST_CELL)


def _show_candidates(out: Console, answer: Answer, ranked: Sequence[Candidate]) -> None:
    named = len(answer.tables) > 1
    cells = [
        [
            f"{candidate.probability:.1%}",
            _candidate(answer, candidate),
            *([cut(candidate.table or "", _LONGEST_NAME)] if named else []),
            "" if candidate.field is None else cut(candidate.field, _LONGEST_NAME),
            "" if candidate.row is None else str(candidate.row + 1),
        ]
        for candidate in ranked
    ]
    show_grid(out, ["probability", "answer", *(["table"] if named else []), "field", "row"], cells)


def _followers(steps: Sequence[Step], executor: int) -> list[Step]:
    """The steps right after one that repeat it."""
    followers = []
    for step in steps[executor:]:
        if not step.repeats:
            break
        followers.append(step)
    return followers


def _told(answer: Answer, step: Step, is_known: bool) -> str:
    table = answer.table
    read = listed(f"{_name(table, field)} ({weight:.0%})" for field, weight in step.read)
    if step.read[0][1] < _CLEARLY_READ:
        read = f"no field in particular, most of all {read}"
    elif sum(weight for _, weight in step.read) < _MOSTLY_READ:
        read = f"{read} and a little of many fields"
    count, total = len(step.marked), table.row_count
    if is_known:
        return f"Step {step.executor} reads {read} and marks the same row{'s' * (count > 1)}"
    if count == total:
        marked = "marks the only row" if total == 1 else f"marks all {total:,} rows"
    elif explanation.left_out(answer.trace, step, _MOST_ROWS):
        marked = f"marks all {total:,} rows but {total - count}"
    elif count:
        marked = f"marks {count:,} of {total:,} rows"
    else:
        marked = "marks no row" + (", but leans to some" if step.leaning else "")
    shows_rows = step.leaning or (count and count < total)
    return f"Step {step.executor} reads {read} and {marked}" + ":" * bool(shows_rows)


def _answered_from(answer: Answer, chosen: Sequence[tuple[int, float]]) -> str:
    """The step after the executors', which takes the answer from a field."""
    names = [f"{_name(answer.table, field)} ({weight:.0%})" for field, weight in chosen]
    return f"Step {len(answer.trace.field_weights) + 1} answers from {', next '.join(names)}"


def _show_rows(out: Console, answer: Answer, step: Step) -> None:
    """The rows that a step marked, or the few that it did not; none where it treats all alike."""
    if len(step.marked) == answer.table.row_count:
        return
    if unmarked := explanation.left_out(answer.trace, step, _MOST_ROWS):
        _show_marks(out, answer, step, unmarked)
        return
    rows = explanation.most_marked(answer.trace, step, _MOST_ROWS)
    if rows:
        _show_marks(out, answer, step, rows)
    if len(step.marked) > len(rows):
        _line(out, f"and {len(step.marked) - len(rows):,} more", "dim")


def _show_marks(out: Console, answer: Answer, step: Step, rows: Sequence[int]) -> None:
    """Some rows: what they are called, the cells that the step read, the answer's field, the marks."""
    table = answer.table
    fields = _fields_to_show(answer, step)
    marks = answer.trace.row_marks[step.executor - 1]
    cells = [
        [str(row + 1), *(_cell(table, row, field) for field in fields), f"{float(marks[row]):.2f}"]
        for row in rows
    ]
    headers = ["row", *(_name(table, field) for field in fields), "mark"]
    show_grid(out, headers, cells, chosen=[row == answer.row for row in rows])


def _fields_to_show(answer: Answer, step: Step) -> list[int]:
    fields = [*_naming_field(answer.table), *(field for field, _ in step.read)]
    if answer.field is not None:
        fields.append(answer.table.field_index(answer.field))
    return list(dict.fromkeys(fields))


def _naming_field(table: Table) -> list[int]:
    """The first field of text, by which people know a row."""
    return [i for i, field in enumerate(table.fields) if field.type is FieldType.TEXT][:1]


def _conclusion(answer: Answer) -> str:
    if answer.row is None:
        return f"No cell answers the question: {answer} ({answer.confidence:.0%})"
    cell = f"{cut(answer.field or '', _LONGEST_NAME)} in row {answer.row + 1:,}"
    if len(answer.tables) > 1:
        cell += f" of {cut(answer.table_name or '', _LONGEST_NAME)}"
    sure = "unsure, " if answer.is_unsure else ""
    return f"The answer is the cell {cell}: {cut(str(answer), 200)} ({sure}{answer.confidence:.0%})"


def show_grid(
    out: Console, headers: Sequence[str], cells: Sequence[Sequence[str]], chosen: Sequence[bool] = ()
) -> None:
    """Rows of cells under headers; the chosen rows in another colour."""
    grid = Grid(box=rich.box.ROUNDED if out.is_terminal else rich.box.ASCII, header_style="bold")
    for header in headers:
        grid.add_column(Text(header), overflow="fold")
    for index, row in enumerate(cells):
        is_chosen = index < len(chosen) and chosen[index]
        grid.add_row(*(Text(cell) for cell in row), style="green" if is_chosen else "")
    out.print(grid)


def _line(out: Console, text: str, style: str = "") -> None:
    # Unwrapped: what is answered stays one line for those who read it with a program.
    out.print(Text(text, style=style), soft_wrap=True)


def _name(table: Table, field: int) -> str:
    return cut(table.fields[field].name, _LONGEST_NAME)


def _cell(table: Table, row: int, field: int) -> str:
    return cut(table.text(row, field), _LONGEST_CELL)
