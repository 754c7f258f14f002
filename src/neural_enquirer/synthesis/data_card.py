"""The numbers about the data: ``python -m neural_enquirer.synthesis.data_card docs/training.md``.

Counts and examples come from the data sets themselves, as everyone generates them, and are written
between two marks in the card; what stands around them is written by hand.
"""

import functools
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.synthesis.olympics import (
    CITIES,
    CONTINENTS,
    COUNTRIES,
    NUMBERS,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
)
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.synthesis.tasks import TASKS, generate
from neural_enquirer.synthesis.two_tables import joined

START: Final = "<!-- from here on: python -m neural_enquirer.synthesis.data_card docs/training.md -->"
END: Final = "<!-- up to here -->"

DataSet = Callable[[str, str], ExampleSet]

_WORD: Final = re.compile(r"#?_?\w+(?:,\d+)*")
_SHOWN: Final = 1


def updated(card: str, data_set: DataSet) -> str:
    """The card with fresh numbers between its marks."""
    before, _, rest = card.partition(START)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"the card has no lines '{START}' and '{END}' to put the numbers between")
    return f"{before}{START}\n\n{numbers(data_set)}\n\n{END}{after}"


def numbers(data_set: DataSet) -> str:
    """All that the card says in numbers and examples."""
    return "\n\n".join((_sizes(data_set), _vocabulary(data_set), _examples(data_set)))


def _sizes(data_set: DataSet) -> str:
    rows = []
    for task in TASKS:
        for split in SPLITS:
            examples = data_set(task, split)
            by_type = np.bincount(examples.types, minlength=len(PROGRAM_TYPES)).tolist()
            distinct = len(set(examples.logical_forms)), len(set(examples.questions))
            rows.append([f"`{task}`", split, len(examples), *by_type, *distinct])
    names = [f"`{name}`" for name in PROGRAM_TYPES]
    head = ["data set", "split", "examples", *names, "different logical forms", "different questions"]
    return "### Counts\n\n" + _table(head, rows)


def _vocabulary(data_set: DataSet) -> str:
    values = {word.lower() for word in (*NUMBERS, *CITIES, *COUNTRIES, *CONTINENTS)}
    rows: list[list[object]] = [
        ["numbers, shared by all numeric fields", len(NUMBERS)],
        ["cities", len(CITIES)],
        ["countries", len(COUNTRIES)],
        ["cities only in the test set of `olympics-oov`", len(RESERVED_CITIES)],
        ["countries only in the test set of `olympics-oov`", len(RESERVED_COUNTRIES)],
        ["continents, in `olympics-two-tables`", len(CONTINENTS)],
    ]
    for task in ("olympics-100k", "olympics-two-tables"):
        examples = data_set(task, "train")
        for name, texts in (("questions", examples.questions), ("SQL-like text", examples.logical_forms)):
            rows.append([f"other words in the {name} of `{task}`", len(_words(texts) - values)])
    return "### Vocabulary\n\n" + _table(["words", "how many"], rows)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text.lower())}


def _examples(data_set: DataSet) -> str:
    """The first examples of each kind, from the test sets."""
    common, unseen = data_set("olympics-100k", "test"), data_set("olympics-oov", "test")
    parts = [
        (f"`{name}`", common, np.flatnonzero(common.types == kind)) for kind, name in enumerate(PROGRAM_TYPES)
    ]
    named = [index for index in range(len(unseen)) if _words([unseen.questions[index]]) & _reserved()]
    parts.append(("Unseen entities (`olympics-oov`)", unseen, np.array(named)))
    across = data_set("olympics-large-kb", "test")
    parts.append(("Across field sets (`olympics-large-kb`)", across, np.arange(len(across))))
    two = data_set("olympics-two-tables", "test")
    for name, chosen in (("without", ~joined(two)), ("with", joined(two))):
        parts.append((f"Two tables, {name} a join (`olympics-two-tables`)", two, np.flatnonzero(chosen)))
    shown = [f"#### {title}\n\n{_shown(examples, indices)}" for title, examples, indices in parts]
    return "### Examples\n\n" + "\n\n".join(shown)


def _reserved() -> set[str]:
    return {word.lower() for word in (*RESERVED_CITIES, *RESERVED_COUNTRIES)}


def _shown(examples: ExampleSet, indices: npt.NDArray[np.intp]) -> str:
    answers = examples.answer_words()
    return "\n".join(
        f"- {examples.questions[index]}\n  `{examples.logical_forms[index]}` → {answers[index]}"
        for index in indices[:_SHOWN]
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def shown(cell: object) -> str:
        return f"{cell:,}" if isinstance(cell, int | np.integer) else str(cell)

    body = [line(map(shown, row)) for row in rows]
    return "\n".join([line(head), line("---" for _ in head), *body])


def _main(paths: Sequence[str]) -> None:
    """Writes the numbers into the cards at `paths`, or prints them if there are none."""
    data_set = functools.cache(lambda task, split: generate(task, split))
    if not paths:
        print(numbers(data_set))
    for path in map(Path, paths):
        path.write_text(updated(path.read_text(encoding="utf-8"), data_set), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
