"""The data sets by name."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from neural_enquirer.programs.language import Cells
from neural_enquirer.programs.paper import steps, to_paper_text
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet, concatenate
from neural_enquirer.synthesis.olympics_sampler import OlympicSampler
from neural_enquirer.synthesis.splits import SPLITS, TaskError, split_of
from neural_enquirer.synthesis.two_tables import TwoTableSampler

# Frozen. Drawn at random, five fields each; the first draw that covers all ten fields and has a city or a
# country in every set, so that every set can name its rows.
FIELD_SETS: Final = (
    ("year", "#_participants", "#_medals", "host_country", "country_size"),
    ("host_city", "#_participants", "#_medals", "host_country", "country_size"),
    ("year", "host_country", "GDP", "country_size", "population"),
    ("year", "host_city", "#_participants", "#_duration", "population"),
    ("year", "host_city", "#_participants", "#_duration", "#_audience"),
)


def split_by_field_sets(program: Cells, field_sets: tuple[tuple[str, ...], ...] = FIELD_SETS) -> str | None:
    """The split of a program: for testing if its fields lie in no single set, else by its logical form.

    Within the sets, forms that other tasks test stay unused, so that no training of any task meets them.
    """
    used = set(steps(program))
    if not any(used <= set(names) for names in field_sets):
        return "test"
    split = split_of(to_paper_text(program))
    return None if split == "test" else split


BLOCK: Final = 600
"""Examples that share a random generator: the unit of work. Every cycle of types divides it."""


class Sampler(Protocol):
    """Draws examples of one type for one split."""

    def draw(self, rng: np.random.Generator, program_type: int, count: int) -> ExampleSet:
        """As many examples of one type."""
        ...


@dataclass(frozen=True)
class Task:
    """One data set: its sizes, the types of its programs, and how its examples are drawn."""

    family: str
    """Tasks of one family draw the same examples in the same order."""
    examples: dict[str, int]
    """The size of each split."""
    types: dict[str, tuple[str, ...]]
    """The types of each split's examples, over and over: any beginning of a split holds them in this
    ratio."""
    samplers: dict[str, Sampler]


_MIXTURED: Final = {
    "train": ("select_where", "superlative", "where_superlative", "nest", "nest"),
    "validation": PROGRAM_TYPES,
    "test": PROGRAM_TYPES,
}
_OLYMPICS: Final[dict[str, Sampler]] = {split: OlympicSampler(split) for split in SPLITS}
_UNSEEN_ENTITIES: Final[dict[str, Sampler]] = {
    split: OlympicSampler(split, reserved_words=True, unseen_entities=split == "test") for split in SPLITS
}
_FIELD_SETS: Final[dict[str, Sampler]] = {
    "train": OlympicSampler("train", FIELD_SETS, split_by_field_sets),
    "validation": OlympicSampler("validation", FIELD_SETS, split_by_field_sets),
    "test": OlympicSampler("test", split_of=split_by_field_sets),
}
_TWO_TABLES: Final[dict[str, Sampler]] = {split: TwoTableSampler(split) for split in SPLITS}


def _sizes(train: int, validation: int, test: int) -> dict[str, int]:
    return {"train": train, "validation": validation, "test": test}


TASKS: Final[dict[str, Task]] = {
    "olympics-25k": Task("olympics", _sizes(25_000, 5_000, 20_000), _MIXTURED, _OLYMPICS),
    "olympics-100k": Task("olympics", _sizes(100_000, 5_000, 20_000), _MIXTURED, _OLYMPICS),
    "olympics-oov": Task("olympics", _sizes(100_000, 5_000, 20_000), _MIXTURED, _UNSEEN_ENTITIES),
    "olympics-large-kb": Task(
        "olympics-large-kb",
        _sizes(75_000, 6_000, 30_000),
        dict.fromkeys(SPLITS, ("select_where", "superlative", "where_superlative")),
        _FIELD_SETS,
    ),
    "olympics-two-tables": Task(
        "olympics-two-tables",
        _sizes(100_000, 5_000, 20_000),
        dict.fromkeys(SPLITS, ("select_where",)),
        _TWO_TABLES,
    ),
}


def generate(
    task: str,
    split: str,
    *,
    seed: int = 0,
    examples: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ExampleSet:
    """Draws one split of a task.

    The result depends on the task's family, the split and the seed alone. Fewer examples are the beginning of
    more.

    Args:
        task: One of :data:`TASKS`.
        split: ``train``, ``validation`` or ``test``.
        seed: Any number from 0 on. No validation or test question of one seed is a training question of any.
        examples: How many; by default as many as the task has.
        progress: Called with the number of examples each time some are ready.

    Raises:
        TaskError: if there is no such task or split, or a number is negative.
    """
    chosen = _task(task, split, seed, examples)
    count = chosen.examples[split] if examples is None else examples
    sizes = [min(BLOCK, count - start) for start in range(0, count, BLOCK)] or [0]
    blocks = []
    for index, size in enumerate(sizes):
        block = _draw_block(chosen, split, seed, index)
        blocks.append(block if size == BLOCK else block.select(slice(size)))
        if progress is not None:
            progress(size)
    return concatenate(blocks)


def _task(task: str, split: str, seed: int, examples: int | None) -> Task:
    if task not in TASKS:
        raise TaskError(f"unknown task '{task}'; the tasks are {', '.join(TASKS)}")
    if split not in SPLITS:
        raise TaskError(f"unknown split '{split}'; the splits are {', '.join(SPLITS)}")
    if seed < 0:
        raise TaskError(f"the seed must be 0 or more, not {seed}")
    if examples is not None and examples < 0:
        raise TaskError(f"the number of examples must be 0 or more, not {examples}")
    return TASKS[task]


def _draw_block(task: Task, split: str, seed: int, block: int) -> ExampleSet:
    """One block of examples, from a random generator of its own."""
    name = hashlib.blake2b(f"{task.family}/{split}".encode(), digest_size=8).digest()
    rng = np.random.default_rng(np.random.SeedSequence((int.from_bytes(name, "big"), seed, block)))
    cycle = np.array([PROGRAM_TYPES.index(name) for name in task.types[split]])
    types = np.resize(cycle, BLOCK)
    kinds = [kind for kind in range(len(PROGRAM_TYPES)) if kind in cycle]
    drawn = concatenate([task.samplers[split].draw(rng, kind, int((types == kind).sum())) for kind in kinds])
    # The examples were drawn type by type; example i is to have the i-th type of the cycle.
    order = np.empty(BLOCK, dtype=np.intp)
    order[np.argsort(types, kind="stable")] = np.arange(BLOCK)
    return drawn.select(order)
