"""Checks generated examples: the program of each is run exactly on its tables."""

from collections.abc import Callable, Iterable
from typing import Final

from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.paper import the_cell, to_paper_text
from neural_enquirer.synthesis.examples import Example

_TOGETHER: Final = 1000
"""So many examples are told of at once."""
_WITHOUT_PROGRAM: Final = ("either", "order")


class VerificationError(ValueError):
    """An example whose stored answer is wrong; the message is one line for people."""


def verify(examples: Iterable[Example], progress: Callable[[int], None] | None = None) -> None:
    """Runs every example's program on its tables and compares the cell that it finds with the stored answer.

    That is stricter than comparing values: another cell may hold the same value.

    Args:
        examples: What to check. Of those without a program, choices and places in the table ("either",
            "order") must have an answer, and all others none.
        progress: Called with the number of examples each time some are found right.

    Raises:
        VerificationError: for an example whose answer is not the one cell that its program finds.
    """
    waiting = 0
    for place, example in enumerate(examples):
        reason = _fault(example)
        if reason is not None:
            form = "no program" if example.program is None else to_paper_text(example.program)
            raise VerificationError(
                f"example {place}, {form}, is wrong: the answer is {example.cells}, but {reason}"
            )
        waiting += 1
        if progress is not None and waiting == _TOGETHER:
            progress(waiting)
            waiting = 0
    if progress is not None:
        progress(waiting)


def _fault(example: Example) -> str | None:
    """What is wrong with an example; None where nothing is."""
    if example.program is None:
        answered = example.type in _WITHOUT_PROGRAM
        if bool(example.cells) != answered:
            return "there should be one" if answered else "there should be none"
    elif not example.cells:
        return "an answer and a program go together"
    else:
        try:
            found = the_cell(example.program, example.tables)
        except ProgramError as error:
            return str(error)
        if (found.table, found.row, found.column) not in example.cells:
            return f"its program finds {found.table, found.row, found.column}"
    missing = any(example.tables[table].columns[column][row] is None for table, row, column in example.cells)
    return "that cell is missing" if missing else None
