"""Draws examples of the open task on one table."""

from typing import Final

from neural_enquirer.programs.language import Cells
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.open.blocks import OpenTask
from neural_enquirer.synthesis.open.choices import Either, draw_either, write_either
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.everyday import draw_everyday, with_amounts
from neural_enquirer.synthesis.open.plans import draw_plan
from neural_enquirer.synthesis.open.row_order import Order, draw_order, write_order
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.tables import DrawnTable, draw_table
from neural_enquirer.synthesis.open.unanswerable import absent_question, unsupported_question
from neural_enquirer.synthesis.open.wording import Wording

_EVERYDAY: Final = 0.09
"""Of the attempts at a question with a program, those in everyday words; most of these fail."""
_RARE: Final = 0.15
"""Of the others, those that first try the everyday questions that few tables allow."""


def _attempt(draw: Draw, table: DrawnTable, kind: str, wording: str) -> Example | None:
    natural = wording == "natural"
    # The questions that are held back keep to the wordings that are measured.
    everyday = table.split == "train"
    if kind in ("absent", "unsupported"):
        write = absent_question if kind == "absent" else unsupported_question
        question = write(draw, table, natural)
        return None if question is None else Example((table.table,), question, kind, wording, (), None)
    if kind in ("either", "order"):
        return _attempt_without_program(draw, table, kind, wording)
    if everyday and draw.chance(_EVERYDAY):
        return _attempt_everyday(draw, table, kind, wording)
    if everyday and draw.chance(_RARE):
        found = _attempt_everyday(draw, table, kind, wording, rare=True)
        if found is not None:
            return found
    plan = draw_plan(draw, table, kind, natural)
    if plan is None:
        return None
    words = Wording(draw, table, natural)
    question = Sentence(draw, table, plan, words).write()
    if words.used_family != natural or words.unclear:
        return None
    return _example(table, question, kind, wording, plan.row, plan.target, plan.program)


def _example(
    table: DrawnTable,
    question: str,
    kind: str,
    wording: str,
    row: int,
    target: Column,
    program: Cells | None = None,
) -> Example:
    cell = 0, row, table.columns.index(target)
    return Example((table.table,), question, kind, wording, (cell,), program)


def _attempt_everyday(
    draw: Draw, table: DrawnTable, kind: str, wording: str, rare: bool = False
) -> Example | None:
    """An example in the loose words of people who ask about tables of their own."""
    found = draw_everyday(draw, table, kind, wording == "natural", rare)
    if found is None:
        return None
    return _example(table, found.question, kind, wording, found.row, found.target, found.program)


def _attempt_without_program(draw: Draw, table: DrawnTable, kind: str, wording: str) -> Example | None:
    """An example that no program of the paper can say."""
    natural = wording == "natural"
    if kind == "either":
        table = with_amounts(table)
    words = Wording(draw, table, natural)
    plan: Either | Order | None
    if kind == "either":
        plan = choice = draw_either(draw, table, natural)
        question = "" if choice is None else write_either(draw, table, choice, words)
    else:
        plan = place = draw_order(draw, table)
        question = "" if place is None else write_order(draw, table, place, words)
    # The order of rows has no words of families: a natural question about it need not use any.
    if plan is None or words.unclear or (words.used_family != natural and not (natural and kind == "order")):
        return None
    return _example(table, question, kind, wording, plan.row, plan.target)


ONE_TABLE: Final = OpenTask(
    name="open",
    stream="open",
    sizes={"train": 100_000, "validation": 4_000, "test": 8_000},
    ratio={
        "select_where": 25,
        "superlative": 14,
        "where_superlative": 19,
        "nest": 18,
        "either": 3,
        "order": 3,
        "absent": 12,
        "unsupported": 6,
    },
    sharing=4,
    attempts=5,
    tables=draw_table,
    question=_attempt,
)
"""The paper's four types; "either", where one of two named things is to be chosen; "order", where the row is
told by its place in the table; "absent", where a field or value that is asked for is not there;
"unsupported", where no single cell answers: counts, sums, averages, lists, yes or no."""
