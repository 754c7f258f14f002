"""The commands `enquirer ask` and `enquirer chat`."""

import itertools
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.answer import Answer
from neural_enquirer.enquirer import COMPANIONS, Asked, Enquirer, QuestionError
from neural_enquirer.question_files import AskedQuestion, read_questions
from neural_enquirer.table import Table, TableError

_DEFAULT_TOP = 5
_LINES_AT_ONCE = 256
_TABLE_SUFFIXES = (
    ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".db", ".sqlite", ".sqlite3", ".gz", ".zst",
)  # fmt: skip


@dataclass(frozen=True)
class Request:
    """What is to be shown of an answer.

    Attributes:
        top: how many candidates to list; None lists none, or a few in JSON.
        explain: whether to print the steps; JSON has them anyway.
        figure: where to draw them.
        figure_width: in inches; None makes the figure as wide as the table needs.
        as_json: whether to print JSON instead of what people read.
        steps: whether the JSON tells the steps.
    """

    top: int | None = None
    explain: bool = False
    figure: Path | None = None
    figure_width: float | None = None
    as_json: bool = False
    steps: bool = True

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise QuestionError(f"--top is how many answers to list: 1 or more, not {self.top}")
        if self.figure is not None:
            _check_figure(self.figure, self.figure_width)


def split_sources(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tells the tables at the beginning of a command's words from the question behind them.

    Words of a question that is not in quotes are no files, and seldom end as files of tables do.
    """
    count = next((i for i, word in enumerate(words) if not _is_source(word)), len(words))
    return list(words[:count]), list(words[count:])


def _is_source(word: str) -> bool:
    path, _, _ = word.partition("::")  # a table of a database
    return word == "-" or _is_file(path) or (" " not in path and path.lower().endswith(_TABLE_SUFFIXES))


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a question may be longer than the name of a file
        return False


def ask_one(model: str, sources: Sequence[str], question: str, request: Request) -> None:
    """Answers one question about a table, or about several together, and shows the answer."""
    tables = _read_all(sources)
    answer = _load(model, tables).ask(tables, question, top=request.top or _DEFAULT_TOP)
    if request.as_json:
        print(json.dumps(answer.to_json(request.steps)))
    else:
        _show(answer, request)
    if request.figure is not None:
        answer.plot(request.figure, request.figure_width)


def ask_file(model: str, sources: Sequence[str], questions: str, request: Request) -> None:
    """Answers the questions of a file, in order; each answer is a line."""
    if questions == "-" and "-" in sources:
        raise QuestionError("the table and the questions cannot both come from standard input")
    if request.figure is not None:
        raise QuestionError("--figure is for one question; --questions asks many")
    asked = read_questions(questions)
    _warn_of_replaced(asked, len(sources) > 1)
    tables = _read_all(sources)
    for line, answer in _answers(_load(model, tables), tables, asked, request):
        if request.as_json:
            print(json.dumps(line.others | answer.to_json(request.steps)))
        else:
            _show_one_of_many(answer, request)


def chat(model: str, source: str) -> None:
    """Opens a conversation about a table."""
    from neural_enquirer import terminal
    from neural_enquirer.conversation import Conversation

    if source == "-":
        raise TableError("standard input is where the questions come from; give the table as a file")
    table = _read(source)
    Conversation(_load(model, table), table, terminal.console()).run()


def _answers(
    enquirer: Enquirer, tables: Asked, asked: list[AskedQuestion], request: Request
) -> Iterator[tuple[AskedQuestion, Answer]]:
    """A few at a time: the steps of thousands of answers about a long table would fill the memory."""
    lines = iter(asked)
    while batch := list(itertools.islice(lines, _LINES_AT_ONCE)):
        answers = enquirer.ask_many(
            tables, [line.question for line in batch], top=request.top or _DEFAULT_TOP
        )
        yield from zip(batch, answers, strict=True)


def _warn_of_replaced(asked: list[AskedQuestion], several: bool) -> None:
    ours = {"answer", "row", "field", "confidence", "aggregation", "cells", "ranked", "steps", "model"}
    ours |= {"table", "tables", "links"} if several else set()
    replaced = sorted(ours & {key for line in asked for key in line.others})
    if replaced:
        message = f"the answers have a key '{replaced[0]}' of their own, which replaces that of the questions"
        warnings.warn(message, stacklevel=2)


def _show(answer: Answer, request: Request) -> None:
    from neural_enquirer import terminal  # and rich, which JSON does not need

    out = terminal.console()
    terminal.show_answer(out, answer, request.top)
    if request.explain:
        terminal.explain(out, answer)


def _show_one_of_many(answer: Answer, request: Request) -> None:
    from neural_enquirer import terminal

    out = terminal.console()
    terminal.show_short_answer(out, answer, request.top)
    if request.explain:
        terminal.explain(out, answer)


def _read_all(sources: Sequence[str]) -> Asked:
    if sources.count("-") > 1:
        raise TableError("only one table can come from standard input")
    tables = tuple(_read(source) for source in sources)
    return tables[0] if len(tables) == 1 else tables


def _read(source: str) -> Table:
    table = Table.read(source)
    if table.row_count == 0:
        raise TableError(f"{table.name} has no rows; there is nothing to ask about")
    return table


def _load(model: str, tables: Asked) -> Enquirer:
    """Loads a model; for several tables, the default is its companion, which reads them together."""
    if "torch" not in sys.modules:
        # Torch's threads otherwise spin while they wait, which slows everything where cores are shared.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return Enquirer.from_pretrained(model if isinstance(tables, Table) else COMPANIONS.get(model, model))


def _check_figure(path: Path, width: float | None) -> None:
    """Before the model is loaded: a figure that cannot be drawn is told at once."""
    from neural_enquirer.visualization import check_suffix, check_width

    check_suffix(path)
    check_width(width)
    if not path.absolute().parent.is_dir():
        raise QuestionError(f"{path.parent} is not a folder; make it first")
