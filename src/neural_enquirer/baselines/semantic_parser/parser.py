"""The semantic parser: a question and a table go in, a program and its answer come out."""

import concurrent.futures
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.baselines.semantic_parser.chart import COMPARISON, FILTER
from neural_enquirer.baselines.semantic_parser.derivations import Derivations, derive
from neural_enquirer.baselines.semantic_parser.execution import Columns
from neural_enquirer.baselines.semantic_parser.features import Featured, FeatureSpace
from neural_enquirer.baselines.semantic_parser.problems import of_examples, of_table
from neural_enquirer.baselines.semantic_parser.programs import fields_read, program_of
from neural_enquirer.baselines.semantic_parser.scoring import Scorer, Weights
from neural_enquirer.checkpoint import read_tensors, write_tensors
from neural_enquirer.checkpoint_files import FORMAT, CheckpointError, read_config, write_text
from neural_enquirer.programs.language import Program
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.tables import Table
from neural_enquirer.training.accuracy import CellAnswers

KIND: Final = "semantic-parser"
FEATURES, WEIGHTS = "features.json", "model.safetensors"
"""Files of a folder, beside config.json; nothing is unpickled."""
SHARD: Final = 25
"""Questions whose charts are filled together: enough to keep numpy busy, few enough to stay in the caches."""

Floats = npt.NDArray[np.float32]
Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(frozen=True)
class ParserConfig:
    """How programs are searched for and learned.

    Attributes:
        beam: forms kept in each cell of the chart.
        size: row operations of the largest form; a nested question needs three.
        longest_phrase: words of the longest spans of the question that are features.
        least_count: training questions that a phrase must occur in to be a feature.
        roles: whether features tell what a field is used for: to filter, to compare, to rank or to select.
            Without, nearer to the original, they know only that the form holds the field and the operation,
            and nothing of the words around a value.
        learning_rate: AdaGrad's.
        part: training questions between two reports; an epoch of the run is so many, not all of them.
    """

    beam: int = 100
    size: int = 3
    longest_phrase: int = 3
    least_count: int = 2
    roles: bool = True
    learning_rate: float = 0.02
    part: int = 5000

    def __post_init__(self) -> None:
        for name in ("beam", "size", "longest_phrase", "least_count", "part"):
            if getattr(self, name) < 1:
                raise ValueError(f"model.{name} must be at least 1, not {getattr(self, name)}")
        if self.learning_rate <= 0:
            raise ValueError(f"model.learning_rate must be positive, not {self.learning_rate}")


@dataclass(frozen=True)
class Parse:
    """What the parser makes of a question; a table without rows, say, leaves it without a program."""

    program: Program | None
    """What it chose; None if it found nothing."""
    probabilities: Floats
    """``[row, field]``: of each cell to be the answer; they sum to 1, or to 0 without a program."""
    field_weights: Floats
    """``[step, field]``: 1 for the field that each step of the program reads, the selected one last."""
    row_marks: Floats
    """``[step, row]``: 1 for the rows that are left after each step."""


@dataclass(frozen=True)
class SemanticParser:
    """A trained parser.

    Attributes:
        config: how it searches.
        space: the phrases and fields that it knows.
        weights: of its features.
        form: the questions it was trained on: natural language.
        about: how it was trained and what it reached, for people.
    """

    config: ParserConfig
    space: FeatureSpace
    weights: Weights
    form: str = "natural"
    about: Mapping[str, Any] = field(default_factory=dict)

    def save(self, directory: Path) -> None:
        """Writes the parser; each file appears whole or not at all."""
        directory.mkdir(parents=True, exist_ok=True)
        content = {"format": FORMAT, "kind": KIND, "model": asdict(self.config), "form": self.form}
        content["about"] = dict(self.about)
        write_text(directory / "config.json", json.dumps(content, indent=2) + "\n")
        write_text(directory / FEATURES, json.dumps(asdict(self.space), ensure_ascii=False) + "\n")
        write_tensors(directory / WEIGHTS, self.weights.tensors())

    @classmethod
    def load(cls, directory: Path) -> "SemanticParser":
        """Reads a parser.

        Raises:
            CheckpointError: if there is none, or it is damaged.
        """
        content = read_config(directory)
        if content.get("kind") != KIND:
            raise CheckpointError(f"{directory} holds no semantic parser")
        try:
            features = json.loads((directory / FEATURES).read_text())
            names = {key: tuple(map(str, features[key])) for key in ("field_names", "phrases", "contexts")}
            space = FeatureSpace(**names, longest=int(features["longest"]), roles=bool(features["roles"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CheckpointError(f"{directory / FEATURES} is missing or damaged") from error
        tensors = read_tensors(directory / WEIGHTS)
        try:
            config = ParserConfig(**content["model"])
            weights = Weights.of_tensors(tensors, space)
            return cls(config, space, weights, str(content["form"]), content["about"])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"the files in {directory} do not belong together") from error

    def parse(self, questions: Sequence[tuple[Table, str]]) -> list[Parse]:
        """Answers questions, each on its own table."""
        return [self._parse(table, question) for table, question in questions]

    def answers(self, featured: Featured) -> CellAnswers:
        """The most likely cell of each question, and its probability."""
        count = len(featured.problems)
        shards = np.array_split(np.arange(count), max(1, -(-count // SHARD)))
        found = list(on_threads(lambda chosen: self._best(featured.select(chosen)), shards))
        places, confidences = map(np.concatenate, zip(*found, strict=True))
        return CellAnswers(places, confidences)

    def derive(self, featured: Featured) -> tuple[Columns, Scorer, Derivations]:
        """Searches for the forms of some questions."""
        columns = Columns.of(featured.problems)
        scorer = Scorer(self.space, self.weights, featured)
        return columns, scorer, derive(columns, scorer, self.config.beam, self.config.size)

    def _best(self, featured: Featured) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The most likely cells of some questions, whose fields stand here in another order."""
        _, _, derivations = self.derive(featured)
        problems = featured.problems
        _, rows, width = problems.keys.shape
        chances = derivations.cell_probabilities(rows).reshape(len(problems), -1)
        row, column = np.divmod(chances.argmax(axis=1), width)
        columns = problems.columns[np.arange(len(problems)), column]
        return row * width + columns, chances.max(axis=1).astype(np.float64)

    def _parse(self, table: Table, question: str) -> Parse:
        width = len(table.fields)
        if table.row_count == 0:
            return Parse(None, np.zeros((0, width), np.float32), *_no_steps(0, width))
        problems = of_table(table, question)
        columns, _, derivations = self.derive(self.space.look_up(problems))
        cells = derivations.cell_probabilities(table.row_count)[0]
        probabilities = np.zeros_like(cells)
        probabilities[:, problems.columns[0]] = cells
        if not cells.any():
            return Parse(None, probabilities, *_no_steps(table.row_count, width))
        row, selected = np.unravel_index(cells.argmax(), cells.shape)
        denoting = np.where(derivations.rows[0] == row, derivations.scores[0, :, selected], -np.inf)
        kinds, operations = derivations.form(0, int(denoting.argmax()))
        fields = problems.columns[0, [*fields_read(kinds, operations, width), int(selected)]]
        left = [*_rows_left(columns, kinds, operations)]
        return Parse(
            program_of(table, problems, kinds, operations, int(selected)),
            probabilities,
            np.eye(width, dtype=np.float32)[fields],
            np.array([*left, left[-1]], dtype=np.float32),
        )


def answers_of(parser: SemanticParser, examples: ExampleSet, device: torch.device | str) -> CellAnswers:
    """What a parser answers; it searches on the CPU, always.

    Raises:
        EncodingError: if a question has more than one table.
    """
    return parser.answers(parser.space.look_up(of_examples(examples)))


def _no_steps(rows: int, width: int) -> tuple[Floats, Floats]:
    return np.zeros((0, width), np.float32), np.zeros((0, rows), np.float32)


def _rows_left(
    columns: Columns, kinds: npt.NDArray[np.int64], operations: npt.NDArray[np.int64]
) -> Iterator[npt.NDArray[np.bool_]]:
    """The rows after each operation of one form."""
    rows = np.ones((len(columns.keys), 1, 1), dtype=np.bool_)
    for kind, number in zip(kinds[1:], operations[1:], strict=True):
        operation = np.full((1, 1), number)
        if kind == FILTER:
            rows = rows & columns.filters[:, :, number, None]
        elif kind == COMPARISON:
            rows = columns.compared_rows(rows.argmax(axis=0), operation)
        else:
            rows = columns.extreme_rows(rows, operation)
        yield rows[:, 0, 0]


def on_threads(function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
    """The result of each job in order; numpy lets other threads run while it computes."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(cores, len(jobs)) < 2:
        yield from map(function, jobs)
        return
    with concurrent.futures.ThreadPoolExecutor(min(cores, len(jobs))) as pool:
        yield from pool.map(function, jobs)
