r"""WikiTableQuestions as it is published: `data/*.tsv` with questions and answers, `csv/` with tables.

In the questions' files `\n`, `\p` and `\\` stand for a line break, a bar and a backslash; bars separate
answers.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from neural_enquirer.real_questions.denotation import CellFinder, value_of
from neural_enquirer.real_questions.example import RealDataError, RealExample
from neural_enquirer.real_questions.files import read_table
from neural_enquirer.tables import Table

FILES = {
    "train": "random-split-1-train.tsv",
    "dev": "random-split-1-dev.tsv",
    "test": "pristine-unseen-tables.tsv",
}
"""The questions of each split: for training and development the first of the published divisions."""

_COLUMNS = ("id", "utterance", "context", "targetValue")
_ESCAPE = re.compile(r"\\([np\\])")
_SIGNS = {"n": "\n", "p": "|", "\\": "\\"}


def read(folder: Path, split: str) -> list[RealExample]:
    """Reads the questions of a split in the order of their file."""
    tables: dict[str, Table] = {}
    finders: dict[str, CellFinder] = {}
    examples = []
    for name, question, place, target in _records(folder / "data" / FILES[split]):
        if place not in tables:
            path = folder / place
            tables[place] = read_table(path, place, escape="\\", hint=": tables belong beside the questions")
            finders[place] = CellFinder(tables[place], value_of)
        answers = tuple(unescaped(part) for part in target.split("|"))
        cells = finders[place].cells(answers)
        one_cell = cells is not None and len(cells) == 1
        examples.append(RealExample(name, tables[place], unescaped(question), answers, cells, one_cell))
    return examples


def unescaped(text: str) -> str:
    """Puts the signs back for which the files have escapes."""
    return _ESCAPE.sub(lambda match: _SIGNS[match[1]], text)


def _records(path: Path) -> Iterator[list[str]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    header = lines[0].rstrip("\r").split("\t")
    if not set(_COLUMNS) <= set(header):
        raise RealDataError(f"{path} does not begin with the columns {', '.join(_COLUMNS)}")
    places = [header.index(column) for column in _COLUMNS]
    for count, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        parts = line.rstrip("\r").split("\t")
        if len(parts) < len(header):
            raise RealDataError(f"{path}: line {count} has {len(parts)} columns instead of {len(header)}")
        yield [parts[i] for i in places]
