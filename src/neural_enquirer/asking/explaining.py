"""How an answer was found, in a terminal: the program step by step, then what the cascade did."""

import itertools
from collections.abc import Sequence
from typing import Final

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.candidate import CellPlace
from neural_enquirer.asking.cascade import Cascade, Step, answer_fields, left_out, most_marked, steps_of
from neural_enquirer.asking.program_steps import ProgramStep
from neural_enquirer.asking.terminal import (
    Out,
    cell_text,
    field_name,
    show_grid,
    show_line,
    show_tables,
    table_name,
)
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.wording import cut, listed, one_line, rows_told

_MOST_ROWS: Final = 8
_MOST_LOOKS: Final = 3
_NEARLY_ALL: Final = 0.9
_LONGEST_ANSWER: Final = 200
_CLEARLY_READ: Final = 0.3
_MOSTLY_READ: Final = 0.6
_SECOND_OPINION: Final = "The cascade, which sees every cell, as a second opinion:"
_MARKS: Final = (
    "A mark, from 0 to 1, says how much a row looks to a step like those it was after: the rows that the "
    "question names, or the answer's. Rows count from 1."
)


def explain(out: Out, answer: Answer) -> None:
    """Each step of the program with some of the rows after it, then the trace of the cascade."""
    for number, step in enumerate(answer.steps, start=1):
        _show_program_step(out, number, step)
    if answer.program and not answer.steps:
        show_line(out, f"Program: {one_line(answer.program)}", "bold cyan")
    if (rows := answer.evidence(count=_MOST_ROWS)) is not None and rows.row_count:
        show_line(out, "Some of these rows:", "dim")
        show_tables(out, [rows])
    if answer.cascade is None:
        return
    if answer.steps:
        show_line(out, _SECOND_OPINION, "dim")
    if len(answer.tables) == 1:
        _explain_one(out, answer.cascade)
    else:
        _explain_together(out, answer.cascade)


def _show_program_step(out: Out, number: int, step: ProgramStep) -> None:
    show_line(out, f"{number}. {one_line(str(step))}", "bold cyan")
    for row in step.shown:
        show_line(out, f"   {one_line(row)}")
    left_out = (step.rows or 0) - len(step.shown)
    if step.shown and left_out:
        show_line(out, f"   and {left_out:,} more", "dim")


def _explain_one(out: Out, cascade: Cascade) -> None:
    """Each executor's step in words, with the rows that it marked; the last lines say which cell it is."""
    show_line(out, _MARKS, "dim")
    steps = steps_of(cascade.traces[0])
    shown: tuple[tuple[int, ...], set[int]] = ((), set())  # the rows and fields of the last table
    for step in steps:
        if step.repeats:
            continue
        fields = _fields_to_show(cascade, step)
        is_known = step.marked == shown[0] != () and shown[1].issuperset(fields)
        show_line(out, _told(cascade, step, is_known), "bold cyan")
        if not is_known:
            _show_rows(out, cascade, step)
            shown = (step.marked, set(fields))
        later = itertools.takewhile(lambda other: other.repeats, steps[step.executor :])
        if repeated := [str(other.executor) for other in later]:
            show_line(out, f"Step{'s' * (len(repeated) > 1)} {listed(repeated)} did the same again.", "dim")
    if cascade.cell is not None and (chosen := answer_fields(cascade.traces[0])):
        # The step after the executors', which takes the answer from a field.
        names = [f"{field_name(cascade.tables[0], field)} ({weight:.0%})" for field, weight in chosen]
        step_told = f"Step {len(cascade.executors) + 1} answers from {', next '.join(names)}"
        show_line(out, step_told, "bold cyan")
    show_line(out, _conclusion(cascade), "bold")


def _explain_together(out: Out, cascade: Cascade) -> None:
    """The same for tables that were asked together: what links them, and each step in each of them."""
    show_line(out, _linked(cascade), "bold cyan")
    steps = [steps_of(trace) for trace in cascade.traces]
    told: set[tuple[int, str]] = set()  # which rows looked at which is said once
    for together in zip(*steps, strict=True):
        for k, step in enumerate(together):
            if not step.repeats:
                where = table_name(cascade.tables[k])
                show_line(out, f"Step {step.executor} in {where} {_done(cascade, k, step, told)}")
    show_line(out, _conclusion(cascade), "bold")
    for looked in cascade.cell_looks_told:
        if (cascade.table, looked) not in told:
            show_line(out, f"R{looked[1:]}")


def _linked(cascade: Cascade) -> str:
    if not cascade.links:
        return "Found nothing that links the tables"
    known = {link.tables: link for link in reversed(cascade.links)}  # of each pair of tables the strongest
    links = [f"{cut(str(link), 100)} ({link.weight:.0%})" for link in known.values()]
    return f"Linked {listed(links)}"


def _done(cascade: Cascade, table: int, step: Step, told: set[tuple[int, str]]) -> str:
    """What a step did in one of the tables: fields it read, rows it marked, and where these looked."""
    asked = cascade.tables[table]
    read = _read(asked, step)
    if len(step.marked) >= _NEARLY_ALL * asked.row_count:
        return f"reads {read}"  # to mark nearly all rows is to mark none
    looked = cascade.looks_told(table, cascade.looks_of(step.executor, table, step.marked))
    new = [one for one in looked if (table, one) not in told][:_MOST_LOOKS]
    told.update((table, one) for one in new)
    return "; ".join([f"reads {read} and marks {_marked(asked, step)}", *([listed(new)] if new else [])])


def _marked(table: Table, step: Step) -> str:
    """The rows that a step marked; of few, with what they hold in the field that it read most."""
    if not step.marked:
        return "no row"
    if len(step.marked) > _MOST_ROWS:
        return f"{len(step.marked):,} of {table.row_count:,} rows"
    if len(step.marked) > _MOST_LOOKS:
        return rows_told(step.marked, _MOST_ROWS)
    cells = [f"{row + 1:,} ({cell_text(table, row, step.read[0][0]) or 'empty'})" for row in step.marked]
    return f"row{'s' * (len(cells) > 1)} {listed(cells)}"


def _read(table: Table, step: Step) -> str:
    return listed(f"{field_name(table, field)} ({weight:.0%})" for field, weight in step.read)


def _told(cascade: Cascade, step: Step, is_known: bool) -> str:
    (table,) = cascade.tables
    read = _read(table, step)
    if step.read[0][1] < _CLEARLY_READ:
        read = f"no field in particular, most of all {read}"
    elif sum(weight for _, weight in step.read) < _MOSTLY_READ:
        read = f"{read} and a little of many fields"
    count, total = len(step.marked), table.row_count
    if is_known:
        return f"Step {step.executor} reads {read} and marks the same row{'s' * (count > 1)}"
    if count == total:
        marked = "marks the only row" if total == 1 else f"marks all {total:,} rows"
    elif left_out(cascade.traces[0], step, _MOST_ROWS):
        marked = f"marks all {total:,} rows but {total - count}"
    elif count:
        marked = f"marks {count:,} of {total:,} rows"
    else:
        marked = "marks no row" + (", but leans to some" if step.leaning else "")
    shows_rows = step.leaning or (count and count < total)
    return f"Step {step.executor} reads {read} and {marked}" + ":" * bool(shows_rows)


def _show_rows(out: Out, cascade: Cascade, step: Step) -> None:
    """The rows that a step marked, or the few that it did not; none where it treats all alike."""
    if len(step.marked) == cascade.tables[0].row_count:
        return
    if unmarked := left_out(cascade.traces[0], step, _MOST_ROWS):
        _show_marks(out, cascade, step, unmarked)
        return
    rows = most_marked(cascade.traces[0], step, _MOST_ROWS)
    if rows:
        _show_marks(out, cascade, step, rows)
    if len(step.marked) > len(rows):
        show_line(out, f"and {len(step.marked) - len(rows):,} more", "dim")


def _show_marks(out: Out, cascade: Cascade, step: Step, rows: Sequence[int]) -> None:
    """Some rows: what they are called, the cells that the step read, the chosen field, the marks."""
    (table,) = cascade.tables
    fields = _fields_to_show(cascade, step)
    marks = cascade.traces[0].row_marks[step.executor - 1]
    cells = [
        [str(row + 1), *(cell_text(table, row, field) for field in fields), f"{float(marks[row]):.2f}"]
        for row in rows
    ]
    headers = ["row", *(field_name(table, field) for field in fields), "mark"]
    chosen = None if cascade.cell is None else cascade.cell.row
    show_grid(out, headers, cells, chosen=[row == chosen for row in rows])


def _fields_to_show(cascade: Cascade, step: Step) -> list[int]:
    """The first field of text, by which people know a row, those that were read, that of the answer."""
    texts = [i for i, field in enumerate(cascade.tables[0].fields) if field.type is FieldType.TEXT]
    chosen = [] if cascade.cell is None else [cascade.cell.column]
    return list(dict.fromkeys([*texts[:1], *(field for field, _ in step.read), *chosen]))


def _conclusion(cascade: Cascade) -> str:
    if cascade.cell is None:
        return f"This points at no cell ({cascade.probability:.0%})"
    cell = cascade.cell
    place = CellPlace.of(cell, cascade.tables).told(len(cascade.tables) == 1)
    text = cut(cascade.tables[cell.table].text(cell.row, cell.column), _LONGEST_ANSWER)
    return f"This points at {place}: {text} ({cascade.probability:.0%})"
