"""How open tasks are drawn: in blocks of examples, of which a few share their tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from neural_enquirer.synthesis.examples import WORDINGS, Example
from neural_enquirer.synthesis.open.draw import Draw, attempted
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
