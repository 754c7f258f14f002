"""Draws examples of the open task on one table."""

from typing import Final

from neural_enquirer.programs.language import Cells
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.open.blocks import OpenTask
from neural_enquirer.synthesis.open.choices import draw_either, write_either
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted, require
from neural_enquirer.synthesis.open.everyday import draw_everyday, with_amounts
from neural_enquirer.synthesis.open.plans import Plan, draw_plan
from neural_enquirer.synthesis.open.row_order import draw_order, write_order
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.tables import DrawnTable, draw_table
from neural_enquirer.synthesis.open.unanswerable import absent_question, unsupported_question
from neural_enquirer.synthesis.open.wording import Wording

_EVERYDAY: Final = 0.09
"""Of the attempts at a question with a program, those in everyday words; most of these fail."""
_RARE: Final = 0.15
"""Of the others, those that first try the everyday questions that few tables allow."""


def _question(draw: Draw, table: DrawnTable, kind: str, wording: str) -> Example:
    natural = wording == "natural"
    if kind in ("absent", "unsupported"):
        write = absent_question if kind == "absent" else unsupported_question
        return Example((table.table,), write(draw, table, natural), kind, wording, (), None)
    if kind in ("either", "order"):
        text, target, row = _without_program(draw, table, kind, natural)
        return _example(table, text, kind, wording, target, row)
    text, plan = _with_program(draw, table, kind, natural)
    return _example(table, text, kind, wording, plan.target, plan.row, plan.program)


def _example(
    table: DrawnTable,
    text: str,
    kind: str,
    wording: str,
    target: Column,
    row: int,
    program: Cells | None = None,
) -> Example:
    cell = 0, row, table.columns.index(target)
    return Example((table.table,), text, kind, wording, (cell,), program)


def _with_program(draw: Draw, table: DrawnTable, kind: str, natural: bool) -> tuple[str, Plan]:
    """A question and what it asks, in training sometimes in the loose words of people's own questions."""
    if table.split == "train":  # the questions that are held back keep to the wordings that are measured
        if draw.chance(_EVERYDAY):
            return draw_everyday(draw, table, kind, natural)
        if draw.chance(_RARE):
            found = attempted(draw_everyday, draw, table, kind, natural, rare=True)
            if found is not None:
                return found
    plan = draw_plan(draw, table, kind, natural)
    words = Wording(draw, table, natural)
    text = Sentence(table, plan, words).write()
    require(words.used_family == natural and not words.unclear)
    return text, plan


def _without_program(draw: Draw, table: DrawnTable, kind: str, natural: bool) -> tuple[str, Column, int]:
    """A question that no program of the paper can say, and the column and the row of its answer."""
    if kind == "either":
        numbered = with_amounts(table)
        words = Wording(draw, numbered, natural)
        choice = draw_either(draw, numbered, natural)
        text = write_either(draw, numbered, choice, words)
        require(words.used_family == natural and not words.unclear)
        return text, table.columns[numbered.columns.index(choice.target)], choice.row
    words, place = Wording(draw, table, natural), draw_order(draw, table)
    text = write_order(draw, table, place, words)
    # The order of rows has no words of families: a natural question about it need not use any.
    require(not words.unclear and (natural or not words.used_family))
    return text, place.target, place.row


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
    question=_question,
)
"""The paper's four types; "either", where one of two named things is to be chosen; "order", where the row is
told by its place in the table; "absent", where a field or value that is asked for is not there;
"unsupported", where no single cell answers: counts, sums, averages, lists, yes or no."""
