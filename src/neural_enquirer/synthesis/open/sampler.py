"""Draws examples of the open task, block by block."""

from typing import Final

from neural_enquirer.synthesis.open.choices import Either, draw_either, write_either
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.everyday import draw_everyday, with_amounts
from neural_enquirer.synthesis.open.examples import WORDINGS, OpenExample
from neural_enquirer.synthesis.open.plans import draw_plan
from neural_enquirer.synthesis.open.row_order import Order, draw_order, write_order
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.tables import DrawnTable, draw_table
from neural_enquirer.synthesis.open.unanswerable import absent_question, unsupported_question
from neural_enquirer.synthesis.open.wording import Wording

__all__ = ["BLOCK", "RATIO", "draw_block"]

BLOCK: Final = 500
"""Examples that share a random generator: the unit of work."""
RATIO: Final = {
    "select_where": 25,
    "superlative": 14,
    "where_superlative": 19,
    "nest": 18,
    "either": 3,
    "order": 3,
    "absent": 12,
    "unsupported": 6,
}
"""How many of a hundred examples are of each type."""

_QUESTIONS_PER_TABLE: Final = 4
_ATTEMPTS: Final = 5
_EVERYDAY: Final = 0.09
"""Of the attempts at a question with a program, those in everyday words; most of these fail."""
_RARE: Final = 0.15
"""Of the others, those that first try the everyday questions that few tables allow."""


def draw_block(split: str, seed: int, block: int, wording: str | None = None) -> list[OpenExample]:
    """The examples of one block, which depend on the arguments alone.

    Args:
        split: ``train``, ``validation`` or ``test``.
        seed: Any number. No text in a table of one split is ever in one of another, whatever their seeds.
        block: Which block of that seed.
        wording: ``literal`` or ``natural`` for examples of this wording only; by default half of each.
    """
    draw = Draw("open", split, seed, block, wording or "both")
    sources = {each: _Source(draw, split, each) for each in WORDINGS}
    examples = []
    for place, kind in enumerate(_types(draw)):
        examples.append(sources[wording or WORDINGS[place % 2]].example(kind))
    return examples


def _types(draw: Draw) -> list[str]:
    cycle = [kind for kind, count in RATIO.items() for _ in range(count)]
    return [kind for _ in range(BLOCK // len(cycle)) for kind in draw.shuffled(cycle)]


class _Source:
    """Draws examples of one wording; a few questions share a table."""

    def __init__(self, draw: Draw, split: str, wording: str) -> None:
        self._draw = draw
        self._split = split
        self._wording = wording
        self._table: DrawnTable | None = None
        self._left = 0

    def example(self, kind: str) -> OpenExample:
        """One example of a type, on a new table if need be."""
        while True:
            if self._table is None or self._left <= 0:
                self._table = draw_table(self._draw, self._split, self._wording)
                self._left = _QUESTIONS_PER_TABLE
            for _ in range(_ATTEMPTS):
                # The questions that are held back keep to the wordings that are measured.
                everyday = self._split == "train"
                found = _attempt(self._draw, self._table, kind, self._wording, everyday)
                if found is not None:
                    self._left -= 1
                    return found
            self._left = 0


def _attempt(draw: Draw, table: DrawnTable, kind: str, wording: str, everyday: bool) -> OpenExample | None:
    natural = wording == "natural"
    if kind in ("absent", "unsupported"):
        write = absent_question if kind == "absent" else unsupported_question
        question = write(draw, table, natural)
        return None if question is None else OpenExample(table.table, question, kind, wording, None, None)
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
    column = table.columns.index(plan.target)
    return OpenExample(table.table, question, plan.type, wording, (plan.row, column), plan.program)


def _attempt_everyday(
    draw: Draw, table: DrawnTable, kind: str, wording: str, rare: bool = False
) -> OpenExample | None:
    """An example in the loose words of people who ask about tables of their own."""
    found = draw_everyday(draw, table, kind, wording == "natural", rare)
    if found is None:
        return None
    cell = found.row, table.columns.index(found.target)
    return OpenExample(table.table, found.question, kind, wording, cell, found.program)


def _attempt_without_program(draw: Draw, table: DrawnTable, kind: str, wording: str) -> OpenExample | None:
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
    cell = plan.row, table.columns.index(plan.target)
    return OpenExample(table.table, question, kind, wording, cell, None)
