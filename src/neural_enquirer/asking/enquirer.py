"""Enquirer: what users import. A trained model, ready to be asked.

The model itself is loaded by `from_pretrained` and not before.
"""

import dataclasses
import functools
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from neural_enquirer.asking.answer import Answer, answer_by_cell, answer_of
from neural_enquirer.asking.questions import QuestionError, check_question
from neural_enquirer.engines.addresses import is_connection
from neural_enquirer.engines.choosing import open_object, open_sources
from neural_enquirer.prediction import Predictor, Tables, Verdict
from neural_enquirer.tables import Table, TableError

if TYPE_CHECKING:
    from neural_enquirer.asking.follow_ups import Last

# The probabilities of so many cells are held at once, before answers are made of them.
_CELLS_AT_ONCE = 4_000_000
_QUESTIONS_AT_ONCE = 2048

DEFAULT = "open"
"""The model that answers where none is named."""


class Enquirer:
    """Answers questions about tables.

    Example:
        ```
        enquirer = Enquirer.from_pretrained()
        enquirer.ask("games.csv", "which city hosted the games in 2000").value
        ```
    """

    def __init__(self, predictor: Predictor, directory: Path | None = None) -> None:
        """Wraps a model.

        Args:
            predictor: the model.
            directory: where its files are, for `save_pretrained`.
        """
        self._predictor = predictor
        self._directory = directory

    @classmethod
    def from_pretrained(cls, name: str | os.PathLike[str] = DEFAULT) -> "Enquirer":
        """Loads a model that comes with the package by its name, or one from a directory.

        Raises:
            CheckpointError: where there is none, or its files are damaged.
        """
        from neural_enquirer.checkpoint_files import locate
        from neural_enquirer.prediction.loading import load_predictor

        chosen = os.fspath(name)
        return cls(load_predictor(chosen), locate(chosen))

    @property
    def model(self) -> str:
        """The model's name, or the directory it came from."""
        return self._predictor.name

    def ask(self, table: Any, question: str, *, top: int = 5, after: "Answer | Last | None" = None) -> Answer:
        """Answers one question.

        Args:
            table: a Table, the path of a table file or the address of a database, whatever else `Table.of`
                takes, a DuckDB relation, a Spark data frame, or a pair of a DB-API connection and a table's
                name; or a list of these, to ask several tables together, or a dict of them by their names,
                whose words help.
            question: in plain words.
            top: how many of the most probable candidates the answer lists.
            after: the answer to the question before, on which this one may lean: "and in Europe?"; or that
                question with its program.

        Raises:
            TableError: where a table cannot be read or has no rows, or a model cannot read several together.
            QuestionError: where the question is empty.
        """
        plain = self.ask_many(table, [question], top=top)[0]
        if after is None:
            return plain
        # Not at the top: whoever asks once need not wait for it.
        from neural_enquirer.asking.follow_ups import Last, follow_up

        last = Last.of(after) if isinstance(after, Answer) else after
        return follow_up(plain, last, functools.partial(self.ask_many, list(plain.tables)))

    @overload
    def ask_many(self, table: Any, questions: Iterable[str], *, top: int = 5) -> list[Answer]: ...
    @overload
    def ask_many(self, table: Iterable[tuple[Any, str]], *, top: int = 5) -> list[Answer]: ...
    def ask_many(self, table: Any, questions: Iterable[str] | None = None, *, top: int = 5) -> list[Answer]:
        """Answers many questions at once, which is faster than one by one.

        Args:
            table: one table, or a list or dict of several, for all questions; or, without questions, pairs of
                that and a question.
            questions: the questions about the table.
            top: how many of the most probable candidates each answer lists.
        """
        if top < 1:
            raise QuestionError(f"top is how many candidates to list: 1 or more, not {top}")
        pairs = _pairs(table) if questions is None else _same_table(table, questions)
        return [found for batch in _batches(pairs) for found in self._answers(batch, top)]

    def _answers(self, batch: Sequence[tuple[Tables, str]], top: int) -> Iterator[Answer]:
        verdicts = iter(self._predictor.judge([pair for pair in batch if not _are_elsewhere(pair[0])]))
        for tables, question in batch:
            if _are_elsewhere(tables):
                from neural_enquirer.asking.elsewhere import answer_elsewhere  # and engines, where needed

                yield answer_elsewhere(self._predictor, tables, question, top)
            else:
                yield self._answer(tables, question, next(verdicts), top)

    def _answer(self, tables: Tables, question: str, verdict: Verdict, top: int) -> Answer:
        if not verdict.ranked:
            return answer_by_cell(question, tables, verdict.prediction, self.model, top)
        ranked = verdict.ranked[:top]
        return answer_of(question, tables, verdict.links, ranked, self.model, verdict.prediction)

    def save_pretrained(self, directory: str | os.PathLike[str]) -> None:
        """Writes the model's files (model.safetensors, config.json, the vocabulary) into a directory."""
        if self._directory is None:
            raise QuestionError("this model was not loaded from files; there is nothing to copy")
        target = Path(directory)
        target.mkdir(parents=True, exist_ok=True)
        for source in sorted(path for path in self._directory.iterdir() if path.is_file()):
            temporary = target / f".{source.name}"
            shutil.copyfile(source, temporary)
            os.replace(temporary, target / source.name)  # each file appears whole or not at all


def _are_elsewhere(tables: Tables) -> bool:
    """Whether an engine runs programs over tables."""
    return any(table.is_elsewhere for table in tables)


def _same_table(table: Any, questions: Iterable[str]) -> list[tuple[Tables, str]]:
    if isinstance(questions, str):
        raise QuestionError("ask_many takes a list of questions; for one question there is ask")
    asked = _asked(table)
    return [(asked, check_question(question)) for question in questions]


def _pairs(pairs: Any) -> list[tuple[Tables, str]]:
    listed = list(pairs) if isinstance(pairs, Iterable) else [pairs]
    if isinstance(pairs, str) or not all(
        isinstance(pair, tuple | list) and len(pair) == 2 for pair in listed
    ):
        raise QuestionError("give questions after the table, or a list of pairs (table, question)")
    known: dict[int, Tables] = {}  # a table that occurs again is read once; `listed` keeps the sources alive
    for source, _ in listed:
        if id(source) not in known:
            known[id(source)] = _asked(source)
    return [(known[id(source)], check_question(question)) for source, question in listed]


def _asked(source: Any) -> Tables:
    """One table, or more where a list holds anything but the records of one, or a dict holds tables."""
    if isinstance(source, list | tuple | Mapping) and not source:
        raise TableError("there is no table to ask; give one, or a list of several")
    if isinstance(source, Mapping) and all(_is_table(one) for one in source.values()):
        return named_apart(_named(one, str(name)) for name, one in source.items())
    if not isinstance(source, list | tuple) or all(isinstance(one, Mapping) for one in source):
        return (open_object(source),)
    if all(isinstance(one, str | os.PathLike) for one in source):
        return named_apart(open_sources(list(map(os.fspath, source))))
    if not all(isinstance(one, Mapping | Table | str | os.PathLike) or _is_frame(one) for one in source):
        return (open_object(source),)  # which says what is wrong with it
    return named_apart(open_object(one) for one in source)


def named_apart(tables: Iterable[Table]) -> Tables:
    """The tables, numbered in their names where two names are alike."""
    known = tuple(tables)
    if len({table.name.casefold() for table in known}) == len(known):
        return known
    return tuple(
        dataclasses.replace(table, name=f"{table.name} {number}")
        for number, table in enumerate(known, start=1)
    )


def _is_frame(source: Any) -> bool:
    """Whether something may be one of several tables: frames, Arrow tables, lists of records, open files."""
    records = isinstance(source, list) and all(isinstance(one, Mapping) for one in source)
    names = ("iloc", "__arrow_c_stream__", "read", "createOrReplaceTempView")
    return records or is_connection(source) or any(hasattr(source, name) for name in names)


def _is_table(source: Any) -> bool:
    """Whether a value of a dict is a table, and not a column: a list of cells, an array, a series."""
    if isinstance(source, list):
        return bool(source) and all(isinstance(one, Mapping) for one in source)
    is_known = isinstance(source, Mapping | Table | str | os.PathLike)
    return is_known or any(hasattr(source, name) for name in ("columns", "column_names", "read"))


def _named(source: Any, name: str) -> Table:
    table = open_object(source, name)
    return table if table.name == name else dataclasses.replace(table, name=name)


def _batches(pairs: Sequence[tuple[Tables, str]]) -> Iterator[list[tuple[Tables, str]]]:
    """Cuts the questions so that the probabilities of all cells of a batch fit into memory."""
    batch: list[tuple[Tables, str]] = []
    cells = 0
    for asked, question in pairs:
        size = sum(table.row_count * len(table.fields) for table in asked)
        if batch and (cells + size > _CELLS_AT_ONCE or len(batch) >= _QUESTIONS_AT_ONCE):
            yield batch
            batch, cells = [], 0
        batch.append((asked, question))
        cells += size
    if batch:
        yield batch
