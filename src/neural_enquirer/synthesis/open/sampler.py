"""Draws examples of open tasks in blocks, of which a few share their tables; the task on one table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from neural_enquirer.programs.language import Cells
from neural_enquirer.synthesis.examples import WORDINGS, Example
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted, require
from neural_enquirer.synthesis.open.everyday import draw_everyday, with_amounts
from neural_enquirer.synthesis.open.plans import Plan, draw_plan
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.tables import DrawnTable, draw_table
from neural_enquirer.synthesis.open.unanswerable import absent_question, unsupported_question
from neural_enquirer.synthesis.open.without_program import draw_either, draw_order, write_either, write_order
from neural_enquirer.synthesis.open.wording import Wording
from neural_enquirer.synthesis.splits import SPLITS, TaskError

T = TypeVar("T")

BLOCK: Final = 500
"""Examples that share a random generator: the unit of work."""


@dataclass(frozen=True)
class OpenTask(Generic[T]):
    """A task on tables of any schema."""

    name: str
    stream: str
    """Its random generators are named by it."""
    sizes: Mapping[str, int]
    """Of each split."""
    ratio: Mapping[str, int]
    """How many of a hundred examples are of each type."""
    sharing: int
    """How many questions share their tables."""
    attempts: int
    """At a question, before the tables are given up."""
    tables: Callable[[Draw, str, str], T]
    """Draws tables for questions of a split and a wording."""
    question: Callable[[Draw, T, str, str], Example]
    """Draws a question of a type and a wording about tables."""

    def generate(
        self,
        split: str,
        *,
        seed: int = 0,
        examples: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[Example]:
        """Draws one split; fewer examples are the beginning of more.

        Args:
            split: ``train``, ``validation`` or ``test``.
            seed: Any number from 0 on.
            examples: How many; by default as many as the task has.
            progress: Called with the number of examples each time some are ready.

        Raises:
            TaskError: if there is no such split, or a number is negative.
        """
        if split not in SPLITS:
            raise TaskError(f"unknown split '{split}'; the splits are {', '.join(SPLITS)}")
        count = self.sizes[split] if examples is None else examples
        if seed < 0 or count < 0:
            raise TaskError(f"seed and number of examples must be 0 or more, not {seed} and {count}")
        drawn: list[Example] = []
        for block, start in enumerate(range(0, count, BLOCK)):
            wanted = min(BLOCK, count - start)
            drawn += self.block(split, seed, block)[:wanted]
            if progress is not None:
                progress(wanted)
        return drawn

    def block(self, split: str, seed: int, block: int, wording: str | None = None) -> list[Example]:
        """The examples of one block, which depend on the arguments alone.

        Args:
            split: No text in a table of one split is ever in one of another, whatever their seeds.
            seed: Any number.
            block: Which block of that seed.
            wording: ``literal`` or ``natural`` for examples of this wording only; by default half of each.
        """
        draw = Draw(self.stream, split, seed, block, wording or "both")
        sources = {each: _Source(self, draw, split, each) for each in WORDINGS}
        cycle = [kind for kind, count in self.ratio.items() for _ in range(count)]
        kinds = [kind for _ in range(BLOCK // len(cycle)) for kind in draw.shuffled(cycle)]
        return [sources[wording or WORDINGS[place % 2]].example(kind) for place, kind in enumerate(kinds)]


class _Source(Generic[T]):
    """Draws examples of one wording."""

    def __init__(self, task: OpenTask[T], draw: Draw, split: str, wording: str) -> None:
        self._task, self._draw, self._split, self._wording = task, draw, split, wording
        self._tables: T | None = None
        self._left = 0

    def example(self, kind: str) -> Example:
        """One example of a type, on new tables if need be."""
        while True:
            if self._tables is None or self._left <= 0:
                self._tables = self._task.tables(self._draw, self._split, self._wording)
                self._left = self._task.sharing
            for _ in range(self._task.attempts):
                found = attempted(self._task.question, self._draw, self._tables, kind, self._wording)
                if found is not None:
                    self._left -= 1
                    return found
            self._left = 0


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
